"""What an early end loses, by hand: 730 units over 365 days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from core.report.pages.finance.early_end import MOST_DAYS, Commitment, _days

BEGINS = date(2027, 1, 1)
YEAR = Commitment("a year", BEGINS, date(2028, 1, 1), 365, 730)
QUARTERS = replace(YEAR, term_days=90)
AHEAD = replace(YEAR, paid_ahead_on=date(2026, 12, 1))


@pytest.mark.parametrize(
    ("one", "day", "lost"),
    [
        (YEAR, -1, 0), (YEAR, 0, 730), (YEAR, 100, 530), (YEAR, 364, 2), (YEAR, 365, 0),
        (QUARTERS, 0, 180), (QUARTERS, 90, 0), (QUARTERS, 91, 178), (QUARTERS, 100, 160), (QUARTERS, 361, 8),
        (AHEAD, -32, 0), (AHEAD, -31, 730), (AHEAD, 0, 730), (AHEAD, 100, 530),
    ],
)  # fmt: skip
def test_the_rest_of_a_term_that_has_begun_is_owed(one: Commitment, day: int, lost: int) -> None:
    assert one.lost(BEGINS + timedelta(days=day)) == lost


def test_days_are_the_first_the_half_and_the_last_quarter() -> None:
    assert [(day - BEGINS).days for day in _days([YEAR])] == [0, 182, 274]
    assert _days([AHEAD])[0] == AHEAD.paid_ahead_on


def test_of_many_the_dearest_tell_their_days_and_each_day_once() -> None:
    small = replace(YEAR, begins=date(2030, 1, 1), until=date(2031, 1, 1), units=1)
    late = replace(YEAR, begins=date(2029, 1, 1), until=date(2030, 1, 1), units=900)
    days = _days([small, YEAR, YEAR, late])
    assert len(days) == MOST_DAYS and days == sorted(set(days))
    assert sum(day.year == 2029 for day in days) == 3 and not any(day.year == 2030 for day in days)
