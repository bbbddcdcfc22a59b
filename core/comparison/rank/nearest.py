"""Which of the options that miss a limit come nearest to meeting all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import Columns
from core.comparison.search.option_set import Index
from core.workload.profile import Profile

Floats = NDArray[np.float64]


def nearest_rows(profile: Profile, columns: Columns) -> Index:
    """All rows, the nearest first: those that miss the fewest limits, of these those that can be had, of these those
    that miss by the least share of deadline and budget; what misses another limit comes last among its like.

    What does not run at all comes after all that does: it has neither days nor a bill, so that nobody knows which
    limits it would miss besides. Answers that are too slow, and nothing else, are a limit like others, where so many
    chips are allowed and within the budget.
    """
    n_missed = np.array([len(codes) for codes in columns.codes], dtype=np.intp)
    return np.lexsort((_excess(profile, columns), -columns.trust, n_missed, _stands_still(profile, columns)))


def _stands_still(profile: Profile, columns: Columns) -> NDArray[np.bool_]:
    runs = zip(columns.throughputs, columns.codes, strict=True)
    still = np.array([not speed.fits and codes != ("latency",) for speed, codes in runs], dtype=bool)
    too_slow = np.array([codes == ("latency",) for codes in columns.codes], dtype=bool)
    budget_usd = np.inf if profile.limits.budget_usd is None else profile.limits.budget_usd
    is_beyond = (np.asarray(columns.n_chips) > profile.limits.max_chips) | (columns.cost_usd > budget_usd)
    return still | (too_slow & is_beyond)


def _excess(profile: Profile, columns: Columns) -> Floats:
    """By what share the likely values lie over deadline and budget together, inf where another limit is missed; (n,)"""
    limits = profile.limits
    over = _over(columns.days, limits.deadline_days) + _over(columns.cost_usd, limits.budget_usd)
    by_measure = np.array([bool(codes) and set(codes) <= {"deadline", "budget"} for codes in columns.codes], dtype=bool)
    return np.where(by_measure, over, np.inf)


def _over(values: Floats, limit: float | None) -> Floats:
    return np.zeros(len(values)) if not limit else np.maximum(values / limit - 1.0, 0.0)
