"""What is believed of a rate: the plan's own range, moved towards what the entries say by how much they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from core.ranges import Z_OF_80_PCT, Range

_NORMAL = NormalDist()
USUAL_SPREAD, USUAL_COUNTS_AS = 0.15, 2.0
"""Entries of a steady run differ by so much of its log; this guess counts as so many entries (our estimate)."""
LEAST_SPREAD = 0.02
LEAST_SHARE = 0.01
"""A stretch with nothing done counts as so much of the planned rate."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A positive quantity whose logarithm is normal: ``middle`` its median, ``spread`` the deviation of the log."""

    middle: float
    spread: float

    @classmethod
    def of_range(cls, low: float, likely: float, high: float) -> Belief:
        """The plan's own: ``spread = ln(high / low) / (2 x 1.28)`` around the likely value."""
        if likely <= 0:
            return cls(0.0, LEAST_SPREAD)
        width = math.log(max(high, likely) / max(min(low, likely), likely * 1e-6))
        return cls(likely, max(width / (2 * Z_OF_80_PCT), LEAST_SPREAD))

    @property
    def range(self) -> Range:
        """The middle with 80 %."""
        factor = math.exp(Z_OF_80_PCT * self.spread)
        return Range(self.middle / factor, self.middle, self.middle * factor)

    def at(self, share: float) -> float:
        """The value that the quantity stays below with such a chance, 0..1."""
        return self.middle * math.exp(_NORMAL.inv_cdf(share) * self.spread)

    def beyond(self, z: float) -> float:
        """The value so many deviations of its logarithm above the middle."""
        return self.middle * math.exp(z * self.spread)

    def chance_below(self, limit: float) -> float:
        """The chance that the quantity is at most so much."""
        if limit <= 0:
            return 1.0 if self.middle <= limit else 0.0
        if self.middle <= 0:
            return 1.0
        return _NORMAL.cdf(math.log(limit / self.middle) / max(self.spread, 1e-9))

    def scaled(self, factor: float) -> Belief:
        """Times a certain factor above 0."""
        return Belief(self.middle * factor, self.spread)

    def over(self, other: Belief) -> Belief:
        """A quotient of two that err apart."""
        return Belief(self.middle / max(other.middle, 1e-12), math.hypot(self.spread, other.spread))

    def plus(self, other: Belief) -> Belief:
        """A sum of two that err together, as the parts of a bill do: its ends are the sums of theirs."""
        middle = self.middle + other.middle
        if not other.middle:
            return self
        return Belief(middle, (self.middle * self.spread + other.middle * other.spread) / middle)

    def times(self, other: Belief) -> Belief:
        """A product of two that err apart."""
        return Belief(self.middle * other.middle, math.hypot(self.spread, other.spread))


@dataclass(frozen=True, slots=True)
class Stretch:
    """What an entry says of a rate: an amount over days."""

    amount: float
    days: float


def shrunk(plan: Belief, stretches: Sequence[Stretch]) -> Belief:
    """The plan's belief moved towards the entries:

    ``ln r = (ln r_plan / s_plan^2 + n ln r_entries / s^2) / (1 / s_plan^2 + n / s^2)``, and its variance
    ``1 / (1 / s_plan^2 + n / s^2)``. ``r_entries`` is all that was done over all days of the ``n`` entries, ``s`` their
    :func:`spread`. Without entries it is the plan's own.
    """
    n = len(stretches)
    if not n or plan.middle <= 0:
        return plan
    days = sum(one.days for one in stretches)
    seen = math.log(max(sum(one.amount for one in stretches) / days, LEAST_SHARE * plan.middle))
    own, told = 1.0 / plan.spread**2, n / spread(stretches, plan.middle) ** 2
    middle = (own * math.log(plan.middle) + told * seen) / (own + told)
    return Belief(math.exp(middle), 1.0 / math.sqrt(own + told))


def spread(stretches: Sequence[Stretch], planned: float) -> float:
    """Deviation of the log of the entries' rates, ``sqrt((2 x 0.15^2 + sum (ln r_i - mean)^2) / (2 + n - 1))``: one
    entry alone says nothing of it, so the usual one stands in."""
    logs = [math.log(max(one.amount / one.days, LEAST_SHARE * planned)) for one in stretches]
    mean = sum(logs) / max(len(logs), 1)
    squares = USUAL_COUNTS_AS * USUAL_SPREAD**2 + sum((one - mean) ** 2 for one in logs)
    return max(math.sqrt(squares / (USUAL_COUNTS_AS + max(len(logs) - 1, 0))), LEAST_SPREAD)
