"""Which chip counts of each option are worth a bill: the cheapest that meets the limits and its faster neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.comparison.judge.calendar import longest_use_days, term_h
from core.comparison.judge.durations import LIKELY, Clock
from core.comparison.judge.limits import hopeless, past_term
from core.comparison.search.pool import Pool
from core.constants import HOURS_PER_DAY
from core.throughput.types import Throughput
from core.workload.jobs.kinds import TimeLimits
from core.workload.profile import Profile

Mask = NDArray[np.bool_]
Array = NDArray[np.float64]
N_NEIGHBOURS = 2


def shortlist(
    profile: Profile, pool: Pool, throughputs: Sequence[Throughput], clock: Clock, n_neighbours: int = N_NEIGHBOURS
) -> list[int]:
    """Pair numbers to keep, in the order of the options: at least one for every option."""
    fits = np.array([t.fits for t in throughputs], dtype=bool)[pool.system_of]
    chips = np.array([system.n_chips for system in pool.systems])[pool.system_of] * clock.units
    meets = fits & within_limits(profile, pool, throughputs, clock, chips)
    effort = _effort(profile, chips, clock)
    time = _time(profile, pool, throughputs, clock)
    alone = fits & _run_alone_in_time(profile, clock)
    shortlisted: list[int] = []
    for rows in _rows_by_option(pool):
        good = _rows_where(meets, rows)
        if good:
            shortlisted += _cheapest_and_faster(good, effort, time, chips, n_neighbours)
            shortlisted += _all_that_is_there(pool, good, shortlisted, time)
        else:
            shortlisted.append(_least_bad(rows, fits, alone, effort, time, chips))
    return shortlisted


def within_limits(
    profile: Profile, pool: Pool, throughputs: Sequence[Throughput], clock: Clock, chips: NDArray[np.intp]
) -> Mask:
    """True where chips, saved states on spot, the term of the way to pay, deadline and latency keep to the limits.

    Cost is not known yet.

    Shape (n pairs,).
    """
    limits, times = profile.limits, profile.job.time_limits
    admitted: Mask = chips <= limits.max_chips
    held = np.array([option.offer.held_chips or np.inf for option in pool.options])
    admitted &= chips <= held[pool.option_of]
    if limits.exact_chips is not None:
        admitted &= chips == limits.exact_chips
    if limits.deadline_days is not None:
        admitted &= ready_days(profile, clock) <= limits.deadline_days
    days = term_h(profile, clock.run_h[:, LIKELY]) / HOURS_PER_DAY
    longest = np.array([longest_use_days(profile, option.offer) for option in pool.options])
    admitted &= ~past_term(days, longest[pool.option_of])
    if clock.undisturbed_h is not None:
        admitted &= ~hopeless(profile, clock.run_h[:, LIKELY], clock.undisturbed_h[:, LIKELY])
    if times.is_set:
        slow = np.array([_too_slow(times, t) for t in throughputs], dtype=bool)
        admitted &= ~slow[pool.system_of]
    return admitted


def ready_days(profile: Profile, clock: Clock) -> Array:
    """Likely days until the run is finished, or until the service can start, shape (n pairs,)."""
    return clock.days[:, LIKELY] if profile.job.ends else (clock.porting_days + clock.waiting_days)[:, LIKELY]


def _too_slow(limits: TimeLimits, speed: Throughput) -> bool:
    if speed.latency is None:
        return False
    first_ms, token_ms = (read(limits.percentile) for read in (speed.latency.ttft_ms, speed.latency.tpot_ms))
    way_ms = speed.system.route_ms
    limited = (
        (first_ms + way_ms, limits.first_ms),
        (token_ms, limits.next_ms),
        (limits.whole(first_ms, token_ms) + way_ms, limits.whole_ms),
    )
    return any(limit_ms is not None and time_ms > limit_ms for time_ms, limit_ms in limited)


def _effort(profile: Profile, chips: NDArray[np.intp], clock: Clock) -> Array:
    """What the price per chip hour is multiplied with: chip hours when training, chips when serving."""
    return chips * clock.run_h[:, LIKELY] if profile.job.ends else chips.astype(float)


def _rows_by_option(pool: Pool) -> list[NDArray[np.intp]]:
    starts = np.flatnonzero(np.diff(pool.option_of, prepend=-1))
    return np.split(np.arange(pool.n_pairs, dtype=np.intp), starts[1:])


def _rows_where(mask: Mask, rows: NDArray[np.intp]) -> list[int]:
    return [int(row) for row in rows[mask[rows]]]


def _cheapest_and_faster(
    good: list[int], effort: Array, time: Array, chips: NDArray[np.intp], n_faster: int
) -> list[int]:
    """The row of least effort and up to ``n_faster`` that are each faster by more than 2 %."""
    good.sort(key=lambda row: (effort[row], chips[row], time[row]))
    shortlisted = good[:1]
    for row in good[1:]:
        is_faster = time[row] < time[shortlisted[-1]] * 0.98
        if len(shortlisted) <= n_faster and is_faster and chips[row] != chips[shortlisted[-1]]:
            shortlisted.append(row)
    return shortlisted


def _all_that_is_there(pool: Pool, good: list[int], shortlisted: list[int], time: Array) -> list[int]:
    """Of what the user has, also the number of chips that is fastest, where it is not shortlisted yet."""
    if pool.options[int(pool.option_of[good[0]])].offer.held_chips is None:
        return []
    fastest = min(good, key=lambda row: time[row])
    return [] if fastest in shortlisted else [fastest]


def _least_bad(
    rows: NDArray[np.intp], fits: Mask, alone: Mask, effort: Array, time: Array, chips: NDArray[np.intp]
) -> int:
    """Where none meets the limits: the cheapest whose run alone would be in time, else the fastest or largest."""
    in_time, fitting = _rows_where(alone, rows), _rows_where(fits, rows)
    if in_time:
        return min(in_time, key=lambda row: (effort[row], chips[row]))
    return min(fitting, key=lambda row: (time[row], chips[row])) if fitting else int(rows[-1])


def _run_alone_in_time(profile: Profile, clock: Clock) -> Mask:
    """True where the run without porting and waiting keeps the deadline; serving has no run to end."""
    deadline = profile.limits.deadline_days
    if deadline is None or not profile.job.ends:
        return np.zeros(len(clock.run_h), dtype=bool)
    return np.asarray(clock.run_h[:, LIKELY] <= deadline * HOURS_PER_DAY, dtype=bool)


def _time(profile: Profile, pool: Pool, throughputs: Sequence[Throughput], clock: Clock) -> Array:
    """What faster means, shape (n pairs,): hours of the run or batch, ms per output token when serving online."""
    if not profile.job.answers_users:
        return clock.run_h[:, LIKELY]
    return np.array([t.latency.tpot_p50_ms if t.latency else np.inf for t in throughputs])[pool.system_of]
