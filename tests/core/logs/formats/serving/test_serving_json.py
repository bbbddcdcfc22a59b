"""Load-test results as JSON: endings or seconds, lines, lists, aggregates."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from tests.log_texts.reading import figures, log_of, only
from tests.log_texts.serving import INFERENCEX_AGGREGATE, INFERENCEX_JSON, SGLANG_JSONL, VLLM_JSON


def test_a_vllm_result(tmp_path: Path) -> None:
    record = only(tmp_path, VLLM_JSON)
    assert record.format == "serving-bench-json"
    assert figures(record)["ttft_ms"] == {"mean": 250.0, "p50": 200.0, "p99": 900.0}
    assert record.quantities["ttft_ms"].n == 99
    assert (record.facts["n_requests"], record.facts["n_failed"]) == (100.0, 1.0)
    assert "request_rate_per_s" not in record.facts, "infinity is never a number"


def test_sglang_lines_are_one_record_each(tmp_path: Path) -> None:
    read = log_of(tmp_path, SGLANG_JSONL)
    assert [figures(record)["e2e_latency_ms"]["mean"] for record in read.records] == [1500.0, 1900.0]
    assert [record.first_line for record in read.records] == [1, 2]


def test_names_without_an_ending_are_seconds(tmp_path: Path) -> None:
    record = only(tmp_path, INFERENCEX_JSON)
    assert figures(record)["ttft_ms"] == {"p50": 1250.0}
    assert figures(record)["e2e_latency_ms"] == {"p99": 9500.0}


def test_unless_an_answer_took_longer_than_the_test(tmp_path: Path) -> None:
    value = json.loads(INFERENCEX_JSON) | {"median_ttft": 1250.0, "p99_e2el": 9500.0, "median_tpot": 45.0}
    assert figures(only(tmp_path, json.dumps(value)))["tpot_ms"] == {"p50": 45.0}


def test_an_aggregate_tells_its_chips(tmp_path: Path) -> None:
    record = only(tmp_path, INFERENCEX_AGGREGATE)
    assert (record.accelerator, record.accelerator_id, record.n_accelerators) == ("b200-trt", "b200-sxm", 8)
    assert figures(record)["output_tokens_per_s_per_chip"] == {"mean": 900.0}
    assert figures(record)["total_tokens_per_s"] == {"mean": 8000.0}
    parted = json.loads(INFERENCEX_AGGREGATE) | {"num_prefill_gpu": 4, "num_decode_gpu": 8}
    record = only(tmp_path, json.dumps([parted]))
    assert record.n_accelerators == 12 and "output_tokens_per_s" not in record.quantities


@pytest.mark.parametrize("wrap", [lambda one: [one, one], lambda one: {"a": one, "b": [one]}])
def test_results_in_lists_and_one_name_deeper(tmp_path: Path, wrap) -> None:  # type: ignore[no-untyped-def]
    assert len(log_of(tmp_path, json.dumps(wrap(json.loads(VLLM_JSON)), indent=1)).records) == 2


def test_a_result_of_placeholders_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="placeholders"):
        log_of(tmp_path, '{"completed": 5, "request_throughput": "xxx", "output_throughput": null}')


@pytest.mark.parametrize("part", [{"hw": "b200"}, {"tput_per_gpu": 900.0}])
def test_half_an_aggregate_is_none_and_holds_its_results_one_name_deeper(
    tmp_path: Path, part: dict[str, object]
) -> None:
    one = json.loads(VLLM_JSON)
    assert len(log_of(tmp_path, json.dumps([one, part], indent=1)).records) == 1
    assert len(log_of(tmp_path, json.dumps(part | {"runs": [one, one]}, indent=1)).records) == 2
