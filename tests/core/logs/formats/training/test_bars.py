"""Progress bars of Lightning and torchtune, and the timer of DeepSpeed."""

from pathlib import Path

import pytest

from tests.core.logs.written import means_of, record_of
from tests.log_texts.reading import log_of
from tests.log_texts.training import DEEPSPEED_STEPS, LIGHTNING_BARS, TORCHTUNE_BARS


def test_bars_of_lightning(tmp_path: Path) -> None:
    record = record_of(tmp_path, LIGHTNING_BARS)
    assert (record.format, record.facts["framework"], len(record.time_s)) == ("training-bar", "Lightning", 5)
    assert means_of(record)["step_time_s"] == 1.0
    assert record.time_s[-1] - record.time_s[0] == 40.0  # ten steps of a second from row to row


def test_steps_of_all_epochs_count_on(tmp_path: Path) -> None:
    later = LIGHTNING_BARS.replace("Epoch 0", "Epoch 1")
    record = record_of(tmp_path, LIGHTNING_BARS + later)
    assert len(record.time_s) == 10 and record.time_s[5] - record.time_s[4] == 60.0


def test_bars_of_torchtune(tmp_path: Path) -> None:
    record = record_of(tmp_path, TORCHTUNE_BARS)
    assert record.facts["framework"] == "torchtune" and means_of(record)["step_time_s"] == 2.0


def test_the_timer_of_deepspeed(tmp_path: Path) -> None:
    record = record_of(tmp_path, "train_batch_size ...... 64\n" + DEEPSPEED_STEPS)
    means = means_of(record)
    assert record.format == "deepspeed-steps" and record.start == "2025-05-01 10:01:00.500"
    assert (means["step_time_s"], means["memory_used_gib"]) == (6.0, 40.5)
    assert means["samples_per_s"] == pytest.approx(25.3)


def test_a_program_on_deepspeed_that_prints_its_own_losses_is_read_once(tmp_path: Path) -> None:
    summary = (
        "{'train_runtime': 100.0, 'train_samples_per_second': 25.6, 'train_steps_per_second': 0.2, 'epoch': 1.0}\n"
    )
    loss = "{'loss': 2.1, 'learning_rate': 5e-05, 'epoch': 0.1}\n"
    steps = loss.join(DEEPSPEED_STEPS.splitlines(keepends=True))
    read = log_of(tmp_path, steps + summary)
    assert [one.format for one in read.records] == ["hf-trainer"]
