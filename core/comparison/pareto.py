"""The options that no other beats in both cost and time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def pareto_mask(cost_usd: NDArray[np.float64], time: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True where no other row is at most as dear and at most as slow, and better in one of the two.

    ``cost_usd`` and ``time`` have shape (n,), less is better in both; rows that are equal in both share the front.
    Sorting makes it O(n log n).
    """
    order = np.lexsort((time, cost_usd))
    mask = np.zeros(len(order), dtype=bool)
    if not len(order):
        return mask
    sorted_cost, sorted_time = cost_usd[order], time[order]
    best_before = np.concatenate(([np.inf], np.minimum.accumulate(sorted_time)[:-1]))
    first_of_equals = np.concatenate(([True], (np.diff(sorted_cost) != 0) | (np.diff(sorted_time) != 0)))
    winners = sorted_time < best_before
    leader = np.maximum.accumulate(np.where(first_of_equals, np.arange(len(order)), 0))
    mask[order] = winners[leader]
    return mask
