"""The Pareto front against its definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.rank.standings import pareto_mask

_POINTS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=40)


def _by_definition(points: list[tuple[int, int]]) -> list[bool]:
    return [not any(_beats(other, point) for other in points) for point in points]


def _beats(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return one[0] <= two[0] and one[1] <= two[1] and one != two


@given(_POINTS)
def test_pareto_mask_is_the_definition(points: list[tuple[int, int]]) -> None:
    cost, time = np.array(points, dtype=float).T
    assert pareto_mask(cost, time).tolist() == _by_definition(points)


def test_no_rows_give_no_front() -> None:
    assert pareto_mask(np.zeros(0), np.zeros(0)).tolist() == []


def test_equal_rows_share_the_front() -> None:
    assert pareto_mask(np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 3.0])).tolist() == [True, True, False]
