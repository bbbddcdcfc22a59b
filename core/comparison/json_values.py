"""How figures are rounded where programs read them: money to the cent, all else to six digits, each in one place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from core.ranges import Range
from core.units import rounded

_DIGITS = 6
_OF_A_DOLLAR = 2

V = TypeVar("V")
Value = float | None
RangeJson = dict[str, Value]


def cents(usd: float) -> float:
    """An amount of money in USD to the cent. Prices of a unit (a chip and hour, a million tokens) are no amounts: of
    them a tenth of a cent counts, and :func:`number` tells them."""
    return round(float(usd), _OF_A_DOLLAR)


def number(value: float) -> Value:
    """Six significant digits of what is no amount of money; None for what JSON has no number for."""
    return rounded(float(value), _DIGITS) if math.isfinite(value) else None


def cents_or_none(usd: float | None) -> Value:
    """:func:`cents` of an amount that may not be there."""
    return None if usd is None else cents(usd)


def number_or_none(value: float | None) -> Value:
    """:func:`number` of a figure that may not be there."""
    return None if value is None else number(value)


def cents_range(span: Range) -> dict[str, float]:
    """Low, likely and high of an amount of money."""
    return _range(span, cents)


def number_range(span: Range) -> RangeJson:
    """Low, likely and high of what is no amount of money."""
    return _range(span, number)


def _range(span: Range, of_each: Callable[[float], V]) -> dict[str, V]:
    return {"low": of_each(span.low), "likely": of_each(span.likely), "high": of_each(span.high)}
