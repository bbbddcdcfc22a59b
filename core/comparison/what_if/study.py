"""One answer asked again and again in worlds that differ in an input or two, among the few options that could win.

What is asked is what an evaluation does, step by step and with its own functions: search, judge, stand. Only the
options are fewer (see :mod:`core.comparison.what_if.contending`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.comparison.chance.cautious import goodness_by_parts
from core.comparison.chance.contest import Contest
from core.comparison.chance.errors import N_DRAWS
from core.comparison.judge.assemble import Judged, judge
from core.comparison.judge.calendar import calendar_days, days_before, porting_efforts
from core.comparison.judge.durations import LIKELY
from core.comparison.rank.standings import Standings, standings
from core.comparison.result import Basis, ResultSet
from core.comparison.search.options import Option
from core.comparison.search.pool import kinds_of
from core.comparison.search.predictions import Predict, RememberedPredictions
from core.comparison.search.screen import Screened
from core.comparison.shortlisting import Ground, Prepare, ground_of
from core.comparison.what_if.contending import contending
from core.comparison.what_if.inputs import Input, inputs_of
from core.comparison.what_if.tilts import OptionKey, option_key, tilted_search
from core.comparison.what_if.world import World
from core.ranges import Range
from core.throughput.predict import predict
from core.workload.profile import Profile

Move = tuple[Input, float]
MOST_KEPT, MOST_LATELY = 4000, 96
"""Verdicts, and whole standings, that are kept."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is picked in one world: the candidate's id, its chip's id and its short name; ``pick`` is None where nothing
    fits. ``lead_usd`` is what the best of another chip would cost in regret beyond the pick; None where there is no
    other chip."""

    pick: str | None
    chip: str | None = None
    name: str = "none fits"
    lead_usd: float | None = None


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


def verdict_of(judged: Judged, ranking: Standings) -> Verdict:
    """Who is picked, and by how much."""
    contest = ranking.contest
    if contest is None:
        return Verdict(None)
    row, regrets = contest.best, contest.regret_usd
    others = np.delete(regrets, contest.pick)
    lead = float(others.min() - regrets[contest.pick]) if len(others) else None
    columns = judged.columns
    chip = columns.accelerators[row]
    return Verdict(columns.ids[row], chip.id, judged.shortlisted.candidates[row].name, lead)


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

    def __init__(self, results: ResultSet, a: str, b: str | None) -> None:
        """``a`` and ``b`` are ids of candidates of the results; ``b`` is None where there is one option only.

        Raises ValueError for results that were put together by hand, KeyError for an unknown candidate.
        """
        if results.basis is None:
            raise ValueError("Results without a basis can't be asked what if")
        self.results, self.basis = results, results.basis
        self.a, self.b = results.by_id[a], None if b is None else results.by_id[b]
        self.now = World(results.profile)
        judged, _ = stood(self.now, self.basis)
        names = (a,) if b is None else (a, b)
        firm, others = contending(judged, frozenset(results.by_id[one].candidate.accelerator.id for one in names))
        self._firm, self._all = (
            _Few(self.basis, _screened(judged, firm)),
            _Few(self.basis, _screened(judged, firm | others)),
        )
        self._pair = _Pair(self.basis, [_side(judged, one) for one in names])
        self.inputs = inputs_of(results.profile, self.a, self.b, _efforts(judged))
        self._verdicts: OrderedDict[Hashable, Verdict] = OrderedDict()
        self._lately: OrderedDict[Hashable, tuple[Judged, Standings]] = OrderedDict()

    def world(self, *moves: Move) -> World:
        """The world in which some inputs have other values."""
        world = self.now
        for one, value in moves:
            world = one.moved(world, value)
        return world

    def verdict(self, *moves: Move) -> Verdict:
        """Who is picked where some inputs have other values."""
        key = _key(moves)
        if key not in self._verdicts:
            self._verdicts[key] = verdict_of(*self.stood(*moves))
            if len(self._verdicts) > MOST_KEPT:
                self._verdicts.popitem(last=False)
        return self._verdicts[key]

    def stood(self, *moves: Move) -> tuple[Judged, Standings]:
        """How the contenders stand; where none that is proved fits, with those that are not."""
        key = _key(moves)
        if key not in self._lately:
            world = self.world(*moves)
            judged, ranking = self._firm.stood(world)
            self._lately[key] = (judged, ranking) if ranking.contest else self._all.stood(world)
            if len(self._lately) > MOST_LATELY:
                self._lately.popitem(last=False)
        return self._lately[key]

    def gap(self, *moves: Move) -> Gap | None:
        """A less B where some inputs have other values; None without B."""
        return None if self.b is None else self._pair.gap(self.world(*moves), self.stood(*moves)[1].contest)

    def sides(self, *moves: Move) -> tuple[Judged, list[int]]:
        """A, and B where there is one, judged alone, and their rows."""
        return self._pair.judged(self.world(*moves))


def _key(moves: Sequence[Move]) -> Hashable:
    """What names a world: values that are not as they are now."""
    return tuple(sorted((one.id, value) for one, asked in moves if (value := one.settled(asked)) != one.now))


class _Few:
    """A few options, asked in many worlds."""

    def __init__(self, basis: Basis, screened: Screened) -> None:
        self._basis, self._screened, self._predict = basis, screened, RememberedPredictions()

    def stood(self, world: World) -> tuple[Judged, Standings]:
        return stood(world, self._basis, self._predict, self._prepare)

    def _prepare(self, profile: Profile, catalogue: Catalogue) -> Ground:
        return few_ground(profile, catalogue, self._screened)


@dataclass(frozen=True)
class _Side:
    """A candidate as it is asked again: its option, the chips of one of its clusters, and of all."""

    option: Option
    n_unit: int
    n_chips: int


def _side(judged: Judged, name: str) -> _Side:
    """Raises ValueError for a candidate that is not among the judged."""
    row, listed = list(judged.columns.ids).index(name), judged.shortlisted
    n_chips = int(listed.n_chips[row])
    return _Side(listed.option(row), n_chips // int(listed.units[row]), n_chips)


class _Pair:
    """A and B alone, each with the number of chips that it has, or that its load calls for."""

    def __init__(self, basis: Basis, sides: Sequence[_Side]) -> None:
        self._basis, self._sides, self._predict = basis, tuple(sides), RememberedPredictions()
        self._screened = Screened(tuple(one.option for one in sides), ((),) * len(sides))

    def gap(self, world: World, contest: Contest | None) -> Gap:
        """A less B; ``contest`` is that of the contenders of the same world."""
        judged, rows = self.judged(world)
        a, b = rows
        likely_usd, days = judged.bills.likely_usd, judged.ready_days[:, LIKELY]
        regrets = None if contest is None else contest.regret_of(_mean_goodness(judged, contest, rows))
        return Gap(
            float(likely_usd[a] - likely_usd[b]),
            float(days[a] - days[b]) if world.profile.job.ends else None,
            None if regrets is None else float(regrets[0] - regrets[1]),
        )

    def judged(self, world: World) -> tuple[Judged, list[int]]:
        """The sides in a world, and their rows."""
        search = tilted_search(world.tilts, self._predict, self._prepare)
        worth = search(world.profile, self._basis.catalogue, self._basis.corrections)
        judged = judge(world.profile, self._basis.catalogue, worth.screened, worth.shortlisted, worth.efforts)
        return judged, [_row(judged, number, side.n_chips) for number, side in enumerate(self._sides)]

    def _prepare(self, profile: Profile, catalogue: Catalogue) -> Ground:
        ground = few_ground(profile, catalogue, self._screened)
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


def _row(judged: Judged, number: int, n_chips: int) -> int:
    """The row of one side: of those with room for the load and without, the nearest in size."""
    own = np.flatnonzero(judged.shortlisted.option_of == number)
    return int(own[np.argmin(np.abs(np.log(judged.shortlisted.n_chips[own] / n_chips)))])


def _mean_goodness(judged: Judged, contest: Contest, rows: Sequence[int]) -> NDArray[np.float64]:
    """Over the draws of the ranking, shape (k,)."""
    parts = goodness_by_parts(judged, contest.yardstick, np.array(rows), N_DRAWS)
    return np.concatenate([part.total.mean(axis=1, dtype=np.float64) for part in parts])


def _screened(judged: Judged, keys: frozenset[OptionKey]) -> Screened:
    """Some of the options that were judged, all within the hard limits."""
    options = tuple(one for one in judged.shortlisted.options if option_key(one) in keys)
    return Screened(options, ((),) * len(options))


def _efforts(judged: Judged) -> dict[str, Range]:
    """Engineer-weeks of porting by chip."""
    chips, weeks = judged.batch.accelerators, judged.batch.porting_weeks
    return {chip.id: Range(*weeks[row].tolist()) for row, chip in enumerate(chips)}
