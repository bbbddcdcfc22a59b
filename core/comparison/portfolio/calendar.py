"""The days of a portfolio, cut into slots so that every piece of work begins and ends at an edge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.constants import DAYS_PER_WEEK, HOURS_PER_DAY
from core.months import Month, month_of, months_between, months_from, months_of_days

_DIGITS = 6
"""Of an hour: edges nearer to each other than a few milliseconds are one."""


@dataclass(frozen=True)
class Calendar:
    """``n_days`` from ``first_day``; ``edges`` are hours of a day from 0 to 24, alike on all days. Cash is counted from
    the month of ``cash_from`` on: what is done before the first chips come is due before the first day."""

    first_day: date
    n_days: int
    edges: tuple[float, ...]
    cash_from: date

    @cached_property
    def widths_h(self) -> NDArray[np.float64]:
        """Hours of each slot, shape (n slots,); their sum is 24."""
        return np.asarray(np.diff(np.array(self.edges)))

    @cached_property
    def hours(self) -> NDArray[np.intp]:
        """Hour of the day in which each slot lies, 0..23, shape (n slots,)."""
        return np.asarray(np.floor(np.array(self.edges[:-1])), dtype=np.intp)

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """Each month that a day of it lies in."""
        last = self.first_day + timedelta(days=self.n_days - 1)
        return months_from(month_of(self.first_day), month_of(last))

    @property
    def months_before(self) -> int:
        """Months of cash before the first of :attr:`months`."""
        return months_between(self.cash_from, self.first_day)

    @property
    def n_cash_months(self) -> int:
        """Months of cash, up to that of the day after the last one, when what is left is sold."""
        return months_between(self.cash_from, self.first_day + timedelta(days=self.n_days)) + 1

    @cached_property
    def month_of(self) -> NDArray[np.intp]:
        """Place of each day's month among :attr:`months`, shape (n days,)."""
        return months_of_days(self.first_day, self.n_days)

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


def calendar_of(first_day: date, n_days: int, ends_h: Iterable[float] = (), cash_from: date | None = None) -> Calendar:
    """A calendar whose days are cut at every hour and at the hours of the day given; cash counts from the first day on,
    or from an earlier one."""
    cuts = {round(hour % HOURS_PER_DAY, _DIGITS) for hour in ends_h}
    hours = {float(hour) for hour in range(HOURS_PER_DAY + 1)}
    edges = tuple(sorted(hours | (cuts - {float(HOURS_PER_DAY)})))
    return Calendar(first_day, max(n_days, 1), edges, min(cash_from or first_day, first_day))
