"""Hours of the bill: which chips are held, before a run and beside the work, and what share of them is at work."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.throughput.load.mean_day import AUTOSCALE_REST

SPREAD = (0.5, 1.0, 2.0)
"""Low, likely and high over the likely hours before a start (our estimate)."""

PAY_PER_USE = ("on_demand", "spot", "flex_start")


def set_up_h(batch: CostBatch) -> Array:
    """Hours before runs or batches in which chips are held outside of ``paid_h``, shape (n, 3); 0 when serving."""
    job = batch.profile.job
    return np.outer(np.ones(batch.n), SPREAD) * (job.set_up_h * job.n_rounds)


def held(batch: CostBatch) -> Array:
    """Share of the hours in which chips are held, shape (n, 1): 1, or less where autoscaling gives them back.

    Where the load of each hour is not known, chips are held for the load and a rest above it.
    """
    job = batch.profile.job
    if not job.gives_chips_back:
        return np.ones((batch.n, 1))
    by_use = batch.per_offer(lambda offer: offer.purchase_model in PAY_PER_USE) > 0
    needed = job.mean_load_share * (1.0 + AUTOSCALE_REST) if batch.held_share is None else batch.held_share
    return np.where(by_use, np.minimum(needed, 1.0), 1.0)


def at_work(batch: CostBatch) -> Array:
    """Share of the hours in which chips are at work, shape (n, 1): the mean load, and never more than are held. Where
    the plan has room above its peak autoscaling may hold less than the mean load's share of all chips."""
    return np.minimum(batch.profile.job.mean_load_share, held(batch))
