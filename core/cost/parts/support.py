"""Support plan: a share of the rent, which falls by steps of the month's bill."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.bill.hours import set_up_h
from core.cost.bill.line import Component, Line, likely
from core.cost.bill.tiers import SUPPORT, tiers
from core.cost.parts.commitment import TERM_H, commitment_waste, committed_h
from core.cost.parts.compute import compute
from core.cost.parts.idle import idle
from core.cost.parts.interruptions import interruptions
from core.units import HOURS_PER_MONTH


def support(batch: CostBatch) -> Line:
    """``share of a month's rent, by steps, x months``, in USD, shape (n, 3); 0 without a support plan.

    Providers without steps of their own take one share of the catalogue's cost inputs.
    """
    rent = sum((count(batch).usd for count in _RENT), np.zeros((batch.n, 3))) if _is_wanted(batch) else None
    months = _months_paid(batch)
    usd = np.zeros((batch.n, 3)) if rent is None else _by_steps(batch, rent / months) * months
    share = np.zeros(batch.n) if rent is None else usd[:, LIKELY] / np.maximum(rent[:, LIKELY], 1e-9)
    return Line(
        usd=usd,
        formula="rent of a month × share, by steps × months",
        inputs=(
            ("Rent of a month", "USD", np.zeros(batch.n) if rent is None else (rent / months)[:, LIKELY]),
            ("Share of it", "", share),
            ("Months, at least one", "", likely(months)),
        ),
        sources=batch.words_of_offers(lambda offer: f"support plan of {offer.provider}, from memory or usual"),
        estimates=(True,) * batch.n,
    )


_RENT = (compute, commitment_waste, idle, interruptions)


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
    flat = batch.by_scope("support_plan", lambda offer: offer.provider).values
    offers, offer_of = batch.offers_once
    found = rent_per_month * flat
    for provider, steps in known.items():
        mine = np.array([offer.provider == provider for offer in offers], dtype=bool)[offer_of]
        found[mine] = steps.usd(rent_per_month[mine])
    return np.where(batch.is_owned, 0.0, found)


COMPONENT = Component("support", support)
