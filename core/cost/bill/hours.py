"""Hours of the bill: which chips are held, before a run and beside the work, and what share of them is at work."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.throughput.serving.mean_day import AUTOSCALE_REST
from core.workload.jobs.kinds import BatchInference, OnlineServing

SET_UP_H = 2.0
"""Hours before a run starts: staging data, building images (our estimate)."""

BATCH_START_H = 0.25
"""Hours before a batch starts: loading weights and compiling (our estimate)."""

SPREAD = (0.5, 1.0, 2.0)
"""Low, likely and high over the likely hours before a start (our estimate)."""

PAY_PER_USE = ("on_demand", "spot", "flex_start")


def busy_share(batch: CostBatch) -> float:
    """Share of the held hours in which the chips work: the mean load when serving online, else all of them."""
    job = batch.profile.job
    return job.mean_load_pct / 100.0 if isinstance(job, OnlineServing) else 1.0


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
