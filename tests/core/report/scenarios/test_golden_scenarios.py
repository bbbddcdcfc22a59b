"""Scenarios side by side, of a run and of a service: no figure and no word drifts unseen."""

from __future__ import annotations

from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.report.scenarios.answers import AnswerCell, ScenarioAnswer, answer_rows
from core.report.scenarios.options import OptionRow, same_options
from core.workload.profile import Profile
from tests.golden import assert_kept

Answers = tuple[ScenarioAnswer, ...]


@pytest.fixture(scope="module")
def served() -> Answers:
    """The service of the sample plan as it is, with half its budget, and with an answer that no chip gives so fast."""
    profile = next(one for one in sample_plan().profiles if one.job.kind == "online_serving")

    def answer(name: str, profile: Profile) -> ScenarioAnswer:
        return ScenarioAnswer(name, name, evaluate(profile, load_catalogue()))

    tight = profile.job.model_copy(update={"ttft_limit_ms": 1.0})
    cheap = profile.limits.model_copy(update={"budget_usd": 1.0})
    return (
        answer("as it is", profile),
        answer("too fast", profile.model_copy(update={"job": tight})),
        answer("too cheap", profile.model_copy(update={"limits": cheap})),
        ScenarioAnswer("none", "none", problem="It cannot be."),
    )


def _told(answers: Answers, reference: int = 0) -> list[Any]:
    rows = answer_rows(answers, reference)
    return [[one.id, one.title, one.is_figure, one.below, *map(_cell, one.cells)] for one in rows]


def _cell(cell: AnswerCell) -> list[str]:
    words = [cell.text, cell.second, cell.difference, cell.tone, cell.second_tone, cell.difference_tone]
    return [*words, cell.mark.id if cell.mark else ""]


def _option(row: OptionRow) -> list[Any]:
    points = [one and [one.result.id, one.usd, one.words, one.is_pick, one.is_as_many] for one in row.points]
    return [row.first.id, *points]


def test_a_run_is_kept(answers: Answers) -> None:
    options = [_option(row) for row in same_options(answers)]
    assert_kept("scenarios_run", [_told(answers), _told(answers, 2), options])


def test_a_service_is_kept(served: Answers) -> None:
    options = [_option(row) for row in same_options(served)]
    assert_kept("scenarios_service", [_told(served), _told(served, 1), options])
