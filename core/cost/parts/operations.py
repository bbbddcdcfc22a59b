"""Operations: the hours of people who keep it running."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant, likely
from core.cost.owned.terms import HOURS_PER_MONTH_OF_DELIVERY


def operations(batch: CostBatch) -> Line:
    """``hours a month x months x engineer's USD an hour``, in USD, shape (n, 3); at least a week's share.

    Hours as typed, else usual by the way it is run; for owned hardware those of its staff.
    """
    hours, months = _hours(batch), np.maximum(batch.months, 0.25)
    typed = batch.profile.team.operations_h_per_month is not None
    return Line(
        usd=hours * months * batch.engineer_usd_per_hour,
        formula="hours a month × months × engineer's hour",
        inputs=(
            ("Hours a month", "h", likely(hours)),
            ("Months, at least a quarter", "", likely(months)),
            ("Engineer's hour", "USD", constant(batch, batch.engineer_usd_per_hour)),
        ),
        sources=("hours and rate as entered" if typed else "our estimate of hours; rate as entered",) * batch.n,
        estimates=(not typed,) * batch.n,
    )


def _hours(batch: CostBatch) -> Array:
    """Hours of people a month, shape (n, 3)."""
    team, staff = batch.profile.team, batch.profile.owning.staff_h_per_month
    rented = _usual(team.operations_h_per_month, team.delivery)
    return np.where(batch.is_owned, _usual(staff, "bare_metal"), rented)


def _usual(typed: float | None, delivery: str) -> Array:
    return np.array(HOURS_PER_MONTH_OF_DELIVERY[delivery] if typed is None else (typed,) * 3)


COMPONENT = Component(
    part="operations",
    title="Operations",
    order=110,
    colour=Colour(light="#66761C", dark="#9BAA4A"),
    count=operations,
)
