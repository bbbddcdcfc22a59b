"""The few ranked candidates that decide everything said about the ranking, out of thousands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.comparison.rank.board import Board
from core.comparison.search.option_set import Index, numbered

Array = NDArray[np.float64]
MOST_PRICE_FACTOR = 5.0
"""Prices are asked about up to so many times as high, as by ``PRICE_FACTORS`` of the flip points."""

MOST_AT_ONCE = 256
"""Rows of which all pairs are compared: beyond that it is faster to leave out what the first ones beat."""


def could_win(board: Board) -> Index:
    """Rows of a board, best first, that could come first if weights, prices, porting or limits moved.

    A row cannot, whatever these become, when an earlier one of the same chip and porting is as cheap at any price, as
    soon and as flexible.
    """
    axes, dearer = board.cautious, board.with_price(np.ones(len(board.chip_ids)), MOST_PRICE_FACTOR).cautious
    missed = np.zeros(len(board.chip_ids)) if board.caution is None else board.caution.missed
    limits = (board.axes.cost_usd, board.axes.time)  # which a lower budget or an earlier deadline would look at
    demerits = np.column_stack((axes.cost_usd, dearer.cost_usd, axes.time, *limits, -axes.flexibility, missed))
    same, _ = numbered(zip(board.chip_ids, board.porting_usd.tolist(), board.porting_days.tolist(), strict=True))
    return np.array(sorted(row for group in _members(same) for row in unbeaten(demerits[group], group)), dtype=np.intp)


def unbeaten(demerits: Array, names: Sequence[int] | Index) -> list[int]:
    """Names of the rows that no earlier row equals or beats in every column, shape (n, columns), less is better."""
    columns, left, kept = np.ascontiguousarray(demerits.T), np.asarray(names), []
    while len(left) > MOST_AT_ONCE:
        kept.append(int(left[0]))
        is_left = (columns[:, 1:] < columns[:, :1]).any(axis=0)
        columns, left = columns[:, 1:][:, is_left], left[1:][is_left]
    return [*kept, *left[_is_unbeaten(columns)].tolist()]


def _is_unbeaten(columns: Array) -> NDArray[np.bool_]:
    """The same of a few rows, all pairs at once, shape (n,): who is beaten by one that is beaten is so by its better
    too."""
    is_better = np.zeros((columns.shape[1],) * 2, dtype=bool)
    for column in columns:
        is_better |= column < column[:, None]
    return np.asarray((is_better | ~np.tri(len(is_better), k=-1, dtype=bool).T).all(axis=0))


def _members(group: Index) -> list[Index]:
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
