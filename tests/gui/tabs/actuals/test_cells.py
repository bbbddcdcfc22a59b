"""What may be typed and pasted into entries, in which currency, and what is said of cells that are refused."""

from __future__ import annotations

from datetime import date

import pytest

from core.units import Money, money_in
from core.workload.actuals import Entry
from gui.tabs.actuals.cells import editable, pasted, read, shown

HEADS = ("Up to", "Done, tokens", "Spent, €", "Chip hours", "Phase")
NAMES = {"a": "Explore", "b": "Scale"}
DAY = date(2027, 1, 31)


def test_money_is_typed_and_read_in_the_currency_shown() -> None:
    with money_in(Money("EUR", 0.5)):
        assert read("€1 200", "spend_usd", 1, "Spent", {}) == 2400.0
        entry = Entry(day=DAY, spend_usd=2400.0)
        assert (shown(entry, "spend_usd", {}), editable(entry, "spend_usd", {})) == ("1\u202f200", "1200.00")


def test_a_day_is_read_as_everywhere_and_typed_as_a_number() -> None:
    entry = Entry(day=DAY)
    assert (shown(entry, "day", {}), editable(entry, "day", {})) == ("31 Jan 2027", "2027-01-31")


@pytest.mark.parametrize("text", ["2027-01-31", "31.01.2027", "31.1.2027"])
def test_days_are_read_as_people_write_them(text: str) -> None:
    assert read(text, "day", 1, "Up to", {}) == DAY


def test_an_empty_cell_is_not_known_and_a_scale_is_read() -> None:
    assert read(" ", "done", 1, "Done", {}) is None
    assert read("3.5 B", "done", 1, "Done", {}) == 3.5e9


@pytest.mark.parametrize(("text", "column"), [("-5", "done"), ("x", "chip_hours"), ("01/31/2027", "day"), ("", "day")])
def test_what_is_no_value_is_told_by_row_and_column(text: str, column: str) -> None:
    with pytest.raises(ValueError, match="Row 4, Title: found"):
        read(text, column, 4, "Title", {})


def test_a_block_is_pasted_whole_or_not_at_all() -> None:
    entries, bad = pasted("Day;Done;Money\n31.01.2027;5;7\n\n2027-02-07;6;;8", HEADS, NAMES)
    assert not bad
    assert [(one.day, one.done, one.spend_usd, one.chip_hours) for one in entries] == [
        (DAY, 5.0, 7.0, None),
        (date(2027, 2, 7), 6.0, None, 8.0),
    ]
    entries, bad = pasted("2027-01-31\t5\n2027-02-07\tmany", HEADS, NAMES)
    assert entries == () and str(bad[0]).startswith("Row 2, Done, tokens: found 'many', expected a number")


def test_a_phase_is_typed_and_read_by_its_name() -> None:
    assert (read("scale", "phase", 1, "Phase", NAMES), read("", "phase", 1, "Phase", NAMES)) == ("b", "")
    assert shown(Entry(day=DAY, phase="b"), "phase", NAMES) == "Scale"
    assert shown(Entry(day=DAY, phase="gone"), "phase", NAMES) == ""
    entries, bad = pasted("2027-01-31\t5\t7\t\tExplore", HEADS, NAMES)
    assert not bad and entries[0].phase == "a"
    _, bad = pasted("2027-01-31\t5\t7\t\tPort", HEADS, NAMES)
    assert str(bad[0]) == "Row 1, Phase: found 'Port', expected one of Explore, Scale"
