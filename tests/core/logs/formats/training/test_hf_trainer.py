"""Hugging Face's Trainer: states, results, printed dictionaries and the table of metrics."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.logs.formats.training.hf_trainer import _pflop
from tests.core.logs.training_logs import log_of, means, record_of

SUMMARY = {"train_runtime": 80.0, "train_samples_per_second": 12.5, "train_steps_per_second": 0.1}
HISTORY: list[dict[str, Any]] = [
    {"loss": 3.0, "num_tokens": 1000.0, "step": 4},
    {"loss": 2.0, "num_tokens": 2000.0, "step": 8},
]


def _state(history: list[dict[str, Any]]) -> str:
    return json.dumps({"global_step": 8, "total_flos": 4e15, "train_batch_size": 2, "log_history": history}, indent=2)


def test_a_state_has_its_speeds_in_its_last_entry(tmp_path: Path) -> None:
    record = record_of(tmp_path, _state([*HISTORY, SUMMARY]))
    assert (record.format, record.facts["micro_batch"], record.facts["duration_s"]) == ("hf-trainer", 2, 80.0)
    assert means(record) == {
        "train_runtime_s": 80.0, "samples_per_s": 12.5, "training_work_pflop": 4.0, "tokens_per_s": 25.0,
        "step_time_s": 10.0, "loss": 2.5,
    }  # fmt: skip


def test_the_state_of_a_checkpoint_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="as a checkpoint holds it"):
        log_of(tmp_path, _state(HISTORY))


def test_a_rate_of_few_digits_gives_no_time_of_a_step(tmp_path: Path) -> None:
    assert means(record_of(tmp_path, json.dumps(SUMMARY)))["step_time_s"] == 10.0
    assert "step_time_s" not in means(record_of(tmp_path, json.dumps(SUMMARY | {"train_steps_per_second": 0.007})))


def test_every_process_prints_its_summary_and_one_counts(tmp_path: Path) -> None:
    text = (
        "[INFO|trainer.py:1146] >>   Instantaneous batch size per device = 4\n"
        "[INFO|trainer.py:1147] >>   Total train batch size (w. parallel, distributed & accumulation) = 1,024\n"
        "[INFO|trainer.py:1148] >>   Gradient Accumulation steps = 8\n"
        "[INFO|trainer.py:1149] >>   Total optimization steps = 8\n"
        " 10%|# | 1/8 [00:10<00:40]{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.5}\n"
        "{'loss': '3.5', 'learning_rate': '5e-05', 'epoch': '0.5'}\n"
        "{'train_runtime': 80.0, 'train_samples_per_second': 12.5, 'train_steps_per_second': 0.1, 'epoch': 1.0}\n"
        "{'train_runtime': 80.1, 'train_samples_per_second': 12.5, 'train_steps_per_second': 0.1, 'epoch': 1.0}\n"
        "***** train metrics *****\n  train_runtime            = 0:01:20.05\n"
        "{'train_runtime': 30.0, 'train_samples_per_second': 50.0, 'epoch': 1.0}\n"
    )
    first, second = log_of(tmp_path, text).records
    assert (first.n_accelerators, first.skipped) == (32, {"summary printed by another process": 2})
    assert means(first) == {"train_runtime_s": 80.0, "samples_per_s": 12.5, "step_time_s": 10.0, "loss": 3.0}
    assert means(second) == {"train_runtime_s": 30.0, "samples_per_s": 50.0}


def test_the_settings_of_an_attempt_that_failed_do_not_count(tmp_path: Path) -> None:
    settings = (
        "[config.py:752:print]   train_batch_size ............. {}\n"
        "[config.py:752:print]   train_micro_batch_size_per_gpu ............. {}\n"
        "[config.py:752:print]   gradient_accumulation_steps ............. 1\n"
    )
    text = settings.format(2048, 32) + "CUDA out of memory\n" + settings.format(512, 16)
    record = record_of(tmp_path, text + "{'train_runtime': 273.0, 'train_samples_per_second': 3.5, 'epoch': 1.0}\n")
    assert (record.facts["global_batch"], record.facts["micro_batch"], record.n_accelerators) == (512.0, 16.0, 32)


def test_the_table_of_metrics_alone_is_read(tmp_path: Path) -> None:
    table = "  total_flos               =   123GF\n  train_runtime            = 1 day, 0:00:30.50\n"
    record = record_of(tmp_path, table + "  train_samples_per_second =      1.116\n")
    assert means(record) == {"train_runtime_s": 86430.0, "samples_per_s": 1.116}


@pytest.mark.parametrize(
    ("total", "pflop"), [(4e15, 4.0), (1, 1e-15), (0, math.nan), (-0.5, math.nan), ("4e15", math.nan), (1e31, math.nan)]
)
def test_work_is_a_number_above_nought(total: object, pflop: float) -> None:
    assert _pflop(total) == pytest.approx(pflop, nan_ok=True)


def test_losses_without_the_time_of_the_run_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="losses without the time"):
        log_of(tmp_path, "{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.5}\n")


def test_a_run_that_did_not_end_is_read_by_its_bar(tmp_path: Path) -> None:
    loss = "{'loss': 2.1, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.1}\n"
    bars = (
        f" 10%|#     | {100 * n}/1000 [{100 * n // 60:02d}:{100 * n % 60:02d}<15:00,  1.00s/it]\n{loss}"
        for n in range(1, 6)
    )
    other = "100%|#####| 50/50 [00:05<00:00, 10.00it/s]\n"
    record = record_of(tmp_path, other + other.join(bars))
    assert (record.format, len(record.time_s)) == ("hf-trainer", 5)
    assert means(record) == {"step_time_s": pytest.approx(1.0), "loss": 2.1}


def test_tokens_of_a_gpu_that_axolotl_prints_with_the_losses(tmp_path: Path) -> None:
    loss = (
        "{'loss': 1.2, 'learning_rate': 0.0002, 'memory/max_active (GiB)': 40.1, 'tokens/train_per_sec_per_gpu': %s}\n"
    )
    end = "{'train_runtime': 896.0, 'train_samples_per_second': 14.2, 'train_steps_per_second': 0.4, 'epoch': 3.0}\n"
    record = record_of(tmp_path, loss % 3300.0 + loss % 3310.0 + end)
    assert means(record)["tokens_per_s_per_chip"] == 3305.0


def test_speeds_beside_the_losses_count_where_the_run_did_not_end(tmp_path: Path) -> None:
    lines = ["{'loss': 1.5, 'tokens_per_second_per_gpu': 2500.0, 'epoch': %.1f}\n" % (n / 10) for n in range(5)]
    assert means(record_of(tmp_path, "".join(lines))) == {"tokens_per_s_per_chip": 2500.0, "loss": 1.5}


def test_a_figure_of_0_is_none(tmp_path: Path) -> None:
    """Older versions write 0 where nothing was measured."""
    still = means(record_of(tmp_path, _state([*HISTORY, SUMMARY | {"train_samples_per_second": 0.0}])))
    assert "samples_per_s" not in still and still["train_runtime_s"] == 80.0
    assert means(record_of(tmp_path, _state([*HISTORY, SUMMARY | {"train_samples_per_second": 0.5}])))[
        "samples_per_s"
    ] == pytest.approx(0.5)
