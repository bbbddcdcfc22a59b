"""Colocation: room and cooling for the power that owned servers can draw, used or not."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.line import Line
from core.cost.owned.fleet import OwnedFleet, owned_fleet
from core.cost.parts.hardware import own_estimates
from core.lazy_sequence import LazySequence

PART = "colocation"


def colocation(batch: CostBatch) -> Line:
    """``servers x kW x USD per kW and month x months held``, USD, shape (n, 3); 0 for rented chips."""
    fleet = owned_fleet(batch)
    kw, price = fleet.plain("power_kw"), fleet.span("colocation_usd_per_kw_month")
    inputs = (
        ("Servers", "", fleet.servers),
        ("Power of a server", "kW", kw),
        ("Price per kW and month", "USD", price[:, LIKELY : LIKELY + 1]),
        ("Months held", "", fleet.months[:, LIKELY : LIKELY + 1]),
    )
    site = batch.profile.owning.site
    return Line(
        usd=fleet.all_rows(rooms_usd(fleet), batch.n),
        formula="servers × kW × price × months held",
        inputs=tuple((name, unit, fleet.all_rows(values, batch.n)[:, 0]) for name, unit, values in inputs),
        sources=LazySequence(batch.n, lambda _: f"rooms as entered or usual for the site ({site})"),
        estimates=own_estimates(batch, fleet),
        kinds=(None, None, None, Given.MONTHS_HELD),
    )


def rooms_usd(fleet: OwnedFleet) -> Array:
    """``servers x kW x USD per kW and month x months held``, USD, low, likely and high."""
    price = fleet.span("colocation_usd_per_kw_month")
    return np.asarray(fleet.servers * fleet.plain("power_kw") * price * fleet.months)


COMPONENT = Component(
    part=PART,
    title="Colocation",
    order=60,
    colour=Colour(light="#4F93C9", dark="#5580AA"),
    count=colocation,
)
