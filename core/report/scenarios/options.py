"""The same few options in every scenario: what each costs there, when it is ready, or by how much it misses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.catalogue.chip_families import family_of
from core.comparison.cost_words import cost_told
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import time_measure
from core.ranges import Range
from core.report.scenarios.answers import ScenarioAnswer, miss_words
from core.units import counted
from core.workload.profile import Profile

MOST_OPTIONS = 6
Key = tuple[str, int]
"""A chip and a number of chips."""


@dataclass(frozen=True, slots=True)
class Point:
    """An option in one scenario. ``usd`` as the workload is told, of a run or of a month; ``words`` stand at its right:
    its time, or by how much it misses a limit. ``is_as_many`` is False where only another number of the same chips was
    worth comparing."""

    result: CandidateResult
    usd: Range
    words: str
    is_pick: bool
    is_as_many: bool = True

    @property
    def n_words(self) -> str:
        """``1 024 chips`` where these are not as many as the row's option has."""
        return "" if self.is_as_many else counted(self.result.candidate.n_chips, "chip")


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option, with its point in each scenario; None where the chip was not compared, and until it is known."""

    first: CandidateResult
    points: tuple[Point | None, ...]


def same_options(answers: Sequence[ScenarioAnswer]) -> tuple[OptionRow, ...]:
    """Picks, then runners-up, then the best of each family of chips, up to six."""
    known = [one.results for one in answers if one.results]
    firsts: dict[Key, CandidateResult] = {}
    for result in (*_picks(known), *_runners_up(known), *_best_of_families(known)):
        firsts.setdefault(_key(result), result)
    chosen = list(firsts.values())[:MOST_OPTIONS]
    return tuple(OptionRow(one, tuple(_point(one, answer.results) for answer in answers)) for one in chosen)


def budget_of(results: ResultSet) -> float | None:
    """The budget in the terms of the points: None where costs are told by the month, which it does not limit."""
    is_total = results.profile.job.months_in_service is None
    return results.profile.limits.budget_usd if is_total else None


def _key(result: CandidateResult) -> Key:
    return result.candidate.accelerator.id, result.candidate.n_chips


def _picks(known: Sequence[ResultSet]) -> list[CandidateResult]:
    return [one.choice for one in known if one.choice]


def _runners_up(known: Sequence[ResultSet]) -> list[CandidateResult]:
    ids = ((one, one.recommendation.runner_up or "") for one in known)
    return [one.by_id[rival] for one, rival in ids if rival in one.row_of]


def _best_of_families(known: Sequence[ResultSet]) -> list[CandidateResult]:
    """The first option of each family in the first scenario, then the first of other chips."""
    every = [result for one in known[:1] for result in one.best_per_accelerator[: 2 * MOST_OPTIONS]]
    families: dict[str, CandidateResult] = {}
    for result in every:
        families.setdefault(family_of(result.candidate.accelerator).id, result)
    return [*families.values(), *every]


def _point(option: CandidateResult, results: ResultSet | None) -> Point | None:
    row = _row_of(option, results) if results else None
    if results is None or row is None:
        return None
    result = results.results[row]
    is_as_many = _key(result) == _key(option)
    words, is_pick = _words(results.profile, result), result.id == results.recommendation.choice
    return Point(result, cost_told(results.profile, result.cost), words, is_pick, is_as_many)


def _row_of(option: CandidateResult, results: ResultSet) -> int | None:
    """The row of so many chips: the pick, else one that fits, else the very offer, else what can best be had; where
    only other numbers of them were compared, the first of the chip."""
    columns, chip = results.columns, option.candidate.accelerator.id
    rows = [row for row, one in enumerate(columns.accelerators) if one.id == chip]
    same = [row for row in rows if columns.n_chips[row] == option.candidate.n_chips]
    pick, trust = results.row_of.get(results.recommendation.choice or "", -1), columns.trust
    own = results.row_of.get(option.id, -1)
    order = sorted(same or rows, key=lambda row: (row != pick, not columns.feasible[row], row != own, -trust[row]))
    return next(iter(order), None)


def _words(profile: Profile, result: CandidateResult) -> str:
    """``36 d``, ``8.1 h``, ``570 ms``; of an option that misses a limit by how much: ``$0.14 M over``, ``6 d late``."""
    if not result.feasible:
        return miss_words(profile, result)
    measure = time_measure(profile)
    time = measure.value(result)
    return measure.text(time.likely) if time else ""
