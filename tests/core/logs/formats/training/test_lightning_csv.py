"""Lightning's metrics.csv: refused without a time or a speed, read with one."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.core.logs.training_logs import log_of, means, record_of


def test_a_table_without_time_or_speed_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column of times or speeds"):
        log_of(tmp_path, "epoch,step,train_loss\r\n0,9,6.5\r\n0,19,6.3\r\n")


def test_rows_of_one_step_belong_together_and_a_cut_one_is_told(tmp_path: Path) -> None:
    text = "epoch,lr,step,train/samples_per_sec,train_loss\n0,0.1,9,120.0,\n0,0.1,9,,3.0\n0,0.1,19,122.0,3.2\n0,0.1,2\n"
    record = record_of(tmp_path, text)
    assert means(record) == {"samples_per_s": 121.0, "loss": 3.1}
    assert record.skipped == {"same step printed again": 1, "row cut short": 1}


def test_a_column_of_times_gives_the_time_of_a_step(tmp_path: Path) -> None:
    record = record_of(tmp_path, "step,epoch,time,loss\n10,0,100.0,3\n20,0,120.0,3\n30,0,140.0,3\n")
    assert (means(record)["step_time_s"], record.duration_s) == (2.0, 40.0)


def test_other_tables_are_not_lightning_s(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one of these logs"):
        log_of(tmp_path, "epoch,loss,accuracy\n1,2,3\n")
