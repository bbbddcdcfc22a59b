"""Whole terms that the rest of the work touches."""

from __future__ import annotations

import math

import pytest

from core.comparison.actuals.terms import Terms, owed_usd

YEAR = Terms(12, 100.0, elapsed=300.0, paid_usd=80.0)


@pytest.mark.parametrize(("days", "n"), [(0.0, 1), (65.0, 1), (65.5, 2), (430.0, 2), (431.0, 3)])
def test_a_year_of_365_days_is_paid_whole_once_it_is_touched(days: float, n: int) -> None:
    assert YEAR.n_after(days) == n and YEAR.owed_usd(days) == 100.0 * n - 80.0


def test_at_least_one_is_owed_and_never_less_than_nothing() -> None:
    assert Terms(36, 100.0, elapsed=-20.0).n_after(0.0) == 1
    assert Terms(12, 100.0, elapsed=0.0, paid_usd=120.0).owed_usd(10.0) == 0.0
    assert owed_usd([], 10.0) == 0.0


def test_chips_that_are_given_back_owe_the_term_that_has_begun() -> None:
    assert YEAR.until(60.0).owed_usd(1000.0) == 20.0 and YEAR.until(70.0).owed_usd(1000.0) == 120.0
    service = Terms(12, 100.0, elapsed=90.0, n_fixed=3)
    assert service.owed_usd(0.0) == 300.0
    assert service.until(276.0).owed_usd(0.0) == 100.0, "the last day of a leap year begins no other"
    assert service.until(5000.0).owed_usd(0.0) == 300.0


def test_what_is_owed_errs_with_its_price() -> None:
    dear = Terms(12, 100.0, elapsed=0.0, spread=0.2)
    assert owed_usd([dear, YEAR], 10.0, 1.0) == pytest.approx(100.0 * math.exp(0.2) + 20.0)
