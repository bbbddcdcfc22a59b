"""Which chip counts of each option are worth a bill: the cheapest that meets the limits and its faster neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.comparison.judge.calendar import longest_use_days, term_h
from core.comparison.judge.durations import LIKELY, Clock
from core.comparison.judge.limits import hopeless, past_term
from core.comparison.search.option_set import Index, first_of_groups
from core.comparison.search.pool import Pool
from core.constants import HOURS_PER_DAY
from core.cost.bill.hours import PAY_PER_USE
from core.throughput.load.mean_day import shares_scaled
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
    has_room = np.zeros(pool.n_pairs, dtype=bool) if pool.has_room is None else pool.has_room
    chips = np.array([system.n_chips for system in pool.systems])[pool.system_of] * clock.units
    meets = fits & within_limits(profile, pool, throughputs, clock, chips)
    effort = _effort(profile, pool, throughputs, chips, clock)
    time = _time(profile, pool, throughputs, clock)
    fewest = fits & ~has_room
    alone = fewest & _run_alone_in_time(profile, clock)
    of_each = [[row] for row in _least_bad(pool.option_of, fewest, alone, effort, time, chips)]
    for option, good in _by_option(pool.option_of, np.flatnonzero(meets & fewest)):
        best = _cheapest_and_faster(good, effort, time, chips, n_neighbours)
        of_each[option] = [*best, *_all_that_is_there(pool, good, best, time)]
    for row in np.flatnonzero(meets & has_room).tolist():
        own = of_each[int(pool.option_of[row])]
        if chips[own[0]] == chips[row - 1] and all(chips[other] > chips[row] for other in own[1:]):
            own.insert(1, row)
    return list(chain.from_iterable(of_each))


def within_limits(
    profile: Profile, pool: Pool, throughputs: Sequence[Throughput], clock: Clock, chips: NDArray[np.intp]
) -> Mask:
    """True where chips, saved states on spot, the term of the way to pay, deadline and latency keep to the limits.

    Cost is not known yet.

    Shape (n pairs,).
    """
    limits, times = profile.limits, profile.job.time_limits
    admitted: Mask = chips <= limits.max_chips
    admitted &= chips <= pool.kinds.held_chips[pool.option_of]
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


def _effort(
    profile: Profile, pool: Pool, throughputs: Sequence[Throughput], chips: NDArray[np.intp], clock: Clock
) -> Array:
    """What the price per chip hour is multiplied with: chip hours when training, chips when serving, and of these what
    autoscaling holds where they can be given back: small clusters follow the load more closely."""
    job = profile.job.service
    if profile.job.ends:
        return chips * clock.run_h[:, LIKELY]
    if job is None or not job.autoscale:
        return chips.astype(float)
    by_use = np.array([option.offer.purchase_model in PAY_PER_USE for option in pool.options])[pool.option_of]
    held = shares_scaled(
        job, [throughputs[system].load for system in pool.system_of.tolist()], clock.units.astype(np.float64)
    )
    return np.where(by_use, chips * held, chips)


def _by_option(option_of: Index, pairs: Index) -> Iterator[tuple[int, list[int]]]:
    """The options of some pairs, in their order, each with its pairs."""
    options, starts = np.unique(option_of[pairs], return_index=True)
    for option, own in zip(options.tolist(), np.split(pairs, starts[1:]), strict=False):
        yield option, own.tolist()


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
    option_of: Index, fits: Mask, alone: Mask, effort: Array, time: Array, chips: NDArray[np.intp]
) -> list[int]:
    """Of each option, where none meets the limits: the cheapest whose run alone would be in time, else the fastest or
    largest."""
    runs = alone | fits
    better = np.where(alone, effort, np.where(fits, time, -np.arange(len(fits))))
    firsts, _ = first_of_groups(option_of, ~alone, ~runs, better, np.where(runs, chips, 0))
    return [int(row) for row in firsts]


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
