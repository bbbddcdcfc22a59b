"""Energy: counted for every candidate, a line of the bill only for owned hardware."""

from __future__ import annotations

import numpy as np

from core.catalogue.entries import Accelerator, CostInput
from core.catalogue.tco import cost_input
from core.cost.batch import Array, CostBatch
from core.cost.compute import busy_share
from core.cost.idle import held
from core.cost.line import Component, Line, likely
from core.made import Made

HOST_SHARE = (0.25, 0.45, 0.82)
"""Power of hosts and network on top of the chips: low, likely, high. High is the rating of an 8-GPU node of 10.2 kW
with 5.6 kW of chips; the others are our estimates."""

IDLE_SHARE = 0.3
"""Power of a held but idle chip over its full power (our estimate)."""

UNPUBLISHED_W = (120.0, 300.0, 700.0)
"""Watts a chip where the vendor publishes none: the span of its published neighbours (our estimate)."""


def watts(chip: Accelerator) -> tuple[float, float, float]:
    """Low, likely and high power of a busy chip in W: 60 to 105 % of the thermal design power, likely 85 %."""
    if chip.tdp_w is None:
        return UNPUBLISHED_W
    return 0.6 * chip.tdp_w, 0.85 * chip.tdp_w, 1.05 * chip.tdp_w


def energy_kwh(batch: CostBatch) -> Array:
    """``chips x W x (1 + host share) x PUE x hours x (busy + 0.3 idle) / 1000``, in kWh, shape (n, 3).

    PUE by provider from the catalogue, else the industry's. Chips given back over the day take no power of the plan's.
    """
    known = {name: watts(chip) for name, chip in {chip.id: chip for chip in batch.accelerators}.items()}
    power = np.array([known[chip.id] for chip in batch.accelerators]).reshape(-1, 3)
    pue = batch.by_scope("pue", lambda offer: offer.provider).values
    load = busy_share(batch)
    share = load + IDLE_SHARE * np.maximum(held(batch) - load, 0.0)
    return np.asarray(batch.chips * power * (1.0 + np.array(HOST_SHARE)) * pue * batch.paid_h * share / 1000.0)


def energy(batch: CostBatch) -> Line:
    """``kWh x price`` for owned hardware, 0 elsewhere, where the rent holds it; USD, shape (n, 3)."""
    owned = batch.per_offer(lambda offer: offer.purchase_model == "owned") > 0
    price = cost_input(batch.catalogue, "electricity", "any")
    kwh = energy_kwh(batch)
    usd_per_kwh = np.array([price.low or 0.0, price.typical or 0.0, price.high or 0.0])
    return Line(
        usd=np.where(owned, kwh * usd_per_kwh, 0.0),
        formula="kWh × price, for owned hardware only",
        inputs=(("Energy", "kWh", likely(kwh)), ("Price per kWh", "USD", np.full(batch.n, usd_per_kwh[1]))),
        sources=Made(batch.n, lambda row: _source(price, batch.accelerators[row])),
        estimates=(True,) * batch.n,
    )


def _source(price: CostInput, chip: Accelerator) -> str:
    return f"{price.source}; power of {chip.short_name}: {chip.source}"


COMPONENT = Component("energy", energy)
