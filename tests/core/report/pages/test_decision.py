"""The page that answers: who stands beside the pick, and the lead with budget and days to spare."""

from dataclasses import replace
from datetime import date

import pytest

from core.comparison.recommendation.arguments import rivals
from core.comparison.result import CandidateResult
from core.plan.plan import Plan
from core.report.blocks import KpiTable, Paragraph
from core.report.pages.context import PageContext
from core.report.pages.decision import _spare, decision_page, title_sentence
from core.units import plain, span, usd


@pytest.fixture(params=["train", "serve"])
def page(request: pytest.FixtureRequest, plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results[request.param], catalogue, date(2026, 11, 21), "Base")


def _options(page: PageContext) -> dict[str, str]:
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    return {option.role: option.name for option in table.rows}


def _other_kind(page: PageContext) -> CandidateResult:
    assert page.pick is not None
    kind = page.pick.candidate.accelerator.kind
    return next(result for result in rivals(page.feasible) if result.candidate.accelerator.kind != kind)


def _with_runner_up(page: PageContext, runner_up: str | None) -> PageContext:
    recommendation = replace(page.results.recommendation, runner_up=runner_up)
    return replace(page, results=replace(page.results, recommendation=recommendation))


def test_pick_runner_up_and_the_best_of_the_other_kind_stand_side_by_side(page: PageContext) -> None:
    assert page.pick is not None
    same = next(r for r in page.feasible if r.id != page.pick.id and r.candidate.accelerator.kind == _kind(page))
    told = _options(_with_runner_up(page, same.id))
    other = _other_kind(page)
    word = {"gpu": "GPU", "tpu": "TPU", "other": "other chip"}[other.candidate.accelerator.kind]
    assert told == {
        "Pick": page.pick.candidate.name, "Runner-up": same.candidate.name, f"Best {word}": other.candidate.name,
    }  # fmt: skip


def test_nobody_stands_there_twice(page: PageContext) -> None:
    other = _other_kind(page)
    assert list(_options(_with_runner_up(page, other.id))) == ["Pick", "Runner-up"]


def test_without_a_runner_up_the_other_kind_still_stands_there(page: PageContext) -> None:
    first, second, *more = _options(_with_runner_up(page, None))
    assert (first, second[:5], more) == ("Pick", "Best ", [])


def _kind(page: PageContext) -> str:
    assert page.pick is not None
    return page.pick.candidate.accelerator.kind


def test_key_figures_are_those_of_the_option(page: PageContext) -> None:
    assert page.pick is not None
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    cost, time, score, _ = table.rows[0].kpis
    total, days = page.pick.cost.total, page.pick.days_to_finish
    assert (cost.low, cost.likely, cost.high) == (total.low, total.likely, total.high)
    assert cost.value == usd(total.likely, 2)
    points = page.pick.flexibility.score
    assert score.value == plain(points.likely, 2)
    assert score.range_text == f"{span(plain(points.low, 2), plain(points.high, 2))} of 100"
    assert (score.low, score.likely, score.high) == (points.low, points.likely, points.high)
    shown = days or page.pick.throughput.tokens_per_s
    assert (time.low, time.likely, time.high) == (shown.low, shown.likely, shown.high)
    assert table.titles[1] == ("Finish" if days else f"{page.profile.unit_word.capitalize()} per second")


@pytest.mark.parametrize(
    ("days", "words"),
    [(-3.0, ""), (0.9, ""), (1.0, " 1 day before the deadline,"), (2.9, " 2 days before the deadline,")],
)
def test_days_to_spare_are_whole_ones(days: float, words: str) -> None:
    assert _spare(days) == words


def test_the_lead_tells_budget_and_bill(page: PageContext) -> None:
    assert page.pick is not None
    limits = page.profile.limits.model_copy(update={"budget_usd": 5e9})
    profile = page.profile.model_copy(update={"limits": limits})
    held = replace(page, results=replace(page.results, profile=profile))
    leads = [
        next(
            block.text for block in decision_page(one).blocks if isinstance(block, Paragraph) and block.style == "lead"
        )
        for one in (page, held)
    ]
    bill = usd(page.pick.cost.total.likely)
    assert f"{bill} of the {usd(5e9)} budget" in leads[1]
    assert bill in leads[0] and "budget" not in leads[0].split(". ")[0]
    assert title_sentence(page.pick).startswith(f"Choose {page.pick.candidate.name}, ")
