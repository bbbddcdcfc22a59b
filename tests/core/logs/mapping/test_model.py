"""What a table of one's own leaves unsaid."""

from __future__ import annotations

from core.logs.mapping.model import CHIP, MappedColumn, TableMapping, gaps


def _said(*columns: MappedColumn) -> str:
    return " ".join(gaps(TableMapping(columns=columns)))


def test_a_column_that_names_the_chip_or_one_for_each_chip_leaves_no_gap() -> None:
    chip, power, other = (
        MappedColumn(name="gpu", meaning=CHIP),
        *(MappedColumn(name=name, meaning="power_w") for name in ("p0", "p1")),
    )
    assert "No column names a chip" in _said(power)
    assert "No column names a chip" not in _said(power, chip)
    assert "No column names a chip" not in _said(power, other)
