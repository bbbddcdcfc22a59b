"""Months, quarters and terms of the calendar, and how they differ from the 730 hours of a bill."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import months as m
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.parts.commitment import TERM_H, TERM_MONTHS

DAYS = st.dates(date(2000, 1, 1), date(2100, 1, 1))


def test_a_mean_month_is_half_an_hour_longer_than_that_of_a_bill() -> None:
    assert m.DAYS_PER_MONTH * HOURS_PER_DAY - HOURS_PER_MONTH == 0.5
    assert {model: hours / HOURS_PER_MONTH for model, hours in TERM_H.items()} == TERM_MONTHS


@given(first=DAYS, days=st.integers(1, 4000))
def test_each_day_lies_in_its_month(first: date, days: int) -> None:
    last = first + timedelta(days=days - 1)
    told = m.months_from(m.month_of(first), m.month_of(last))
    assert len(told) == m.months_between(first, last) + 1
    assert told[int(m.months_of_days(first, days)[-1])] == m.month_of(last)
    assert [m.numbered_month(m.month_number(month)) for month in told] == list(told)
    assert [month for months in m.by_quarter(told).values() for month in months] == list(told)


@pytest.mark.parametrize(
    ("month", "quarter", "name", "code"),
    [((2026, 12), (2026, 4), "Q4 26", "2026-Q4"), ((2030, 1), (2030, 1), "Q1 30", "2030-Q1")],
)
def test_a_quarter_has_one_name_and_one_code(month: m.Month, quarter: m.Quarter, name: str, code: str) -> None:
    assert m.quarter_of(month) == quarter == m.period_of(month, m.MONTHS_PER_QUARTER)
    assert (m.quarter_name(quarter), m.quarter_code(quarter)) == (name, code)


def test_months_after_a_day_end_on_the_same_day_or_the_last_of_a_shorter_month() -> None:
    assert m.months_after(date(2027, 1, 31), 1) == date(2027, 2, 28)
    assert m.months_after(date(2027, 12, 5), 24) == date(2029, 12, 5)
    assert m.months_after(date(9999, 12, 1), 1) is None
    assert m.month_name((2026, 12)) == "Dec 26"


@given(begins=DAYS, months=st.integers(1, 60), before=st.floats(0, 90), term=st.sampled_from([1, 12, 36]))
def test_work_touches_no_further_term_for_being_counted_in_whole_days(
    begins: date, months: int, before: float, term: int
) -> None:
    """24 months take 730 or 731 days by where they begin: two years in either case."""
    days = round(before + months * m.DAYS_PER_MONTH) - round(before)
    assert m.n_terms_of(m.months_in_days(days), term) == -(-months // term)
