"""Known models: their shapes must give the parameter counts that their makers state."""

from __future__ import annotations

import pytest

from core.workload.models.known import Preset, preset_of, presets
from core.workload.models.transformer import TransformerModel

ASKED_FOR = {
    "Llama 3.1 8B", "Llama 3.1 70B", "Llama 3.1 405B", "Llama 2 7B", "Llama 2 13B", "Llama 2 70B", "Mistral 7B",
    "Mixtral 8x7B", "Mixtral 8x22B", "Qwen2.5 7B", "Qwen2.5 32B", "Qwen2.5 72B", "Gemma 2 9B", "Gemma 2 27B",
    "GPT-3 175B",
}  # fmt: skip


@pytest.mark.parametrize("preset", presets().values(), ids=presets().keys())
def test_a_shape_gives_the_published_parameter_count(preset: Preset) -> None:
    # 1.5 % leaves room for what no shape holds: learned positions, biases, an output matrix stored twice
    assert preset.model.n_params == pytest.approx(preset.published_params, rel=0.015)


@pytest.mark.parametrize("preset", presets().values(), ids=presets().keys())
def test_every_known_model_names_its_source(preset: Preset) -> None:
    assert "/" in preset.source or "arXiv" in preset.source


def test_the_families_people_plan_with_are_there() -> None:
    assert presets().keys() >= ASKED_FOR


@pytest.mark.parametrize(
    ("name", "active_billions"), [("Mixtral 8x7B", 12.9), ("Mixtral 8x22B", 39.1), ("Qwen3 235B-A22B", 22.2)]
)
def test_a_token_visits_the_published_share_of_a_mixture(name: str, active_billions: float) -> None:
    assert presets()[name].model.n_active_params / 1e9 == pytest.approx(active_billions, rel=0.01)


def test_a_model_is_known_by_its_shape_not_its_name() -> None:
    known = presets()["Mistral 7B"].model
    assert preset_of(known.model_copy(update={"name": "Ours"})) == "Mistral 7B"
    assert preset_of(known.model_copy(update={"n_layers": 33})) is None


def test_no_two_known_models_share_a_shape() -> None:
    shapes: list[TransformerModel] = [p.model.model_copy(update={"name": ""}) for p in presets().values()]
    assert len(set(shapes)) == len(shapes)
