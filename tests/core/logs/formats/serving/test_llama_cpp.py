"""llama.cpp and Ollama: one answer at a time, and tables of llama-bench."""

import json
from pathlib import Path

import pytest

from tests.log_texts.reading import figures, log_of, only
from tests.log_texts.serving import LLAMA_BENCH, LLAMA_TIMINGS, OLLAMA


def test_a_table_of_llama_bench_is_one_answer(tmp_path: Path) -> None:
    record = only(tmp_path, LLAMA_BENCH)
    assert (record.accelerator_id, record.first_line) == ("rtx4090", 5)
    assert record.facts["model"] == "llama 8B Q4_K - Medium" and record.facts["concurrency"] == 1.0
    told = figures(record)
    assert told["ttft_ms"]["mean"] == pytest.approx(100.0) and told["tpot_ms"]["mean"] == pytest.approx(1000 / 128)
    assert told["output_tokens_per_s"]["mean"] == pytest.approx(128 / 1.1)  # 0.1 s to read, 1 s to write


def test_models_of_a_table_are_told_apart(tmp_path: Path) -> None:
    rows = LLAMA_BENCH.splitlines(keepends=True)
    deep = "".join(row.replace("pp512 ", "pp512 @ d4096 ").replace("tg128 ", "tg128 @ d4096 ") for row in rows[-2:])
    other = "".join(row.replace("llama 8B", "llama 1B") for row in rows[-2:])
    records = log_of(tmp_path, LLAMA_BENCH + deep + other).records
    assert [one.facts["model"] for one in records] == ["llama 8B Q4_K - Medium"] * 2 + ["llama 1B Q4_K - Medium"]


def test_only_writing_was_measured(tmp_path: Path) -> None:
    text = "".join(row for row in LLAMA_BENCH.splitlines(keepends=True) if "pp512" not in row)
    assert figures(only(tmp_path, text)) == {"tpot_ms": {"mean": pytest.approx(1000 / 128)}}


def test_timings_of_answers_one_after_the_other(tmp_path: Path) -> None:
    read = log_of(tmp_path, LLAMA_TIMINGS * 2)
    assert [one.facts["duration_s"] for one in read.records] == [pytest.approx(1.1)] * 2
    assert figures(read.records[0])["tpot_ms"]["mean"] == pytest.approx(8.0)


def test_ollama_verbose(tmp_path: Path) -> None:
    record = only(tmp_path, OLLAMA)
    assert record.facts["framework"] == "Ollama" and record.facts["input_tokens"] == 26.0
    assert figures(record)["output_tokens_per_s"]["mean"] == pytest.approx(260 / (26 / 200 + 4.0))


def test_json_of_llama_bench(tmp_path: Path) -> None:
    row = {"gpu_info": "NVIDIA L4", "model_type": "llama 8B Q4_K - Medium", "n_depth": 0}
    tests = [
        {**row, "n_prompt": 512, "n_gen": 0, "avg_ts": 512.0},
        {**row, "n_prompt": 0, "n_gen": 128, "avg_ts": 64.0},
        {**row, "n_prompt": 512, "n_gen": 128, "avg_ts": 99.0},
    ]
    record = only(tmp_path, json.dumps(tests, indent=1))
    assert record.accelerator_id == "l4"
    assert figures(record)["output_tokens_per_s"]["mean"] == pytest.approx(128 / 3)
