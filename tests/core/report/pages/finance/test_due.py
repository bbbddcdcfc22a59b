"""Cash by month, quarter and year on ledgers made by hand: whatever is cut, the sums are the same."""

from __future__ import annotations

import pytest

from core.months import Month
from core.report.blocks import Periods, Table
from core.report.ledger import Entry, Ledger
from core.report.pages.finance.due import MOST_COLUMNS, MOST_YEARS, cash_blocks, cash_heading, month_blocks
from core.units import DASH


def _months(n: int, first: int = 2027) -> list[Month]:
    return [(first + at // 12, at % 12 + 1) for at in range(n)]


def _ledger(*entries: Entry) -> Ledger:
    return Ledger((), 1e3, "thousand", entries)


def _even(n_months: int) -> Ledger:
    """10 units a month."""
    return _ledger(*(Entry(None, "support", month, 10) for month in _months(n_months)))


def _by_month(ledger: Ledger) -> Table:
    table = month_blocks(ledger)[1]
    assert isinstance(table, Table) and table.is_small
    return table


@pytest.mark.parametrize("more_years", [0, 1, 3])
def test_years_stand_month_by_month_and_many_later_ones_in_one_sum(more_years: int) -> None:
    ledger = _even(12 * (MOST_YEARS + more_years))
    rows = [[cell.text for cell in row] for row in _by_month(ledger).rows]
    assert [row[0] for row in rows[:2]] == ["2027", "2028"] and {len(row) for row in rows} == {14}
    assert all(row == [row[0], *["10"] * 12, "120"] for row in rows[:MOST_YEARS])
    later = [["Later", *[""] * 12, str(120 * more_years)]] if more_years else []
    whole = f"{120 * (MOST_YEARS + more_years):,}".replace(",", "\u202f")
    assert rows[MOST_YEARS:] == [*later, ["In all", *[""] * 12, whole]]


def test_months_without_anything_due_are_a_dash() -> None:
    first, last = Entry(None, "support", (2027, 3), 7), Entry(None, "support", (2028, 12), -2)
    rows = [[cell.text for cell in row] for row in _by_month(_ledger(first, last)).rows]
    assert rows[0] == ["2027", DASH, DASH, "7", *[DASH] * 9, "7"]
    assert rows[1] == ["2028", *[DASH] * 11, "\u22122", "\u22122"] and rows[2][-1] == "5"


@pytest.mark.parametrize(
    ("n_months", "heading", "names"),
    [
        (1, "Cash by month", ["Jan"]),
        (3, "Cash by month", ["Jan", "Feb", "Mar"]),
        (18, "Cash by month and quarter", None),
        (19, "Cash by quarter", ["Q1 27", "Q2 27", "Q3 27", "Q4 27", "Q1 28", "Q2 28", "Q3 28"]),
        (3 * MOST_COLUMNS, "Cash by quarter", None),
        (3 * MOST_COLUMNS + 1, "Cash by year", ["2027", "2028", "2029", "2030", "2031"]),
        (12 * MOST_COLUMNS, "Cash by year", None),
        (12 * MOST_COLUMNS + 1, "Cash by year", [*map(str, range(2027, 2026 + MOST_COLUMNS)), "Later"]),
    ],
)
def test_columns_are_months_quarters_or_years_and_add_up(n_months: int, heading: str, names: list[str] | None) -> None:
    ledger = _even(n_months)
    block, _ = cash_blocks(ledger, "$1–2 M", lists_months=False)
    assert isinstance(block, Periods) and cash_heading(ledger) == heading
    assert names is None or list(block.periods) == names
    *rows, due = block.rows
    assert [row.name for row in rows] == ["Support"] and rows[0].values == due.values
    numbers = [int(value.replace("\u202f", "")) for value in due.values]
    assert sum(numbers) == ledger.total == 10 * n_months == int(due.total.replace("\u202f", ""))
    assert block.last is not None and block.last.values[-1] == due.total
    assert max(block.shares) == 1.0 and len(block.shares) == len(block.periods) <= 18
    assert bool(month_blocks(ledger)) == (n_months > 18)


def test_entries_of_a_group_in_a_month_add_up_and_the_groups_stand_in_their_order() -> None:
    month, after = (2027, 1), (2027, 2)
    entries = [Entry(None, "support", month, 3), Entry(None, "support", month, 4), Entry(None, "storage", month, 5),
               Entry(None, "egress", after, 6)]  # fmt: skip
    block, note = cash_blocks(_ledger(*entries), "$1–2 M", lists_months=False)
    assert isinstance(block, Periods)
    assert [(row.name, row.values, row.total) for row in block.rows] == [
        ("Storage, transfer", ("5", "6"), "11"), ("Support", ("7", DASH), "7"), ("Due", ("12", "6"), "18"),
    ]  # fmt: skip
    assert block.last is not None and block.last.values == ("12", "18")
    assert block.shares == (1.0, 0.5) and block.group_row is None and block.groups == ()
    assert "80" in str(note) and "$1–2 M" in str(note)


def test_quarters_span_their_months() -> None:
    entries = (Entry(None, "support", month, 10) for month in _months(14)[1:])
    block, _ = cash_blocks(_ledger(*entries), "", lists_months=False)
    assert isinstance(block, Periods) and block.group_row is not None
    assert block.groups == (("Q1 27", 2), ("Q2 27", 3), ("Q3 27", 3), ("Q4 27", 3), ("Q1 28", 2))
    assert block.group_row.values == ("20", "30", "30", "30", "20") and block.group_row.total == "130"
