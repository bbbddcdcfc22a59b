"""What is read out of a measured row, cell by cell: defaults, degrees, dates, batches, stacks."""

from __future__ import annotations

import pytest

from core.calibration.measured.samples import SampleCase, sample_case
from core.calibration.measured.serving import ServingCase, gives_tokens, is_mlperf, serving_case
from core.calibration.measured.table import MeasuredRow
from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.workload.models.known import networks

LLAMA = {
    "id": "a", "hardware": "h100-sxm", "n_chips": "8", "model": "llama-3-8b", "n_layers": "32", "d_model": "4096",
    "n_heads": "32", "n_kv_heads": "8", "d_ff": "14336", "vocab": "128256", "params_b": "8", "engine": "vllm",
    "weight_precision": "bf16", "batch_or_concurrency": "64", "input_len": "1000", "output_len": "100",
    "date": "2025-10-01", "quality": "A", "scenario": "server",
}  # fmt: skip


def _row(**cells: str) -> MeasuredRow:
    return MeasuredRow("t.csv", 2, cells)


def _serving(**cells: str) -> ServingCase:
    found = serving_case(_row(**LLAMA | cells), load_catalogue())
    assert isinstance(found, ServingCase), found
    return found


def _sample(work: str = "training", **cells: str) -> SampleCase:
    usual = {"id": "a", "hardware": "h100-sxm", "n_chips": "8", "model": "resnet50", "date": "2024-01"}
    found = sample_case(_row(**usual | cells), work, load_catalogue())
    assert isinstance(found, SampleCase), found
    return found


@pytest.mark.parametrize(
    ("cells", "is_one"),
    [
        ({"publisher": "MLPerf: Dell"}, True),
        ({"notes": "mlperf v4.1"}, True),
        ({"source": "repository/mlperf_results"}, True),
        ({"notes": "not of a round; but mlperf"}, False),  # too far into the notes to be what it is
        ({"notes": "0123456789abcdmlperf"}, True),
        ({"notes": "0123456789abcdemlperf"}, False),
        ({"source": "0123456789012345678901234567890123mlperf"}, True),
        ({"source": "01234567890123456789012345678901234mlperf"}, False),
        ({}, False),
    ],
)
def test_which_rows_are_of_a_round(cells: dict[str, str], is_one: bool) -> None:
    assert is_mlperf(_row(**cells)) is is_one


@pytest.mark.parametrize(("date", "tokens"), [("2024-08-28", True), ("2023-09-11", False), ("2025-04", True)])
def test_later_rounds_give_tokens(date: str, tokens: bool) -> None:
    assert gives_tokens(_row(publisher="mlperf", date=date)) is tokens
    assert not gives_tokens(_row(publisher="x", date=date))


@pytest.mark.parametrize(
    ("date", "year"),
    [("2025-01", 2025.0), ("2025-07-30", 2025.5), ("2025-12", 2025 + 11 / 12), ("2025", 2025.5), ("", 2025.5)],
)
def test_the_year_of_a_row_with_its_part(date: str, year: float) -> None:
    assert _serving(date=date).year == pytest.approx(year)


@pytest.mark.parametrize(
    ("cells", "tp", "pp"),
    [
        ({"tp": "4"}, 4, 1), ({"tp": "4", "pp": "2"}, 4, 2), ({"pp": "2"}, 0, 2), ({}, 0, 1),
        ({"tp": "16"}, 8, 1), ({"tp": "8", "pp": "2"}, 4, 2), ({"tp": "1", "pp": "16"}, 1, 8),
        ({"engine": "llama.cpp"}, 1, 8), ({"engine": "llama.cpp", "tp": "2", "pp": "8"}, 1, 8),
    ],
)  # fmt: skip
def test_degrees_of_a_row(cells: dict[str, str], tp: int, pp: int) -> None:
    found = _serving(**cells)
    assert (found.tp, found.pp) == (tp, pp)


def test_one_request_decodes_one_sequence_unless_the_round_searches_four() -> None:
    assert _serving().beams == _serving(model="gpt-j-6b").beams == 1
    assert _serving(publisher="mlperf", model="gpt-j-6b", scenario="offline").beams == 4
    assert _serving(publisher="mlperf", scenario="offline").beams == 1


@pytest.mark.parametrize(
    ("cells", "lengths"),
    [
        ({}, (1000.0, 100.0)),
        ({"scenario": "single-stream", "input_len": "", "output_len": ""}, (5.0, 200.0)),
        ({"scenario": "single-stream"}, (1000.0, 100.0)),
        ({"scenario": "prefill", "input_len": ""}, (1024.0, 1.0)),
        ({"scenario": "prefill"}, (1000.0, 1.0)),
    ],
)
def test_lengths_of_a_row(cells: dict[str, str], lengths: tuple[float, float]) -> None:
    found = _serving(**cells)
    assert (found.input_tokens, found.output_tokens) == lengths


def test_one_user_alone_is_a_concurrency_of_one() -> None:
    assert _serving(scenario="single-stream", batch_or_concurrency="").concurrency == 1.0
    assert _serving(batch_or_concurrency="").concurrency == 0.0
    assert _serving().concurrency == 64.0
    assert (_serving().ep, _serving(ep="4").ep) == (1, 4)


@pytest.mark.parametrize(("n_chips", "first", "size"), [("16", 1, 8), ("8", 1, 4), ("32", 2, 8), ("2", 1, 1)])
def test_half_of_the_chips_prefill_where_nobody_says(n_chips: str, first: int, size: int) -> None:
    found = _serving(scenario="server-disaggregated", n_chips=n_chips)
    assert (found.prefill_workers, found.prefill_chips) == (first, size)
    assert (found.decode_workers, found.n_chips) == (first, size)
    assert (_serving().prefill_workers, _serving().prefill_chips, _serving().decode_workers) == (0, 0, 0)


@pytest.mark.parametrize(
    ("engine", "hardware", "cells", "expected"),
    [
        ("", "h100-sxm", {}, "vllm"), ("", "h100-sxm", {"publisher": "mlperf"}, "tensorrt-llm"),
        ("", "mi300x", {"publisher": "mlperf"}, "vllm"), ("vllm 0.6", "tpu-v6e", {}, "jetstream"),
        ("TensorRT-LLM 0.9", "h100-sxm", {}, "tensorrt-llm"),
    ],
)  # fmt: skip
def test_the_engine_of_a_row(engine: str, hardware: str, cells: dict[str, str], expected: str) -> None:
    assert _serving(engine=engine, hardware=hardware, **cells).engine == expected


@pytest.mark.parametrize(
    ("cells", "batch"),
    [
        ({"global_batch": "3200"}, 400.0), ({"global_batch": "8"}, 1.0), ({"micro_batch": "32"}, 32.0),
        ({"global_batch": "4"}, 1 / 2), ({"global_batch": "3"}, 1 / 2), ({}, 0.0),
        ({"global_batch": "3200", "micro_batch": "7"}, 400.0),
    ],
)  # fmt: skip
def test_samples_on_a_chip(cells: dict[str, str], batch: float) -> None:
    """Fewer samples than chips: each is split over whole chips, two here."""
    assert _sample(**cells).batch == pytest.approx(batch)


def test_answers_of_a_batch_are_shared_by_all_chips() -> None:
    assert _sample("inference", batch_or_concurrency="256").batch == 32.0
    assert _sample("inference").batch == 0.0


@pytest.mark.parametrize(
    ("cells", "stack"),
    [
        ({"framework": "PyTorch"}, "eager"), ({"framework": "torch.compile"}, "compiled"),
        ({"framework": "JAX"}, "compiled"), ({"engine": "TensorRT 8"}, "vendor"), ({"notes": "MLPerf v3.1"}, "vendor"),
        ({"hardware": "tpu-v4", "framework": "PyTorch"}, "vendor"),
    ],
)  # fmt: skip
def test_the_kind_of_software_of_a_sample(cells: dict[str, str], stack: str) -> None:
    assert _sample(**cells).stack == stack


@pytest.mark.parametrize(
    ("date", "year"), [("2024-01", 2024.0), ("2024-07-01", 2024.5), ("2021", 2021.5), ("", 2024.0)]
)
def test_the_year_of_a_sample(date: str, year: float) -> None:
    assert _sample(date=date).year == pytest.approx(year)


def test_numbers_of_a_cell() -> None:
    row = _row(a=" 2.5 ", b="", c="0", d="0.2", e="-1", f="inf", g="x")
    assert (row.number("a"), row.number("b"), row.number("c"), row.number("none")) == (2.5, None, 0.0, None)
    assert (row.count("a"), row.count("c"), row.count("d"), row.count("b")) == (2, None, 1, None)
    for field in "efg":
        with pytest.raises(InputError, match=rf"t\.csv, row 2, field {field}"):
            row.number(field)


def test_derived_values_count_only_where_there_is_nothing_else() -> None:
    row = _row(step_time_s="2", tokens_per_s_per_chip="100", derived_fields="tokens_per_s_per_chip")
    assert row.measured(("tokens_per_s_per_chip", "step_time_s")) == {"step_time_s": 2.0}
    assert row.measured(("tokens_per_s_per_chip",)) == {"tokens_per_s_per_chip": 100.0}
    assert row.measured(("ttft_ms",)) == {}


def test_a_sample_that_is_of_no_round_is_one_of_the_network_s_own() -> None:
    for notes in ("", "TF"):
        assert _sample("inference", notes=notes).model == networks()["ResNet-50"].model
