"""A quantity with its likely value and its draws in one array, so that both take the same steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.errors import N_DRAWS, Cause, Errors, drawn
from core.ranges import HIGH_PCT, LOW_PCT, Range

Spread = NDArray[np.float64]
"""The likely value, then its draws, shape (1 + n draws,). Draws of one number belong together over all spreads."""


def fixed(value: float) -> Spread:
    """What is certain; takes no room."""
    return np.broadcast_to(np.float64(value), 1 + N_DRAWS)


def spread_of(span: Range, causes: tuple[Cause, ...]) -> Spread:
    """The draws of a range whose errors have these causes, the same as everywhere else in the comparison."""
    if span.low == span.high:
        return fixed(span.likely)
    spans = np.array([[span.low, span.likely, span.high]])
    return np.concatenate(([span.likely], drawn(spans, Errors([causes], N_DRAWS))[0]))


def range_of(spread: Spread) -> Range:
    """The likely value with the ends of 80 % of its draws."""
    likely = float(spread[0])
    low, high = np.percentile(spread[1:], (LOW_PCT, HIGH_PCT)).tolist()
    return Range(min(low, likely), likely, max(high, likely))


def share_of_draws(mask: NDArray[np.bool_]) -> float:
    """Share of the draws, without the likely value, in which something holds."""
    return float(mask[1:].mean())
