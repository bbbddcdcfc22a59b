"""Scenarios side by side: only what differs, each answer with its difference, one sentence, the same options."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.time_measure import time_measure
from core.plan.sample_plan import sample_plan
from core.plan.scenario import edit_in
from core.ranges import Range
from core.report.scenarios.answers import AnswerRow, ScenarioAnswer, _scale, answer_rows, miss_words, signed
from core.report.scenarios.head import _number, head_words
from core.report.scenarios.inputs import differing_inputs
from core.report.scenarios.options import MOST_OPTIONS, budget_of, same_options
from core.units import Money, money_in, plain, span, usd
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Limits, Profile

Answers = tuple[ScenarioAnswer, ...]


def row(answers: Answers, row_id: str, reference: int = 0) -> AnswerRow:
    return next(one for one in answer_rows(answers, reference) if one.id == row_id)


def test_only_inputs_that_differ_are_listed_and_the_changed_cells_known() -> None:
    ids = [one.id for one in sample_plan().scenarios]
    inputs = differing_inputs(sample_plan(), 0, ids)
    assert [one.info.path for one in inputs.rows] == ["places.purchase_models", "limits.deadline_days"]
    assert [cell.is_changed for cell in inputs.rows[1].cells] == [False, False, False, True]
    assert [cell.text for cell in inputs.rows[1].cells] == ["60 days", "60 days", "60 days", "30 days"]
    assert [inputs.n_changed(column) for column in range(4)] == [0, 1, 0, 1]
    assert inputs.rows[0].cells[1].text == "Also spot, not flex start, capacity block"
    assert inputs.n_in_all > 50


def test_a_scenario_of_another_kind_of_job_says_what_is_not_there() -> None:
    plan = edit_in(sample_plan(), "scenario-3", "profiles.0.job.kind", "online_serving")
    rows = {one.info.path: one for one in differing_inputs(plan, 0, ["base", "scenario-3"]).rows}
    tokens = rows["job.n_tokens"].cells
    assert (tokens[0].is_there, tokens[1].is_there, tokens[1].is_changed) == (True, False, True)
    assert "job.kind" in rows


def test_the_sentence_counts_changes_and_names_the_scenario_without_an_answer(answers: Answers) -> None:
    assert head_words(answers) == 'The pick changes in one of two; nothing fits in "Done in 30 days"'
    assert head_words(answers[:2]) == "The pick stays"
    assert head_words(answers[:1]).startswith("No scenarios yet")
    assert head_words((answers[2], *answers[:2])) == "Nothing fits as it stands; something does in two of two"
    assert head_words((answers[0], replace(answers[1], results=None))) == "Working out the answers"
    assert answers[0].results is not None
    told = replace(answers[0].results.recommendation, choice=None, headline="Fill in tokens to see a ranking")
    blank = replace(answers[0], results=replace(answers[0].results, results=(), recommendation=told))
    assert head_words((blank, blank)) == "Fill in tokens to see a ranking"


@pytest.mark.parametrize(("count", "words"), [(0, "none"), (1, "one"), (9, "nine"), (10, "10"), (12, "12")])
def test_numbers_to_nine_are_words(count: int, words: str) -> None:
    assert _number(count) == words


@pytest.mark.parametrize(
    ("largest_usd", "unit", "n_decimals"),
    [(1.23e9, "$B", 2), (123e6, "$M", 0), (12.3e6, "$M", 1), (10e6, "$M", 1), (9.99e6, "$M", 2), (1e6, "$M", 2),
     (100e3, "$k", 0), (1e3, "$k", 2), (999.0, "$", 0), (0.0, "$", 2)],
)  # fmt: skip
def test_a_column_is_told_to_three_digits_of_its_largest(largest_usd: float, unit: str, n_decimals: int) -> None:
    divisor, told, decimals = _scale(largest_usd)
    assert (told, decimals) == (unit, n_decimals)
    assert largest_usd < 1 or 1 <= largest_usd / divisor < 1000


def test_a_difference_has_its_sign_and_none_where_nothing_is_left_of_it() -> None:
    told = [signed(value, lambda one: f"{one:.1f}") for value in (0.26, -0.26, 0.04, -0.04, 0.0)]
    assert told == ["+0.3", "\u22120.3", "", "", ""]


def test_where_nothing_fits_the_nearest_stands_with_its_miss_and_the_change_that_admits_it(answers: Answers) -> None:
    pick, nearest = row(answers, "pick").cells[0], row(answers, "pick").cells[2]
    assert nearest.text == "None fits" and nearest.second_tone == "bad"
    assert nearest.second == f"nearest: {pick.text}, 1.3\u202fd late"
    assert row(answers, "better").cells[2].text == "Fits with a deadline of 32\u202fd"
    assert row(answers, "best").cells[2].text == "–"


def costing(answer: ScenarioAnswer, usd: float) -> ScenarioAnswer:
    """The answer with a pick that likely costs so much."""
    base = answer.results
    assert base is not None and base.choice is not None
    cost = replace(base.choice.cost, total=base.choice.cost.total.scaled(usd / base.choice.cost.total.likely))
    return replace(answer, results=replace(base, results=(replace(base.choice, cost=cost), *base.results[1:3])))


def test_differences_are_to_the_scenario_asked_for(answers: Answers) -> None:
    both = costing(answers[0], 1_456_000), replace(costing(answers[0], 728_000), id="cheap", name="Cheap")
    money = row(both, "cost")
    assert (money.title, money.cells[0].text, money.cells[1].difference) == ("Total cost, $M", "1.46", "−0.73")
    assert row(both, "cost", reference=1).cells[0].difference == "+0.73"
    assert row(answers, "days").cells[1].difference == ""


def test_regret_is_told_as_in_every_other_place(answers: Answers) -> None:
    base = answers[0].results
    assert base is not None and base.choice is not None and base.choice.chance is not None
    regret = replace(base.choice, chance=replace(base.choice.chance, regret_usd=143_200.0))
    told = row((replace(answers[0], results=replace(base, results=(regret, *base.results[1:3]))),), "regret")
    assert (told.title, told.cells[0].text) == ("If wrong, $k", "140")
    assert usd(143_200.0, 2) == "$140\u202fk"


def test_money_follows_the_currency_of_the_moment(answers: Answers) -> None:
    with money_in(Money("EUR", 0.5)):
        told = row((costing(answers[0], 1_456_000),), "cost")
        assert (told.title, told.cells[0].text) == ("Total cost, €k", "728")


def test_the_same_options_stand_in_every_scenario_with_one_pick_each(answers: Answers) -> None:
    rows = same_options(answers)
    assert 3 <= len(rows) <= MOST_OPTIONS
    picks = [[point.is_pick for point in one.points if point] for one in rows]
    assert picks[0] == [True, True, False] and not any(map(any, picks[1:]))
    assert rows[0].points[2] is not None and rows[0].points[2].words == "1.3\u202fd late"
    assert {one.first.candidate.accelerator.kind for one in rows} >= {"gpu", "tpu"}
    base = answers[0].results
    assert base is not None and budget_of(base) == 3e6


def test_another_number_of_chips_says_how_many_and_by_how_much_they_miss(answers: Answers) -> None:
    """Only "1 024 chips" stood there, in black: how late they are was lost."""
    points = [point for one in same_options(answers) for point in one.points if point and not point.is_as_many]
    assert points and all(point.words.endswith("\u202fd late") for point in points)
    assert {point.n_words for point in points} == {"512 chips", "1\u202f024 chips"}
    assert all(point.n_words == "" for one in same_options(answers[:1]) for point in one.points if point)


@pytest.mark.parametrize(
    ("name", "row_id", "title", "unit"),
    [
        ("speech-to-text", "hours", "Hours per batch", "h"),
        ("nightly-batch-scoring", "hours", "Hours per batch", "h"),
        ("sdxl-serving", "answer", "Time to an answer, ms", "ms"),
        ("video-service", "answer", "Time to an answer, s", "s"),
    ],
)
def test_where_nobody_waits_for_a_token_the_job_s_own_time_is_told(
    name: str, row_id: str, title: str, unit: str
) -> None:
    """Speech, images and batches had a "next token"."""
    results = evaluate((load_profiles() | more_profiles())[name], load_catalogue())
    both = ScenarioAnswer("base", "Base", results), ScenarioAnswer("same", "The same", results)
    told = row(both, row_id)
    assert told.title == title and "speed" not in {one.id for one in answer_rows(both)}
    pick, measure = results.choice, time_measure(results.profile)
    time = measure.value(pick) if pick else None
    assert time is not None
    likely, low, high = (plain(one / (1000.0 if unit == "s" else 1.0), 2) for one in (time.likely, time.low, time.high))
    assert [(cell.text, cell.second, cell.difference) for cell in told.cells] == [(likely, span(low, high), "")] * 2
    words = next(point.words for one in same_options(both) for point in one.points if point and point.is_pick)
    assert words == measure.text(time.likely) and words.endswith(f"\u202f{unit}")


def test_scenarios_of_two_kinds_of_job_tell_the_time_of_each(answers: Answers) -> None:
    served = ScenarioAnswer("served", "Served", evaluate(load_profiles()["nightly-batch-scoring"], load_catalogue()))
    rows = {one.id: one for one in answer_rows((answers[0], served))}
    assert [cell.text == "–" for cell in rows["days"].cells] == [False, True]
    assert [cell.text == "–" for cell in rows["hours"].cells] == [True, False]


def test_an_unknown_answer_is_told_as_such(answers: Answers) -> None:
    waiting = replace(answers[1], results=None)
    refused = replace(answers[1], results=None, problem="Tokens are needed")
    assert row((answers[0], waiting), "pick").cells[1].text == "…"
    assert row((answers[0], refused), "pick").cells[1].tone == "bad"
    assert answer_rows((waiting,)) == ()


@pytest.mark.parametrize("n_known", [0, 1])
def test_rows_are_there_as_soon_as_one_answer_is(answers: Answers, n_known: int) -> None:
    shown = tuple(one if n < n_known else replace(one, results=None) for n, one in enumerate(answers))
    assert bool(answer_rows(shown)) == bool(n_known)


@pytest.mark.parametrize(
    ("code", "limits", "words"),
    [
        ("deadline", {"deadline_days": 10.0}, "5.0\u202fd late"),
        ("deadline", {"deadline_days": None}, "misses deadline"),
        ("budget", {"budget_usd": 1e6}, "$200\u202fk over"),
        ("budget", {"budget_usd": None}, "misses budget"),
        ("memory", {"deadline_days": 10.0, "budget_usd": 1e6}, "misses memory"),
        ("", {"deadline_days": 10.0, "budget_usd": 1e6}, ""),
    ],
)
def test_by_how_much_the_first_limit_is_missed(code: str, limits: dict[str, float | None], words: str) -> None:
    """15 days where 10 are given, $1.2 M where one is; other limits are missed without an amount."""
    days, total = Range(12.0, 15.0, 20.0), Range(1.1e6, 1.2e6, 1.4e6)
    result: Any = SimpleNamespace(
        reasons=(SimpleNamespace(code=code),) if code else (), days_to_finish=days, cost=SimpleNamespace(total=total)
    )
    profile = Profile(limits=Limits.model_validate(limits))
    assert miss_words(profile, result) == words
    endless: Any = SimpleNamespace(**{**vars(result), "days_to_finish": None})
    assert code != "deadline" or miss_words(profile, endless) == "misses deadline"
