"""Which limits candidates miss whatever their price: what is known of them before any bill."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.comparison.judge.calendar import longest_use_days, term_h
from core.comparison.judge.candidates import Shortlisted
from core.comparison.judge.durations import LIKELY
from core.comparison.judge.limits import hopeless, misses, past_term
from core.constants import HOURS_PER_DAY
from core.throughput.types import Throughput
from core.workload.profile import Profile

Array = NDArray[np.float64]


def misses_at_any_price(profile: Profile, shortlisted: Shortlisted) -> NDArray[np.bool_]:
    """Which limits candidates miss, but for the budget and the number of sellers, shape (n, number of limits); False
    where the cluster does not fit at all."""
    missed = misses(
        profile,
        shortlisted.n_chips,
        _hopeless(profile, shortlisted),
        past_term(*term_days(profile, shortlisted)),
        shortlisted.waiting_days[:, LIKELY],
        ready_days(profile, shortlisted)[:, LIKELY],
        _latency_ms(profile, shortlisted),
        np.array([one.offer.held_chips or np.inf for one in shortlisted.options])[shortlisted.option_of],
    )
    return np.asarray(missed & shortlisted.fits[:, None])


def ready_days(profile: Profile, shortlisted: Shortlisted) -> Array:
    """Days until the run is finished, or until the service can start, shape (n, 3)."""
    return shortlisted.days if profile.job.ends else shortlisted.porting_days + shortlisted.waiting_days


def term_days(profile: Profile, shortlisted: Shortlisted) -> tuple[Array, Array]:
    """Days that the work takes, and those after which its way to pay ends, shape (n,)."""
    days = term_h(profile, shortlisted.run_h[:, LIKELY]) / HOURS_PER_DAY
    longest = np.array([longest_use_days(profile, option.offer) for option in shortlisted.options])
    return days, longest[shortlisted.option_of]


def _hopeless(profile: Profile, shortlisted: Shortlisted) -> NDArray[np.bool_]:
    if shortlisted.undisturbed_h is None:
        return np.zeros(shortlisted.n, dtype=bool)
    return hopeless(profile, shortlisted.run_h[:, LIKELY], shortlisted.undisturbed_h[:, LIKELY])


def _latency_ms(profile: Profile, shortlisted: Shortlisted) -> tuple[Array, Array, Array]:
    """First token and whole answer, with the way to users, and between them each next one, at the percentile of
    the limits; nan without."""
    limits = profile.job.time_limits
    if not limits.is_set:
        unknown = np.full(shortlisted.n, np.nan)
        return unknown, unknown, unknown
    percentile = limits.percentile

    def first(speed: Throughput) -> float:
        return speed.latency.ttft_ms(percentile) + speed.system.route_ms if speed.latency else np.nan

    def each_next(speed: Throughput) -> float:
        return speed.latency.tpot_ms(percentile) if speed.latency else np.nan

    first_ms, token_ms = shortlisted.per_cluster(first), shortlisted.per_cluster(each_next)
    return first_ms, token_ms, limits.whole(first_ms, token_ms)
