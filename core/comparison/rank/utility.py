"""One number per option from the user's weights, and how firmly the first stands when weights are anybody's guess."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.goodness import Best, share_of_best
from core.rows import Rows

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Axes(Rows):
    """What is ranked, one row an option, shapes (n,): cost in USD, time (less is better), flexibility 0..100.

    ``time`` is days to finish when training, hours of a batch, or ms per token when serving. Below ``least_time``
    (a day, half the window of a batch) sooner is no better. ``best``: the least cost and time of options that others
    are measured by; None takes those of the rows themselves.
    """

    cost_usd: Array
    time: Array
    flexibility: Array
    least_time: float = 0.0
    best: Best | None = None


def best_of(axes: Axes, rows: NDArray[np.intp]) -> Best | None:
    """What the options of some rows are measured by; None without any."""
    if not len(rows):
        return None
    return Best(float(axes.cost_usd[rows].min()), float(np.maximum(axes.time[rows], axes.least_time).min()))


def normalised(axes: Axes) -> Array:
    """Goodness per option and criterion, shape (n, 3) in the order cost, time, flexibility; 1 is the best."""
    goodness = np.zeros((len(axes.cost_usd), 3))
    best = axes.best or best_of(axes, np.arange(len(goodness)))
    if best:
        goodness[:, 0] = share_of_best(axes.cost_usd, best.cost_usd)
        goodness[:, 1] = share_of_best(np.maximum(axes.time, axes.least_time), best.time)
        goodness[:, 2] = axes.flexibility / 100
    return goodness


def order_best_first(utilities: Array, cost_usd: Array, id_rank: NDArray[np.intp]) -> NDArray[np.intp]:
    """Row numbers by falling utility, shape (n,); ties by cost, then by the order of ids, so that the order never
    depends on that of the input."""
    return np.lexsort((id_rank, cost_usd, -utilities))


N_WEIGHTINGS = 1000
SEED = 20261121


@lru_cache(maxsize=4)
def random_weightings(n: int = N_WEIGHTINGS, seed: int = SEED) -> Array:
    """Weight shares drawn evenly from all that sum to 1 (flat Dirichlet), shape (n, 3), not to be written to; the same
    for the same seed."""
    drawn = np.random.default_rng(seed).dirichlet(np.ones(3), size=n)
    drawn.flags.writeable = False
    return drawn


def first_place_pct(goodness: Array) -> Array:
    """Percent of the random weightings in which each option is first, shape (n,); ``goodness`` has shape (n, 3)."""
    if not len(goodness):
        return np.zeros(0)
    winners = np.argmax(random_weightings() @ goodness.T, axis=1)
    return np.asarray(np.bincount(winners, minlength=len(goodness)) * (100 / N_WEIGHTINGS), dtype=float)
