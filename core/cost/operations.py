"""Operations: the hours of people who keep it running."""

from __future__ import annotations

import numpy as np

from core.cost.batch import CostBatch
from core.cost.line import Component, Line, constant, likely

HOURS_PER_MONTH_OF_DELIVERY = {
    "managed": (8.0, 16.0, 32.0),
    "kubernetes": (20.0, 40.0, 80.0),
    "bare_metal": (40.0, 80.0, 160.0),
}
"""Low, typical and high hours a month by the way it is run (our estimate)."""


def operations(batch: CostBatch) -> Line:
    """``hours a month x months x engineer's USD an hour``, in USD, shape (n, 3); at least a week's share."""
    hours = np.array(HOURS_PER_MONTH_OF_DELIVERY[batch.profile.team.delivery])
    months = np.maximum(batch.months, 0.25)
    return Line(
        usd=hours * months * batch.engineer_usd_per_hour,
        formula="hours a month × months × engineer's hour",
        inputs=(
            ("Hours a month", "h", constant(batch, float(hours[1]))),
            ("Months, at least a quarter", "", likely(months)),
            ("Engineer's hour", "USD", constant(batch, batch.engineer_usd_per_hour)),
        ),
        sources=("our estimate of hours; rate as entered",) * batch.n,
        estimates=(True,) * batch.n,
    )


COMPONENT = Component("operations", operations)
