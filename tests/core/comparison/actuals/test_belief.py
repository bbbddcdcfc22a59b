"""What is believed of a quantity: its middle, its range, and chances below a limit."""

from __future__ import annotations

import pytest

from core.comparison.actuals.belief import Belief


@pytest.mark.parametrize(("middle", "limit", "chance"), [(0.0, 0.0, 1.0), (3.0, 0.0, 0.0), (0.0, 2.0, 1.0)])
def test_what_is_nothing_is_surely_at_most_nothing(middle: float, limit: float, chance: float) -> None:
    assert Belief(middle, 0.2).chance_below(limit) == chance


def test_half_of_all_lies_below_the_middle_and_nine_tenths_below_the_high_end() -> None:
    belief = Belief(40.0, 0.2)
    assert belief.chance_below(40.0) == pytest.approx(0.5)
    assert belief.chance_below(belief.range.high) == pytest.approx(0.9)
