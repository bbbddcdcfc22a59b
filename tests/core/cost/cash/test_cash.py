"""Cash over time against figures worked out by hand.

One example throughout. A server costs 1 000 000 USD and 100 000 to install, runs for 20 000 a month and is worth 20 %
of its price after 48 months. Renting the same costs 60 000 a month at full use. Capital costs 1 % a month, which is
1.01^12 - 1 = 12.682503 % a year.

Worth today of 1 USD a month over 24 months: (1 - 1.01^-24) / 0.01 with 1.01^-24 = 0.787566127, so 21.243387.
Book value after 24 months: 1 000 000 x (1 - 0.8 x 24 / 48) = 600 000.
Buying:  1 100 000 + 20 000 x 21.243387 - 600 000 x 0.787566127 = 1 100 000 + 424 867.7 - 472 539.7 = 1 052 328.1
Renting: 60 000 x 21.243387 = 1 274 603.2
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cost.cash.cash import (
    Asset,
    Flow,
    annuity,
    break_even_month,
    break_even_use,
    cumulative_usd,
    monthly_rate,
    npv_usd,
    present_usd,
    settled_usd,
    settlement_usd,
    terms_needed,
)

YEARLY = 1.01**12 - 1
BUY = Flow(1.1e6, 20_000.0, 0.0, 1.0, asset=Asset(1e6, 48.0, 0.2))
RENT = Flow(0.0, 0.0, 60_000.0, 1.0)


def test_a_year_of_monthly_rates_is_the_yearly_rate() -> None:
    assert monthly_rate(YEARLY) == pytest.approx(0.01)
    assert monthly_rate(0.0) == 0.0


def test_net_present_values_agree_with_the_sum_by_hand() -> None:
    assert annuity(24, YEARLY) == pytest.approx(21.243387, rel=1e-7)
    assert present_usd(BUY, 24, YEARLY) == pytest.approx(1_052_328.1, abs=0.1)
    assert present_usd(RENT, 24, YEARLY) == pytest.approx(1_274_603.2, abs=0.1)


def test_a_net_present_value_is_the_discounted_cash_month_by_month() -> None:
    flows = [20_000.0 / 1.01**month for month in range(1, 25)]
    assert npv_usd(1.1e6, 20_000.0, 24, -6e5, YEARLY) == pytest.approx(1.1e6 + sum(flows) - 6e5 / 1.01**24)


def test_without_cost_of_capital_a_present_value_is_the_plain_sum() -> None:
    assert present_usd(BUY, 24, 0.0) == pytest.approx(1.1e6 + 24 * 20_000 - 6e5)


def test_break_even_as_if_sold_then() -> None:
    """100 000 of installing is lost at once, each month loses 800 000 / 48 of value and costs 20 000 against 60 000:
    100 000 / (60 000 - 20 000 - 16 666.7) = 4.2857 months."""
    assert break_even_month(BUY, RENT, 36, sold=True) == pytest.approx(4.2857, abs=1e-4)


def test_break_even_by_cash_alone() -> None:
    """1 100 000 / (60 000 - 20 000) = 27.5 months; within 24 it never comes."""
    assert break_even_month(BUY, RENT, 36, sold=False) == pytest.approx(27.5)
    assert break_even_month(BUY, RENT, 24, sold=False) is None


def test_against_a_commitment_what_is_owed_of_it_counts_as_well() -> None:
    """A year at 50 000 a month is owed at once, 600 000: buying and selling again is cheaper from the first day, and
    by cash alone from 1 100 000 / (50 000 - 20 000) = 36.7 months."""
    year = Flow(0.0, 50_000.0, 0.0, 1.0, term_months=12)
    assert break_even_month(BUY, year, 48, sold=True) == 0.0
    assert break_even_month(BUY, year, 48, sold=False) == pytest.approx(36.667, abs=1e-3)


def test_break_even_use() -> None:
    """Owned hardware costs the same idle or busy: 1 052 328.1 / 1 274 603.2 = 82.561 %."""
    assert break_even_use(BUY, RENT, 24, YEARLY) == pytest.approx(0.82561, abs=1e-5)


def test_break_even_use_counts_energy_that_follows_use() -> None:
    """With 5 000 a month of energy at full use buying is dearer by 5 000 x 21.243387 = 106 216.9 there:
    1 052 328.1 / (1 274 603.2 - 106 216.9) = 90.067 %."""
    assert break_even_use(replace(BUY, used_usd_per_month=5_000.0), RENT, 24, YEARLY) == pytest.approx(
        0.90067, abs=1e-5
    )


def test_buying_what_is_cheap_to_rent_never_pays() -> None:
    cheap = replace(RENT, used_usd_per_month=30_000.0)
    assert break_even_use(BUY, cheap, 24, YEARLY) is None
    assert break_even_month(BUY, cheap, 36, sold=True) is None


def test_a_commitment_owes_the_rest_of_its_term() -> None:
    """Twelve months at 40 000: after 9 months 360 000 are paid and 120 000 owed; after 14 a second year has begun."""
    year = Flow(0.0, 40_000.0, 0.0, 0.3, term_months=12)
    months = np.array([0.0, 9.0, 12.0, 14.0])
    assert cumulative_usd(year, months).tolist() == pytest.approx([0, 360_000, 480_000, 560_000])
    assert settlement_usd(year, months).tolist() == pytest.approx([480_000, 120_000, 0, 400_000])
    assert terms_needed(36, 12) == 3 and terms_needed(14, 12) == 2 and terms_needed(14, 0) == 0


def test_committed_hours_cost_the_same_idle_or_busy_and_rented_ones_are_given_back() -> None:
    committed = Flow(0.0, 40_000.0, 0.0, 1.0, term_months=12)
    assert committed.at_use(0.1).monthly_usd == committed.monthly_usd == 40_000
    assert RENT.at_use(0.25).monthly_usd == pytest.approx(15_000)


def test_an_even_rent_is_worth_as_much_as_the_way_itself() -> None:
    even = Flow(0.0, present_usd(BUY, 24, YEARLY) / annuity(24, YEARLY), 0.0, 1.0)
    assert present_usd(even, 24, YEARLY) == pytest.approx(present_usd(BUY, 24, YEARLY))


@given(
    price=st.floats(1e4, 1e8),
    resale=st.floats(0, 0.9),
    rent=st.floats(1e2, 1e7),
    n_months=st.integers(6, 120),
    rate=st.floats(0, 0.4),
)
def test_at_the_break_even_use_both_ways_are_worth_the_same(
    price: float, resale: float, rent: float, n_months: int, rate: float
) -> None:
    buy = Flow(1.1 * price, 0.02 * price, 0.001 * price, 1.0, asset=Asset(price, 48.0, resale))
    renting = Flow(0.0, 0.0, rent, 1.0)
    use = break_even_use(buy, renting, n_months, rate)
    if use is None:
        assert present_usd(buy, n_months, rate) > present_usd(renting, n_months, rate)
    else:
        assert 0 < use <= 1
        both = [present_usd(way.at_use(use), n_months, rate) for way in (buy, renting)]
        assert both[0] == pytest.approx(both[1], rel=1e-6)


@given(month=st.integers(0, 120), resale=st.floats(0, 1))
def test_hardware_never_sells_for_more_than_its_price_or_less_than_its_resale(month: int, resale: float) -> None:
    flow = replace(BUY, asset=Asset(1e6, 48.0, resale))
    back = -float(settlement_usd(flow, np.array([float(month)]))[0])
    assert resale * 1e6 - 1e-6 <= back <= 1e6
    assert float(settled_usd(flow, np.array([float(month)]))[0]) >= 0
