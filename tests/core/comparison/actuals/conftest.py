"""A plan of 100 days at $1000 a day, frozen by hand, and one answer of the engine for all tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.sample_plan import sample_plan
from core.workload.actuals import Baseline, Commitment, Entry, OwnHardware, Tracked

BEGINS = date(2027, 1, 1)


@pytest.fixture(scope="session")
def results() -> ResultSet:
    return evaluate(sample_plan().profiles[0], load_catalogue())


@pytest.fixture(scope="session")
def baseline() -> Baseline:
    return Baseline(
        frozen_on=date(2026, 12, 1),
        candidate="x",
        name="8 × H100 SXM",
        place="Lambda, on demand",
        n_chips=8,
        usd_per_chip_hour=5.0,
        per_step=100.0,
        amount=10_000.0,
        work_begins=BEGINS,
        work_days=100.0,
        rate_low=80.0,
        rate_high=125.0,
        cost_usd=100_000.0,
        cost_low_usd=90_000.0,
        cost_high_usd=115_000.0,
        deadline=BEGINS + timedelta(days=110),
        budget_usd=120_000.0,
    )


@pytest.fixture(scope="session")
def bought(baseline: Baseline) -> Baseline:
    """The same run on servers that are bought for $50 k, run for $100 a day, and are worth $10 k at its end."""
    own = OwnHardware(price_usd=40_000.0, installing_usd=10_000.0, worth_usd=10_000.0)
    update = {"cost_usd": 50_000.0, "cost_low_usd": 42_000.0, "cost_high_usd": 60_000.0, "budget_usd": None}
    return baseline.model_copy(update={**update, "own": own})


@pytest.fixture(scope="session")
def committed(baseline: Baseline) -> Baseline:
    """The same run on chips that are paid by the year, $73 k or $200 a day, and $100 a day for all else."""
    update = {"cost_usd": 83_000.0, "cost_low_usd": 75_000.0, "cost_high_usd": 95_000.0, "budget_usd": None}
    year = Commitment(months=12, term_usd=73_000.0, n_terms=1)
    return baseline.model_copy(update={**update, "commitment": year})


@pytest.fixture
def tracked(baseline: Baseline) -> Callable[..., Tracked]:
    """Weekly entries at these shares of the planned rate, each with its spend over that planned."""

    def made(*shares: float, spend: float | None = 1.0, base: Baseline = baseline) -> Tracked:
        usd = None if spend is None else 7 * base.usd_per_day * spend
        entries = tuple(
            Entry(day=base.work_begins + timedelta(days=7 * n), done=7 * base.rate * share, spend_usd=usd)
            for n, share in enumerate(shares, start=1)
        )
        return Tracked(workload="sample", baseline=base, entries=entries)

    return made
