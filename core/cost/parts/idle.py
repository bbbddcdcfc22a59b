"""Idle: chips that are held and do no work."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.hours import at_work, held, set_up_h
from core.cost.bill.line import Line, likely


def idle(batch: CostBatch) -> Line:
    """``chips x idle hours x price``, in USD, shape (n, 3).

    Idle hours: set-up of each run or batch; when serving, the hours held less the share at work. Autoscaling hands
    back whole clusters that the load of the hour and a rest above it do not take, and only chips that are paid by use
    can be handed back.
    """
    hours = _idle_h(batch)
    return Line(
        usd=batch.chips * hours * batch.usd_per_chip_hour,
        formula="chips × idle hours × price",
        inputs=(
            ("Chips", "", batch.n_chips),
            ("Idle hours", "h", likely(hours)),
            ("Price per chip hour", "USD", likely(batch.usd_per_chip_hour)),
        ),
        sources=("our estimate of idle hours",) * batch.n,
        estimates=(True,) * batch.n,
    )


def _idle_h(batch: CostBatch) -> Array:
    share = held(batch) - at_work(batch)
    return np.asarray(batch.paid_h * share + set_up_h(batch))


COMPONENT = Component(
    part="idle",
    title="Idle",
    order=30,
    colour=Colour(light="#868E98", dark="#6F7883"),
    count=idle,
    is_rent=True,
    is_unused=True,
    follows_use="paid_by_use",
)
