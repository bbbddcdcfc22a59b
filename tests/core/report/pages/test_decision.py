"""The page that answers: who stands beside the pick, and the lead with budget and days to spare."""

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.entries import OWN
from core.comparison.cost_words import cost_told
from core.comparison.recommendation.arguments import rivals
from core.comparison.result import CandidateResult
from core.plan.plan import Choice, Plan
from core.ranges import Evidence, Range
from core.report.blocks import KpiTable, Paragraph
from core.report.document import build
from core.report.having_words import chance_line, having_line, rival_line
from core.report.pages.context import PageContext, asked_text
from core.report.pages.decision import _late, _spare, decision_page, title_sentence
from core.throughput.types import Reason
from core.units import DASH, in_hundred, span, usd
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile


@pytest.fixture(params=["train", "serve"])
def page(request: pytest.FixtureRequest, plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results[request.param], catalogue, date(2026, 11, 21), "Base")


def _options(page: PageContext) -> dict[str, str]:
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    return {option.role: option.name for option in table.rows}


def _other_kind(page: PageContext) -> CandidateResult:
    assert page.pick is not None
    kind = page.pick.candidate.accelerator.kind
    ranked = (*rivals(page.results.trusted), *rivals(page.results.results[: page.results.n_feasible]))
    return next(result for result in ranked if result.candidate.accelerator.kind != kind)


def _with_runner_up(page: PageContext, runner_up: str | None) -> PageContext:
    recommendation = replace(page.results.recommendation, runner_up=runner_up)
    return replace(page, results=replace(page.results, recommendation=recommendation))


def _note(page: PageContext) -> str:
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    return table.rows[-1].note


def test_pick_and_runner_up_stand_side_by_side_with_the_best_of_the_other_kind_below(page: PageContext) -> None:
    assert page.pick is not None
    same = next(
        r
        for r in page.results.results[: page.results.n_feasible]
        if r.id != page.pick.id and r.candidate.accelerator.kind == _kind(page)
    )
    with_same = _with_runner_up(page, same.id)
    assert _options(with_same) == {"Pick": page.pick.candidate.name, "Runner-up": same.candidate.name}
    other = _other_kind(page)
    word = {"gpu": "GPU", "tpu": "TPU", "other": "other chip"}[other.candidate.accelerator.kind]
    assert _note(with_same).startswith(f"Best {word} {other.candidate.name}, {other.candidate.place}: ")
    assert usd(cost_told(page.profile, other.cost).likely) in _note(with_same)


def test_nobody_stands_there_twice(page: PageContext) -> None:
    other = _with_runner_up(page, _other_kind(page).id)
    assert list(_options(other)) == ["Pick", "Runner-up"] and _note(other) == ""


def test_without_a_runner_up_the_other_kind_still_stands_there(page: PageContext) -> None:
    alone = _with_runner_up(page, None)
    assert list(_options(alone)) == ["Pick"] and _note(alone).startswith("Best ")


def _kind(page: PageContext) -> str:
    assert page.pick is not None
    return page.pick.candidate.accelerator.kind


def test_key_figures_are_those_of_the_option(page: PageContext) -> None:
    assert page.pick is not None
    points = Range(61.234, 65.678, 70.123)
    pick = replace(page.pick, flexibility=replace(page.pick.flexibility, score=points))
    others = tuple(pick if result.id == pick.id else result for result in page.results.results)
    page = replace(page, results=replace(page.results, results=others))
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    cost, time, score, _ = table.rows[0].kpis
    total, days = cost_told(page.profile, pick.cost), page.pick.days_to_finish
    assert (cost.low, cost.likely, cost.high) == (total.low, total.likely, total.high)
    assert cost.value == usd(total.likely)
    assert (score.value, score.range_text) == ("66", f"{span('61', '70')} of 100")
    assert (score.low, score.likely, score.high) == (points.low, points.likely, points.high)
    shown = days or page.pick.throughput.tokens_per_s
    assert (time.low, time.likely, time.high) == (shown.low, shown.likely, shown.high)
    assert table.titles[1] == ("Finish" if days else f"{page.profile.unit_word.capitalize()} per second")


@pytest.mark.parametrize(
    ("days", "words"),
    [(-3, ""), (0, ""), (1, " 1 day before the deadline,"), (2, " 2 days before the deadline,")],
)
def test_days_to_spare_are_whole_ones(days: int, words: str) -> None:
    assert _spare(days) == words


@pytest.mark.parametrize(
    ("days", "words"),
    [(3, "3 days are left."), (1, "1 day is left."), (0, "0 days are left."), (-2, "it is 2 days late.")],
)
def test_what_the_late_end_leaves_of_the_time(days: int, words: str) -> None:
    assert _late(days) == f" At the late end of its range {words}"


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
    told = replace(page.results.recommendation, too_close=False)
    assert title_sentence(replace(page.results, recommendation=told), page.pick).startswith(
        f"Choose {page.pick.candidate.name}, "
    )


def test_without_anything_that_fits_the_nearest_five_tell_their_first_reason(page: PageContext) -> None:
    """Of seven options with two reasons each."""
    first = page.results.results[0]
    reasons = (Reason("a", "Too late", "Fits with 8"), Reason("b", "Too dear"))
    missed = tuple(
        replace(
            first, feasible=False, reasons=reasons,
            candidate=replace(
                first.candidate, id=f"m{number}",
                accelerator=first.candidate.accelerator.model_copy(update={"id": f"chip-{number}"}),
            ),
        )
        for number in range(7)
    )  # fmt: skip
    results = replace(
        page.results, results=missed, recommendation=replace(page.results.recommendation, choice=None, runner_up=None)
    )
    told = [
        block.text for block in decision_page(replace(page, results=results)).blocks if isinstance(block, Paragraph)
    ]
    lines = [text for text in told if "Too late" in text]
    assert len(lines) == 5 and all(line.endswith(f": {reasons[0].words}") for line in lines)
    assert not any("Too dear" in text for text in told)


def test_what_is_missing_is_told_in_place_of_options(page: PageContext) -> None:
    nothing = replace(
        page.results, results=(), missing=("Tokens", "Deadline"),
        recommendation=replace(page.results.recommendation, choice=None, runner_up=None),
    )  # fmt: skip
    told = [
        block.text for block in decision_page(replace(page, results=nothing)).blocks if isinstance(block, Paragraph)
    ]
    assert "Still needed: Tokens, Deadline." in told


def test_a_question_names_no_model_and_no_amount_that_nobody_said() -> None:
    """It asked about "Custom model on 1 trillion tokens" over "Still needed: Model, Tokens"."""
    blank, model = Profile(id="new", name="New workload"), TransformerModel(name="Mine", n_layers=40)
    assert asked_text(blank) == asked_text(blank.model_copy(update={"model": model})) == "New workload"
    told = Profile(id="told", model=model, job=PreTraining(n_tokens=2e12))
    assert asked_text(told) == "pre-training of Mine on 2 trillion tokens"


def test_the_chance_is_that_of_the_pick_and_what_takes_no_part_has_none(page: PageContext) -> None:
    """The same figure stands in the verdict and in the JSON."""
    assert page.pick is not None and page.pick.chance is not None and page.pick.chance.best is not None
    table = next(block for block in decision_page(page).blocks if isinstance(block, KpiTable))
    assert in_hundred(page.pick.chance.best).startswith(table.rows[0].kpis[-1].value)
    drawn = {r.candidate.name for r in page.results.trusted if r.chance and r.chance.best is not None}
    assert all((option.kpis[-1].value == DASH) == (option.name not in drawn) for option in table.rows)
    told = [block.text for block in decision_page(page).blocks if isinstance(block, Paragraph)]
    assert any(chance_line(page.results) in text for text in told)
    close = replace(page.results, recommendation=replace(page.results.recommendation, too_close=True))
    told = [block.text for block in decision_page(replace(page, results=close)).blocks if isinstance(block, Paragraph)]
    assert any(rival_line(close) in text for text in told)


def test_a_close_call_says_so_in_the_title(page: PageContext) -> None:
    told = page.results.recommendation
    rival = page.results.by_id[told.runner_up or ""].candidate.name
    close = replace(page.results, recommendation=replace(told, too_close=True))
    title = decision_page(replace(page, results=close)).title
    assert page.pick is not None and title.startswith(f"Too close to call: {page.pick.candidate.name} or {rival}")


def test_the_first_page_says_whether_the_pick_can_be_had_and_the_oldest_price_that_counts(page: PageContext) -> None:
    assert page.pick is not None
    blocks = decision_page(page).blocks
    assert having_line(page.pick) in [block.text for block in blocks if isinstance(block, Paragraph)]
    notes = [block.text for block in blocks if isinstance(block, Paragraph) and block.style == "note"]
    assert any(f"Oldest price used: {page.results.oldest_price}" in text for text in notes)


def test_the_choice_of_the_author_stands_in_the_place_of_the_pick_with_its_reason(page: PageContext) -> None:
    assert page.pick is not None
    other = next(one for one in page.results.trusted if one.candidate.name != page.pick.candidate.name)
    reason = "We have a contract with them until 2028. " * 6
    choice = Choice(profile_id=page.profile.id, candidate_id=other.id, reason=reason)
    plan = page.plan.model_copy(update={"profiles": (page.profile,), "choices": (choice,)})
    document = build(plan, {page.profile.id: page.results}, page.catalogue, page.today, ("decision", "workload"))
    first, inputs = document.sections
    assert first.title.startswith(f"Choose {other.candidate.name}, ")
    told = next(block.text for block in first.blocks if isinstance(block, Paragraph) and "Chosen against" in block.text)
    assert page.pick.candidate.name in told and "whole in the annex" in told and reason not in told
    assert any(isinstance(block, Paragraph) and reason in block.text for block in inputs.blocks)
    table = next(block for block in first.blocks if isinstance(block, KpiTable))
    assert [row.role for row in table.rows] == ["Chosen", "The pick"]


def test_a_pick_that_lacks_proof_is_to_be_asked_for_first(page: PageContext) -> None:
    assert page.pick is not None
    pick = replace(page.pick, obtainable=replace(page.pick.obtainable, status="on paper"))
    told = replace(page.results.recommendation, too_close=False)
    title = title_sentence(replace(page.results, recommendation=told), pick)
    assert title.startswith("Nothing can be signed yet: ask ") and pick.candidate.name in title
    own = replace(pick.candidate, offer=pick.candidate.offer.model_copy(update={"provider": OWN}))
    of_own = title_sentence(replace(page.results, recommendation=told), replace(pick, candidate=own))
    assert "Own servers" not in of_own and f"{own.accelerator.short_name} servers" in of_own


def test_a_pick_whose_speed_alone_is_not_proved_is_to_be_measured_first(page: PageContext) -> None:
    assert page.pick is not None and page.pick.obtainable.is_firm
    pick = replace(page.pick, throughput=replace(page.pick.throughput, evidence=Evidence.VENDOR))
    told = replace(page.results.recommendation, too_close=False)
    title = title_sentence(replace(page.results, recommendation=told), pick)
    assert title == f"Nothing can be signed yet: measure how fast {pick.candidate.name} runs this"


def test_a_comment_stands_there_and_a_long_one_goes_on_in_the_annex(page: PageContext) -> None:
    said = replace(page, results=replace(page.results, profile=page.profile.model_copy(update={"note": "Ours. " * 60})))
    (line,) = (one.text for one in decision_page(said).blocks if isinstance(one, Paragraph) and "Comment" in one.text)
    assert line.startswith(f"Comment on {page.profile.name}: Ours. Ours.") and line.endswith("(whole in the annex)")
