"""One candidate's own outcomes in each draw, for whoever adds them to those of other workloads."""

from __future__ import annotations

import numpy as np

from core.comparison.chance.cautious import goodness_by_parts
from core.comparison.chance.contest import LEAST_COST_WEIGHT, Contest
from core.comparison.chance.errors import N_DRAWS
from core.comparison.drawn import DrawnCandidate


def drawn_apart(contest: Contest, row: int) -> DrawnCandidate:
    """The outcomes of a judged row.

    Goodness of cost is ``w x best / cost``, which falls by ``w x best / cost^2`` with each dollar.
    """
    judged, yardstick = contest.judged, contest.yardstick
    (drawn,) = goodness_by_parts(judged, yardstick, np.array([row], dtype=np.intp), N_DRAWS)
    cost_usd, best_usd = float(judged.bills.likely_usd[row]), yardstick.best.cost_usd
    weight = max(float(yardstick.weights[0]), LEAST_COST_WEIGHT)
    worth_usd = cost_usd**2 / (weight * best_usd) if best_usd > 0 else cost_usd / weight
    kept = drawn.outcomes.keeps_all
    return DrawnCandidate(
        drawn.outcomes.cost_usd[0], drawn.total[0], worth_usd, None if kept is None else np.asarray(kept[0])
    )
