"""Support plan: a share of the rent, which falls by steps of the month's bill."""

from __future__ import annotations

import numpy as np

from core.constants import HOURS_PER_MONTH
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.hours import set_up_h
from core.cost.bill.line import Line, likely
from core.cost.bill.tiers import SUPPORT, tiers
from core.cost.parts.commitment import TERM_H, committed_h


def support(batch: CostBatch, rent_usd: Array) -> Line:
    """``share of a month's rent, by steps, x months``, in USD, shape (n, 3); 0 without a support plan.

    Providers without steps of their own take one share of the catalogue's cost inputs.
    """
    months = _months_paid(batch)
    rent_per_month = rent_usd / months
    usd = _by_steps(batch, rent_per_month) * months if _is_wanted(batch) else np.zeros((batch.n, 3))
    return Line(
        usd=usd,
        formula="rent of a month × share, by steps × months",
        inputs=(
            ("Rent of a month", "USD", likely(rent_per_month)),
            ("Share of it", "", likely(usd) / np.maximum(likely(rent_usd), 1e-9)),
            ("Months, at least one", "", likely(months)),
        ),
        kinds=(None, Given.SHARE_OF_RENT, None),
        sources=batch.words_of_offers(lambda offer: f"support plan of {offer.provider}, from memory or usual"),
        estimates=(True,) * batch.n,
    )


def _months_paid(batch: CostBatch) -> Array:
    """Months over which the rent is paid: those of the plan, or of its whole terms; at least one; shape (n, 3)."""
    term_h = batch.per_offer(lambda offer: TERM_H.get(offer.purchase_model, 0.0))
    terms_h = np.where(term_h > 0, committed_h(batch.paid_h + set_up_h(batch), term_h), 0.0)
    return np.maximum(np.maximum(batch.months, terms_h / HOURS_PER_MONTH), 1.0)


def _is_wanted(batch: CostBatch) -> bool:
    return batch.profile.team.support_plan != "none"


def _by_steps(batch: CostBatch, rent_per_month: Array) -> Array:
    """USD a month, shape (n, 3)."""
    known = tiers(SUPPORT)
    flat = batch.by_provider("support_plan").values
    offers, offer_of = batch.offers_once
    usd_per_month = rent_per_month * flat
    for provider, steps in known.items():
        mine = np.array([offer.provider == provider for offer in offers], dtype=bool)[offer_of]
        usd_per_month[mine] = steps.usd(rent_per_month[mine])
    return np.where(batch.is_owned, 0.0, usd_per_month)


COMPONENT = Component(
    part="support",
    title="Support plan",
    order=100,
    colour=Colour(light="#B2669E", dark="#D3A4C8"),
    count_of_rent=support,
    follows_use="paid_by_use",
)
