"""The price at which a lead ends: where it is no better, or where it breaks the budget."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.comparison.recommendation.leads import _lead, _within_budget
from core.workload.profile import Limits, Profile
from tests.core.comparison.conftest import MakeResult


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


@pytest.mark.parametrize(
    ("utilities", "usd", "days", "is_lead"),
    [
        ((0.6, 0.5), (80.0, 100.0), (30.0, 30.0), True),
        ((0.4, 0.5), (80.0, 100.0), (20.0, 30.0), False),  # saves, and fits less
        ((0.6, 0.5), (120.0, 100.0), (20.0, 30.0), True),
        ((0.6, 0.5), (120.0, 100.0), (30.0, 30.0), False),  # neither cheaper nor sooner
        ((0.6, 0.5), (100.0, 100.0), (40.0, 30.0), False),
        ((0.5, 0.5), (80.0, 100.0), (40.0, 30.0), True),
    ],
)
def test_a_lead_fits_as_well_and_saves_or_is_sooner(
    make_result: MakeResult, utilities: tuple[float, float], usd: tuple[float, float], days: tuple[float, float],
    is_lead: bool,
) -> None:  # fmt: skip
    axes = SimpleNamespace(cost_usd=np.array(usd), time=np.array(days), best=None)
    pair: Any = SimpleNamespace(
        results=[make_result(cost=cost, days=took) for cost, took in zip(usd, days, strict=True)], axes=axes,
        utilities=lambda _: np.array(utilities), priced_usd=np.array(usd), goodness=lambda: np.ones((1, 2)),
    )  # fmt: skip
    told = _lead(Profile(limits=Limits(budget_usd=None)), pair, 0.5)
    assert (told is not None) is is_lead
    if told is not None:
        assert told.saving_usd == usd[1] - usd[0] and told.saving_days == days[1] - days[0]
