"""Assumptions about time: complete, marked, and refused when damaged."""

from __future__ import annotations

import pytest

from core.comparison.judge.calendar import read_time_inputs, time_inputs
from core.errors import InputError

HEADER = "name,scope,low,typical,high,unit,source,as_of,estimate,note\n"


def test_what_no_source_backs_is_marked() -> None:
    assert all(row.estimate for row in time_inputs().values() if row.source == "GUESS")


@pytest.mark.parametrize("row", ["restart,any,3,2,1,hours,X,2026,no,\n", "restart,any,a,2,3,hours,X,2026,no,\n"])
def test_a_damaged_row_is_named(tmp_path, row: str) -> None:
    file = tmp_path / "time.csv"
    file.write_text(HEADER + row, encoding="utf-8")
    with pytest.raises(InputError, match=r"time\.csv, row 2"):
        read_time_inputs(file)
