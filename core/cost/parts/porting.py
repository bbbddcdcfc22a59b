"""Porting: engineers' weeks until the code runs on the chip."""

from __future__ import annotations

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant, likely


def porting(batch: CostBatch) -> Line:
    """``engineer-weeks x USD a week``, in USD, shape (n, 3); weeks from the catalogue's porting effort."""
    rate = batch.profile.team.engineer_usd_per_week
    return Line(
        usd=batch.porting_weeks * rate,
        formula="engineer-weeks × rate",
        inputs=(
            ("Engineer-weeks", "", likely(batch.porting_weeks)),
            ("Engineer's week", "USD", constant(batch, rate)),
        ),
        sources=("porting effort of the catalogue; rate as entered",) * batch.n,
        estimates=(True,) * batch.n,
    )


COMPONENT = Component(
    part="porting",
    title="Porting",
    order=120,
    colour=Colour(light="#D24E79", dark="#DE6E90"),
    count=porting,
    is_one_off=True,
)
