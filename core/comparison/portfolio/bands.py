"""The stack of a pool over its weeks: whose chips they are in each week's busiest slot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.demand import has_load_by_hour
from core.comparison.portfolio.result import Band, Chips, Pool, Use
from core.workload.profile import Profile

PACKED, PACKED_NAME = "packed", "Small models, packed"


def bands_of(pool: Pool, calendar: Calendar) -> tuple[Band, ...]:
    """Layers from below: packed models, then workloads by their chip hours, the steadiest first; in each week they add
    up to the chips that are at work at most."""
    slots = busiest_slots(pool.at_work, calendar)
    packed = [Band(PACKED, PACKED_NAME, _at(pool.packed, slots), True)] if pool.packed is not None else []
    uses = sorted((one for one in pool.uses if not one.is_packed), key=lambda one: (_unsteady(one.at_work), one.name))
    return (*packed, *(_band(one, slots) for one in uses))


def _band(use: Use, slots: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Band:
    at_busiest = int(use.most_pooled.max(initial=0))
    return Band(use.profile.id, use.name, _at(use.at_work, slots), _is_flat(use.profile), at_busiest)


def busiest_slots(chips: Chips, calendar: Calendar) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Day and slot of each week in which most chips are at work, the first of equal ones, shapes (n weeks,)."""
    places = list(_busiest(chips, calendar))
    days, slots = np.array(places, dtype=np.intp).reshape(-1, 2).T
    return days, slots


def _busiest(chips: Chips, calendar: Calendar) -> Iterator[tuple[int, int]]:
    n_slots = chips.shape[1]
    for week in range(int(calendar.week_of[-1]) + 1):
        days = np.flatnonzero(calendar.week_of == week)
        at = int(np.argmax(chips[days]))
        yield int(days[at // n_slots]), at % n_slots


def _at(chips: Chips, slots: tuple[NDArray[np.intp], NDArray[np.intp]]) -> tuple[int, ...]:
    return tuple(int(one) for one in chips[slots])


def _unsteady(chips: Chips) -> float:
    """Share of the time in which a workload holds no chip, 0..1."""
    return float((chips == 0).mean())


def _is_flat(profile: Profile) -> bool:
    """A service of which no load by hour is known; batches and runs have hours of their own."""
    return profile.job.service is not None and not has_load_by_hour(profile)
