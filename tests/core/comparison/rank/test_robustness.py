"""Random weightings: reproducible, fair, and decisive where one option is best in everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.rank.contenders import unbeaten
from core.comparison.rank.utility import Axes, first_place_pct, normalised, random_weightings


def test_weightings_sum_to_one_and_repeat() -> None:
    drawn = random_weightings()
    assert drawn.shape == (1000, 3)
    assert drawn.sum(axis=1) == pytest.approx(np.ones(1000))
    assert np.array_equal(drawn, random_weightings())


def test_best_in_everything_stays_first_always() -> None:
    axes = Axes(np.array([1.0, 2.0]), np.array([1.0, 2.0]), np.array([90.0, 10.0]))
    assert first_place_pct(normalised(axes)).tolist() == [100.0, 0.0]


def test_shares_sum_to_a_hundred_when_options_trade_off() -> None:
    axes = Axes(np.array([1.0, 2.0, 3.0]), np.array([9.0, 3.0, 6.0]), np.array([20.0, 30.0, 95.0]))
    found = first_place_pct(normalised(axes))
    assert found.sum() == pytest.approx(100)
    assert (found > 5).all()


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=30))
def test_rows_that_an_earlier_one_equals_or_beats_win_no_weighting(rows) -> None:
    """What is left out before the weightings changes nobody's share."""
    goodness = np.array(rows, dtype=float) / 4
    kept = unbeaten(-goodness, np.arange(len(goodness)))
    beaten = [
        any(all(a >= b for a, b in zip(rows[i], rows[j], strict=True)) for i in range(j)) for j in range(len(rows))
    ]
    assert kept == [row for row, is_beaten in enumerate(beaten) if not is_beaten]
    assert first_place_pct(goodness[kept]) == pytest.approx(first_place_pct(goodness)[kept])


def test_nothing_to_rank() -> None:
    assert first_place_pct(np.zeros((0, 3))).tolist() == []
