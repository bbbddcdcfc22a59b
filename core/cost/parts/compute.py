"""Compute: the chip hours that do work."""

from __future__ import annotations

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.hours import at_work
from core.cost.bill.line import Line, likely


def compute(batch: CostBatch) -> Line:
    """``chips x hours x price per chip hour x busy share``, in USD, shape (n, 3).

    Price and its source come from the offer. Idle hours and those that interruptions add stand in parts of their own;
    owned hardware pays no rent.
    """
    share = at_work(batch)
    usd = batch.chips * batch.worked_h * batch.usd_per_chip_hour * share
    return Line(
        usd=usd,
        formula="chips × hours held × price × share at work",
        inputs=(
            ("Chips", "", batch.n_chips),
            ("Hours held", "h", likely(batch.worked_h)),
            ("Price per chip hour", "USD", likely(batch.usd_per_chip_hour)),
            ("Share at work", "", share[:, 0]),
        ),
        sources=batch.price_sources,
        estimates=batch.price_estimates,
    )


COMPONENT = Component(
    part="compute",
    title="Compute",
    order=10,
    colour=Colour(light="#3E5C76", dark="#7F9DB8"),
    count=compute,
    is_rent=True,
    is_always_listed=True,
    follows_use="paid_by_use",
)
