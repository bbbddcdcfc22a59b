"""Flexibility of the kept candidates, asked of its package once for all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.cost.batch import LIKELY, CostBatch
from core.cost.total import Bills
from core.flexibility.score import Scorable, Scored, score_all
from core.ranges import Range


def flexibilities(batch: CostBatch, bills: Bills, terms_of: NDArray[np.intp]) -> Scored:
    """Score and exit bill of each candidate; bills are read for the cost of leaving.

    ``terms_of``, shape (n,), numbers the terms on which chips are sold: see :func:`core.flexibility.score.score_all`.
    """
    months, waste_usd = batch.months[:, LIKELY], bills.part("commitment_waste")

    def candidate(row: int) -> Scorable:
        return Scorable(
            batch.accelerators[row],
            batch.offers[row],
            float(bills.likely_usd[row]),
            float(waste_usd[row]),
            float(months[row]),
            Range(*batch.waiting_days[row].tolist()),
        )

    return score_all(batch.profile, batch.catalogue, candidate, bills.likely_usd, waste_usd, months, terms_of)
