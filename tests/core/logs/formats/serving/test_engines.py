"""What engines print of themselves while they run: time series."""

from pathlib import Path

import pytest

from core.logs.record import LogRecord
from tests.log_texts.reading import figures, log_of, only
from tests.log_texts.serving import SGLANG_ENGINE, VLLM_ENGINE


def _series(record: LogRecord, name: str) -> list[float]:
    return record.series[name].tolist()


def test_vllm_over_new_year(tmp_path: Path) -> None:
    record = only(tmp_path, VLLM_ENGINE)
    assert record.format == "vllm-engine"
    assert record.time_s.tolist() == [0.0, 10.0]
    assert _series(record, "output_tokens_per_s") == [400.0, 600.0]
    assert _series(record, "kv_cache_pct") == [40.5, 60.5]
    assert record.facts == {"framework": "vLLM", "model": "acme/Model-7B", "tensor_parallel": 2.0}


def test_engines_of_one_server_add_up(tmp_path: Path) -> None:
    lines = VLLM_ENGINE.splitlines(keepends=True)
    text = "".join(line + line.replace("Engine 000", "Engine 001") for line in lines)
    record = only(tmp_path, text + lines[-1])
    assert _series(record, "output_tokens_per_s")[:2] == [800.0, 1200.0]
    assert _series(record, "kv_cache_pct") == [40.5, 60.5, 60.5]
    assert record.quantities["output_tokens_per_s"].n == 2, "a moment without every engine is no sum"


def test_without_stamps_there_are_totals_only(tmp_path: Path) -> None:
    text = "".join(line[line.find("Avg") :] + "\n" for line in VLLM_ENGINE.splitlines() if "Avg" in line)
    record = only(tmp_path, text)
    assert (len(record.time_s), record.series) == (0, {})
    assert figures(record)["output_tokens_per_s"]["mean"] == 500.0


def test_sglang_of_two_generations(tmp_path: Path) -> None:
    record = only(tmp_path, SGLANG_ENGINE)
    assert record.format == "sglang-engine"
    assert record.time_s.tolist() == [0.0, 2.0, 5.0]
    assert figures(record)["output_tokens_per_s"]["mean"] == 130.5
    assert figures(record)["input_tokens_per_s"]["mean"] == 900.0
    assert _series(record, "kv_cache_pct") == [0.0, 25.0, 50.0]


def test_a_line_cut_before_its_first_figure_is_skipped(tmp_path: Path) -> None:
    record = only(tmp_path, VLLM_ENGINE + "INFO 01-01 00:00:10 [loggers.py:80] Avg prompt throughput:")
    assert record.skipped == {"line without a figure": 1}


@pytest.mark.parametrize("text", ["a Decode batch is a group of requests\n", "Avg prompt throughput: high\n"])
def test_a_sentence_is_no_engine(tmp_path: Path, text: str) -> None:
    assert [record.format for record in log_of(tmp_path, VLLM_ENGINE + text).records] == ["vllm-engine"]
