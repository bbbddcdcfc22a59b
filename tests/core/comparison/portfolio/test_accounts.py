"""Hours and dollars of a base and what is above it: what is paid is used or idle, and more work never costs less."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.portfolio.accounts import Need, Paid, account, by_month, rents, terms_for

_WIDTHS = np.array([6.0, 2.5, 15.5])


@st.composite
def _needs(draw: st.DrawFn) -> Need:
    n_days = draw(st.integers(1, 12))
    rows = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=n_days, max_size=n_days)
    held, idle = np.array(draw(rows)), np.array(draw(rows))
    return Need(held, _WIDTHS, draw(st.integers(1, 8)), np.maximum(held - idle, 0))


_paid = st.builds(Paid, st.floats(0.1, 9.0), st.integers(1, 15).map(lambda days: 24.0 * days), st.floats(0.1, 20.0))


@given(_needs(), _paid, st.integers(0, 40))
def test_what_is_paid_is_used_or_idle(need: Need, paid: Paid, base: int) -> None:
    one = account(need, base, paid)
    assert one.paid_h == pytest.approx(one.base_used_h + one.burst_used_h + one.idle_h, abs=1e-6)
    assert one.base_used_h + one.burst_used_h + one.unmet_h == pytest.approx(need.hours, abs=1e-6)
    assert min(one.base_used_h, one.burst_used_h, one.idle_h, one.idle_usd, one.above_h) >= -1e-9
    assert one.idle_usd <= one.rent_usd + 1e-6


@given(_needs(), _paid, st.integers(0, 40))
def test_without_a_price_above_the_base_the_rest_is_left_over(need: Need, paid: Paid, base: int) -> None:
    one = account(need, base, Paid(paid.base_usd, paid.base_h, None))
    assert one.burst_usd == one.burst_paid_h == 0.0
    assert one.base_used_h + one.unmet_h == pytest.approx(need.hours, abs=1e-6)


@given(_needs(), _paid)
def test_all_bases_at_once_cost_what_each_does(need: Need, paid: Paid) -> None:
    for hosts, usd in enumerate(rents(need, paid)):
        assert usd == pytest.approx(account(need, hosts * need.chips_per_host, paid).rent_usd, rel=1e-9, abs=1e-6)


@given(_needs(), _paid, st.data())
def test_more_work_never_costs_less(need: Need, paid: Paid, data: st.DataObject) -> None:
    day, slot = data.draw(st.integers(0, len(need.chips) - 1)), data.draw(st.integers(0, 2))
    more = need.chips.copy()
    more[day, slot] += data.draw(st.integers(1, 9))
    grown = Need(more, need.widths_h, need.chips_per_host)
    assert rents(grown, paid).min() >= rents(need, paid).min() - 1e-6


@given(_needs(), _needs())
def test_one_pool_never_needs_more_than_split_ones_together(one: Need, other: Need) -> None:
    n_days = min(len(one.chips), len(other.chips))
    first, second = one.chips[:n_days], other.chips[:n_days]
    assert (first + second).max() <= first.max() + second.max()


@given(_needs(), _paid, st.integers(0, 20))
def test_months_add_up_to_the_account(need: Need, paid: Paid, base: int) -> None:
    n_days = max(len(need.chips), need.first_day + int(paid.base_h / 24))
    days = np.arange(n_days)
    from_h = 24.0 * need.first_day
    day_h = np.clip(from_h + paid.base_h - 24.0 * days, 0.0, 24.0) * (24.0 * days >= from_h)
    told, one = by_month(need, days // 4, base, paid, day_h), account(need, base, paid)
    whole = told.base_used_usd.sum() + told.idle_usd.sum() + told.burst_usd.sum()
    assert whole == pytest.approx(one.rent_usd, rel=1e-9, abs=1e-6)
    assert told.idle_usd.sum() == pytest.approx(one.idle_usd, rel=1e-9, abs=1e-6)


def test_a_base_by_hand() -> None:
    """Two days: 10 chips for 6 h a day, 2 for the rest; a base of 4 at $1, machines of 4 above it at $3."""
    need = Need(np.array([[10, 2, 2], [10, 2, 2]]), _WIDTHS, 4)
    one = account(need, 4, Paid(1.0, 72.0, 3.0))
    assert (one.base_paid_h, one.base_used_h) == (4 * 72.0, 2 * (4 * 6 + 2 * 18))
    assert (one.burst_paid_h, one.burst_used_h) == (2 * 8 * 6.0, 2 * 6 * 6.0)
    assert one.rent_usd == 4 * 72.0 + 3 * 96.0
    assert one.idle_usd == (288 - 120) * 1.0 + (96 - 72) * 3.0
    assert one.above_h == 12.0


def test_terms_that_may_cost_least_end_before_the_need_or_outlast_it() -> None:
    assert terms_for(12.0, 12) == (1,)
    assert terms_for(13.0, 12) == (1, 2)
    assert terms_for(0.03, 12) == (1,)
