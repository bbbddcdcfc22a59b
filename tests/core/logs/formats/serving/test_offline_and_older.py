"""vLLM's offline benchmarks, JetStream, GKE profiles and TensorRT-LLM."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.log_texts import serving
from tests.log_texts.reading import figures, log_of, only


def test_vllm_throughput_lines_of_two_generations_and_a_latency_test(tmp_path: Path) -> None:
    new, old, latency = log_of(tmp_path, serving.VLLM_OFFLINE).records
    assert figures(new)["output_tokens_per_s"] == {"mean": 915.2}
    assert figures(old) == {"requests_per_s": {"mean": 3.0}, "total_tokens_per_s": {"mean": 3456.0}}
    assert figures(latency) == {"e2e_latency_ms": {"mean": 1250.0, "p50": 1240.0, "p99": 1500.0}}
    assert (new.facts["tensor_parallel"], new.facts["input_tokens"]) == (4.0, 1024.0)


def test_vllm_offline_json(tmp_path: Path) -> None:
    throughput, latency = log_of(tmp_path, serving.VLLM_OFFLINE_JSON).records
    assert figures(throughput)["total_tokens_per_s"] == {"mean": 8000.0}
    assert figures(latency)["e2e_latency_ms"] == {"mean": 2500.0, "p50": 2500.0, "p99": 2600.0}


def test_jetstream(tmp_path: Path) -> None:
    record = only(tmp_path, serving.JETSTREAM)
    assert record.format == "jetstream"
    assert figures(record)["ttft_ms"] == {"mean": 216.86, "p50": 204.7, "p99": 423.94}
    assert figures(record)["ttst_ms"] == {"mean": 572.02, "p99": 814.23}
    assert (record.facts["input_tokens"], record.facts["duration_s"]) == (200.0, 20.0)
    assert len(log_of(tmp_path, serving.JETSTREAM * 3).records) == 3


def test_a_latency_profile_as_text(tmp_path: Path) -> None:
    record = only(tmp_path, serving.GKE_TEXT)
    assert record.format == "gke-latency-profile"
    assert figures(record) == {
        "requests_per_s": {"mean": 2.0}, "output_tokens_per_s": {"mean": 200.0}, "input_tokens_per_s": {"mean": 1000.0},
        "total_tokens_per_s": {"mean": 1200.0}, "ttft_ms": {"mean": 250.0}, "e2e_latency_ms": {"mean": 2500.0},
    }  # fmt: skip
    assert (record.facts["n_requests"], record.facts["n_failed"]) == (120.0, 10.0)
    assert len(log_of(tmp_path, serving.GKE_TEXT * 2).records) == 2


def test_latency_profiles_as_json(tmp_path: Path) -> None:
    steps, legacy = log_of(tmp_path, serving.GKE_JSON).records
    assert figures(steps) == {"e2e_latency_ms": {"mean": 2500.0, "p99": 4000.0}, "requests_per_s": {"mean": 4.5}}
    assert figures(legacy)["ttft_ms"] == {"mean": 250.0, "p99": 750.0}
    assert figures(legacy)["output_tokens_per_s"] == {"mean": 200.0}
    longer = serving.GKE_JSON.replace('"avg_latency": 2.5', '"avg_latency": 2500')
    assert figures(log_of(tmp_path, longer).records[1])["ttft_ms"]["mean"] == 0.25, "then all count milliseconds"


def test_a_latency_by_tokens_is_no_time_per_token(tmp_path: Path) -> None:
    text = '{"metrics": {"requests_per_min": 60, "avg_per_output_token_latency": 0.05, "percentile_90_latency": 3.0}}'
    assert figures(only(tmp_path, text)) == {"requests_per_s": {"mean": 1.0}, "e2e_latency_ms": {"p90": 3000.0}}


def test_a_trtllm_report(tmp_path: Path) -> None:
    record = only(tmp_path, serving.TRTLLM_REPORT)
    assert record.n_accelerators == 4, "it prints its output rate for all chips and for one"
    assert figures(record)["e2e_latency_ms"] == {"mean": 9000.0, "p99": 12000.0, "max": 12500.0}
    assert figures(record)["output_tokens_per_s_per_chip"] == {"mean": 640.0}
    assert record.facts["tensor_parallel"] == 4.0 and "expert_parallel" not in record.facts
    assert len(log_of(tmp_path, serving.TRTLLM_REPORT * 2).records) == 2


def test_a_trtllm_recipe_is_refused(tmp_path: Path) -> None:
    text = "= PERFORMANCE OVERVIEW\nRequest Throughput (req/sec): X.XX\nTotal Latency (ms): X.XX\n"
    with pytest.raises(InputError, match="placeholders"):
        log_of(tmp_path, text)
    with pytest.raises(InputError, match="without its PERFORMANCE OVERVIEW"):
        log_of(tmp_path, serving.TRTLLM_REPORT.split("= PERFORMANCE")[0])


def test_trtllm_lines(tmp_path: Path) -> None:
    manager, session, python = log_of(tmp_path, serving.TRTLLM_LINES).records
    assert figures(manager) == {
        "requests_per_s": {"mean": 10.0},
        "output_tokens_per_s": {"mean": 2500.0},
        "e2e_latency_ms": {"mean": 2700.0, "p99": 3100.0},
    }
    assert manager.quantities["e2e_latency_ms"].n == 499
    assert figures(session) == {"e2e_latency_ms": {"mean": 46.01}}
    assert python.facts["model"] == "gpt_350m"
