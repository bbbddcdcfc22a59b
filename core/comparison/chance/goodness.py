"""How good a cost and a time are, beside the best of those that can be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.workload.profile import Weights

Array = NDArray[np.float64]
MISSED = 0.75
"""Goodness that an outcome loses which misses a limit, of 1 for the best in everything (our choice)."""
MOST_BETTER = 0.2
"""No option counts as more than five times as good as the best of those that can be had."""


@dataclass(frozen=True, slots=True)
class Best:
    """The least likely cost and time (at least the least that counts) among the options that others are measured by."""

    cost_usd: float
    time: float


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What makes an outcome good: the best of each, the time below which sooner is no better, and what matters:
    ``weights`` for cost, time and flexibility, shape (3,), which sum to 1."""

    best: Best
    least_time: float
    weights: Array


def share_of_best(values: NDArray[Any], best: float, least: float = 0.0) -> NDArray[Any]:
    """``best / value``: 1 for the best, one half for twice as much; 1 for all where the best is nothing. No value
    counts as less than ``least``."""
    if best <= 0:
        return np.ones_like(values)
    floored = np.maximum(values, values.dtype.type(max(MOST_BETTER * best, least)))
    return np.asarray(np.divide(values.dtype.type(best), floored, out=floored))


def shares(weights: Weights) -> Array:
    """Weights as shares of their sum, shape (3,): cost, time, flexibility; equal ones when all are 0."""
    values = np.array([weights.cost, weights.time, weights.flexibility], dtype=float)
    total = values.sum()
    return values / total if total > 0 else np.full(3, 1 / 3)
