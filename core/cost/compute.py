"""Compute: the chip hours that do work."""

from __future__ import annotations

import numpy as np

from core.cost.batch import CostBatch
from core.cost.line import Component, Line, likely
from core.workload.job import OnlineServing


def busy_share(batch: CostBatch) -> float:
    """Share of the held hours in which the chips work: the mean load when serving online, else all of them."""
    job = batch.profile.job
    return job.mean_load_pct / 100.0 if isinstance(job, OnlineServing) else 1.0


def compute(batch: CostBatch) -> Line:
    """``chips x hours x price per chip hour x busy share``, in USD, shape (n, 3).

    Price and its source come from the offer. Idle hours and those that interruptions add stand in parts of their own;
    owned hardware pays no rent.
    """
    usd = batch.chips * batch.worked_h * batch.usd_per_chip_hour * busy_share(batch)
    return Line(
        usd=usd,
        formula="chips × hours held × price × share at work",
        inputs=(
            ("Chips", "", batch.n_chips),
            ("Hours held", "h", likely(batch.worked_h)),
            ("Price per chip hour", "USD", likely(batch.usd_per_chip_hour)),
            ("Share at work", "", np.full(batch.n, busy_share(batch))),
        ),
        sources=batch.price_sources,
        estimates=batch.price_estimates,
    )


COMPONENT = Component("compute", compute)
