"""Flexibility of the kept candidates, asked of its package once for all."""

from __future__ import annotations

from collections.abc import Sequence

from core.cost.batch import LIKELY, CostBatch
from core.cost.types import Cost
from core.flexibility.score import Scorable, score_candidates
from core.flexibility.types import Flexibility
from core.ranges import Range


def flexibilities(batch: CostBatch, costs: Sequence[Cost]) -> list[Flexibility]:
    """Score and exit bill of each candidate; bills are read for the cost of leaving."""
    months = batch.months[:, LIKELY].tolist()
    waits = [Range(*days) for days in batch.waiting_days.tolist()]
    rows = zip(batch.accelerators, batch.offers, costs, months, waits, strict=True)
    subjects = [
        Scorable(chip, offer, cost.total.likely, cost.part("commitment_waste"), duration, wait)
        for chip, offer, cost, duration, wait in rows
    ]
    return score_candidates(batch.profile, batch.catalogue, subjects)
