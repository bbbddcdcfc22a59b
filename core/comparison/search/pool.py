"""Pairs of an option and a cluster to predict; clusters that several offers share are predicted once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.places.distance import route_of
from core.catalogue.sellers.waits import NO_WAIT, Waits, waits_of
from core.comparison.search.counts import (
    apart_counts,
    exact_unit_counts,
    joins,
    least_of,
    nearest_count,
    rentable_counts,
    run_size_of,
    slice_for,
    training_counts,
    unit_counts,
)
from core.comparison.search.option_set import OptionSet, numbered, paired
from core.comparison.search.options import Option, kind_of
from core.constants import BYTES_PER_VALUE_WITHOUT_SCALES
from core.rows import each_once
from core.throughput.chips.run_formats import planned_formats
from core.throughput.input_pipeline import input_sample_of, input_sample_of_network
from core.throughput.types import System
from core.workload.models.network import NetworkModel
from core.workload.profile import Profile

Index = NDArray[np.intp]
WAY_STEPS = 30
LEAST_STEP_MS = 10.0
_WAIT_SPAN = 1 << 44
"""More chips than any pair has."""


@dataclass(frozen=True)
class SpeedGroups:
    """Options that only price and region tell apart, so that speed and time are the same for all of a group.

    ``firsts``: an option of each group, in order of their coming, and ``route_ms`` its way to users; ``group_of``,
    shape (n options,), points into them.
    """

    firsts: tuple[Option, ...]
    route_ms: tuple[float, ...]
    group_of: Index


def speed_groups_of(profile: Profile, catalogue: Catalogue, option_set: OptionSet, taken: Index) -> SpeedGroups:
    """Groups of some options of the set, ``taken`` by number; the way to users is a matter of the region."""
    route_ms = np.array([_route_ms(profile, catalogue, offer) for offer in option_set.places])
    _, routes = np.unique(route_ms, return_inverse=True)
    places = option_set.place_of[taken]
    group_of, firsts = numbered(paired(option_set.group_of[taken], routes[places]).tolist())
    options = tuple(option_set.options[number] for number in taken[firsts].tolist())
    return SpeedGroups(options, tuple(route_ms[places[firsts]].tolist()), group_of)


@dataclass(frozen=True)
class Kinds:
    """Options to pair with counts, and what decides of it, whatever time is left for a run.

    ``kind_of``, shape (n options,), is the same number for options whose clusters are the same to the engine; the other
    two stand by that number: the way to users, and the counts worth predicting by the days that are left. ``waits_of``,
    shape (n options,), points into ``waits``.
    """

    options: tuple[Option, ...]
    kind_of: tuple[int, ...]
    route_ms: tuple[float, ...]
    counts: tuple[Callable[[float | None], tuple[int, ...]], ...]
    waits: tuple[Waits, ...]
    waits_of: Index

    _systems: dict[tuple[int, int], System] = field(default_factory=dict, compare=False)

    def system(self, catalogue: Catalogue, option: Option, kind: int, n_chips: int) -> System:
        """The cluster of so many chips of a kind, of which the option is one; the same object whenever it is asked."""
        key = kind, n_chips
        return self._systems.get(key) or self._systems.setdefault(
            key, _system(catalogue, option, n_chips, self.route_ms[kind])
        )

    @cached_property
    def _wait_steps(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Where waits begin, and their low, likely and high days, shape (n steps, 3); sizes of all ``waits`` lie one
        after the other, each in a span of numbers of its own (see :data:`_WAIT_SPAN`)."""
        steps = [(number, *step) for number, waits in enumerate(self.waits) for step in ((0, NO_WAIT), *waits)]
        starts = np.array([number * _WAIT_SPAN + start for number, start, _ in steps], dtype=np.int64)
        days = [(wait.days.low, wait.days.likely, wait.days.high) for _, _, wait in steps]
        return starts, np.array(days, dtype=np.float64).reshape(-1, 3)

    def waiting_days(self, option_of: Index, n_chips: Index) -> NDArray[np.float64]:
        """Low, likely and high days until so many chips of some options are there, shape (n, 3); see
        :mod:`core.catalogue.sellers.waits`."""
        starts, days = self._wait_steps
        return days[np.searchsorted(starts, self.waits_of[option_of] * _WAIT_SPAN + n_chips, side="right") - 1]

    @cached_property
    def chips(self) -> tuple[list[str], Index]:
        """The ids of the chips, each once, and which of them each option has, shape (n options,)."""
        chip_of, firsts = numbered(option.accelerator.id for option in self.options)
        return [self.options[row].accelerator.id for row in firsts], chip_of

    @cached_property
    def chips_per_host(self) -> Index:
        """Chips of the server of each option, shape (n options,)."""
        return np.array([option.chips_per_host for option in self.options], dtype=np.intp)

    @cached_property
    def held_chips(self) -> NDArray[np.float64]:
        """Chips of each option that the user has, inf for what is for sale, shape (n options,)."""
        return np.array([option.offer.held_chips or np.inf for option in self.options])

    @cached_property
    def spot(self) -> list[int]:
        """The numbers of the options on spot."""
        return [n for n, option in enumerate(self.options) if option.offer.purchase_model == "spot"]


@dataclass(frozen=True)
class Pool:
    """``option_of`` and ``system_of``, shape (n pairs,), point into options and systems; pairs of one option lie
    together. ``has_room``, of the same shape, marks those that are taken as often as carries a load however slow they
    turn out (see :func:`core.comparison.judge.room.with_room`); None where no pair is."""

    kinds: Kinds
    systems: tuple[System, ...]
    option_of: Index
    system_of: Index
    has_room: NDArray[np.bool_] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """What is paired with systems."""
        return self.kinds.options

    @property
    def n_pairs(self) -> int:
        """Pairs to look at."""
        return len(self.option_of)


def kinds_of(
    profile: Profile, catalogue: Catalogue, options: Sequence[Option], route_ms: Sequence[float] | None = None
) -> Kinds:
    """The kinds of some options; ``route_ms`` is their way to users, where it is known already."""
    by_processors = _takes_processors(profile)
    route_ms = route_ms or [_route_ms(profile, catalogue, one.offer) for one in options]
    kinds = ((*kind_of(one, by_processors), way_ms) for one, way_ms in zip(options, route_ms, strict=True))
    numbers, firsts = numbered(kinds)
    counts_of = _worth_predicting(profile, catalogue)
    counts = tuple(counts_of(options[row]) for row in firsts)
    waits, list_of = each_once([waits_of(catalogue, option.offer) for option in options])
    ways_ms = tuple(route_ms[row] for row in firsts)
    return Kinds(tuple(options), tuple(numbers.tolist()), ways_ms, counts, tuple(waits), list_of)


def build_pool(catalogue: Catalogue, kinds: Kinds, days_left: Sequence[float | None]) -> Pool:
    """All pairs worth predicting; ``days_left`` says how long a run may take on each option, None for any time."""
    numbers: dict[tuple[int, int], int] = {}
    systems: list[System] = []
    systems_of: dict[tuple[int, float | None], list[int]] = {}
    of_options = []
    for option, kind, days in zip(kinds.options, kinds.kind_of, days_left, strict=True):
        own = systems_of.get((kind, days))
        if own is None:
            breathe()
            own = systems_of[kind, days] = []
            for count in kinds.counts[kind](days):
                if (kind, count) not in numbers:
                    numbers[kind, count] = len(systems)
                    systems.append(kinds.system(catalogue, option, kind, count))
                own.append(numbers[kind, count])
        of_options.append(own)
    n_of_option = np.array([len(own) for own in of_options], dtype=np.intp)
    option_of = np.repeat(np.arange(len(of_options), dtype=np.intp), n_of_option)
    return Pool(kinds, tuple(systems), option_of, np.array(list(chain.from_iterable(of_options)), dtype=np.intp))


def _takes_processors(profile: Profile) -> bool:
    """True where processors of the hosts prepare the samples of a training run, so that their number counts."""
    run, model = profile.job.training, profile.model
    if run is None:
        return False
    if isinstance(model, NetworkModel):
        return input_sample_of_network(run, model.family).processor_s > 0
    return input_sample_of(run, model.vocab_size).processor_s > 0


def _route_ms(profile: Profile, catalogue: Catalogue, offer: Offer) -> float:
    """Round trip to the users as the time limits count it, 0 where it is not known or nothing depends on it.

    Rounded up in steps of a thirtieth of the limit, so that far fewer clusters differ in it alone.
    """
    route, limits = route_of(profile, catalogue, offer), profile.job.time_limits
    if route is None or not (limits.counts_the_way or profile.is_in_samples):
        return 0.0
    limit_ms = limits.first_ms or limits.whole_ms
    step_ms = max(limit_ms / WAY_STEPS, 1.0) if limit_ms else LEAST_STEP_MS
    return step_ms * ceil(route.ms(limits.percentile).likely / step_ms)


def _worth_predicting(
    profile: Profile, catalogue: Catalogue
) -> Callable[[Option], Callable[[float | None], tuple[int, ...]]]:
    """The counts of an option worth predicting, by the days left for the run.

    One host at least, even where that is over the limit: the option is then turned down with the limit named.
    """
    job, most, exact = profile.job, profile.limits.max_chips, profile.limits.exact_chips
    run = job.training and run_size_of(profile.model, job.training, planned_formats(profile))
    n_models = job.service.n_models if job.service else 1
    n_spread = n_models if job.service and job.service.pools == "off" else 1  # caches pass between joined machines
    weight_bytes = n_models * BYTES_PER_VALUE_WITHOUT_SCALES[job.compute_precision] * profile.model.n_params

    def counts(option: Option) -> Callable[[float | None], tuple[int, ...]]:
        if exact is not None:
            total = (nearest_count(option, catalogue, min(exact, option.offer.held_chips or exact)),)
            asked = total if run else exact_unit_counts(option, catalogue, exact, weight_bytes, n_spread)
            return lambda _: asked
        rentable = rentable_counts(option, catalogue, most) or (option.chips_per_host,)
        if run:
            return partial(training_counts, rentable, least_of(run, option))
        if n_spread > 1 and not joins(option):
            units = apart_counts(option, n_spread, min(most, option.offer.held_chips or most), weight_bytes)
        else:
            units = unit_counts(rentable, weight_bytes, option)
        return lambda _: units

    return counts


def _system(catalogue: Catalogue, option: Option, n_chips: int, route_ms: float) -> System:
    of_host = min(option.chips_per_host, n_chips)
    is_apart = n_chips > of_host and not joins(option)
    return System(
        accelerator=option.accelerator,
        n_chips=n_chips,
        chips_per_host=of_host,
        network_gbit_per_s=option.network_gbit_per_s,
        network_estimate=option.network_estimate,
        slice=slice_for(option, catalogue, of_host if is_apart else n_chips) if option.accelerator.torus_dims else None,
        host=option.host,
        route_ms=route_ms,
        apart=is_apart,
    )
