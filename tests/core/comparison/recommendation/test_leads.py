"""The price at which a lead ends: where it is no better, or where it breaks the budget."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.comparison.recommendation.leads import _within_budget
from core.workload.profile import Limits, Profile


def _pair(cost_usd: float, rent_usd: float) -> Any:
    return SimpleNamespace(
        priced_usd=np.array([rent_usd, 1.0]), axes=SimpleNamespace(cost_usd=np.array([cost_usd, 1.0]))
    )


@pytest.mark.parametrize(
    ("budget", "rent_usd", "most", "told"),
    [
        (1000.0, 400.0, None, 3.0),  # 200 more for rent of 400 at $2: half as much again
        (1000.0, 400.0, 2.5, 2.5),
        (1000.0, 400.0, 9.0, 3.0),
        (2400.0, 400.0, None, 10.0),  # five times the price is the most that is told
        (2404.0, 400.0, None, None),
        (2404.0, 400.0, 12.0, 10.02),
        (1000.0, 0.0, 7.0, 7.0),
        (None, 400.0, 7.0, 7.0),
    ],
)
def test_the_lower_of_two_prices_is_told(
    budget: float | None, rent_usd: float, most: float | None, told: float | None
) -> None:
    profile = Profile(limits=Limits(budget_usd=budget))
    found = _within_budget(profile, _pair(800.0, rent_usd), 2.0, most)
    assert found == (None if told is None else pytest.approx(told))
