"""The first page of a plan with several workloads: figures that add up as they are printed."""

from __future__ import annotations

import re
from dataclasses import replace

from core.comparison.together.moving import Moving
from core.comparison.together.plan_answer import answer_of
from core.report.blocks import Facts, KpiTable, Paragraph, Section, Table
from core.report.document import build
from core.report.pages.context import PageContext
from core.report.pages.whole_plan import whole_plan_page
from core.report.plan_words import moving_line, plan_line, plan_lines
from core.units import THIN, parse_number, usd
from tests.core.report.conftest import TODAY

AMOUNT = re.compile(rf"\$(\d[\d.]*(?:{THIN}\d{{3}})*(?:{THIN}[kMB])?)")


def page_of(plan, results, catalogue) -> Section:
    contexts = [PageContext(plan, one, catalogue, TODAY, "Base") for one in results.values()]
    page = whole_plan_page(contexts)
    assert page is not None
    return page


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
    assert usd(sum(parts)) == usd(total) == block_of(page, Facts).items[0].value
    (row,) = block_of(page, Table).rows
    *quarters, whole = (amounts(cell.text)[0] for cell in row)
    assert whole == total and abs(sum(quarters) - total) < 1e-6 * total
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
    total = block_of(page_of(plan, results, catalogue), Facts).items[0].value
    assert plan_line(answer).startswith(f"Whole plan: {total}, of it $")
    (told,) = plan_lines(answer)
    assert told.startswith(plan_line(answer)) and "Cash by quarter: " in told
    assert plan_lines(None) == ("No workload of this plan has a pick.",)


def test_moving_for_nothing_is_told_as_free() -> None:
    dear = Moving("Llama", "AWS", "Google Cloud", 141.0, 12.7)
    assert "$12.7" in moving_line(dear) and "free" not in moving_line(dear)
    free = moving_line(replace(dear, egress_usd=0.0))
    assert "free of egress fees" in free and "$" not in free
