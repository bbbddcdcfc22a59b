"""Whole terms that chips are paid by, seen from a day: how many the rest of the work touches, and what they still
cost."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.comparison.actuals.commitments import term_days

CALENDAR_DAYS = 2.0
"""By so much months of the calendar are longer or shorter than the mean ones of a service: that begins no term."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of so many months that began ``elapsed`` days ago, each at so many USD, of which some is paid already.

    ``n_fixed`` are all that are owed where that is certain, as of a service or of chips that are given back.
    ``spread`` is the deviation of the logarithm of what is still owed.
    """

    months: int
    usd: float
    elapsed: float
    paid_usd: float = 0.0
    spread: float = 0.0
    n_fixed: int | None = None

    def n_after(self, days: float) -> int:
        """Terms that work touches which goes on for so many days: whole ones, and at least one."""
        return self._n_touched(days) if self.n_fixed is None else self.n_fixed

    def _n_touched(self, days: float) -> int:
        return max(math.ceil((self.elapsed + days) / term_days(self.months) - 1e-9), 1)

    def owed_usd(self, days: float, z: float = 0.0) -> float:
        """Still to be paid where the work goes on for so many days; ``z`` deviations above what is likely."""
        return max(self.n_after(days) * self.usd - self.paid_usd, 0.0) * math.exp(z * self.spread)

    def until(self, days: float) -> Terms:
        """The same for chips that are given back in so many days: no further term begins."""
        if self.n_fixed is None:
            return replace(self, n_fixed=self._n_touched(days))
        return replace(self, n_fixed=min(self._n_touched(days - CALENDAR_DAYS), self.n_fixed))


def owed_usd(terms: Iterable[Terms], days: float, z: float = 0.0) -> float:
    """What all of them still cost."""
    return sum(one.owed_usd(days, z) for one in terms)
