"""The first page of a plan with several workloads: figures that add up as they are printed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.comparison.together.moving import Moving
from core.comparison.together.plan_answer import answer_of
from core.ranges import Range
from core.report.blocks import Decide, ForAgainst, KeyFigures, KpiTable, Paragraph, Section, Table
from core.report.document import build
from core.report.pages.context import PageContext, PlanContext
from core.report.pages.whole_plan import plan_page, ways_page
from core.report.plan_words import more_words, moving_line, plan_line, plan_lines, verdict_words
from core.units import THIN, date_text, grouped, parse_number, usd
from tests.core.report.conftest import TODAY

AMOUNT = re.compile(rf"\$(\d[\d.]*(?:{THIN}\d{{3}})*(?:{THIN}[kMB])?)")


def page_of(plan, results, catalogue) -> Section:
    (page,) = plan_page(context_of(plan, results, catalogue))
    return page


def context_of(plan, results, catalogue) -> PlanContext:
    pages = tuple(PageContext(plan, one, catalogue, TODAY, "Base") for one in results.values())
    return PlanContext(plan, pages, results, catalogue, TODAY, "base", "Base", ("decision",))


def block_of(page: Section, kind: type):
    return next(block for block in page.blocks if isinstance(block, kind))


def amounts(text: str) -> list[float]:
    return [parse_number(found) for found in AMOUNT.findall(text)]


def test_it_comes_first_and_only_where_there_are_several_workloads(plan, results, catalogue) -> None:
    assert build(plan, results, catalogue, TODAY, ("decision",)).sections[0].id == "plan"
    alone = plan.model_copy(update={"profiles": plan.profiles[:1]})
    assert build(alone, results, catalogue, TODAY, ("decision",)).sections[0].id == "decision"
    assert "plan" not in {section.id for section in build(plan, results, catalogue, TODAY, ("cost",)).sections}


def test_the_title_names_every_pick(plan, results, catalogue) -> None:
    title = page_of(plan, results, catalogue).title
    train, serve = (one.choice.candidate.name for one in results.values())
    assert "\u00a0×\u00a0" in title, "a number of chips never stands apart from its chip"
    told = title.replace("\u00a0", " ")
    assert told.startswith(f"Train on {train} at ") and f", serve on {serve} at " in told


def test_parts_and_quarters_add_up_to_the_total_as_printed(plan, results, catalogue) -> None:
    page = page_of(plan, results, catalogue)
    lead = next(block.text for block in page.blocks if isinstance(block, Paragraph) and block.style == "lead")
    total, *parts = amounts(lead)
    figures = block_of(page, KeyFigures)
    *parts, _a_month = parts
    assert usd(sum(parts)) == usd(total) == figures.items[0].value
    quarters = [parse_number(bar.value) for bar in figures.bars]
    assert figures.title.endswith(f" $ thousand, {grouped(sum(quarters))} in all")
    assert usd(1000 * sum(quarters)) == usd(total)
    longest = max(figures.bars, key=lambda bar: bar.share)
    assert longest.share == 1.0 and parse_number(longest.value) == max(quarters)
    costs = [amounts(row.kpis[0].value)[0] for row in block_of(page, KpiTable).rows]
    assert costs == parts[: len(costs)]


def test_a_workload_without_a_pick_is_said_to_be_left_out(plan, results, catalogue) -> None:
    train, serve = results.values()
    nobody = replace(serve, recommendation=replace(serve.recommendation, choice=None))
    page = page_of(plan, {"train": train, "serve": nobody}, catalogue)
    lead = next(block.text for block in page.blocks if isinstance(block, Paragraph) and block.style == "lead")
    assert f"Not in it: {serve.profile.name}, without a pick." in lead


def test_the_same_total_stands_in_the_terminal(plan, results, catalogue) -> None:
    answer = answer_of(list(results.values()))
    assert answer is not None
    total = block_of(page_of(plan, results, catalogue), KeyFigures).items[0].value
    assert plan_line(answer).startswith(f"Whole plan: {total}, of it $")
    (told,) = plan_lines(answer)
    assert told.startswith(plan_line(answer)) and "Cash by quarter: " in told
    assert plan_lines(None) == ("No workload of this plan has a pick.",)


def test_it_says_what_speaks_for_it_and_against_what_would_change_it_and_leaves_room_to_sign(
    plan, results, catalogue
) -> None:
    page = page_of(plan, results, catalogue)
    reasons = block_of(page, ForAgainst)
    assert 1 <= len(reasons.reasons_for) <= 3 and 1 <= len(reasons.reasons_against) <= 3
    firsts = [block.columns[0].title for block in page.blocks if isinstance(block, Table)]
    assert firsts[:2] == ["What would change it", "Leads worth a call"]
    first = min(one.profile.limits.start_date for one in results.values())
    assert block_of(page, Decide).day == date_text(first)
    order = [type(block) for block in page.blocks]
    assert order.index(Decide) > order.index(ForAgainst), "it is signed below what speaks for it and against"


def test_other_ways_say_how_far_they_are_from_the_picks(plan, results, catalogue) -> None:
    answer = answer_of(list(results.values()))
    assert answer is not None and answer.others
    (page,) = ways_page(context_of(plan, results, catalogue))
    ways = block_of(page, Table)
    assert block_of(page, Paragraph).text == verdict_words(answer)
    for row, one in zip(ways.rows, answer.others, strict=False):
        assert row[0].text.startswith(one.way.title) and row[1].text == usd(one.way.likely_usd)
        assert row[2].text.endswith("more" if one.more_usd.likely >= 0 else "less") and row[2].second.startswith("80")


def test_many_workloads_stand_in_a_table_that_adds_up(plan, results, catalogue) -> None:
    four = {name + str(n): one for n in range(2) for name, one in results.items()}
    page = page_of(plan, four, catalogue)
    table = block_of(page, Table)
    assert [column.title for column in table.columns][:3] == ["Workload", "Pick", "Cost"]
    *parts, total = (amounts(row[2].text)[0] for row in table.rows)
    assert len(parts) >= 4 and usd(sum(parts)) == usd(total) == block_of(page, KeyFigures).items[0].value
    assert page.title.startswith(f"4 workloads for {usd(total)}, all ready by ")


def test_moving_for_nothing_is_told_as_free() -> None:
    dear = Moving("Llama", "AWS", "Google Cloud", 141.0, 12.7)
    assert "$12.7" in moving_line(dear) and "free" not in moving_line(dear)
    free = moving_line(replace(dear, egress_usd=0.0))
    assert "free of egress fees" in free and "$" not in free


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (Range(1e5, 1.9e5, 3e5), "$190 k more (80 % range $100–300 k more)"),
        (Range(0.0, 1.9e5, 3e5), "$190 k more (80 % range $0–300 k more)"),
        (Range(-3e5, -1.9e5, -1e5), "$190 k less (80 % range $100–300 k less)"),
        (Range(-3e5, -1.9e5, 0.0), "$190 k less (80 % range $0–300 k less)"),
        (Range(-9e4, -5e3, 8e4), "$5 k less (80 % range from $90 k less to $80 k more)"),
    ],
)
def test_what_another_way_costs_more_or_less_has_its_range(more: Range, words: str) -> None:
    assert more_words(more).replace(THIN, " ") == words


def test_a_runner_up_that_keeps_its_limits_clearly_seldomer_says_how_often(plan, results, catalogue) -> None:
    """Beside a pick that keeps them in 70 of 100 draws: 62 is about as often, 53 is not."""
    train = results["train"]
    pick, rival = train.choice, next(one for one in train.best_feasible if one.id != train.recommendation.choice)

    def note(kept: float) -> str:
        two = [
            replace(one, chance=replace(one.chance, in_limits=share, best=best))
            for one, share, best in ((pick, 0.7, 0.6), (rival, kept, 0.3))
        ]
        told = replace(train.recommendation, choice=pick.id, runner_up=rival.id, too_close=False)
        changed = {**results, "train": replace(train, results=two, recommendation=told)}
        return block_of(page_of(plan, changed, catalogue), KpiTable).rows[0].note

    assert note(0.62).endswith(", best in 30 of 100.")
    assert note(0.53).startswith(f"Runner-up {rival.candidate.name}, ")
    assert note(0.53).endswith(", best in 30 of 100, keeps its limits in 53.")
