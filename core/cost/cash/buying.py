"""Cash of a cluster that is bought: price and installing at the start, then rooms, power, upkeep and people."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.constants import HOURS_PER_MONTH, MONTHS_PER_YEAR
from core.cost.bill.power import IDLE_SHARE
from core.cost.cash.cash import Asset, Flow


@dataclass(frozen=True, slots=True)
class BuyTerms:
    """A cluster of ``n_servers`` servers. Shares are of 1; ``staff_usd_per_month`` is for the whole cluster.

    ``power_kw`` is what one server can draw, for which ``colocation_usd_per_kw_month`` is paid, used or not;
    ``draw_kw`` what it draws at work. ``work_share`` is the share of the hours in which the chips are needed that they
    work, and not wait for work.
    """

    n_servers: int
    server_usd: float
    install_share: float
    life_months: float
    resale_share: float
    maintenance_share_per_year: float
    power_kw: float
    colocation_usd_per_kw_month: float
    pue: float
    usd_per_kwh: float
    staff_usd_per_month: float
    draw_kw: float
    work_share: float = 1.0

    @property
    def price_usd(self) -> float:
        """``servers x price``."""
        return self.n_servers * self.server_usd

    @property
    def install_usd(self) -> float:
        """Network and installing: a share of the price."""
        return self.install_share * self.price_usd

    @property
    def maintenance_usd_per_month(self) -> float:
        """``share x price / 12``."""
        return self.maintenance_share_per_year * self.price_usd / MONTHS_PER_YEAR

    @property
    def colocation_usd_per_month(self) -> float:
        """``servers x kW x USD per kW and month``."""
        return self.n_servers * self.power_kw * self.colocation_usd_per_kw_month

    @property
    def energy_usd_per_month(self) -> float:
        """At full use: ``servers x kW drawn x PUE x 730 h x USD per kWh``."""
        return self.n_servers * self.draw_kw * self.pue * HOURS_PER_MONTH * self.usd_per_kwh

    def energy_usd(self, use: float) -> float:
        """USD a month where the chips are needed for a share of the hours, 0..1; idle ones take some power too."""
        return self.energy_usd_per_month * (IDLE_SHARE + (1.0 - IDLE_SHARE) * use * self.work_share)

    def at_price(self, server_usd: float) -> BuyTerms:
        """The same with another price of a server."""
        return replace(self, server_usd=server_usd)


def buy_flow(terms: BuyTerms, use: float) -> Flow:
    """Cash of buying at a use, 0..1: owned chips cost the same idle or busy, but for most of their energy."""
    idle, busy = terms.energy_usd(0.0), terms.energy_usd(1.0)
    fixed = terms.colocation_usd_per_month + terms.maintenance_usd_per_month + terms.staff_usd_per_month + idle
    return Flow(
        upfront_usd=terms.price_usd + terms.install_usd,
        fixed_usd_per_month=fixed,
        used_usd_per_month=busy - idle,
        use=use,
        asset=Asset(terms.price_usd, terms.life_months, terms.resale_share),
    )
