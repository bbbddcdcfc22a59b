"""The few ranked candidates that decide everything said about the ranking, out of thousands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import Columns
from core.comparison.shelf import Index, numbered

Array = NDArray[np.float64]
MOST_PRICE_FACTOR = 5.0
"""Prices are asked about up to so many times as high (see :data:`core.comparison.flip.PRICE_FACTORS`)."""


def telling(ranked: Columns, time: Array, priced_usd: Array, porting_usd: Array) -> Index:
    """Places of the results worth looking at, best first: whatever could come first if something moved, and the first
    of each chip, of each kind of chip at each seller, and of each number of the first one's chips.

    ``ranked`` holds the feasible candidates best first; ``time``, ``priced_usd`` and ``porting_usd`` are theirs, shapes
    (n,). A candidate cannot come first, whatever weights, price and porting become, when an earlier one of the same
    chip and porting is as cheap at any price, as soon and as flexible.
    """
    if not ranked.n:
        return np.zeros(0, dtype=np.intp)
    chips = [chip.id for chip in ranked.accelerators]
    kinds = [(chip.kind, offer.provider) for chip, offer in zip(ranked.accelerators, ranked.offers, strict=True)]
    names = [(chip, n if chip == chips[0] else 0) for chip, n in zip(chips, ranked.n_chips.tolist(), strict=True)]
    dearest_usd = ranked.cost_usd + (MOST_PRICE_FACTOR - 1) * priced_usd
    demerits = np.column_stack((ranked.cost_usd, dearest_usd, time, -ranked.score))
    same, _ = numbered(zip(chips, porting_usd.tolist(), strict=True))
    could_win = [row for group in _members(same) for row in unbeaten(demerits[group], group)]
    return np.array(sorted({*numbered(kinds)[1], *numbered(names)[1], *could_win}), dtype=np.intp)


def first_of_chips(columns: Columns) -> Index:
    """The first place of each chip."""
    return np.array(numbered(chip.id for chip in columns.accelerators)[1], dtype=np.intp)


def unbeaten(demerits: Array, names: Sequence[int] | Index) -> list[int]:
    """Names of the rows that no earlier row equals or beats in every column, shape (n, columns), less is better."""
    left = np.arange(len(demerits))
    found = []
    while len(left):
        first = left[0]
        found.append(int(names[first]))
        left = left[1:][(demerits[left[1:]] < demerits[first]).any(axis=1)]
    return found


def _members(group: Index) -> list[Index]:
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
