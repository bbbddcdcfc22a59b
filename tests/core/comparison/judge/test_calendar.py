"""Assumptions about time: complete, marked, and refused when damaged."""

from __future__ import annotations

import pytest

from core.comparison.judge.calendar import read_time_inputs, time_inputs, waiting_days
from core.errors import InputError
from core.workload.profile import PURCHASE_WORDS

HEADER = "name,scope,low,typical,high,unit,source,as_of,estimate,note\n"


def test_every_purchase_model_has_a_wait() -> None:
    assert all(waiting_days(model).unit == "days" for model in PURCHASE_WORDS)


def test_what_no_source_backs_is_marked() -> None:
    assert all(row.estimate for row in time_inputs().values() if row.source == "GUESS")


def test_on_demand_does_not_wait() -> None:
    assert waiting_days("on_demand").value.likely == 0


@pytest.mark.parametrize("row", ["waiting,spot,3,2,1,days,X,2026,no,\n", "waiting,spot,a,2,3,days,X,2026,no,\n"])
def test_a_damaged_row_is_named(tmp_path, row: str) -> None:
    file = tmp_path / "time.csv"
    file.write_text(HEADER + row, encoding="utf-8")
    with pytest.raises(InputError, match=r"time\.csv, row 2"):
        read_time_inputs(file)
