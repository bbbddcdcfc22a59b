"""Short texts for charts and tables: money on one scale, and why a candidate was rejected."""

from __future__ import annotations

from dataclasses import dataclass

from core.comparison.result import CandidateResult
from core.ranges import Range
from core.units import grouped, rounded, shown_money, span


@dataclass(frozen=True, slots=True)
class MoneyScale:
    """A round amount of the shown currency for money on an axis, as US dollars, with words: ``million $``, ``$M``."""

    divisor: float
    words: str
    short: str
    decimals: int = 2

    def text(self, usd: float) -> str:
        """The amount in this scale, such as ``1.48``."""
        return grouped(usd / self.divisor, self.decimals)

    def range_text(self, amount: Range) -> str:
        """``1.34–1.68``."""
        return span(self.text(amount.low), self.text(amount.high))


def money_scale(largest_usd: float) -> MoneyScale:
    """Billions, millions, thousands or plain money of the currency shown, after the largest amount in view."""
    money = shown_money()
    largest = largest_usd * money.per_usd
    for divisor, word, letter in _MONEY_STEPS:
        if rounded(largest) >= divisor:
            words, short = f"{word} {money.unit}", f"{money.sign}{letter}"
            return MoneyScale(divisor / money.per_usd, words, short, _decimals(largest / divisor))
    return MoneyScale(1.0 / money.per_usd, money.unit, money.unit, 2 if largest < CENTS_BELOW else 0)


CENTS_BELOW = 100
"""Amounts below are told to the cent, as in sentences."""

_MONEY_STEPS = ((1e9, "billion", "B"), (1e6, "million", "M"), (1e3, "thousand", "k"))


def _decimals(largest: float) -> int:
    return 0 if rounded(largest) >= 100 else 1 if rounded(largest) >= 10 else 2


def reason_text(result: CandidateResult) -> str:
    """Why a candidate was rejected with the nearest change that would admit it; the first reason only."""
    if not result.reasons:
        return ""
    first = result.reasons[0]
    return " ".join(_sentence(str(part)) for part in (first.text, first.nearest_change) if part)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
