"""Over how long, and how much used, ways to pay are held against each other."""

from __future__ import annotations

from core.workload.describe import Described, described

_CASH = "Rent or buy"


class Outlook(Described):
    """The years ahead of rent, commitments and buying; empty fields take what is usual."""

    horizon_months: int | None = described(
        None,
        title="Compared over",
        empty="Usual",
        help="Months of renting, committing and buying; usual 36",
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
