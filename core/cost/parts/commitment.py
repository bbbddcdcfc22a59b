"""Commitment waste: hours that are paid for and that neither this plan nor other work uses."""

from __future__ import annotations

import numpy as np

from core.constants import HOURS_PER_MONTH, MONTHS_PER_YEAR
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.hours import set_up_h
from core.cost.bill.line import Line, constant, likely

TERM_MONTHS = {"commit_1y": MONTHS_PER_YEAR, "commit_3y": 3 * MONTHS_PER_YEAR, "dedicated_monthly": 1}
"""Months of one term; other purchase models are paid by use."""
TERM_H = {model: months * HOURS_PER_MONTH for model, months in TERM_MONTHS.items()}
"""Hours that a bill counts of one term."""


def committed_h(held_h: Array, term_h: Array) -> Array:
    """Hours paid for: whole terms that cover the hours held, ``ceil(held / term) x term``; held hours without a term.

    At least one term; hours in, hours out, shapes broadcast.
    """
    terms = np.maximum(np.ceil(held_h / np.maximum(term_h, 1e-9) - 1e-9), 1.0)
    return np.where(term_h > 0, terms * term_h, held_h)


def commitment_waste(batch: CostBatch) -> Line:
    """``chips x (hours paid - hours held) x price x (1 - share taken over)``, in USD, shape (n, 3).

    Hours held include those before a start, which the idle part bills. The share of the rest that other work takes
    over is the user's to enter; without it the whole rest is waste. A longer run leaves less, so the columns follow
    the run: low is what a short run leaves.
    """
    term_h = batch.per_offer(lambda offer: TERM_H.get(offer.purchase_model, 0.0))
    held_h = batch.paid_h + set_up_h(batch)
    unused_h = np.maximum(committed_h(held_h, term_h) - held_h, 0.0)
    taken_over = batch.profile.places.commitment_reuse_pct / 100.0
    usd = batch.chips * unused_h * batch.usd_per_chip_hour * (1.0 - taken_over)
    return Line(
        usd=usd,
        formula="chips × hours paid but not held × price × share not taken over",
        inputs=(
            ("Chips", "", batch.n_chips),
            ("Term", "h", likely(term_h)),
            ("Hours not held", "h", likely(unused_h)),
            ("Price per chip hour", "USD", likely(batch.usd_per_chip_hour)),
            ("Taken over by other work", "", constant(batch, taken_over)),
        ),
        kinds=(Given.CHIPS, None, Given.HOURS_NOT_HELD, Given.CHIP_HOUR_PRICE, Given.TAKEN_OVER_SHARE),
        sources=batch.price_sources,
        estimates=batch.price_estimates,
    )


COMPONENT = Component(
    part="commitment_waste",
    title="Commitment waste",
    order=20,
    colour=Colour(light="#9A5B00", dark="#D9A93A"),
    count=commitment_waste,
    is_rent=True,
    is_unused=True,
)
