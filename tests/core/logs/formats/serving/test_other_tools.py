"""Results of load tests that are no server's own: each figure in its unit, of answered requests only."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.log_texts import serving
from tests.log_texts.reading import figures, log_of, only


def test_what_warms_up_is_no_result(tmp_path: Path) -> None:
    record = only(tmp_path, serving.ONE_BATCH)
    assert figures(record) == {
        "ttft_ms": {"mean": 500.0},
        "input_tokens_per_s": {"mean": 32768.0},
        "tpot_ms": {"p50": 10.0},
        "output_tokens_per_s": {"p50": 1600.0},
        "e2e_latency_ms": {"mean": 5000.0},
        "total_tokens_per_s": {"mean": 4000.0},
    }


def test_a_report_of_trtllm_bench_states_its_chips(tmp_path: Path) -> None:
    record = only(tmp_path, serving.TRTLLM_JSON)
    assert record.n_accelerators == 2
    assert figures(record) == {
        "requests_per_s": {"mean": 10.0},
        "output_tokens_per_s": {"mean": 1280.0},
        "output_tokens_per_s_per_chip": {"mean": 640.0},
        "e2e_latency_ms": {"mean": 3300.0, "p50": 3200.0, "p99": 5000.0},
        "ttft_ms": {"mean": 150.5},
        "tpot_ms": {"mean": 25.0},
    }
    assert record.facts["precision"] == "FP8" and record.facts["duration_s"] == 100.0


def test_guidellm_counts_answered_requests(tmp_path: Path) -> None:
    record = only(tmp_path, serving.GUIDELLM)
    assert figures(record) == {
        "requests_per_s": {"mean": 10.0},
        "output_tokens_per_s": {"mean": 1280.0},
        "ttft_ms": {"mean": 150.5, "p50": 140.5},
        "e2e_latency_ms": {"mean": 3300.0, "p99": 5000.0},
    }
    assert record.facts == {"framework": "GuideLLM", "concurrency": 33.0}


def test_llmperf_counts_seconds_and_minutes(tmp_path: Path) -> None:
    record = only(tmp_path, serving.LLMPERF)
    assert figures(record) == {
        "output_tokens_per_s": {"mean": 1280.0},
        "requests_per_s": {"mean": 10.0},
        "ttft_ms": {"mean": 150.5, "p50": 140.5},
        "itl_ms": {"mean": 25.0},
        "e2e_latency_ms": {"p99": 5000.0},
    }
    assert (record.facts["n_requests"], record.facts["n_failed"]) == (1000.0, 3.0)


def test_a_test_without_an_answer_is_told(tmp_path: Path) -> None:
    block = "== Serving Benchmark Result ==\nSuccessful requests: 0\nRequest throughput (req/s): 0.00\n"
    with pytest.raises(InputError, match="no request was answered"):
        log_of(tmp_path, block)
