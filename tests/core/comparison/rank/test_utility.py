"""Ranking: order of input does not matter, better is never worse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.comparison.chance.goodness import shares
from core.comparison.rank.board import Board
from core.comparison.rank.utility import Axes, order_best_first
from core.workload.profile import Weights

_ROW = st.tuples(st.floats(1, 1e9), st.floats(0.1, 1e4), st.floats(0, 100))
_ROWS = st.lists(_ROW, min_size=2, max_size=25)
_WEIGHTS = st.builds(Weights, cost=st.floats(0, 100), time=st.floats(0, 100), flexibility=st.floats(0, 100))


def _axes(rows: list[tuple[float, float, float]]) -> Axes:
    cost, time, flexibility = np.array(rows, dtype=float).T
    return Axes(cost, time, flexibility)


def _utilities(axes: Axes, weights: Weights) -> NDArray[np.float64]:
    nothing = np.zeros(len(axes.cost_usd))
    return Board((), (), (), axes, nothing, nothing, nothing).utilities(shares(weights))


def _order(rows: list[tuple[float, float, float]], ids: list[str], weights: Weights) -> list[str]:
    axes = _axes(rows)
    return [ids[row] for row in order_best_first(_utilities(axes, weights), axes.cost_usd, ids)]


@given(_ROWS, _WEIGHTS, st.randoms(use_true_random=False))
def test_order_of_the_input_does_not_matter(rows, weights, random) -> None:
    ids = [f"c{n:02}" for n in range(len(rows))]
    shuffled = list(zip(rows, ids, strict=True))
    random.shuffle(shuffled)
    other_rows, other_ids = map(list, zip(*shuffled, strict=True))
    assert _order(rows, ids, weights) == _order(other_rows, other_ids, weights)


@given(_ROWS, _WEIGHTS, st.integers(0, 2), st.floats(0.1, 0.99))
def test_a_better_figure_never_lowers_the_rank(rows, weights, axis, factor) -> None:
    ids = [f"c{n:02}" for n in range(len(rows))]
    better = list(rows[0])
    better[axis] = min(100.0, better[axis] / factor) if axis == 2 else better[axis] * factor
    before, after = (
        _order(rows, ids, weights).index("c00"),
        _order([tuple(better), *rows[1:]], ids, weights).index("c00"),
    )
    assert after <= before


@given(_ROWS, _WEIGHTS)
def test_utility_lies_between_nothing_and_one(rows, weights) -> None:
    found = _utilities(_axes(rows), weights)
    assert (found >= 0).all() and (found <= 1 + 1e-12).all()


def test_an_absurd_option_does_not_change_the_others() -> None:
    rows = [(100.0, 10.0, 50.0), (80.0, 14.0, 40.0)]
    weights = Weights(cost=50, time=25, flexibility=25)
    alone = _utilities(_axes(rows), weights)
    beside = _utilities(_axes([*rows, (1e9, 1e4, 0.0)]), weights)
    assert beside[:2] == pytest.approx(alone)


def test_twice_the_cost_counts_half() -> None:
    axes = _axes([(10.0, 1.0, 100.0), (20.0, 1.0, 100.0)])
    assert _utilities(axes, Weights(cost=100, time=0, flexibility=0)) == pytest.approx([1.0, 0.5])
