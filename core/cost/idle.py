"""Idle: chips that are held and do no work."""

from __future__ import annotations

import numpy as np

from core.cost.batch import CostBatch
from core.cost.compute import busy_share
from core.cost.line import Array, Component, Line, likely
from core.throughput.traffic import AUTOSCALE_REST
from core.workload.job import BatchInference, OnlineServing

SET_UP_H = 2.0
"""Hours before a run starts: staging data, building images (our estimate)."""

BATCH_START_H = 0.25
"""Hours before a batch starts: loading weights and compiling (our estimate)."""

SPREAD = (0.5, 1.0, 2.0)
"""Low, likely and high over the likely hours before a start (our estimate)."""

PAY_PER_USE = ("on_demand", "spot", "flex_start")


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


def set_up_h(batch: CostBatch) -> Array:
    """Hours before runs or batches in which chips are held outside of ``paid_h``, shape (n, 3); 0 when serving."""
    job = batch.profile.job
    if isinstance(job, OnlineServing):
        return np.zeros((batch.n, 3))
    if isinstance(job, BatchInference):
        starts_h = BATCH_START_H * job.batches_per_month * job.months
    else:
        starts_h = SET_UP_H * job.n_runs
    return np.outer(np.ones(batch.n), SPREAD) * starts_h


def _idle_h(batch: CostBatch) -> Array:
    job = batch.profile.job
    if isinstance(job, OnlineServing):
        return np.asarray(batch.paid_h * np.maximum(held(batch) - busy_share(batch), 0.0))
    return set_up_h(batch)


def held(batch: CostBatch) -> Array:
    """Share of the hours in which chips are held, shape (n, 1): 1, or less where autoscaling gives them back.

    Where the load of each hour is not known, chips are held for the load and a rest above it.
    """
    job = batch.profile.job
    if not isinstance(job, OnlineServing) or not job.autoscale:
        return np.ones((batch.n, 1))
    by_use = batch.per_offer(lambda offer: offer.purchase_model in PAY_PER_USE) > 0
    needed = busy_share(batch) * (1.0 + AUTOSCALE_REST) if batch.held_share is None else batch.held_share
    return np.where(by_use, np.minimum(needed, 1.0), 1.0)


COMPONENT = Component("idle", idle)
