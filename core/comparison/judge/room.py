"""Room above the load: as many clusters as carry a peak, or end a batch in its window, where they turn out slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.comparison.judge.durations import carried_tokens_per_s, slow_tokens_per_s, units_needed
from core.comparison.search.pool import Pool
from core.throughput.types import Throughput
from core.workload.profile import Profile


def with_room(profile: Profile, pool: Pool, throughputs: Sequence[Throughput]) -> Pool:
    """The pairs, each followed by itself taken as often as the load takes where it turns out slow, where that is more
    than at the likely speed and keeps a limit more often: the window of a batch, or the peak of a service and the
    latencies that its load decides.

    Nothing is added where the number of chips is asked for.
    """
    is_at_stake = profile.job.round_limit_h is not None or profile.job.answers_users
    if not is_at_stake or profile.limits.exact_chips is not None:
        return pool
    speeds = carried_tokens_per_s(profile, throughputs), slow_tokens_per_s(profile, throughputs)
    fewest, with_room = (units_needed(profile, speed) for speed in speeds)
    helps = np.array([speed.fits and _is_eased(profile, speed) for speed in throughputs], dtype=bool)
    times = np.where(helps & (with_room > fewest), 2, 1)[pool.system_of]
    pairs = np.repeat(np.arange(pool.n_pairs), times)
    is_second = np.concatenate(([False], pairs[1:] == pairs[:-1]))
    return replace(pool, option_of=pool.option_of[pairs], system_of=pool.system_of[pairs], has_room=is_second)


def _is_eased(profile: Profile, speed: Throughput) -> bool:
    """True where more of them carry more: a batch, or answers of which it is known how they take a load."""
    return profile.job.round_limit_h is not None or speed.load is not None
