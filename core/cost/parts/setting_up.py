"""Setting up: the hours of people until the first run starts, once."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.line import Line, constant, likely
from core.cost.people import setting_up as usual


def setting_up(batch: CostBatch) -> Line:
    """``(base + hours a node x nodes) x engineer's USD an hour``, in USD, shape (n, 3): once for all runs.

    Hours as typed, else usual by size, by the way it is run and by the class of the seller.
    """
    effort, typed = usual(batch), batch.profile.team.setting_up_h
    hours = effort.hours if typed is None else np.full((batch.n, 3), typed)
    return Line(
        usd=hours * batch.engineer_usd_per_hour,
        formula="hours once × engineer's hour",
        inputs=(
            ("Hours once", "h", likely(hours)),
            ("Nodes", "", likely(effort.nodes)),
            ("Engineer's hour", "USD", constant(batch, batch.engineer_usd_per_hour)),
        ),
        kinds=(Given.HOURS_ONCE, None, Given.ENGINEER_HOUR_PRICE),
        sources=("our estimate of hours; rate as entered" if typed is None else "hours and rate as entered",) * batch.n,
        estimates=(typed is None,) * batch.n,
    )


COMPONENT = Component(
    part="setting_up",
    title="Setting up",
    order=115,
    colour=Colour(light="#7A5BA6", dark="#A78BD0"),
    count=setting_up,
    is_one_off=True,
)
