"""Over how long ways to pay are compared, and what hardware of one's own costs. Empty means what is usual."""

from __future__ import annotations

from typing import Literal

from core.workload.field_description import Described, described

_CASH = "Rent or buy"


class Outlook(Described):
    """The years ahead of rent, commitments and buying; empty fields take what is usual."""

    horizon_months: int | None = described(
        None,
        title="Compared over",
        empty="As long as the job",
        help="Months of renting, committing and buying; as long as the job unless typed, at least 3",
        group=_CASH,
        unit="months",
        ge=3,
        le=120,
    )
    use_pct: float | None = described(
        None,
        title="Chips needed",
        empty="Usual",
        help="Share of the hours of those months; usual as in this plan",
        group=_CASH,
        unit="%",
        ge=1,
        le=100,
    )


_OWNING = "Own hardware"
_USUAL = "Usual"

SITE_WORDS = {
    "any": "Anywhere",
    "us": "United States",
    "us-california": "California",
    "de": "Germany",
    "nordics": "Nordic countries",
    "jp": "Japan",
    "hk": "Hong Kong",
    "sg": "Singapore",
}


class Owning(Described):
    """Asked only of hardware that is bought or in the house; rented chips hold all of this in their price."""

    site: Literal["any", "us", "us-california", "de", "nordics", "jp", "hk", "sg"] = described(
        "any", title="Site", help="Where your servers stand: power and rooms differ", group=_OWNING, choices=SITE_WORDS
    )
    server_price_pct: float | None = described(
        None, title="Server price", help="What you pay for a server, of its price in the catalogue; usual: all of it",
        group=_OWNING, unit="%", empty=_USUAL, gt=0, le=500,
    )  # fmt: skip
    life_years: float | None = described(
        None, title="Life", help="Years until only the resale share is left; usual: 3", group=_OWNING, unit="years",
        empty=_USUAL, gt=0, le=20,
    )  # fmt: skip
    resale_pct: float | None = described(
        None, title="Resale", help="What a server sells for at the end of its life, of its price", group=_OWNING,
        unit="%", empty=_USUAL, ge=0, le=100,
    )  # fmt: skip
    install_pct: float | None = described(
        None, title="Network and installing", help="On top of the price of the servers", group=_OWNING, unit="%",
        empty=_USUAL, ge=0, le=200,
    )  # fmt: skip
    capital_pct_per_year: float | None = described(
        None, title="Cost of capital", help="Of the money tied up, a year", group=_OWNING, unit="%", empty=_USUAL,
        ge=0, le=100,
    )  # fmt: skip
    maintenance_pct_per_year: float | None = described(
        None, title="Maintenance", help="Contract and spares, of the price, a year", group=_OWNING, unit="%",
        empty=_USUAL, ge=0, le=100,
    )  # fmt: skip
    colocation_usd_per_kw_month: float | None = described(
        None, title="Colocation", help="Room and cooling for the power that the servers can draw", group=_OWNING,
        unit="USD/kW/month", empty=_USUAL, ge=0, le=10_000,
    )  # fmt: skip
    electricity_usd_per_kwh: float | None = described(
        None, title="Electricity", help="Paid for what the servers and their cooling use", group=_OWNING,
        unit="USD/kWh", empty=_USUAL, ge=0, le=10,
    )  # fmt: skip
    pue: float | None = described(
        None,
        title="PUE",
        help="Power of the building over that of the servers",
        group=_OWNING,
        empty=_USUAL,
        ge=1,
        le=5,
    )
    staff_h_per_month: float | None = described(
        None, title="Staff", help="Hours of people who look after the servers; usual: those of bare metal",
        group=_OWNING, unit="h/month", empty=_USUAL, ge=0, le=100_000,
    )  # fmt: skip
