"""Which of the options that miss a limit come nearest to meeting all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import Columns
from core.comparison.search.option_set import Index
from core.throughput.types import Latency
from core.workload.jobs.base import TimeLimits
from core.workload.profile import Profile

Floats = NDArray[np.float64]


def nearest_rows(profile: Profile, columns: Columns) -> Index:
    """All rows, the nearest first: those that miss the fewest limits, of these those that can be had, of these those
    that miss by the least share of deadline and budget, or of the limits of time; what misses another limit comes last
    among its like.

    What does not run at all comes after all that does: it has neither days nor a bill, so that nobody knows which
    limits it would miss besides. Answers that are too slow, and nothing else, are a limit like others, where so many
    chips are allowed and within the budget; else they come between the two.
    """
    n_missed = np.array([len(codes) for codes in columns.codes], dtype=np.intp)
    return np.lexsort((_excess(profile, columns), -columns.trust, n_missed, _stands_still(profile, columns)))


def _stands_still(profile: Profile, columns: Columns) -> NDArray[np.intp]:
    """0 for what runs or is only too slow, 1 for what is too slow and takes more than is allowed, 2 for the rest."""
    runs, too_slow = np.array([speed.fits for speed in columns.throughputs], dtype=bool), _is_only_slow(columns)
    budget_usd = np.inf if profile.limits.budget_usd is None else profile.limits.budget_usd
    is_beyond = (np.asarray(columns.n_chips) > profile.limits.max_chips) | (columns.cost_usd > budget_usd)
    return np.where(too_slow, np.where(is_beyond, 1, 0), np.where(runs, 0, 2))


def _is_only_slow(columns: Columns) -> NDArray[np.bool_]:
    return np.array([codes == ("latency",) for codes in columns.codes], dtype=bool)


def _excess(profile: Profile, columns: Columns) -> Floats:
    """By what share the likely values lie over deadline and budget together, or answers that are only too slow over
    their limits of time; inf where another limit is missed; (n,)"""
    limits, slow = profile.limits, np.flatnonzero(_is_only_slow(columns))
    over = _over(columns.days, limits.deadline_days) + _over(columns.cost_usd, limits.budget_usd)
    by_measure = np.array([bool(codes) and set(codes) <= {"deadline", "budget"} for codes in columns.codes], dtype=bool)
    excess = np.where(by_measure, over, np.inf)
    excess[slow] = [_late(profile.job.time_limits, columns.throughputs[row].latency) for row in slow.tolist()]
    return excess


def _late(limits: TimeLimits, latency: Latency | None) -> float:
    """By what share the worst of the times lies over its limit, inf where none is known."""
    if latency is None:
        return np.inf
    first, each_next = latency.ttft_ms(limits.percentile), latency.tpot_ms(limits.percentile)
    asked = (limits.first_ms, limits.next_ms, limits.whole_ms)
    told = (first, each_next, limits.whole(first, each_next))
    return max((time / limit - 1.0 for time, limit in zip(told, asked, strict=True) if limit), default=np.inf)


def _over(values: Floats, limit: float | None) -> Floats:
    return np.zeros(len(values)) if not limit else np.maximum(values / limit - 1.0, 0.0)
