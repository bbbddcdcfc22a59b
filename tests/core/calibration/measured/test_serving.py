"""What a measured serving row was, read from its cells; what cannot be predicted is told."""

import pytest

from core.calibration.measured.serving import (
    BATCH,
    CLOSED,
    PREFILL,
    ServingCase,
    gives_tokens,
    keeps_lengths,
    serving_case,
)
from core.calibration.measured.table import MeasuredRow
from core.catalogue.loading import load_catalogue

LLAMA = {
    "id": "a", "hardware": "h100-sxm", "n_chips": "8", "model": "llama-3.1-70b", "params_b": "70.6", "n_layers": "80",
    "d_model": "8192", "n_heads": "64", "n_kv_heads": "8", "d_ff": "28672", "vocab": "128256", "tp": "4", "pp": "1",
    "batch_or_concurrency": "64", "input_len": "1024", "output_len": "512", "scenario": "server", "engine": "vllm",
    "weight_precision": "fp8", "date": "2025-10-29",
}  # fmt: skip


def case(**cells: str) -> ServingCase:
    found = serving_case(MeasuredRow("t.csv", 2, LLAMA | cells), load_catalogue())
    assert isinstance(found, ServingCase)
    return found


def test_a_closed_loop_row_as_stated() -> None:
    found = case()
    assert (found.load, found.precision, found.weight_bytes, found.engine) == (CLOSED, "fp8", 1.0, "vllm")
    assert (found.tp, found.pp, found.concurrency, found.n_chips) == (4, 1, 64.0, 8)
    assert found.year == pytest.approx(2025.75)
    assert found.kv_bytes == 0.0
    assert case(weight_precision="bf16").kv_bytes == 2.0
    assert case(kv_precision="fp8_e4m3").kv_bytes == 1.0


@pytest.mark.parametrize(
    ("scenario", "load"),
    [("offline", BATCH), ("max-throughput", BATCH), ("latency", BATCH), ("prefill", PREFILL), ("server", CLOSED)],
)
def test_how_a_row_was_loaded(scenario: str, load: str) -> None:
    assert case(scenario=scenario).load == load


@pytest.mark.parametrize(
    ("mean", "kept"),
    [(217.4, True), (229.5, True), (1996.0, False), (127.7, False), (31999.0, False), (20000.0, False)],
)
def test_means_that_are_not_round_are_those_of_a_data_set(mean: float, kept: bool) -> None:
    """ShareGPT has 217 in the mean; prompts drawn of 2,000, 128, 32,000 and 20,000 come out a token or two short."""
    assert keeps_lengths(mean) is kept


@pytest.mark.parametrize(
    ("name", "engine"), [("deepspeed-mii 0.3", "deepspeed-mii"), ("deepspeed-habana", "compiled"), ("other", "vllm")]
)
def test_steps_on_gaudi_are_recorded(name: str, engine: str) -> None:
    assert case(engine=name).engine == engine


def test_mlperf_states_sixteen_bits_for_eight_and_takes_its_data_set() -> None:
    found = case(
        publisher="mlperf:dell", model="llama-2-70b", weight_precision="fp16", scenario="offline", input_len="",
        output_len="", batch_or_concurrency="", tp="", engine="tensorrt", date="2024-08-28",
    )  # fmt: skip
    assert (found.precision, found.weight_bytes, found.load) == ("fp8", 1.0, BATCH)
    assert (found.input_tokens, found.output_tokens, found.tp) == (294.0, 294.0, 0)
    assert gives_tokens(found.row)
    older = case(publisher="mlperf:dell", hardware="a100-sxm-80", weight_precision="", date="2023-09-11")
    assert older.precision == "fp16"
    assert not gives_tokens(older.row)


def test_chips_that_only_prefill_are_read_from_the_notes() -> None:
    notes = "disaggregated: 5 prefill workers x1 + 11 decode workers x2; more"
    found = case(scenario="server-disaggregated", notes=notes, n_chips="27", tp="")
    assert (found.prefill_workers, found.prefill_chips, found.decode_workers, found.n_chips) == (5, 1, 11, 2)
    unsaid = case(scenario="server-disaggregated", n_chips="16", tp="")
    assert (unsaid.prefill_workers, unsaid.decode_workers, unsaid.n_chips) == (1, 1, 8)


@pytest.mark.parametrize(("n_chips", "workers", "size"), [(1, 1, 1), (2, 1, 1), (6, 1, 3), (16, 1, 8), (40, 2, 8)])
def test_half_of_the_chips_prefill_where_the_notes_do_not_tell(n_chips: int, workers: int, size: int) -> None:
    """In workers of eight at most; one chip does both."""
    unsaid = case(scenario="server-disaggregated", n_chips=str(n_chips), tp="")
    assert (unsaid.prefill_workers, unsaid.prefill_chips) == (workers, size)
    assert (unsaid.decode_workers, unsaid.n_chips) == (workers, size)


@pytest.mark.parametrize(
    ("date", "year"), [("2024-01-31", 2024.0), ("2024-12", 2024 + 11 / 12), ("2024", 2024.5), ("", 2025.5)]
)
def test_a_date_is_a_year_with_its_part_by_month(date: str, year: float) -> None:
    assert case(date=date).year == pytest.approx(year)


@pytest.mark.parametrize(
    ("stated", "weights", "cache_bytes"),
    [("fp8", "bf16", 1.0), ("fp16", "fp8", 2.0), ("", "fp8", 0.0), ("", "nvfp4", 0.0), ("", "int4", 2.0)],
)
def test_bytes_of_a_cached_value_as_stated_or_by_the_weights(stated: str, weights: str, cache_bytes: float) -> None:
    assert case(kv_precision=stated, weight_precision=weights).kv_bytes == cache_bytes


def test_layers_split_over_chips_are_a_pipeline() -> None:
    found = case(engine="llama.cpp", weight_precision="q4_k_m", tp="1", n_chips="4", scenario="single-stream")
    assert (found.tp, found.pp, found.precision) == (1, 4, "int4")
    assert found.weight_bytes == pytest.approx(0.606)


def test_more_ranks_than_chips_are_cores_of_them() -> None:
    assert case(hardware="tpu-v6e", n_chips="4", tp="8", engine="sglang-jax").tp == 4


@pytest.mark.parametrize(
    ("spelt", "precision"),
    [("W4A16-AWQ", "int4"), ("FP8 (dynamic)", "fp8"), ("nvfp4+fp8kv", "fp4"), ("int8-w8a8", "int8"), ("half", "bf16")],
)
def test_precision_however_it_is_spelt(spelt: str, precision: str) -> None:
    assert case(weight_precision=spelt).precision == precision


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"hardware": "abacus"}, "hardware not in the catalogue"),
        ({"quality": "C"}, "quality C"),
        ({"n_chips": ""}, "number of chips unknown"),
        ({"model": "mystery", "n_layers": "", "params_b": ""}, "shape and size of the model unknown"),
    ],
)
def test_what_cannot_be_predicted_is_told(cells: dict[str, str], reason: str) -> None:
    assert serving_case(MeasuredRow("t.csv", 2, LLAMA | cells), load_catalogue()) == reason


@pytest.mark.parametrize(
    ("n_chips", "tp", "pp", "engine", "degrees"),
    [
        ("8", "4", "2", "vllm", (4, 2)),  # as stated, on every chip
        ("8", "4", "3", "vllm", (2, 3)),  # more ranks than chips: whole chips a stage
        ("2", "8", "4", "vllm", (1, 2)),  # no more stages than chips
        ("8", "", "2", "vllm", (0, 2)),  # tensor ranks are searched
        ("8", "8", "", "llama.cpp", (1, 8)),  # split by layers
        ("2", "1", "2", "llama.cpp", (1, 2)),
    ],
)
def test_ranks_as_stated_as_far_as_there_are_chips(
    n_chips: str, tp: str, pp: str, engine: str, degrees: tuple[int, int]
) -> None:
    one = case(n_chips=n_chips, tp=tp, pp=pp, engine=engine)
    assert (one.tp, one.pp) == degrees
