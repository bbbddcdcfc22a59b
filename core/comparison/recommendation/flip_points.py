"""How far an input must move before another chip is picked, for the few inputs that are told with every answer.

What is told is what the what-if study says, held against evaluations of all options; "never" is an answer. It is worked
out when somebody first looks: most answers are never asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import overload

from core.amounts import Sentence, Text
from core.comparison.judge.assemble import Judged
from core.comparison.rank.standings import Standings
from core.comparison.result import FlipPoint, ResultSet
from core.comparison.what_if.checked import checked
from core.comparison.what_if.flips import Flip, flips, nearest_of
from core.comparison.what_if.inputs import SERVER_PRICE, Input
from core.comparison.what_if.rival import rival_of
from core.comparison.what_if.study import Study
from core.comparison.what_if.words import flip_words, now_words, title_of
from core.units import date_text, day_after
from core.workload.profile import Profile

DEADLINE = "limits.deadline_days"
WEIGHT = "weights.cost"
BUDGET = "limits.budget_usd"


@dataclass(frozen=True)
class _Told:
    flips: tuple[Flip, ...]
    points: tuple[FlipPoint, ...]


class FlipPoints(Sequence[FlipPoint]):
    """Price of the pick's chip, weight of cost, deadline, budget and porting: where each changes the pick's chip.

    Worked out at the first look, in whatever thread looks, and kept. Empty where there is no second option.
    """

    def __init__(self, results: ResultSet, judged: Judged, ranking: Standings) -> None:
        self.stood = judged, ranking
        self._results = results
        self._known: _Told | None = None
        self._lock = Lock()

    def flip(self, input_id: str) -> Flip | None:
        """The flip behind a point, None where an input is not among those told."""
        return next((one for one in self._told.flips if one.input.id == input_id), None)

    @property
    def is_known(self) -> bool:
        """True once somebody has looked."""
        return self._known is not None

    @property
    def _told(self) -> _Told:
        with self._lock:
            if self._known is None:
                self._known = _told(self._results, self.stood)
            return self._known

    def __len__(self) -> int:
        return len(self._told.points)

    @overload
    def __getitem__(self, index: int) -> FlipPoint: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FlipPoint, ...]: ...
    def __getitem__(self, index: int | slice) -> FlipPoint | tuple[FlipPoint, ...]:
        return self._told.points[index]


def flip_told(results: ResultSet, input_id: str, where_known: bool = False) -> Flip | None:
    """The flip of an input as it is told with the answer; None where it is not among those, or ``where_known`` and
    nobody has looked yet."""
    points = results.recommendation.would_change_it
    if not isinstance(points, FlipPoints) or (where_known and not points.is_known):
        return None
    return points.flip(input_id)


def study_of(results: ResultSet, a: str, b: str | None) -> Study | None:
    """The study of two options without another evaluation: the answer knows how all stood; None for one that was put
    together by hand."""
    points = results.recommendation.would_change_it
    return Study(results, a, b, points.stood) if isinstance(points, FlipPoints) else None


def _told(results: ResultSet, known: tuple[Judged, Standings]) -> _Told:
    pick = results.choice
    if pick is None or results.n_feasible < 2:
        return _Told((), ())
    rival = rival_of(results, pick)
    study = Study(results, pick.id, rival.id if rival else None, known)
    quick = study.quick
    found = tuple(checked(study, (nearest_of(quick, one) for one in flips(quick, _inputs(study)))))
    return _Told(found, tuple(_point(results.profile, flip) for flip in found))


def _inputs(study: Study) -> Iterator[Input]:
    """Those of the study that are told: what it asks of other chips is left to whoever compares."""
    price = f"price {study.a.candidate.accelerator.id}"
    known = {one.id: one for one in study.inputs}
    if known[BUDGET].is_unset:
        del known[BUDGET]
    price = price if price in known else SERVER_PRICE
    yield from (known[name] for name in (price, DEADLINE, BUDGET, WEIGHT) if name in known)
    yield from (one for one in study.inputs if one.id.startswith("porting "))


def _point(profile: Profile, flip: Flip) -> FlipPoint:
    one, end = flip.input, flip.nearest
    now = now_words(one) if one.is_unset else _dated(profile, one, one.now, now_words(one))
    if end is None:
        return FlipPoint(title_of(one), now, None, None, one.id)
    at = _dated(profile, one, end.value, flip_words(one, flip))
    return FlipPoint(title_of(one), now, at, end.new.pick, one.id, end.value, end.new.name, end.new.chip)


def _dated(profile: Profile, one: Input, value: float, words: Text) -> Text:
    """A deadline with the day that it is: of one at which the pick changes the first whole day beyond it."""
    if one.id != DEADLINE:
        return words
    whole = math.floor(value) if value < one.now else math.ceil(value)
    day = day_after(profile.limits.start_date, whole)
    return Sentence("{} ({})", words, date_text(day)) if day else words
