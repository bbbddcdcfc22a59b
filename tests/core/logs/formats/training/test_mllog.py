"""MLPerf training: times of the run, blocks by samples, epochs or tokens, old lines, power."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.record import Subject
from tests.core.logs.training_logs import log_of, means, record_of

NOW_MS = 1_700_000_000_000


def _line(at_s: float, key: str, value: object = None, **metadata: object) -> str:
    event = {"time_ms": int(NOW_MS + 1000 * at_s), "key": key, "value": value, "metadata": metadata}
    return f"0: :::MLLOG {json.dumps(event)}\n"


HEAD = (
    _line(0, "init_start") + _line(1, "submission_benchmark", "llama2_70b_lora")
    + _line(1, "submission_platform", "8xH200_SXM") + _line(1, "global_batch_size", 64) + _line(100, "run_start")
)  # fmt: skip


def test_the_run_the_blocks_and_the_evaluations(tmp_path: Path) -> None:
    text = (
        HEAD + _line(100, "block_start", samples_count=0) + "other words\n" + _line(120, "train_loss", 1.5)
        + _line(140, "block_stop", samples_count=4000) + _line(145, "eval_accuracy", 0.9)
        + _line(145, "block_start", samples_count=4000) + _line(185, "block_stop", samples_count=12000)
        + _line(190, "run_stop", status="success")
    )  # fmt: skip
    record = record_of(tmp_path, text)
    assert (record.accelerator_id, record.n_accelerators, record.start) == (
        "h200-sxm", None, "2023-11-14T22:15:00.000+00:00"
    )  # fmt: skip
    assert means(record) == {
        "samples_per_s": 150.0, "loss": 1.5, "eval_accuracy": 0.9, "evaluation_s": 5.0, "initialization_s": 100.0,
        "train_runtime_s": 90.0,
    }  # fmt: skip
    assert record.facts == {
        "framework": "MLPerf training", "model": "llama2_70b_lora", "global_batch": 64, "duration_s": 90.0,
        "scenario": "run_stop: success",
    }  # fmt: skip


def test_a_speed_that_the_program_tells_is_not_counted_again(tmp_path: Path) -> None:
    text = HEAD + _line(100, "block_start", samples_count=0) + _line(139, "tracked_stats", {"throughput": 111.5})
    record = record_of(tmp_path, text + _line(140, "block_stop", samples_count=4000))
    assert (record.quantities["samples_per_s"].n, record.quantities["samples_per_s"].mean) == (1, 111.5)


@pytest.mark.parametrize(
    ("setting", "count", "rates"),
    [(("train_samples", 1000), 4, (100.0, None)), (("max_sequence_length", 2048), 64 * 2048 * 10, (16.0, 32768.0))],
)
def test_a_block_of_epochs_may_count_tokens(
    tmp_path: Path, setting: tuple[str, int], count: int, rates: tuple[float, float | None]
) -> None:
    text = HEAD + _line(100, *setting) + _line(100, "block_start", first_epoch_num=1, epoch_count=count)
    record = record_of(tmp_path, text + _line(140, "block_stop", first_epoch_num=1))
    assert (means(record)["samples_per_s"], means(record).get("tokens_per_s")) == rates


def test_lines_of_2019_have_the_stamp_in_seconds_before_the_key(tmp_path: Path) -> None:
    line = ':::MLL {} {}: {{"value": {}, "metadata": {{"lineno": 1}}}}\n'
    text = line.format(0.0, "submission_org", '"google"') + line.format("1556733700.00", "run_start", "null")
    record = record_of(tmp_path, text + line.format("1556733800.50", "run_stop", "null"))
    assert means(record) == {"train_runtime_s": 100.5}


def test_a_stamp_of_nothing_begins_no_run_of_fifty_years(tmp_path: Path) -> None:
    line = ':::MLL {} {}: {{"value": null, "metadata": {{"lineno": 1}}}}\n'
    with pytest.raises(InputError, match="expected a log of a whole run"):
        log_of(tmp_path, line.format("0.0", "run_start") + line.format("1556733800.50", "run_stop"))


def test_the_power_of_a_node_is_not_that_of_a_chip(tmp_path: Path) -> None:
    text = "".join(_line(second, "power_reading", 7000.0 + second, host="node_7") for second in range(3))
    record = record_of(tmp_path, text)
    assert (record.subject, record.facts["host"], record.duration_s) == (Subject.MACHINE, "node_7", 2.0)
    assert means(record) == {"node_power_w": 7001.0}


def test_a_log_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without its end or any speed"):
        log_of(tmp_path, HEAD + ":::MLLOG {cut\n")


def test_damaged_lines_are_counted(tmp_path: Path) -> None:
    record = record_of(tmp_path, HEAD + ":::MLLOG {cut\n" + _line(190, "run_stop", status="aborted"))
    assert record.skipped == {"line that is no JSON": 1}


def test_lines_of_inference_are_not_of_this_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one of these logs|MLPerf inference"):
        log_of(tmp_path, _line(0, "loadgen_version", "4.1") + _line(1, "power_begin", "09-04-2024"))


def test_a_figure_below_one_counts_and_nothing_does_not(tmp_path: Path) -> None:
    ends = _line(100.5, "run_stop", status="success")
    assert means(record_of(tmp_path, HEAD + ends))["train_runtime_s"] == 0.5
