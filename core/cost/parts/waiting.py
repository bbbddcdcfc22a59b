"""Waiting: what the days cost between ordering the chips and having them."""

from __future__ import annotations

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant, likely


def waiting(batch: CostBatch) -> Line:
    """``days of waiting x USD a day``, in USD, shape (n, 3); the price of a day is the user's to enter."""
    rate = batch.profile.team.delay_usd_per_day
    return Line(
        usd=batch.waiting_days * rate,
        formula="days until the chips are there × what a day costs",
        inputs=(("Days of waiting", "d", likely(batch.waiting_days)), ("A day", "USD", constant(batch, rate))),
        sources=("usual waits by way to pay, estimates; a day as entered",) * batch.n,
        estimates=(True,) * batch.n,
    )


COMPONENT = Component(
    part="waiting",
    title="Waiting",
    order=140,
    colour=Colour(light="#6E5220", dark="#E2CDA4"),
    count=waiting,
    is_one_off=True,
    is_unused=True,
)
