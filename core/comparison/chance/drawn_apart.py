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
    outcomes, job = drawn.outcomes, judged.profile.job
    return DrawnCandidate(
        cost_usd=outcomes.cost_usd[0],
        goodness=drawn.total[0],
        usd_per_goodness=worth_usd,
        keeps=None if outcomes.keeps_all is None else np.asarray(outcomes.keeps_all[0]),
        kept={limit: np.asarray(mask[0]) for limit, mask in outcomes.keeps.items()},
        days=outcomes.time[0] if job.ends and job.months_in_service is None else None,
    )
