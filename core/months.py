"""The calendar of a plan: mean months, months and quarters of the year with their names, and whole months after a day.

Two months stand side by side, and this is where they part:

- a plan lives in months of the calendar. A service of so many months lasts ``months x DAYS_PER_MONTH`` days, rounded to
  whole ones, a term ends on the same day of the month in which it ends (:func:`months_after`), and what is due falls
  in the months and quarters of the year;
- a bill counts months of :data:`core.constants.HOURS_PER_MONTH`, 730 h, as sellers quote prices per month: so many
  hours of a month in service are paid, however long the months of the calendar are.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from datetime import date
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.constants import DAYS_PER_YEAR, MONTHS_PER_YEAR

DAYS_PER_MONTH = DAYS_PER_YEAR / MONTHS_PER_YEAR
"""Mean month of the calendar, 30.4375 days."""
MONTHS_PER_QUARTER = 3
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

Month = tuple[int, int]
"""Year and month, 1..12."""
Quarter = tuple[int, int]
"""Year and quarter, 1..4."""


def month_of(day: date) -> Month:
    """The month in which a day lies."""
    return day.year, day.month


def month_number(month: Month) -> int:
    """Months of the calendar since the year 0, so that months can be counted."""
    return MONTHS_PER_YEAR * month[0] + month[1] - 1


def numbered_month(number: int) -> Month:
    """The month of :func:`month_number`."""
    year, month = divmod(number, MONTHS_PER_YEAR)
    return year, month + 1


def months_between(first: date, last: date) -> int:
    """How many months later the last day's is than the first's."""
    return month_number(month_of(last)) - month_number(month_of(first))


def months_from(first: Month, last: Month) -> tuple[Month, ...]:
    """Every month from the first to the last."""
    return tuple(map(numbered_month, range(month_number(first), month_number(last) + 1)))


def months_of_days(first: date, n_days: int) -> NDArray[np.intp]:
    """How many months after that of the first day each of so many days lies, shape (n days,)."""
    days = np.datetime64(first) + np.arange(n_days)
    months = days.astype("datetime64[M]").astype(np.intp)
    return np.asarray(months - months[0])


def month_name(month: Month) -> str:
    """``Dec 26``."""
    year, number = month
    return f"{MONTH_NAMES[number - 1]} {year % 100:02}"


def period_of(month: Month, months: int) -> tuple[int, int]:
    """Year and period of the year, counted from 1, in which a month lies; periods are so many months long."""
    year, number = month
    return year, (number - 1) // months + 1


def quarter_of(month: Month) -> Quarter:
    """The quarter in which a month lies."""
    return period_of(month, MONTHS_PER_QUARTER)


def by_quarter(months: Iterable[Month]) -> dict[Quarter, list[Month]]:
    """Months by their quarters, in the order in which they come."""
    told: dict[Quarter, list[Month]] = {}
    for month in months:
        told.setdefault(quarter_of(month), []).append(month)
    return told


def quarter_name(quarter: Quarter) -> str:
    """``Q4 26``."""
    year, number = quarter
    return f"Q{number} {year % 100:02}"


def quarter_code(quarter: Quarter) -> str:
    """``2026-Q4``, as files tell it."""
    year, number = quarter
    return f"{year}-Q{number}"


def months_after(day: date, months: int) -> date | None:
    """The same day so many months later, or the last one of a shorter month; None where the calendar ends."""
    year, month = numbered_month(month_number(month_of(day)) + months)
    if year > date.max.year:
        return None
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def n_terms_of(held_months: float, term_months: int) -> int:
    """Whole terms that so many months touch; at least one."""
    return max(ceil(held_months / term_months - 1e-9), 1)


def months_in_days(days: float) -> float:
    """Mean months in so many whole days, less the day by which rounding to whole ones may make them longer: work of 24
    months that takes 731 days touches no third year."""
    return max(days - 1, 0.0) / DAYS_PER_MONTH
