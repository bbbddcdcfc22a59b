"""MLPerf inference: summary, detail, harness."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.log_texts import serving
from tests.log_texts.reading import figures, log_of, only


def test_a_summary_of_a_language_model(tmp_path: Path) -> None:
    record = only(tmp_path, serving.MLPERF_SUMMARY)
    assert figures(record) == {
        "samples_per_s": {"mean": 104.35},
        "output_tokens_per_s": {"mean": 30438.66},
        "e2e_latency_ms": {"mean": 47100.0, "p50": 40000.0},
        "ttft_ms": {"mean": 253.0, "p99": 560.0},
        "tpot_ms": {"mean": 161.0},
    }
    assert record.facts == {"scenario": "Server", "test": "MLPerf inference, result VALID"}


def test_what_was_sent_counts_only_where_no_more_is_said(tmp_path: Path) -> None:
    text = serving.MLPERF_SUMMARY.replace("Completed samples per second    : 104.35\n", "")
    assert figures(only(tmp_path, text))["samples_per_s"] == {"mean": 105.21}


def test_the_first_rounds_print_one_percentile_above(tmp_path: Path) -> None:
    text = "MLPerf Results Summary\nScenario : Single Stream\n90th percentile latency (ns) : 4124521\n"
    text += "QPS w/o loadgen overhead        : 245.2\n"
    assert figures(only(tmp_path, text)) == {"e2e_latency_ms": {"p90": 4.124521}, "requests_per_s": {"mean": 245.2}}


def test_a_detail_log(tmp_path: Path) -> None:
    record = only(tmp_path, serving.MLPERF_DETAIL)
    assert record.format == "mlperf-log-detail"
    assert figures(record)["e2e_latency_ms"] == {"mean": 10.329251, "p99": 10.391624}
    assert record.facts["n_requests"] == 58037.0
    assert len(log_of(tmp_path, serving.MLPERF_DETAIL * 2).records) == 2


def test_a_harness_result_and_its_chips(tmp_path: Path) -> None:
    record = only(tmp_path, serving.MLPERF_HARNESS)
    assert (record.accelerator_id, record.n_accelerators) == ("a100-sxm-40", 8)
    assert figures(record) == {"samples_per_s": {"mean": 25405.6}, "e2e_latency_ms": {"p99": 5.0}}


def test_a_run_with_speeds_counts_whatever_it_says_of_accuracy(tmp_path: Path) -> None:
    text = serving.MLPERF_HARNESS.replace("{", '{"accuracy": [],', 1)
    assert figures(only(tmp_path, text))["samples_per_s"] == {"mean": 25405.6}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (serving.MLPERF_ACCURACY, "a summary without results"),
        ('{"benchmark_full": "bert", "scenario": "Offline", "config_name": "x", "accuracy": []}', "accuracy run"),
        ('{"benchmark_full": "bert", "scenario": "Offline", "config_name": "x"}', "figure"),
        (serving.MLPERF_DETAIL.split("\n")[0] + "\n", "MLPerf inference without results"),
    ],
)
def test_runs_without_speed_are_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        log_of(tmp_path, text)
