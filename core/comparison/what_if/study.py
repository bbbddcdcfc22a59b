"""One answer asked again and again in worlds that differ in an input or two, among the few options that could win.

What is asked is what an evaluation does, step by step and with its own functions: search, judge, stand. Only the
options are fewer (see :mod:`core.comparison.what_if.contending`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.comparison.chance.contest import Contest
from core.comparison.chance.errors import N_DRAWS, N_SCREENED
from core.comparison.judge.assemble import Judged, judge
from core.comparison.rank.standings import Standings, standings
from core.comparison.result import Basis, ResultSet
from core.comparison.search.predictions import Predict, RememberedPredictions
from core.comparison.shortlisting import Prepare, ground_of
from core.comparison.what_if.contending import contending
from core.comparison.what_if.few import (
    MOST_LATELY,
    Everyone,
    Few,
    Gap,
    Met,
    Origin,
    Pair,
    Proved,
    efforts_of,
    keep,
    mean_goodness,
    screened_of,
    side_of,
)
from core.comparison.what_if.inputs import Input, inputs_of
from core.comparison.what_if.tilts import tilted_search
from core.comparison.what_if.world import World
from core.throughput.predict import predict

Move = tuple[Input, float]
MOST_KEPT = 4000
"""Verdicts that are kept."""
NONE_FITS = "none fits"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is picked in one world: the candidate's id, its chip's id and its short name; ``pick`` is None where nothing
    fits. ``lead_usd`` is what the best of another chip would lose beyond the pick, as a part of the pick's cost; None
    where there is no other chip; ``lead_at_worst`` is by how much the pick is better than these when things go badly,
    below 0 where it is behind. ``goodness`` is the mean over the draws of the best of each chip, by its id."""

    pick: str | None
    chip: str | None = None
    name: str = NONE_FITS
    lead_usd: float | None = None
    lead_at_worst: float | None = field(default=None, compare=False)
    goodness: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)

    def ahead(self, chip: str | None, other: str | None) -> float | None:
        """By how much the best of one chip is better on average than that of another; None where one does not fit."""
        of_chip, of_other = self.goodness.get(chip or ""), self.goodness.get(other or "")
        return None if of_chip is None or of_other is None else of_chip - of_other


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
    in_usd = -contest.regret_of(contest.means)  # all on the pick's cost: 0 where another chip is as good
    regret, worst = _beyond_others(in_usd, contest.pick), _beyond_others(contest.worst, contest.pick)
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


class Study:
    """What is known of one answer so far, for two of its candidates; asked from one thread at a time."""

    n_draws = N_DRAWS
    _of_all_draws: Mapping[Hashable, Verdict] = MappingProxyType({})
    """Of a quick study the verdicts over all draws that are known."""
    _quick: Study | None = None

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
        self._origin = Origin(self.basis, results.profile, RememberedPredictions())
        self._everyone = Everyone(self._origin, judged)
        self._proved = Proved(self._origin, self._everyone)
        self._firm, self._all = (
            Few(self._origin, screened_of(self._everyone.options, keys)) for keys in (firm, firm | others)
        )
        self._asked: dict[tuple[str, ...], Pair] = {}
        self._pair = Pair(self._origin, [side_of(judged, one) for one in names])
        self.inputs = inputs_of(results.profile, self.a, self.b, efforts_of(judged), self.basis.catalogue)

    @property
    def quick(self) -> Study:
        """The same study over the few draws that put all options in order, for verdicts that are told first and held
        against all draws later. What all draws say is taken where it is known."""
        if self.n_draws == N_SCREENED:
            return self
        if self._quick is None:
            self.verdict()  # so that both start from one pick
            self._quick = copy(self)
            self._quick.n_draws, self._quick._of_all_draws = N_SCREENED, self._verdicts
            self._quick._verdicts, self._quick._lately = OrderedDict(), OrderedDict()
        return self._quick

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
        return self._verdicts.get(key) or self._of_all_draws.get(key) or verdict_of(*self.met(*moves))

    def stood(self, *moves: Move) -> tuple[Judged, Standings]:
        """How the contenders stand; see :meth:`met`."""
        judged, _ = self.met(*moves)
        return judged, standings(judged.profile, judged)

    def met(self, *moves: Move) -> Met:
        """The contenders and their contest; where none that is proved fits, with those that are not."""
        key = _key(moves)
        if key not in self._lately:
            world = self.world(*moves)
            judged, contest = self._firm.met(world, self.n_draws)
            known = (judged, contest) if contest else self._all.met(world, self.n_draws)
            keep(self._lately, key, known, MOST_LATELY)
            keep(self._verdicts, key, verdict_of(*known), MOST_KEPT)
        return self._lately[key]

    def gap(self, *moves: Move) -> Gap | None:
        """A less B where some inputs have other values; None without B."""
        return None if self.b is None else self._pair.gap(self.world(*moves), self.met(*moves))

    def rest(self) -> None:
        """Forgets what answers were worked out with, some 50 MB of a service; verdicts stay, and what is asked again is
        worked out again. From the thread that asks."""
        for study in (self, self._quick or self):
            study._lately.clear()
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
            self._asked[names] = Pair(self._origin, [side_of(judged, one) for one in names])
        contest = self.met(*moves)[1]
        if contest is None:
            return np.full(len(names), np.nan)
        judged, rows = self._asked[names].with_rows(self.world(*moves))
        regrets = contest.regret_of(mean_goodness(judged, contest, rows), judged.bills.likely_usd[rows])
        return np.where(judged.columns.feasible[np.array(rows)], regrets, np.nan)

    def sides(self, *moves: Move) -> tuple[Judged, list[int]]:
        """A, and B where there is one, judged alone, and their rows."""
        return self._pair.with_rows(self.world(*moves))


def _key(moves: Sequence[Move]) -> Hashable:
    """What names a world: values that are not as they are now."""
    return tuple(sorted((one.id, value) for one, asked in moves if (value := one.settled(asked)) != one.now))
