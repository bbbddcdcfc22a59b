"""A scale phase takes chips for its own dates, where nobody typed how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from core.comparison.over_time.answer import over_time
from core.comparison.over_time.held import held_by, other_counts
from core.comparison.over_time.runs import Run, runs_of
from core.comparison.over_time.words import story
from core.comparison.result import ResultSet
from core.workload.phases import Phase

START = date(2026, 12, 1)
Answers = Mapping[str, ResultSet]


@pytest.fixture(scope="module")
def phases(mixed_phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """Trials, then the scale run on GPU."""
    explore, scale = mixed_phases[0], mixed_phases[3]
    return explore, scale.model_copy(update={"platform": "gpu"})


def _scale(phases: tuple[Phase, ...], answers: Answers, due: float | None = None, **changes: Any) -> Run:
    return runs_of((phases[0], phases[1].model_copy(update=changes)), answers, START, due)[1]


def _weighing(answers: Answers, **weights: float) -> Answers:
    known = answers["pretraining-70b"]
    profile = known.profile.model_copy(update={"weights": known.profile.weights.model_copy(update=weights)})
    return {**answers, "pretraining-70b": replace(known, profile=profile)}


def test_up_to_a_typed_end_it_takes_the_chips_that_do_the_work_in_time_and_cost_least_a_day(
    phases: tuple[Phase, ...], answers: Answers
) -> None:
    usual = _scale(phases, answers)
    run = _scale(phases, answers, end=START + timedelta(days=190))
    assert run.held.n_chips < usual.held.n_chips and float(run.end[0]) == 190.0
    assert run.held.run_days.high <= run.working[0] and run.cost.likely < usual.held.usd_per_day * run.working[0]
    counts = other_counts(answers["pretraining-70b"], phases[1], run.held)
    fewer = [one for one in counts if one.usd_per_day < run.held.usd_per_day]
    assert fewer and all(one.run_days.high > run.working[0] for one in fewer)


def test_by_a_deadline_the_weights_of_the_workload_choose_among_those_in_time(
    phases: tuple[Phase, ...], answers: Answers
) -> None:
    thrifty, hasty = _weighing(answers, cost=1.0, time=0.0), _weighing(answers, cost=0.0, time=1.0)
    cheap, soon = (_scale(phases, one, 260.0) for one in (thrifty, hasty))
    assert cheap.cost.likely < soon.cost.likely and cheap.end[0] > soon.end[0]
    assert cheap.end[0] <= 260.0 and cheap.held.sized_for == 260.0
    tight = _scale(phases, thrifty, 140.0)
    assert cheap.held.n_chips < tight.held.n_chips and tight.end[0] <= 140.0


@pytest.mark.parametrize("changes", [{"chips": 256}, {"days": 30.0}, {"candidate": "pick"}])
def test_what_is_typed_is_taken_and_what_cannot_be_in_time_stays(
    phases: tuple[Phase, ...], answers: Answers, changes: dict[str, Any]
) -> None:
    usual = held_by(answers["pretraining-70b"], phases[1])
    assert usual is not None
    if "candidate" in changes:
        changes = {"candidate": usual.result.id}
    thrifty = _weighing(answers, cost=1.0, time=0.0)
    typed = _scale(phases, thrifty, 260.0, **changes)
    assert typed.held.n_chips == changes.get("chips", usual.n_chips) and typed.held.sized_for is None
    late = _scale(phases, answers, 10.0)
    assert late.held.n_chips == usual.n_chips and late.held.sized_for is None


def test_why_says_for_which_day_it_is_so_many_chips(phases: tuple[Phase, ...], answers: Answers) -> None:
    thrifty = _weighing(answers, cost=1.0, time=0.0)
    answer = over_time(phases, thrifty, START + timedelta(days=260))
    assert answer is not None
    time = next(one for one in story(answer, answer.own, answer.own.runs[1]).chapters if one.title == "Time")
    assert "So many chips for 18 Aug 2027" in [str(line.words) for line in time.lines]
