"""The days of a portfolio, cut into slots so that every piece of work begins and ends at an edge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.constants import DAYS_PER_WEEK, HOURS_PER_DAY, MONTHS_PER_YEAR

_DIGITS = 6
"""Of an hour: edges nearer to each other than a few milliseconds are one."""


@dataclass(frozen=True)
class Calendar:
    """``n_days`` from ``first_day``; ``edges`` are hours of a day from 0 to 24, alike on all days."""

    first_day: date
    n_days: int
    edges: tuple[float, ...]

    @cached_property
    def widths_h(self) -> NDArray[np.float64]:
        """Hours of each slot, shape (n slots,); their sum is 24."""
        return np.asarray(np.diff(np.array(self.edges)))

    @cached_property
    def hours(self) -> NDArray[np.intp]:
        """Hour of the day in which each slot lies, 0..23, shape (n slots,)."""
        return np.asarray(np.floor(np.array(self.edges[:-1])), dtype=np.intp)

    @cached_property
    def months(self) -> tuple[tuple[int, int], ...]:
        """Year and month, 1..12, of each month that a day of it lies in."""
        last = self.first_day + timedelta(days=self.n_days - 1)
        return tuple(month_after(self.first_day, number) for number in range(months_between(self.first_day, last) + 1))

    @cached_property
    def month_of(self) -> NDArray[np.intp]:
        """Place of each day's month among :attr:`months`, shape (n days,)."""
        days = np.datetime64(self.first_day) + np.arange(self.n_days)
        months = days.astype("datetime64[M]").astype(np.intp)
        return np.asarray(months - months[0])

    @cached_property
    def week_of(self) -> NDArray[np.intp]:
        """Number of each day's week, counted from the first day, shape (n days,)."""
        return np.repeat(np.arange(self.n_days // DAYS_PER_WEEK + 1), DAYS_PER_WEEK)[: self.n_days]

    def covered(self, begin_h: float, hours: float) -> NDArray[np.bool_]:
        """True in the slots from ``begin_h`` on for so many hours, both edges of slots; hours count from the first
        day on; shape (n days, n slots)."""
        middles = (np.array(self.edges[:-1]) + np.array(self.edges[1:])) / 2.0
        at = np.arange(self.n_days)[:, None] * HOURS_PER_DAY + middles
        return np.asarray((at >= begin_h) & (at < begin_h + hours))


def calendar_of(first_day: date, n_days: int, ends_h: Iterable[float] = ()) -> Calendar:
    """A calendar whose days are cut at every hour and at the hours of the day given."""
    cuts = {round(hour % HOURS_PER_DAY, _DIGITS) for hour in ends_h}
    hours = {float(hour) for hour in range(HOURS_PER_DAY + 1)}
    return Calendar(first_day, max(n_days, 1), tuple(sorted(hours | (cuts - {float(HOURS_PER_DAY)}))))


def months_between(first: date, last: date) -> int:
    """How many months later the last day's is than the first's."""
    return MONTHS_PER_YEAR * (last.year - first.year) + last.month - first.month


def month_after(day: date, number: int) -> tuple[int, int]:
    """Year and month, 1..12, so many months after that of a day."""
    year, month = divmod(MONTHS_PER_YEAR * day.year + day.month - 1 + number, MONTHS_PER_YEAR)
    return year, month + 1
