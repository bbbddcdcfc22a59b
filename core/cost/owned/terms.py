"""What hardware of one's own takes: what the profile says, else what the catalogue holds for usual."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Accelerator, Server
from core.constants import MONTHS_PER_YEAR, WORK_HOURS_PER_WEEK
from core.cost.bill.figures import Span, span_of
from core.cost.bill.power import HOST_SHARE, watts
from core.cost.people import BARE_METAL, usual_h_per_month
from core.throughput.measured import AS_TAKEN, Measured
from core.workload.profile import Profile

Floats = NDArray[np.float64]

RESALE_MONTHS = 36.0
"""Age at which servers sell for the catalogue's usual resale share: its source tells that of three years."""


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """Terms of one server. Spans are low, likely, high; shares are of 1."""

    server_usd: Span
    install_share: Span
    life_months: float
    resale_share: Span
    capital_share_per_year: Span
    maintenance_share_per_year: Span
    power_kw: float
    colocation_usd_per_kw_month: Span
    usd_per_kwh: Span
    pue: Span
    estimate: bool


def own_terms(profile: Profile, catalogue: Catalogue, chip: Accelerator, server: Server) -> OwnTerms:
    """What the user typed, else the catalogue's rows for the chip or the site.

    Of servers that the user has, the room is paid for already, and the price is what they are worth. A typed share of
    the price keeps its span: it is known of nobody's offer, which is entered as a server.
    """
    own = profile.owning
    rows = {name: cost_input(catalogue, name, scope) for name, scope in _scopes(chip, own.site).items()}

    def pct(typed: float | None, name: str) -> Span:
        return span_of(rows[name]) if typed is None else (typed / 100,) * 3

    def plain(typed: float | None, name: str) -> Span:
        return span_of(rows[name]) if typed is None else (typed,) * 3

    paid = 1.0 if server.in_house or own.server_price_pct is None else own.server_price_pct / 100.0
    return OwnTerms(
        server_usd=(paid * server.low_usd, paid * server.typical_usd, paid * server.high_usd),
        install_share=(0.0,) * 3 if server.in_house else pct(own.install_pct, "capex_network_and_install"),
        life_months=RESALE_MONTHS if own.life_years is None else MONTHS_PER_YEAR * own.life_years,
        resale_share=pct(own.resale_pct, "residual_value"),
        capital_share_per_year=pct(own.capital_pct_per_year, "cost_of_capital"),
        maintenance_share_per_year=pct(own.maintenance_pct_per_year, "maintenance_contract"),
        power_kw=server_kw(chip, server),
        colocation_usd_per_kw_month=(
            (own.colocation_usd_per_kw_month or 0.0,) * 3
            if server.held_chips is not None
            else plain(own.colocation_usd_per_kw_month, "colocation")
        ),
        usd_per_kwh=plain(own.electricity_usd_per_kwh, "electricity"),
        pue=plain(own.pue, "pue"),
        estimate=server.estimate or any(row.estimate for row in rows.values()),
    )


def n_servers(n_chips: float, server: Server) -> int:
    """Whole servers that hold so many chips."""
    return ceil(n_chips / server.n_chips)


def server_kw(chip: Accelerator, server: Server) -> float:
    """Power that one server can draw, in kW: its rating, else the high end of its chips' and ``host share`` on top."""
    if server.power_kw is not None:
        return server.power_kw
    return server.n_chips * watts(chip)[2] * (1.0 + HOST_SHARE[2]) / 1000.0


def draw_kw(chip: Accelerator, server: Server, measured: Measured = AS_TAKEN) -> float:
    """Power that one server draws at work, in kW: ``chips x W x (1 + host share)``, likely values."""
    return server.n_chips * watts(chip, measured)[1] * (1.0 + HOST_SHARE[1]) / 1000.0


def book_usd(price_usd: Floats, months: Floats, life_months: Floats | float, resale_share: Floats) -> Floats:
    """What hardware is worth after so many months: straight line from its price to the resale share of it.

    ``price x (1 - (1 - resale) x min(m / life, 1))``; shapes broadcast.
    """
    worn = np.minimum(months / life_months, 1.0)
    return np.asarray(price_usd * (1.0 - (1.0 - resale_share) * worn))


def staff_usd_per_month(profile: Profile, catalogue: Catalogue, servers: int) -> tuple[Span, bool]:
    """People who look after so many owned servers, USD a month, and whether the hours are an estimate."""
    rate, typed = profile.team.engineer_usd_per_week / WORK_HOURS_PER_WEEK, profile.owning.staff_h_per_month
    hours = usual_h_per_month(catalogue, BARE_METAL, servers) if typed is None else (typed,) * 3
    return (hours[0] * rate, hours[1] * rate, hours[2] * rate), typed is None


def _scopes(chip: Accelerator, site: str) -> dict[str, str]:
    of_chip = ("capex_network_and_install", "residual_value", "cost_of_capital", "maintenance_contract")
    return dict.fromkeys(of_chip, chip.id) | {"colocation": site, "electricity": site, "pue": "colocation"}
