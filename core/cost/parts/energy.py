"""Energy: counted for every candidate, a line of the bill only for owned hardware."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.hours import at_work, held
from core.cost.bill.line import Line, likely
from core.cost.bill.power import HOST_SHARE, IDLE_SHARE, watts
from core.cost.owned.fleet import owned_fleet
from core.lazy_sequence import LazySequence


def energy_kwh(batch: CostBatch) -> Array:
    """``chips x W x (1 + host share) x PUE x hours x (busy + 0.3 idle) / 1000``, in kWh, shape (n, 3).

    PUE by provider from the catalogue, else the industry's; of owned hardware as entered, else of colocation. Chips
    given back over the day take no power of the plan's.
    """
    power = _power_w(batch)
    pue = _pue(batch)
    busy = at_work(batch)
    share = busy + IDLE_SHARE * (held(batch) - busy)
    return np.asarray(batch.chips * power * (1.0 + np.array(HOST_SHARE)) * pue * batch.paid_h * share / 1000.0)


def energy(batch: CostBatch) -> Line:
    """``kWh x price at the site`` for owned hardware, 0 elsewhere, where the rent holds it; USD, shape (n, 3)."""
    fleet, kwh = owned_fleet(batch), energy_kwh(batch)
    price = fleet.all_rows(fleet.span("usd_per_kwh"), batch.n)
    return Line(
        usd=kwh * price,
        formula="kWh × price, for owned hardware only",
        inputs=(("Energy", "kWh", likely(kwh)), ("Price per kWh", "USD", likely(price))),
        sources=LazySequence(batch.n, lambda row: _source(batch, row)),
        estimates=(True,) * batch.n,
    )


def _power_w(batch: CostBatch) -> Array:
    """Power of one busy chip, shape (n, 3)."""
    if batch.measured is not None:
        pairs = zip(batch.accelerators, batch.measured, strict=True)
        return np.array([watts(chip, measured) for chip, measured in pairs]).reshape(-1, 3)
    known = {name: watts(chip) for name, chip in {chip.id: chip for chip in batch.accelerators}.items()}
    return np.array([known[chip.id] for chip in batch.accelerators]).reshape(-1, 3)


def _pue(batch: CostBatch) -> Array:
    """Power of the building over that of the hosts, shape (n, 3)."""
    fleet = owned_fleet(batch)
    pue = batch.by_provider("pue").values
    pue[fleet.rows] = fleet.span("pue")
    return pue


def _source(batch: CostBatch, row: int) -> str:
    chip, site = batch.accelerators[row], batch.profile.owning.site
    return f"price as entered or usual for the site ({site}); power of {chip.short_name}: {chip.source}"


COMPONENT = Component(
    part="energy",
    title="Energy",
    order=70,
    colour=Colour(light="#BD8A00", dark="#F0CE6A"),
    count=energy,
    follows_use="always",
)
