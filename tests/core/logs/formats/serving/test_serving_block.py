"""``Serving Benchmark Result`` blocks of vLLM, SGLang and TPU benchmarks."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.formats.serving.serving_block import _MOST_OTHER
from core.logs.record import Subject
from tests.log_texts.reading import figures, log_of, only
from tests.log_texts.serving import PLACEHOLDERS, SGLANG_BLOCK, VLLM_BLOCK


def test_a_vllm_block_and_the_arguments_above_it(tmp_path: Path) -> None:
    record = only(tmp_path, VLLM_BLOCK)
    assert (record.format, record.subject, record.first_line) == ("serving-bench-stdout", Subject.SERVING, 2)
    assert figures(record) == {
        "requests_per_s": {"mean": 4.9},
        "output_tokens_per_s": {"mean": 490.0},
        "total_tokens_per_s": {"mean": 5390.0},
        "ttft_ms": {"mean": 250.5, "p50": 200.0, "p99": 2500.0},
        "tpot_ms": {"mean": 25.0, "p50": 24.0, "p90": 26.0, "p99": 30.0},
        "e2e_latency_ms": {"mean": 2700.0},
    }
    assert record.quantities["ttft_ms"].n == 98
    assert record.facts == {
        "model": "acme/Model-7B", "concurrency": 64.0, "n_requests": 100.0, "n_failed": 2.0, "duration_s": 20.0,
        "input_tokens": 1000.0, "output_tokens": 100.0,
    }  # fmt: skip
    assert record.skipped == {"figures not given": 1}, "an ITL of 0 is unknown"


def test_an_sglang_block_with_its_own_labels_cut_at_the_end(tmp_path: Path) -> None:
    record = only(tmp_path, SGLANG_BLOCK)
    assert figures(record)["total_tokens_per_s"] == {"mean": 750.0}
    assert figures(record)["ttft_ms"] == {"mean": 100.0}
    assert (record.facts["request_rate_per_s"], record.facts["concurrency"]) == (2.0, 8.25)
    assert record.facts["framework"] == "sglang"
    assert "n_failed" not in record.facts, "it is not printed, nor how many were sent"


@pytest.mark.parametrize(
    "quote",
    [
        "# ",
        "> ",
        "    ",
        "[rank0]: ",
        "2026-01-10T10:15:00Z ",
        "2026-01-10 10:15:00,123 - bench - INFO - ",
        "INFO 01-10 10:15:00 [serve.py:12] ",
        "[2026-01-10 10:15:00] ",
    ],
)
def test_quoted_blocks(tmp_path: Path, quote: str) -> None:
    text = "".join(quote + line + "\n" for line in VLLM_BLOCK.splitlines())
    assert figures(only(tmp_path, text))["tpot_ms"]["p99"] == 30.0


def test_every_case_and_several_blocks(tmp_path: Path) -> None:
    read = log_of(tmp_path, VLLM_BLOCK.upper().replace("NAMESPACE", "x") + "qps=7\n" + VLLM_BLOCK + SGLANG_BLOCK)
    assert [record.facts.get("request_rate_per_s") for record in read.records] == [None, 7.0, 2.0]
    assert [figures(record)["output_tokens_per_s"]["mean"] for record in read.records] == [490.0, 490.0, 250.0]


def test_a_printed_rate_without_limit_is_not_that_of_a_heading(tmp_path: Path) -> None:
    text = SGLANG_BLOCK.replace("Backend:  ", "Traffic request rate:   inf\nBackend:  ")
    assert "request_rate_per_s" not in only(tmp_path, text).facts


def test_a_block_without_its_title(tmp_path: Path) -> None:
    text = VLLM_BLOCK.split("Peak output")[0].split("=\n")[1]
    assert figures(only(tmp_path, text))["output_tokens_per_s"]["mean"] == 490.0


def test_placeholders_are_refused_and_do_not_spoil_their_neighbour(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="placeholders in place of figures"):
        log_of(tmp_path, PLACEHOLDERS)
    read = log_of(tmp_path, PLACEHOLDERS + VLLM_BLOCK)
    assert (len(read.records), [one.line for one in read.refused]) == (1, [1])


def test_text_ends_a_block_whose_rule_is_missing(tmp_path: Path) -> None:
    block = VLLM_BLOCK.replace("=" * 50 + "\n", "")
    record = only(tmp_path, block + "a sentence\n" * 50)
    assert record.n_lines < 40


@pytest.mark.parametrize(("n_other", "is_one"), [(_MOST_OTHER, True), (_MOST_OTHER + 1, False)])
def test_a_few_other_lines_do_not_end_a_block(tmp_path: Path, n_other: int, is_one: bool) -> None:
    above, below = VLLM_BLOCK.split("Mean TPOT", 1)
    record = log_of(tmp_path, f"{above}{'a sentence' + chr(10)}" + "a sentence\n" * (n_other - 1) + f"Mean TPOT{below}")
    assert ("tpot_ms" in record.records[0].quantities) is is_one
