"""How good a value is beside the best."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.chance.goodness import share_of_best, shares
from core.workload.profile import Weights


@pytest.mark.parametrize(
    ("values", "best", "least", "shares"),
    [
        ([10.0, 20.0, 40.0], 10.0, 0.0, [1.0, 0.5, 0.25]),
        ([1.0, 2.0, 5.0], 10.0, 0.0, [5.0, 5.0, 2.0]),  # no value counts as less than a fifth of the best
        ([1.0, 20.0], 10.0, 8.0, [1.25, 0.5]),
        ([0.0, 3.0], 0.0, 0.0, [1.0, 1.0]),
    ],
)
def test_a_share_is_the_best_over_the_value(
    values: list[float], best: float, least: float, shares: list[float]
) -> None:
    assert share_of_best(np.array(values), best, least) == pytest.approx(shares)


def test_weights_are_shares_of_their_sum_and_equal_where_all_are_0() -> None:
    assert shares(Weights(cost=30, time=10, flexibility=0)) == pytest.approx([0.75, 0.25, 0])
    assert shares(Weights(cost=0, time=0, flexibility=0)) == pytest.approx([1 / 3, 1 / 3, 1 / 3])
