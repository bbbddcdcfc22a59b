"""The few ranked candidates that decide everything said about the ranking, out of thousands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.comparison.board import Board
from core.comparison.columns import Columns
from core.comparison.shelf import Index, numbered

Array = NDArray[np.float64]
MOST_PRICE_FACTOR = 5.0
"""Prices are asked about up to so many times as high (see :data:`core.comparison.flip.PRICE_FACTORS`)."""


def could_win(board: Board) -> Index:
    """Rows of a board, best first, that could come first if weights, prices, porting or limits moved.

    A row cannot, whatever these become, when an earlier one of the same chip and porting is as cheap at any price, as
    soon and as flexible.
    """
    axes = board.axes
    dearest_usd = axes.cost_usd + (MOST_PRICE_FACTOR - 1) * board.priced_usd
    demerits = np.column_stack((axes.cost_usd, dearest_usd, axes.time, -axes.flexibility))
    same, _ = numbered(zip(board.chip_ids, board.porting_usd.tolist(), board.porting_days.tolist(), strict=True))
    return np.array(sorted(row for group in _members(same) for row in unbeaten(demerits[group], group)), dtype=np.intp)


def telling(ranked: Columns) -> Index:
    """Places of the ranked results worth looking at, best first: the first of each chip, of each kind of chip at each
    seller and of each number of the first one's chips, and the cheapest.

    ``ranked`` holds the feasible candidates best first.
    """
    if not ranked.n:
        return np.zeros(0, dtype=np.intp)
    pick = ranked.accelerators[0].id
    sellers = [(chip.id, offer.provider) for chip, offer in zip(ranked.accelerators, ranked.offers, strict=True)]
    of_pick = np.array([chip == pick for chip, _ in sellers])
    counts = np.unique(np.where(of_pick, ranked.n_chips, 0), return_index=True)[1]
    cheapest = int(np.argmin(ranked.cost_usd))
    return np.array(sorted({cheapest, *numbered(sellers)[1], *counts.tolist()}), dtype=np.intp)


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
