"""Cash of a bought cluster by hand: two servers of 100,000 USD.

Installing 10 %: 20,000 at the start. A month: rooms 2 x 10 kW x 150 = 3,000; upkeep 6 % / 12 of 200,000 = 1,000; staff
500; energy at full use 2 x 8 kW x 1.25 x 730 h x 0.1 = 1,460, of which 0.3 also when idle.
"""

import pytest

from core.cost.bill.power import IDLE_SHARE
from core.cost.cash.buying import BuyTerms, buy_flow

TERMS = BuyTerms(
    n_servers=2, server_usd=100_000.0, install_share=0.1, life_months=48.0, resale_share=0.2,
    maintenance_share_per_year=0.06, power_kw=10.0, colocation_usd_per_kw_month=150.0, pue=1.25, usd_per_kwh=0.1,
    staff_usd_per_month=500.0, draw_kw=8.0,
)  # fmt: skip


def test_parts_of_owning_by_hand() -> None:
    assert (TERMS.price_usd, TERMS.install_usd) == (200_000.0, 20_000.0)
    assert TERMS.maintenance_usd_per_month == pytest.approx(1_000.0)
    assert TERMS.colocation_usd_per_month == pytest.approx(3_000.0)
    assert TERMS.energy_usd_per_month == pytest.approx(1_460.0)


@pytest.mark.parametrize(("use", "monthly_usd"), [(1.0, 5_960.0), (0.0, 4_938.0), (0.5, 5_449.0)])
def test_idle_chips_save_most_of_their_energy_and_nothing_else(use: float, monthly_usd: float) -> None:
    assert IDLE_SHARE == 0.3
    flow = buy_flow(TERMS, use)
    assert flow.upfront_usd == 220_000.0
    assert flow.monthly_usd == pytest.approx(monthly_usd)
    assert flow.fixed_usd_per_month == pytest.approx(4_938.0)
    assert flow.asset is not None
    assert (flow.asset.price_usd, flow.asset.life_months, flow.asset.resale_share) == (200_000.0, 48.0, 0.2)


def test_another_price_moves_what_is_a_share_of_it() -> None:
    dear = TERMS.at_price(150_000.0)
    assert (dear.price_usd, dear.install_usd) == (300_000.0, 30_000.0)
    assert dear.maintenance_usd_per_month == pytest.approx(1_500.0)
    assert dear.colocation_usd_per_month == TERMS.colocation_usd_per_month
