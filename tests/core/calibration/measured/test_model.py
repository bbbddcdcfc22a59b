"""The model of a measured row: as it is stated, as it is known by name, or as usual for its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.measured.model import known_model, model_of, usual_model
from core.calibration.measured.table import MeasuredRow
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel

LLAMA = {
    "model": "llama3-8b", "params_b": "8.03", "n_layers": "32", "d_model": "4096", "n_heads": "32", "n_kv_heads": "8",
    "d_ff": "14336", "vocab": "128256",
}  # fmt: skip


def _model(cells: dict[str, str]) -> TransformerModel:
    model = model_of(MeasuredRow("t.csv", 2, cells))
    assert isinstance(model, TransformerModel), model
    return model


def _usual(name: str, size_b: float = 0.0, active_b: float = 0.0) -> TransformerModel:
    model = usual_model(name, size_b, active_b)
    assert model is not None
    return model


def _shape(model: TransformerModel) -> tuple[int, ...]:
    return model.n_layers, model.d_model, model.n_heads, model.n_kv_heads, model.d_head, model.d_ff


@pytest.mark.parametrize(
    ("size_b", "layers", "width", "heads", "d_head"),
    [(1.0, 18, 2176, 34, 64), (2.0, 22, 2752, 43, 64), (2.1, 22, 2816, 22, 128), (8.0, 35, 4352, 34, 128)],
)
def test_a_size_alone_gives_a_dense_model_128_times_as_wide_as_deep(
    size_b: float, layers: int, width: int, heads: int, d_head: int
) -> None:
    """``d = (128 P / 12)^(1/3)`` in whole heads, of 128 above 2 B parameters and of 64 below; ``L = P / 12 d^2``."""
    assert _shape(_usual("any", size_b)) == (layers, width, heads, heads, d_head, 4 * width)


@given(st.floats(0.05, 1500.0))
def test_a_usual_model_has_the_parameters_it_was_asked_for(size_b: float) -> None:
    """Beside the embeddings; whole layers and heads leave some per cent."""
    model = _usual("any", size_b)
    assert 12 * model.n_layers * model.d_model**2 == pytest.approx(size_b * 1e9, rel=0.1)
    assert model.d_model == model.n_heads * model.d_head
    assert 0.7 < model.d_model / model.n_layers / 128 < 1.4


@pytest.mark.parametrize(
    ("name", "size_b"), [("gpt-22b", 22.0), ("gpt-1.5b", 1.5), ("gpt 350m", 0.35), ("Sparse-1T", 1000.0)]
)
def test_a_size_is_read_from_the_name(name: str, size_b: float) -> None:
    assert _shape(_usual(name)) == _shape(_usual("any", size_b))


@pytest.mark.parametrize("name", ["gpt", "gpt-22bits", "DeepSeek-V9 700b"])
def test_without_a_size_and_for_mixtures_nothing_is_guessed(name: str) -> None:
    assert usual_model(name, 0.0) is None


@pytest.mark.parametrize(("active_b", "is_dense"), [(0.0, True), (9.0, True), (10.0, True), (8.9, False)])
def test_a_model_that_works_with_a_part_of_its_weights_is_a_mixture(active_b: float, is_dense: bool) -> None:
    assert (usual_model("any", 10.0, active_b) is not None) is is_dense


def test_a_known_model_is_found_however_it_is_spelt() -> None:
    name, preset = next(iter(presets().items()))
    assert known_model(name) == known_model(f" {name.upper().replace('-', '_')}!") == preset.model
    assert known_model("never made") is None


def test_a_stated_shape_comes_before_the_name() -> None:
    model = _model(LLAMA | {"n_layers": "30", "params_b": "7.59"})
    assert _shape(model) == (30, 4096, 32, 8, 128, 14336)
    assert model.vocab_size == 128256


def test_unstated_choices_are_those_that_come_nearest_to_the_size() -> None:
    """8.03 B takes a gated block and two embeddings; 6.27 B less a third of each block; 7.5 B one embedding of 0.53."""
    gated = _model(LLAMA)
    assert (gated.gated_mlp, gated.tied_embeddings) == (True, False)
    plain = _model(LLAMA | {"params_b": str((gated.n_params - 32 * 4096 * 14336) / 1e9)})
    assert (plain.gated_mlp, plain.tied_embeddings) == (False, False)
    tied = _model(LLAMA | {"params_b": str((gated.n_params - 4096 * 128256) / 1e9)})
    assert (tied.gated_mlp, tied.tied_embeddings) == (True, True)


def test_a_row_that_states_too_little_says_so() -> None:
    assert model_of(MeasuredRow("t.csv", 2, {"model": "secret"})) == "shape and size of the model unknown"
