"""What buying a candidate's cluster would take: the terms of its bill as owned hardware, for cash over time."""

from __future__ import annotations

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Server
from core.cost.batch import LIKELY
from core.cost.buying import BuyTerms
from core.cost.own_terms import HOURS_PER_MONTH_OF_DELIVERY, WEEK_H, draw_kw, n_servers, own_terms, staff_usd_per_month
from core.workload.profile import Profile


def buy_terms(profile: Profile, catalogue: Catalogue, chip: Accelerator, server: Server, n_chips: int) -> BuyTerms:
    """Likely terms of whole servers that hold ``n_chips``, as entered or usual."""
    own = own_terms(profile, catalogue, chip, server)
    return BuyTerms(
        n_servers=n_servers(n_chips, server),
        server_usd=own.server_usd[LIKELY],
        install_share=own.install_share[LIKELY],
        life_months=own.life_months,
        resale_share=own.resale_share[LIKELY],
        maintenance_share_per_year=own.maintenance_share_per_year[LIKELY],
        power_kw=own.power_kw,
        colocation_usd_per_kw_month=own.colocation_usd_per_kw_month[LIKELY],
        pue=own.pue[LIKELY],
        usd_per_kwh=own.usd_per_kwh[LIKELY],
        staff_usd_per_month=extra_staff_usd(profile),
        draw_kw=draw_kw(chip, server),
    )


def extra_staff_usd(profile: Profile) -> float:
    """People beyond those who run rented chips: those of owned servers less those of the delivery, USD a month."""
    rented_h = HOURS_PER_MONTH_OF_DELIVERY[profile.team.delivery][LIKELY]
    rented_usd = rented_h * profile.team.engineer_usd_per_week / WEEK_H
    return max(staff_usd_per_month(profile)[0][LIKELY] - rented_usd, 0.0)
