"""Cost, cash and spot on paper: what stands there is what was computed."""

from dataclasses import replace
from datetime import date

import pytest

from core.comparison.questions.cash import cash_plan
from core.comparison.questions.cost_answers import answers
from core.comparison.questions.spot import spot_risk
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.recommendation.warnings import warnings_on
from core.comparison.together.plan_answer import as_printed
from core.cost.registry import components
from core.plan.plan import Plan
from core.report.blocks import Figure, Paragraph, Section, Table
from core.report.document import PRESETS, build
from core.report.pages.cash import cash_page
from core.report.pages.context import PageContext
from core.report.pages.cost import cost_page
from core.report.pages.spot import spot_page
from core.units import MINUS, THIN, usd
from core.workload.financing import Outlook

TODAY = date(2026, 11, 21)
UNITS = "Candidate, $ thousand"


@pytest.fixture
def train(plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results["train"], catalogue, TODAY, "Base")


@pytest.fixture
def serve(plan: Plan, results, catalogue) -> PageContext:
    return PageContext(plan, results["serve"], catalogue, TODAY, "Base")


def tables(section: Section | None) -> list[Table]:
    assert section is not None
    return [block for block in section.blocks if isinstance(block, Table)]


def words(section: Section | None) -> str:
    assert section is not None
    return " ".join(block.text for block in section.blocks if isinstance(block, Paragraph))


def headed(section: Section | None, title: str) -> Table:
    return next(table for table in tables(section) if table.columns[0].title == title)


def test_answers_tell_the_bill_in_other_ways_with_their_ranges(train: PageContext) -> None:
    table, pick = headed(cost_page(train), "Question"), train.pick
    assert pick is not None
    told = {row[0].text: row for row in table.rows}
    assert told["In all"][1].text == usd(pick.cost.total.likely)
    assert told["Per 1M tokens"][1].text == usd(pick.cost.unit_usd)
    assert all(row[2].text for row in table.rows) and "n/a" not in {row[1].text for row in table.rows}


def test_the_same_amount_is_told_once(train: PageContext) -> None:
    """A run of two weeks costs the same by the year: a run, a month, a year and an epoch were told alike."""
    assert train.pick is not None
    of_bill = [one.amount for one in answers(train.profile, train.pick) if one.amount]
    table = headed(cost_page(train), "Question")
    assert len(of_bill) > len(table.rows) == len(set(of_bill))


def test_columns_of_parts_and_other_are_the_bill(train: PageContext) -> None:
    """Each row adds up as printed: $110 k + $130 k + $58 + $300 + $19 k + $518 was $264 k."""
    table = headed(cost_page(train), UNITS)
    titles = [column.title for column in table.columns]
    assert titles[-1] == "Total" and len(titles) <= 10
    own = {place: one.part for one in components() for place, title in enumerate(titles) if title == one.title}
    for row, result in zip(table.rows, best_of_each(train.results.results[: train.results.n_feasible]), strict=False):
        units = [int(cell.text.replace(THIN, "").replace(MINUS, "-")) for cell in row[1:]]
        assert sum(units[:-1]) == units[-1] == round(as_printed(result.cost.total.likely) / 1000)
        assert all(units[place - 1] == round(result.cost.part(part) / 1000) for place, part in own.items())
        parted = sum(round(result.cost.part(one.part) / 1000) for one in components())
        assert ("Rounding" in titles) or parted == units[-1]


def test_parts_that_cost_something_and_are_estimates_are_named_in_the_order_of_the_bill(train: PageContext) -> None:
    """The first option is given an estimated part of no cost and one of a cost that is no estimate."""
    best = best_of_each(train.results.results[: train.results.n_feasible])
    parts = {part.id: part for part in best[0].cost.parts}
    assert parts["compute"].usd and not parts["compute"].estimate
    changed = tuple(
        replace(part, usd=0.0, estimate=True) if part.id == "egress" else part for part in best[0].cost.parts
    )
    first = replace(best[0], cost=replace(best[0].cost, parts=changed))
    alone = replace(train, results=replace(train.results, results=(first,)))
    guessed = [one.title.lower() for one in components() if any(
        part.id == one.part and part.estimate and part.usd for part in changed
    )]  # fmt: skip
    assert guessed and "compute" not in guessed
    assert headed(cost_page(alone), UNITS).caption.endswith(f"Rests on estimates: {', '.join(guessed)}.")


def test_numbers_of_chips_are_told(train: PageContext) -> None:
    assert "cost least" in words(cost_page(train))


def test_warnings_of_the_pick_stand_on_the_cost_page_with_the_plans_own_days(train: PageContext) -> None:
    assert train.pick is not None
    strict = replace(train, plan=train.plan.model_copy(update={"old_price_days": 1}))
    expected = warnings_on(train.results, train.pick, TODAY, 1)
    assert expected
    told = [row[0].text for row in headed(cost_page(strict), "Warning").rows]
    assert told == [str(reason.text).rstrip(".") for reason in expected]


def test_a_page_without_warnings_has_no_table_of_them(train: PageContext) -> None:
    assert train.pick is not None
    offer = train.pick.candidate.offer.model_copy(update={"quality": "ok", "estimate": False, "as_of": "2026-11-20"})
    speed = replace(train.pick.throughput, system=replace(train.pick.throughput.system, host=None))
    had = replace(train.pick.obtainable, status="attested")
    pick = replace(train.pick, candidate=replace(train.pick.candidate, offer=offer), throughput=speed, obtainable=had)
    results = replace(train.results, results=(pick,))
    assert not [t for t in tables(cost_page(replace(train, results=results))) if t.columns[0].title == "Warning"]


def asking(page: PageContext) -> PageContext:
    """The page of somebody who asks for three years of each way to pay."""
    profile = page.profile.model_copy(update={"outlook": Outlook(horizon_months=36)})
    return replace(page, results=replace(page.results, profile=profile))


def test_a_run_of_weeks_gets_no_story_of_years_unless_it_is_asked_for(train: PageContext) -> None:
    assert cash_page(train) is None
    assert cash_page(asking(train)) is not None


def test_cash_page_has_a_row_for_each_way_and_what_buying_takes(train: PageContext) -> None:
    train = asking(train)
    page, pick = cash_page(train), train.pick
    assert pick is not None
    plan = cash_plan(train.results, pick)
    assert plan is not None and plan.buy is not None and page is not None
    ways = headed(page, "Way to pay")
    assert len(ways.rows) == len(plan.lines)
    assert [row[5].text for row in ways.rows] == [usd(plan.present_usd(line)[1]) for line in plan.lines]
    assert [row[0].text for row in headed(page, "What").rows][0] == "Servers"
    assert "left out" in words(page)
    assert any(isinstance(block, Figure) and block.chart == "cumulative-cash" for block in page.blocks)


def test_ways_that_are_not_allowed_say_why(train: PageContext) -> None:
    rows = headed(cash_page(asking(train)), "Way to pay").rows
    refused = [row for row in rows if "not allowed" in row[0].text]
    assert refused and all(row[0].second for row in refused)


def test_spot_page_tells_both_bills_of_a_training_run_only(train: PageContext, serve: PageContext) -> None:
    assert train.pick is not None and spot_risk(train.results, train.pick) is not None
    page = spot_page(train)
    assert page is not None and [b.chart for b in page.blocks if isinstance(b, Figure)] == [
        "spot-risk",
        "save-interval",
    ]
    assert "Least is lost" in words(page)
    assert spot_page(serve) is None


@pytest.mark.parametrize("is_chosen", [True, False])
def test_spot_page_is_of_the_option_that_was_chosen_else_of_the_first_that_fits(
    train: PageContext, is_chosen: bool
) -> None:
    first, *others = train.results.best_feasible
    other = next(one for one in others if spot_risk(train.results, one))
    choice = replace(train.results.recommendation, choice=other.id if is_chosen else None)
    page = spot_page(replace(train, results=replace(train.results, recommendation=choice)))
    assert page is not None
    told = {block.selected_id for block in page.blocks if isinstance(block, Figure)}
    assert told == {other.id if is_chosen else first.id}


def test_nothing_that_fits_leaves_the_pages_out(train: PageContext) -> None:
    nothing = replace(train, results=replace(train.results, results=()))
    assert cost_page(nothing) is None and cash_page(nothing) is None and spot_page(nothing) is None


def test_finance_reads_cash_commitments_risks_and_how_it_adds_up(plan: Plan, results, catalogue) -> None:
    document = build(plan, results, catalogue, TODAY, pages=PRESETS["finance"])
    ids = [section.id for section in document.sections]
    assert ids == ["plan", "candidates", "candidates", "finance", "risk", "sums", "sources"]
