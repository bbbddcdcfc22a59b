"""Interruptions: chip hours of a spot run that are paid twice, for work that was lost and for starting again."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.line import Line, likely


def interruptions(batch: CostBatch) -> Line:
    """``chips x (hours held - hours without interruptions) x price``, in USD, shape (n, 3); 0 off spot.

    Compute and this part together are the whole run. Expected hours after Daly 2006, see
    :func:`core.comparison.judge.goodput.stretch`.
    """
    lost_h = np.maximum(batch.paid_h - batch.worked_h, 0.0)
    return Line(
        usd=batch.chips * lost_h * batch.usd_per_chip_hour,
        formula="chips × hours that interruptions add × price",
        inputs=(
            ("Chips", "", batch.n_chips),
            ("Hours added", "h", likely(lost_h)),
            ("Hours without them", "h", likely(batch.worked_h)),
            ("Price per chip hour", "USD", likely(batch.usd_per_chip_hour)),
        ),
        kinds=(Given.CHIPS, Given.HOURS_ADDED, None, Given.CHIP_HOUR_PRICE),
        sources=batch.words_of_offers(lambda offer: f"interruptions {_known(batch)}; price: {offer.source}"),
        estimates=(True,) * batch.n,
    )


def _known(batch: CostBatch) -> str:
    run = batch.profile.job.training
    return "as entered" if run and run.spot_stops_per_day is not None else "as usual by the catalogue"


COMPONENT = Component(
    part="interruptions",
    title="Interruptions",
    order=40,
    colour=Colour(light="#8E2A16", dark="#E08468"),
    count=interruptions,
    is_rent=True,
    is_unused=True,
    follows_use="paid_by_use",
)
