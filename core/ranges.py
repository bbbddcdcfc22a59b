"""A value with its 80 % range, and how well it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

Z_OF_80_PCT = NormalDist().inv_cdf(0.9)
"""Standard deviations between the likely value and either end of an 80 % range."""
LOW_PCT, HIGH_PCT = 10.0, 90.0
"""Percentiles of draws at the ends of an 80 % range."""


class Evidence(StrEnum):
    """Where a figure comes from, strongest first (words shown to the user)."""

    MEASURED_HERE = "measured here"
    MEASURED_ELSEWHERE = "measured elsewhere"
    TRANSFERRED = "transferred"
    MODELLED = "modelled"
    VENDOR = "vendor figure"
    TYPED = "typed"
    ESTIMATE = "estimate"

    @property
    def strength(self) -> int:
        """Bars of the evidence meter, 0 to 4."""
        return _STRENGTH[self]

    @property
    def is_proof(self) -> bool:
        """False for a figure that only its vendor or nobody tells: no pick rests on it."""
        return self not in (Evidence.VENDOR, Evidence.ESTIMATE)


_STRENGTH = {
    Evidence.MEASURED_HERE: 4,
    Evidence.MEASURED_ELSEWHERE: 3,
    Evidence.TRANSFERRED: 3,
    Evidence.MODELLED: 2,
    Evidence.VENDOR: 1,
    Evidence.TYPED: 0,
    Evidence.ESTIMATE: 0,
}


ESTIMATE = Evidence.ESTIMATE.value
"""The word that marks a figure which no source backs, wherever it is shown."""


def marked(words: str, is_estimate: bool) -> str:
    """``Operations (estimate)``: the words of a figure with the mark of an estimate where it is one."""
    return f"{words} ({ESTIMATE})" if is_estimate else words


@dataclass(frozen=True, slots=True)
class Range:
    """A likely value and the bounds that hold 80 % of outcomes; ``low <= likely <= high``."""

    low: float
    likely: float
    high: float

    def scaled(self, factor: float) -> Range:
        """The range times a factor above 0."""
        return Range(self.low * factor, self.likely * factor, self.high * factor)

    def shifted(self, offset: float) -> Range:
        """The range plus a certain amount."""
        return Range(self.low + offset, self.likely + offset, self.high + offset)
