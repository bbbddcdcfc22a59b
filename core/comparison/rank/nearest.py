"""Which of the options that miss a limit come nearest to meeting all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import Columns
from core.comparison.search.option_set import Index
from core.throughput.types import Throughput
from core.workload.jobs.base import TimeLimits
from core.workload.profile import Profile

Floats = NDArray[np.float64]
OF_ANSWERS = frozenset({"latency", "ttft", "tpot", "answer"})
"""Codes of limits of time: the first that nothing on the chips keeps it, the others that the load misses one."""
_MEASURED = OF_ANSWERS | {"deadline", "budget"}


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
    """By what share the likely values lie over deadline and budget together, and answers over their limits of time; inf
    where another limit is missed; (n,). Of what does not run for being too slow nobody tells days or a bill."""
    limits, kinds = profile.limits, [frozenset(codes) for codes in columns.codes]
    over = _over(columns.days, limits.deadline_days) + _over(columns.cost_usd, limits.budget_usd)
    by_measure = np.array([bool(codes) and codes <= _MEASURED for codes in kinds], dtype=bool)
    excess = np.where(by_measure, np.where(_is_only_slow(columns), 0.0, over), np.inf)
    slow = [row for row, codes in enumerate(kinds) if codes & OF_ANSWERS and by_measure[row]]
    excess[slow] += [_late(profile.job.time_limits, columns.throughputs[row]) for row in slow]
    return excess


def _late(limits: TimeLimits, speed: Throughput) -> float:
    """By what share the worst of the times lies over its limit, the way to users with the first; inf where none is
    known."""
    if speed.latency is None:
        return np.inf
    way_ms, latency = speed.system.route_ms, speed.latency
    first, each_next = latency.ttft_ms(limits.percentile), latency.tpot_ms(limits.percentile)
    asked = (limits.first_ms, limits.next_ms, limits.whole_ms)
    told = (first + way_ms, each_next, limits.whole(first, each_next) + way_ms)
    return max((time / limit - 1.0 for time, limit in zip(told, asked, strict=True) if limit), default=np.inf)


def _over(values: Floats, limit: float | None) -> Floats:
    return np.zeros(len(values)) if not limit else np.maximum(values / limit - 1.0, 0.0)
