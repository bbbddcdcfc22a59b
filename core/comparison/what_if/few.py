"""A few options of an answer, asked again in many worlds: what a world leaves as it is now is not worked out again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.comparison.chance.cautious import goodness_by_parts
from core.comparison.chance.contest import Contest
from core.comparison.chance.errors import N_DRAWS
from core.comparison.judge.assemble import Judged, having, is_firm, judge
from core.comparison.judge.calendar import calendar_days, days_before, porting_efforts
from core.comparison.rank.standings import contest_alone, time_of_all
from core.comparison.result import Basis
from core.comparison.search.options import Option
from core.comparison.search.pool import kinds_of
from core.comparison.search.predictions import RememberedPredictions
from core.comparison.search.screen import Screened
from core.comparison.shortlisting import Ground, RememberedSearch, WorthBilling, read_by_search
from core.comparison.what_if.tilts import OptionKey, Tilts, option_key, priced, tilted_search
from core.comparison.what_if.world import World
from core.ranges import Range
from core.workload.profile import Profile

Met = tuple[Judged, Contest | None]
"""The candidates of a world, and the contest between them; None where nothing fits."""
T = TypeVar("T")
MOST_LATELY, MOST_OF_ALL = 16, 4
"""Contests and searches of the few that are kept, and searches of all options, which take some 0.5 MB each: of what
came earlier hardly any is asked again."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A less B: likely cost in USD, what the ranking counts as time (days to finish, hours of a batch, ms per token or
    to an answer; None where one of them never gets there), expected regret in USD (None where nothing fits)."""

    cost_usd: float
    time: float | None
    regret_usd: float | None


def few_ground(profile: Profile, catalogue: Catalogue, screened: Screened) -> Ground:
    """The ground for a few options that are known to be within the hard limits, each for itself."""
    kinds = kinds_of(profile, catalogue, screened.options)
    efforts = porting_efforts(profile, catalogue, {one.accelerator.id for one in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    each = np.arange(len(screened.options), dtype=np.intp)
    return Ground(
        screened, kinds, each, np.ones_like(each), efforts, porting, tuple(days_before(kinds, porting).tolist())
    )


def keep(known: OrderedDict[Hashable, T], key: Hashable, value: T, most: int) -> None:
    """Puts a value into what is kept; the oldest goes where there are too many."""
    known[key] = value
    if len(known) > most:
        known.popitem(last=False)


@dataclass(frozen=True)
class Origin:
    """What all worlds of a study come from, and the engine, which is asked once of a system in one of them."""

    basis: Basis
    now: Profile
    predict: RememberedPredictions


class Few:
    """A few options, asked in many worlds: what a world leaves as it is now is not worked out again."""

    most_searches = MOST_LATELY
    low_ends_stay = False

    def __init__(self, origin: Origin, screened: Screened) -> None:
        self._basis, self._now, self._predict = origin.basis, origin.now, origin.predict
        self._screened = screened
        self._worths: OrderedDict[Hashable, WorthBilling] = OrderedDict()

    def rest(self) -> None:
        """Keeps nothing but how they stand now."""
        self._worths.clear()

    def met(self, world: World, n_draws: int = N_DRAWS) -> Met:
        """They and their contest in a world."""
        judged = self.judged(world)
        breathe()
        return judged, contest_alone(world.profile, judged, n_draws)

    def judged(self, world: World) -> Judged:
        """They in a world, not in order yet."""
        profile = world.profile
        if not world.tilts and _without_ranking(profile, self._now) == self._now:
            return replace(self._judged_now, profile=profile)
        worth = self._worth(world)
        breathe()
        return judge(profile, self._basis.catalogue, worth.screened, worth.shortlisted, worth.efforts)

    @cached_property
    def _judged_now(self) -> Judged:
        worth = self._worth(World(self._now))
        return judge(self._now, self._basis.catalogue, worth.screened, worth.shortlisted, worth.efforts)

    def _worth(self, world: World) -> WorthBilling:
        """What is worth a bill there; a price is no matter of the search."""
        tilts = tuple(one for one in world.tilts if one.quantity != "price")
        key = tilts, *read_by_search(world.profile)
        if key not in self._worths:
            keep(self._worths, key, self._searched(world.profile, tilts), self.most_searches)
        known = self._worths[key]
        if len(tilts) == len(world.tilts):
            return known
        return replace(
            known,
            screened=replace(known.screened, options=priced(known.screened.options, world.tilts)),
            shortlisted=replace(known.shortlisted, options=priced(known.shortlisted.options, world.tilts)),
        )

    def _searched(self, profile: Profile, tilts: Tilts) -> WorthBilling:
        search = tilted_search(tilts, self._predict, self._prepare, self.low_ends_stay)
        return search(profile, self._basis.catalogue, self._basis.corrections)

    @cached_property
    def _ground_now(self) -> Ground:
        return self._ground(self._now)

    def _prepare(self, profile: Profile, _: Catalogue) -> Ground:
        return self._ground_now if profile is self._now else self._ground(profile)

    def _ground(self, profile: Profile) -> Ground:
        return few_ground(profile, self._basis.catalogue, self._screened)


class Everyone(Few):
    """All options as an evaluation has them; how they stand now is known."""

    most_searches = MOST_OF_ALL

    def __init__(self, origin: Origin, judged: Judged) -> None:
        super().__init__(origin, judged.screened)
        known = WorthBilling(judged.screened, judged.shortlisted, efforts_of(judged))
        self._worths_now: dict[Hashable, WorthBilling] = {((), *read_by_search(origin.now)): known}
        self._worths.update(self._worths_now)
        self._judged_now, self._remembered = judged, RememberedSearch()

    def rest(self) -> None:
        """As others, with all that is worth a bill now."""
        super().rest()
        self._worths.update(self._worths_now)
        self._remembered = RememberedSearch()

    @cached_property
    def options(self) -> Mapping[OptionKey, Option]:
        """Those that miss no hard limit, by their names."""
        screened = self._ground_now.screened
        of_all = zip(screened.options, screened.reasons, strict=True)
        return {option_key(one): one for one, reasons in of_all if not reasons}

    def worth(self, profile: Profile, tilts: Tilts) -> WorthBilling:
        """What is worth a bill where no price is tilted."""
        return self._worth(World(profile, tilts))

    def _ground(self, profile: Profile) -> Ground:
        return self._remembered.ground(profile, self._basis.catalogue)


class Proved(Few):
    """Of all options the candidates that can be had at a proved price and speed: where one of them fits, the pick is
    taken among them, and no other has a say in it."""

    most_searches = MOST_OF_ALL

    def __init__(self, origin: Origin, everyone: Everyone) -> None:
        super().__init__(origin, Screened((), ()))
        self._everyone = everyone

    def _searched(self, profile: Profile, tilts: Tilts) -> WorthBilling:
        worth, catalogue = self._everyone.worth(profile, tilts), self._basis.catalogue
        rows = np.flatnonzero(is_firm(worth.shortlisted, having(worth.shortlisted, catalogue)))
        shortlisted, left = worth.shortlisted.taken(rows)
        return WorthBilling(worth.screened.taken(left), shortlisted, worth.efforts)


def _without_ranking(profile: Profile, now: Profile) -> Profile:
    """A profile with the weights and the budget of now, which only the ranking and its limits read."""
    limits = profile.limits.model_copy(update={"budget_usd": now.limits.budget_usd})
    return profile.model_copy(update={"weights": now.weights, "limits": limits})


@dataclass(frozen=True)
class Side:
    """A candidate as it is asked again: its id, its option, the chips of one of its clusters, and of all. ``has_room``
    for more than the load; None where as many clusters as carry it have that too."""

    name: str
    option: Option
    n_unit: int
    n_chips: int
    has_room: bool | None


def side_of(judged: Judged, name: str) -> Side:
    """Raises ValueError for a candidate that is not among the judged."""
    row, listed = list(judged.columns.ids).index(name), judged.shortlisted
    of_unit = listed.n_chips // listed.units
    alike = listed.n_chips[(listed.option_of == listed.option_of[row]) & (of_unit == of_unit[row])]
    n_chips = int(listed.n_chips[row])
    has_room = None if alike.min() == alike.max() else bool(n_chips == alike.max())
    return Side(name, listed.option(row), int(of_unit[row]), n_chips, has_room)


class Pair(Few):
    """A and B alone, each with the number of chips that it has, or that its load calls for: where one turns out slower,
    it has the room that was made for that, and makes no more."""

    def __init__(self, origin: Origin, sides: Sequence[Side]) -> None:
        super().__init__(origin, Screened(tuple(one.option for one in sides), ((),) * len(sides)))
        self._sides = tuple(sides)
        self.low_ends_stay = any(one.has_room for one in sides)

    def gap(self, world: World, contenders: Met) -> Gap:
        """A less B; both are among the ``contenders`` of the same world, or are judged alone."""
        judged, contest = contenders
        rows = self._rows_among(judged)
        if rows is None:
            judged, rows = self.with_rows(world)
        a, b = rows
        likely_usd = judged.bills.likely_usd
        regrets = None if contest is None else contest.regret_of(mean_goodness(judged, contest, rows), likely_usd[rows])
        return Gap(
            float(likely_usd[a] - likely_usd[b]),
            _time_gap(world.profile, judged, a, b),
            None if regrets is None else float(regrets[0] - regrets[1]),
        )

    def with_rows(self, world: World) -> tuple[Judged, list[int]]:
        """The sides in a world, and their rows."""
        judged = self.judged(world)
        return judged, [_row(judged, number, side) for number, side in enumerate(self._sides)]

    def _rows_among(self, judged: Judged) -> list[int] | None:
        """Where the sides are among others that were judged; None where one may stand there with more or less chips
        than it would alone."""
        listed, row_of = judged.shortlisted, {name: row for row, name in enumerate(judged.columns.ids)}
        rows = [row_of.get(side.name, -1) for side in self._sides]
        is_there = (
            row >= 0 and side.has_room is None and listed.n_chips[row] == side.n_unit * listed.units[row]
            for row, side in zip(rows, self._sides, strict=True)
        )
        return rows if all(is_there) else None

    def _ground(self, profile: Profile) -> Ground:
        ground = super()._ground(profile)
        kinds = ground.kinds
        of_each = replace(
            kinds,
            kind_of=tuple(range(len(self._sides))),
            route_ms=tuple(kinds.route_ms[kind] for kind in kinds.kind_of),
            counts=tuple(_only(side.n_unit) for side in self._sides),
        )
        return replace(ground, kinds=of_each)


def _time_gap(profile: Profile, judged: Judged, a: int, b: int) -> float | None:
    """In the unit of the job's time; None where one of them does not fit in memory, or never ends."""
    time = time_of_all(profile, judged)
    gap = float(time[a]) - float(time[b])
    return gap if judged.shortlisted.fits[[a, b]].all() and isfinite(gap) else None


def _only(n_chips: int) -> Callable[[float | None], tuple[int, ...]]:
    return lambda _: (n_chips,)


def _row(judged: Judged, number: int, side: Side) -> int:
    """The row of one side: of those with room for more than the load and without, the one that is as it is now; else
    the nearest in size."""
    own = np.flatnonzero(judged.shortlisted.option_of == number)
    n_chips = judged.shortlisted.n_chips[own]
    if side.has_room is not None:
        return int(own[np.argmax(n_chips) if side.has_room else np.argmin(n_chips)])
    return int(own[np.argmin(np.abs(np.log(n_chips / side.n_chips)))])


def mean_goodness(judged: Judged, contest: Contest, rows: Sequence[int]) -> NDArray[np.float64]:
    """Over the draws of the ranking, shape (k,)."""
    parts = goodness_by_parts(judged, contest.yardstick, np.array(rows), contest.n_draws)
    return np.concatenate([part.total.mean(axis=1, dtype=np.float64) for part in parts])


def screened_of(options: Mapping[OptionKey, Option], keys: frozenset[OptionKey]) -> Screened:
    """Some options, all within the hard limits, in the order of all."""
    taken = tuple(one for key, one in options.items() if key in keys)
    return Screened(taken, ((),) * len(taken))


def efforts_of(judged: Judged) -> dict[str, Range]:
    """Engineer-weeks of porting by chip."""
    chips, weeks = judged.batch.accelerators, judged.batch.porting_weeks
    return {chip.id: Range(*weeks[row].tolist()) for row, chip in enumerate(chips)}
