"""One answer asked again and again in worlds that differ in an input or two, among the few options that could win.

What is asked is what an evaluation does, step by step and with its own functions: search, judge, stand. Only the
options are fewer (see :mod:`core.comparison.what_if.contending`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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
from core.comparison.judge.durations import LIKELY
from core.comparison.rank.standings import Standings, contest_alone, standings
from core.comparison.result import Basis, ResultSet
from core.comparison.search.options import Option
from core.comparison.search.pool import kinds_of
from core.comparison.search.predictions import Predict, RememberedPredictions
from core.comparison.search.screen import Screened
from core.comparison.shortlisting import Ground, Prepare, RememberedSearch, WorthBilling, ground_of, read_by_search
from core.comparison.what_if.contending import contending
from core.comparison.what_if.inputs import Input, inputs_of
from core.comparison.what_if.tilts import OptionKey, Tilts, option_key, priced, tilted_search
from core.comparison.what_if.world import World
from core.ranges import Range
from core.throughput.predict import predict
from core.workload.profile import Profile

Move = tuple[Input, float]
Met = tuple[Judged, Contest | None]
"""The candidates of a world, and the contest between them; None where nothing fits."""
T = TypeVar("T")
MOST_KEPT, MOST_LATELY, MOST_OF_ALL = 4000, 16, 4
"""Verdicts that are kept, contests and searches of the few, and searches of all options, which take some 0.5 MB each:
of what came earlier hardly any is asked again."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is picked in one world: the candidate's id, its chip's id and its short name; ``pick`` is None where nothing
    fits. ``lead_usd`` is what the best of another chip would cost in regret beyond the pick; None where there is no
    other chip; ``lead_at_worst`` is by how much the pick is better than these when things go badly, below 0 where it
    is behind. ``goodness`` is the mean over the draws of the best of each chip, by its id."""

    pick: str | None
    chip: str | None = None
    name: str = "none fits"
    lead_usd: float | None = None
    lead_at_worst: float | None = field(default=None, compare=False)
    goodness: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)

    def ahead(self, chip: str | None, other: str | None) -> float | None:
        """By how much the best of one chip is better on average than that of another; None where one does not fit."""
        of_chip, of_other = self.goodness.get(chip or ""), self.goodness.get(other or "")
        return None if of_chip is None or of_other is None else of_chip - of_other


@dataclass(frozen=True, slots=True)
class Gap:
    """A less B: likely cost in USD, likely days (None where nothing ends), expected regret in USD (None where nothing
    fits)."""

    cost_usd: float
    days: float | None
    regret_usd: float | None


def stood(
    world: World, basis: Basis, predict: Predict = predict, prepare: Prepare = ground_of
) -> tuple[Judged, Standings]:
    """The candidates of a world, judged and in order; with the defaults, as an evaluation has them."""
    profile, catalogue = world.profile, basis.catalogue
    worth = tilted_search(world.tilts, predict, prepare)(profile, catalogue, basis.corrections)
    breathe()
    judged = judge(profile, catalogue, worth.screened, worth.shortlisted, worth.efforts)
    breathe()
    return judged, standings(profile, judged)


def verdict_of(judged: Judged, contest: Contest | None) -> Verdict:
    """Who is picked, and by how much."""
    if contest is None:
        return Verdict(None)
    one = judged.shortlisted.candidates[contest.best]
    regret, worst = _beyond_others(-contest.regret_usd, contest.pick), _beyond_others(contest.worst, contest.pick)
    chips = (judged.batch.accelerators[row].id for row in contest.rows.tolist())
    goodness = dict(zip(chips, contest.means.tolist(), strict=True))
    return Verdict(one.id, one.accelerator.id, one.name, regret, worst, goodness)


def _beyond_others(values: NDArray[np.float64], place: int) -> float | None:
    """By how much the value at a place is above the largest of the others; None without any."""
    others = np.delete(values, place)
    return float(values[place] - others.max()) if len(others) else None


def verdict_in(world: World, basis: Basis) -> Verdict:
    """Who an evaluation of all options picks in a world."""
    judged, ranking = stood(world, basis)
    return verdict_of(judged, ranking.contest)


def few_ground(profile: Profile, catalogue: Catalogue, screened: Screened) -> Ground:
    """The ground for a few options that are known to be within the hard limits, each for itself."""
    kinds = kinds_of(profile, catalogue, screened.options)
    efforts = porting_efforts(profile, catalogue, {one.accelerator.id for one in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    each = np.arange(len(screened.options), dtype=np.intp)
    return Ground(
        screened, kinds, each, np.ones_like(each), efforts, porting, tuple(days_before(kinds, porting).tolist())
    )


class Study:
    """What is known of one answer so far, for two of its candidates; asked from one thread at a time."""

    def __init__(
        self, results: ResultSet, a: str, b: str | None, known: tuple[Judged, Standings] | None = None
    ) -> None:
        """``a`` and ``b`` are ids of candidates of the results; ``b`` is None where there is one option only. ``known``
        is how all candidates stand now, where somebody has it already.

        Raises ValueError for results that were put together by hand, KeyError for an unknown candidate.
        """
        if results.basis is None:
            raise ValueError("Results without a basis can't be asked what if")
        self.results, self.basis = results, results.basis
        self.a, self.b = results.by_id[a], None if b is None else results.by_id[b]
        self.now = World(results.profile)
        judged, ranking = known or stood(self.now, self.basis)
        names = (a,) if b is None else (a, b)
        chips = frozenset(results.by_id[one].candidate.accelerator.id for one in names)
        firm, others = contending(judged, ranking, chips)
        self._verdicts: OrderedDict[Hashable, Verdict] = OrderedDict()
        self._lately: OrderedDict[Hashable, Met] = OrderedDict()
        self._of_all: dict[Hashable, Verdict] = {}
        self._origin = _Origin(self.basis, results.profile, RememberedPredictions())
        self._everyone = _Everyone(self._origin, judged)
        self._proved = _Proved(self._origin, self._everyone)
        self._firm, self._all = (
            _Few(self._origin, _screened(self._everyone.options, keys)) for keys in (firm, firm | others)
        )
        self._asked: dict[tuple[str, ...], _Pair] = {}
        self._pair = _Pair(self._origin, [_side(judged, one) for one in names])
        self.inputs = inputs_of(results.profile, self.a, self.b, _efforts(judged))

    def verdict_of_all(self, *moves: Move) -> Verdict:
        """Who is picked where all options are asked, as an evaluation does."""
        key = _key(moves)
        if key not in self._of_all:
            world = self.world(*moves)
            judged, contest = self._proved.met(world)
            known = (judged, contest) if contest else self._everyone.met(world)
            self._of_all[key] = verdict_of(*known)
        return self._of_all[key]

    def world(self, *moves: Move) -> World:
        """The world in which some inputs have other values."""
        world = self.now
        for one, value in moves:
            world = one.moved(world, value)
        return world

    def verdict(self, *moves: Move) -> Verdict:
        """Who is picked where some inputs have other values."""
        key = _key(moves)
        return self._verdicts.get(key) or verdict_of(*self.met(*moves))

    def stood(self, *moves: Move) -> tuple[Judged, Standings]:
        """How the contenders stand; see :meth:`met`."""
        judged, _ = self.met(*moves)
        return judged, standings(judged.profile, judged)

    def met(self, *moves: Move) -> Met:
        """The contenders and their contest; where none that is proved fits, with those that are not."""
        key = _key(moves)
        if key not in self._lately:
            world = self.world(*moves)
            judged, contest = self._firm.met(world)
            known = (judged, contest) if contest else self._all.met(world)
            _keep(self._lately, key, known, MOST_LATELY)
            _keep(self._verdicts, key, verdict_of(*known), MOST_KEPT)
        return self._lately[key]

    def gap(self, *moves: Move) -> Gap | None:
        """A less B where some inputs have other values; None without B."""
        return None if self.b is None else self._pair.gap(self.world(*moves), self.met(*moves)[1])

    def rest(self) -> None:
        """Forgets what answers were worked out with, some 50 MB of a service; verdicts stay, and what is asked again is
        worked out again. From the thread that asks."""
        self._lately.clear()
        for few in (self._everyone, self._proved, self._firm, self._all, self._pair, *self._asked.values()):
            few.rest()
        self._origin.predict.forget()

    def regrets_of(self, names: tuple[str, ...], *moves: Move) -> NDArray[np.float64]:
        """Expected regret in USD of options of now where some inputs have other values, each with the chips that it
        has or that its load calls for, shape (n,); nan where it misses a limit, or nothing fits.

        Raises ValueError for an option that is none of the contenders of now.
        """
        if names not in self._asked:
            judged = self.met()[0]
            self._asked[names] = _Pair(self._origin, [_side(judged, one) for one in names])
        contest = self.met(*moves)[1]
        if contest is None:
            return np.full(len(names), np.nan)
        judged, rows = self._asked[names].with_rows(self.world(*moves))
        regrets = contest.regret_of(_mean_goodness(judged, contest, rows))
        return np.where(judged.columns.feasible[np.array(rows)], regrets, np.nan)

    def sides(self, *moves: Move) -> tuple[Judged, list[int]]:
        """A, and B where there is one, judged alone, and their rows."""
        return self._pair.with_rows(self.world(*moves))


def _keep(known: OrderedDict[Hashable, T], key: Hashable, value: T, most: int) -> None:
    known[key] = value
    if len(known) > most:
        known.popitem(last=False)


def _key(moves: Sequence[Move]) -> Hashable:
    """What names a world: values that are not as they are now."""
    return tuple(sorted((one.id, value) for one, asked in moves if (value := one.settled(asked)) != one.now))


@dataclass(frozen=True)
class _Origin:
    """What all worlds of a study come from, and the engine, which is asked once of a system in one of them."""

    basis: Basis
    now: Profile
    predict: RememberedPredictions


class _Few:
    """A few options, asked in many worlds: what a world leaves as it is now is not worked out again."""

    most_searches = MOST_LATELY

    def __init__(self, origin: _Origin, screened: Screened) -> None:
        self._basis, self._now, self._predict = origin.basis, origin.now, origin.predict
        self._screened = screened
        self._worths: OrderedDict[Hashable, WorthBilling] = OrderedDict()

    def rest(self) -> None:
        """Keeps nothing but how they stand now."""
        self._worths.clear()

    def met(self, world: World) -> Met:
        """They and their contest in a world."""
        judged = self.judged(world)
        breathe()
        return judged, contest_alone(world.profile, judged)

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
            _keep(self._worths, key, self._searched(world.profile, tilts), self.most_searches)
        known = self._worths[key]
        if len(tilts) == len(world.tilts):
            return known
        return replace(
            known,
            screened=replace(known.screened, options=priced(known.screened.options, world.tilts)),
            shortlisted=replace(known.shortlisted, options=priced(known.shortlisted.options, world.tilts)),
        )

    def _searched(self, profile: Profile, tilts: Tilts) -> WorthBilling:
        search = tilted_search(tilts, self._predict, self._prepare)
        return search(profile, self._basis.catalogue, self._basis.corrections)

    @cached_property
    def _ground_now(self) -> Ground:
        return self._ground(self._now)

    def _prepare(self, profile: Profile, _: Catalogue) -> Ground:
        return self._ground_now if profile is self._now else self._ground(profile)

    def _ground(self, profile: Profile) -> Ground:
        return few_ground(profile, self._basis.catalogue, self._screened)


class _Everyone(_Few):
    """All options as an evaluation has them; how they stand now is known."""

    most_searches = MOST_OF_ALL

    def __init__(self, origin: _Origin, judged: Judged) -> None:
        super().__init__(origin, judged.screened)
        known = WorthBilling(judged.screened, judged.shortlisted, _efforts(judged))
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


class _Proved(_Few):
    """Of all options the candidates that can be had at a proved price and speed: where one of them fits, the pick is
    taken among them, and no other has a say in it."""

    most_searches = MOST_OF_ALL

    def __init__(self, origin: _Origin, everyone: _Everyone) -> None:
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
class _Side:
    """A candidate as it is asked again: its option, the chips of one of its clusters, and of all. ``has_room`` for
    more than the load; None where as many clusters as carry it have that too."""

    option: Option
    n_unit: int
    n_chips: int
    has_room: bool | None


def _side(judged: Judged, name: str) -> _Side:
    """Raises ValueError for a candidate that is not among the judged."""
    row, listed = list(judged.columns.ids).index(name), judged.shortlisted
    of_unit = listed.n_chips // listed.units
    alike = listed.n_chips[(listed.option_of == listed.option_of[row]) & (of_unit == of_unit[row])]
    n_chips = int(listed.n_chips[row])
    has_room = None if alike.min() == alike.max() else bool(n_chips == alike.max())
    return _Side(listed.option(row), int(of_unit[row]), n_chips, has_room)


class _Pair(_Few):
    """A and B alone, each with the number of chips that it has, or that its load calls for."""

    def __init__(self, origin: _Origin, sides: Sequence[_Side]) -> None:
        super().__init__(origin, Screened(tuple(one.option for one in sides), ((),) * len(sides)))
        self._sides = tuple(sides)

    def gap(self, world: World, contest: Contest | None) -> Gap:
        """A less B; ``contest`` is that of the contenders of the same world."""
        judged, rows = self.with_rows(world)
        a, b = rows
        likely_usd, days = judged.bills.likely_usd, judged.ready_days[:, LIKELY]
        regrets = None if contest is None else contest.regret_of(_mean_goodness(judged, contest, rows))
        return Gap(
            float(likely_usd[a] - likely_usd[b]),
            float(days[a] - days[b]) if world.profile.job.ends else None,
            None if regrets is None else float(regrets[0] - regrets[1]),
        )

    def with_rows(self, world: World) -> tuple[Judged, list[int]]:
        """The sides in a world, and their rows."""
        judged = self.judged(world)
        return judged, [_row(judged, number, side) for number, side in enumerate(self._sides)]

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


def _only(n_chips: int) -> Callable[[float | None], tuple[int, ...]]:
    return lambda _: (n_chips,)


def _row(judged: Judged, number: int, side: _Side) -> int:
    """The row of one side: of those with room for more than the load and without, the one that is as it is now; else
    the nearest in size."""
    own = np.flatnonzero(judged.shortlisted.option_of == number)
    n_chips = judged.shortlisted.n_chips[own]
    if side.has_room is not None:
        return int(own[np.argmax(n_chips) if side.has_room else np.argmin(n_chips)])
    return int(own[np.argmin(np.abs(np.log(n_chips / side.n_chips)))])


def _mean_goodness(judged: Judged, contest: Contest, rows: Sequence[int]) -> NDArray[np.float64]:
    """Over the draws of the ranking, shape (k,)."""
    parts = goodness_by_parts(judged, contest.yardstick, np.array(rows), N_DRAWS)
    return np.concatenate([part.total.mean(axis=1, dtype=np.float64) for part in parts])


def _screened(options: Mapping[OptionKey, Option], keys: frozenset[OptionKey]) -> Screened:
    """Some options, all within the hard limits, in the order of all."""
    taken = tuple(one for key, one in options.items() if key in keys)
    return Screened(taken, ((),) * len(taken))


def _efforts(judged: Judged) -> dict[str, Range]:
    """Engineer-weeks of porting by chip."""
    chips, weeks = judged.batch.accelerators, judged.batch.porting_weeks
    return {chip.id: Range(*weeks[row].tolist()) for row, chip in enumerate(chips)}
