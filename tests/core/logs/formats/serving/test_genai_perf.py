"""GenAI-Perf and AIPerf: table, CSV, JSON, requests, telemetry."""

from pathlib import Path

import pytest

from core.logs.record import Subject
from tests.log_texts import serving
from tests.log_texts.reading import figures, log_of, only


def test_a_table_whose_titles_go_on_in_the_next_row(tmp_path: Path) -> None:
    record = only(tmp_path, serving.GENAI_TABLE)
    assert figures(record) == {
        "ttft_ms": {"mean": 1250.5, "max": 9000.0, "p99": 8500.0},
        "itl_ms": {"mean": 10.5, "max": 11.0, "p99": 10.9},
        "e2e_latency_ms": {"mean": 2940.39, "max": 7319.35, "p99": 7034.86},
        "output_tokens_per_s": {"mean": 520.87},
        "requests_per_s": {"mean": 1.99},
    }
    assert record.facts == {"output_tokens": 261.0, "n_requests": 40.0}
    assert len(log_of(tmp_path, serving.GENAI_TABLE * 2).records) == 2


def test_csv_of_metrics_and_totals(tmp_path: Path) -> None:
    record = only(tmp_path, serving.GENAI_CSV)
    assert figures(record)["ttft_ms"] == {"mean": 1146.31, "max": 3485.23, "p99": 3457.97, "p90": 2000.0, "p50": 640.07}
    assert figures(record)["output_tokens_per_s"] == {"mean": 261.25}


def test_a_json_summary_in_its_units(tmp_path: Path) -> None:
    record = only(tmp_path, serving.GENAI_JSON)
    assert figures(record)["e2e_latency_ms"] == {"mean": 2500.0, "p50": 2400.0, "p99": 3000.0, "max": 3500.0}
    assert record.facts == {"n_requests": 80.0, "concurrency": 4.0, "model": "acme/Model-7B"}
    deeper = only(tmp_path, '{"records": ' + serving.GENAI_JSON + "}")
    assert figures(deeper) == figures(record)


def test_requests_become_a_series(tmp_path: Path) -> None:
    record = only(tmp_path, serving.AIPERF_REQUESTS)
    assert record.time_s.tolist() == [0.0, 2.0]
    assert record.series["ttft_ms"].tolist() == [50.0, 70.0]
    assert figures(record)["output_tokens_per_s"]["mean"] == pytest.approx(100.0)
    assert record.skipped == {"request that failed": 1} and record.facts["n_failed"] == 1.0


def test_a_time_below_a_millisecond_is_one(tmp_path: Path) -> None:
    record = only(tmp_path, serving.AIPERF_REQUESTS.replace("50.0", "0.25"))
    assert record.series["ttft_ms"].tolist() == [0.25, 70.0]


def test_requests_that_do_not_count_are_counted_by_their_reason(tmp_path: Path) -> None:
    good, *_ = serving.AIPERF_REQUESTS.splitlines(keepends=True)
    warm_up = good.replace("profiling", "warmup")
    bare = good.replace('"value"', '"no value"')
    record = only(tmp_path, good + 2 * warm_up + 3 * bare + good)
    assert record.skipped == {"request of the warm-up": 2, "request without a figure": 3}
    assert record.time_s.tolist() == [0.0, 0.0]


def test_telemetry_is_of_the_machine(tmp_path: Path) -> None:
    record = only(tmp_path, serving.TELEMETRY)
    assert (record.subject, record.n_accelerators) == (Subject.MACHINE, 2)
    assert figures(record)["power_w"] == {"mean": 250.0, "max": 500.0}
    assert figures(record)["memory_used_gib"]["max"] == pytest.approx(50.0, abs=0.01)


@pytest.mark.parametrize("row", ["│ total │ 1.0 │ 2.0 │ 3.0 │", "│ 1 │ 1.0 │"])
def test_a_row_of_telemetry_that_is_of_no_chip_is_not_read(tmp_path: Path, row: str) -> None:
    plain, other = (log_of(tmp_path, serving.TELEMETRY + end) for end in ("", row + "\n"))
    assert other.n_other == plain.n_other + 1
    assert figures(other.records[0]) == figures(plain.records[0])


def test_the_rate_that_was_asked_for_is_a_fact(tmp_path: Path) -> None:
    asked = serving.GENAI_JSON.replace('"concurrency": 4', '"concurrency": 4, "request_rate": 2.5')
    assert asked != serving.GENAI_JSON
    assert only(tmp_path, asked).facts["request_rate_per_s"] == 2.5
