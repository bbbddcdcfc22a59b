"""What buying a candidate's cluster would take: from the catalogue's inputs and what the profile says otherwise."""

from __future__ import annotations

from math import ceil

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, CostInput, Server
from core.catalogue.tco import cost_input
from core.cost.buying import BuyTerms
from core.cost.energy import HOST_SHARE, watts
from core.cost.operations import HOURS_PER_MONTH_OF_DELIVERY
from core.workload.profile import Profile

WEEK_H = 40.0


def buy_terms(profile: Profile, catalogue: Catalogue, chip: Accelerator, server: Server, n_chips: int) -> BuyTerms:
    """Terms of whole servers that hold ``n_chips``."""

    def typical(name: str, scope: str) -> float:
        return _typical(cost_input(catalogue, name, scope))

    return BuyTerms(
        n_servers=ceil(n_chips / server.n_chips),
        server_usd=server.typical_usd,
        install_share=typical("capex_network_and_install", chip.id),
        life_months=12.0 * typical("depreciation", chip.id),
        resale_share=typical("residual_value", chip.id),
        maintenance_share_per_year=typical("maintenance_contract", chip.id),
        power_kw=server_kw(chip, server),
        colocation_usd_per_kw_month=typical("colocation", "any"),
        pue=typical("pue", "colocation"),
        usd_per_kwh=typical("electricity", "any"),
        staff_usd_per_month=extra_staff_usd(profile),
    )


def server_kw(chip: Accelerator, server: Server) -> float:
    """Power of one server at work, in kW: as listed, else that of its chips and ``host share`` on top."""
    if server.power_kw is not None:
        return server.power_kw
    return server.n_chips * watts(chip)[1] * (1.0 + HOST_SHARE[1]) / 1000.0


def extra_staff_usd(profile: Profile) -> float:
    """People beyond those who run rented chips: hours of bare metal less those of the delivery chosen, USD a month."""
    hours = HOURS_PER_MONTH_OF_DELIVERY["bare_metal"][1] - HOURS_PER_MONTH_OF_DELIVERY[profile.team.delivery][1]
    return max(hours, 0.0) * profile.team.engineer_usd_per_week / WEEK_H


def _typical(row: CostInput) -> float:
    return row.typical or 0.0
