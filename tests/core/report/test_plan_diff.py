"""Two plans held against each other: inputs that differ, and both answers, without an evaluation of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from core.catalogue.own.stand_ins import NOTE
from core.comparison.result import ResultSet
from core.plan.difference import differences
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.report.blocks import KeyFigures, Paragraph, Table
from core.report.pages.side_by_side import later_words
from core.report.plan_diff import FULL_PAGE, MOST_INPUTS, Side, diff_document, diff_json, result_lines, unlike_words
from core.units import MINUS, parse_number, usd
from tests.core.report.conftest import TODAY


def sides(plan: Plan, results: dict[str, ResultSet]) -> tuple[Side, Side]:
    """The plan, and a copy with another input whose pick of one workload is its runner-up."""
    train = results["train"]
    told = replace(train.recommendation, choice=train.recommendation.runner_up)
    other = set_value(plan, "profiles.0.job.n_tokens", 2.2e12)
    return Side("Now", plan, results), Side("Then", other, results | {"train": replace(train, recommendation=told)})


def test_json_holds_both_and_their_totals(plan: Plan, results: dict[str, ResultSet]) -> None:
    old, new = sides(plan, results)
    told = diff_json(old, new)
    assert [one["field"] for one in told["inputs"]] == ["job.n_tokens"]
    for name, side in (("before", old), ("after", new)):
        picks = [one[name] for one in told["workloads"].values()]
        assert picks[0]["choice"] == side.results["train"].recommendation.choice
        apart = side.answer.way.apart.each_usd if side.answer else ()
        assert abs(sum(one["cost_usd"]["likely"] for one in picks) + sum(apart) - told["total_usd"][name]) < 0.02


def test_words_tell_which_lines_differ(plan: Plan, results: dict[str, ResultSet]) -> None:
    lines = list(result_lines(*sides(plan, results)))
    differing = {(workload, title) for workload, (title, before, after) in lines if before != after}
    assert ("Train 70B", "Pick") in differing
    assert not [title for workload, title in differing if workload == "Serve 70B"]


def test_paper_has_results_then_inputs(plan: Plan, results: dict[str, ResultSet]) -> None:
    old, new = sides(plan, results)
    first, second = diff_document(old, new, TODAY).sections
    assert old.answer and new.answer
    more = new.answer.printed_usd - old.answer.printed_usd
    assert first.title == f"Then costs {usd(abs(more))} {'more' if more > 0 else 'less'}"
    assert second.title == "1 input differs"
    assert "private prices" in diff_document(old, new, TODAY, is_masked=True).header[0]
    assert Paragraph(NOTE, "note") in diff_document(old, new, TODAY, is_masked=True).sections[0].blocks


def without_a_pick(results: dict[str, ResultSet], name: str) -> dict[str, ResultSet]:
    one = results[name]
    return results | {name: replace(one, recommendation=replace(one.recommendation, choice=None))}


def test_what_has_no_pick_is_no_saving(plan: Plan, results: dict[str, ResultSet]) -> None:
    """A scenario in which nothing fits for the larger workload "costs $1.46 M less"."""
    old, new = Side("Now", plan, results), Side("Then", plan, without_a_pick(results, "train"))
    for pair in ((old, new), (new, old)):
        first, _ = diff_document(*pair, TODAY).sections
        assert first.title == "Then has no pick for Train 70B"
        assert Paragraph("The total of Now alone counts Train 70B.", "lead") in first.blocks
        *_, table = first.blocks
        assert isinstance(table, Table)
        assert [row[-1].text for row in table.rows if row[1].text == "Total cost"] == [""]


def test_totals_of_other_workloads_say_so(plan: Plan, results: dict[str, ResultSet]) -> None:
    new = Side("Then", plan, {"serve": results["serve"]})
    first, _ = diff_document(Side("Now", plan, results), new, TODAY).sections
    assert first.title.startswith("Then costs $") and first.title.endswith(" less, for other workloads")
    assert list(unlike_words(Side("Now", plan, results), new)) == ["The total of Now alone counts Train 70B."]
    assert list(unlike_words(new, new)) == []


def test_differences_are_those_of_the_printed_amounts(plan: Plan, results: dict[str, ResultSet]) -> None:
    """Those of the workloads add up to that of the plan, and each is what the reader gets from the two beside it."""
    first, _ = diff_document(*sides(plan, results), TODAY).sections
    *_, table = first.blocks
    assert isinstance(table, Table)
    rows = [[cell.text for cell in row] for row in table.rows if row[-1].text and "$" in row[2].text]
    more = {(name, title): (number(before), number(after), number(last)) for name, title, before, after, last in rows}
    whole = more.pop(("Whole plan", "Total cost"))
    assert {title for _, title in more} == {"Cost"} and len(more) == 2
    assert sum(one[2] for one in more.values()) == pytest.approx(whole[2], abs=1)
    assert all(after - before == pytest.approx(own, abs=1) for before, after, own in more.values())
    assert f"costs {usd(abs(whole[2]))}" in first.title


def test_days_differ_by_what_is_printed(plan: Plan, results: dict[str, ResultSet]) -> None:
    """Finish and the day on which all is ready: the later day less the earlier one, in the lead too."""
    first, _ = diff_document(*sides(plan, results), TODAY).sections
    lead, *_, table = first.blocks
    assert isinstance(lead, Paragraph) and isinstance(table, Table)
    dated = [[cell.text for cell in row] for row in table.rows if row[1].text in ("Finish", "All ready")]
    assert {row[1] for row in dated} == {"Finish", "All ready"}
    for _, what, before, after, more in dated:
        one, other = (datetime.strptime(day, "%d %b %Y") for day in (before, after))
        assert more == later_words(one.date(), other.date())
        assert what == "Finish" or (after in lead.text and (more in lead.text or more == "none"))
    assert any(row[-1] != "none" for row in dated)


def test_cash_of_both_stands_in_bars_on_one_scale(plan: Plan, results: dict[str, ResultSet]) -> None:
    old, new = sides(plan, results)
    first, _ = diff_document(old, new, TODAY).sections
    figures = [block for block in first.blocks if isinstance(block, KeyFigures)]
    headings = [block.text for block in first.blocks if isinstance(block, Paragraph) and block.style == "heading"]
    assert headings == ["Now", "Then"]
    for side, told in zip((old, new), figures, strict=True):
        assert side.answer and told.items[0].value == usd(side.answer.printed_usd)
    bars = [(parse_number(bar.value), bar.share) for told in figures for bar in told.bars]
    most = max(value for value, _ in bars)
    assert all(share == pytest.approx(value / most) for value, share in bars)
    assert sum(parse_number(bar.value) for bar in figures[0].bars) == pytest.approx(
        round((old.answer.printed_usd if old.answer else 0) / 1000)
    )


def number(text: str) -> float:
    """``+$1.2 k`` as a number; ``none`` is 0."""
    return 0.0 if text == "none" else parse_number(text.replace(MINUS, "-").replace("$", ""))


def test_an_input_stands_with_its_workload_and_one_of_the_whole_plan_as_such(
    plan: Plan, results: dict[str, ResultSet]
) -> None:
    named = set_value(plan, "profiles.0.job.n_tokens", 2.2e12).model_copy(update={"name": "Another"})
    table = diff_document(Side("Now", plan, results), Side("Then", named, results), TODAY).sections[1].blocks[0]
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["Plan", "Train 70B"]
    assert [cell.text for cell in table.rows[0][2:]] == [plan.name, "Another"]


def test_many_inputs_are_counted(plan: Plan, results: dict[str, ResultSet]) -> None:
    own = plan.profiles[0]
    others = tuple(own.model_copy(update={"id": f"w{n}", "name": f"W{n}"}) for n in range(MOST_INPUTS + 5))
    many = Side("Many", plan.model_copy(update={"profiles": (*plan.profiles, *others)}), results)
    old = Side("Now", plan, results)
    table = diff_document(old, many, TODAY).sections[1].blocks[-1]
    assert isinstance(table, Table) and len(table.rows) == MOST_INPUTS
    assert table.caption.startswith(f"{len(differences(old.plan, many.plan)) - MOST_INPUTS} further inputs")


def test_the_same_twice_differs_in_nothing(plan: Plan, results: dict[str, ResultSet]) -> None:
    one = Side("Now", plan, results)
    first, second = diff_document(one, one, TODAY).sections
    assert first.title.startswith("Both cost") and second.title == "No input differs"
    assert diff_json(one, one)["inputs"] == []


def test_many_inputs_begin_a_page_of_their_own(plan: Plan, results: dict[str, ResultSet]) -> None:
    """A page that ends after few of them leaves the next one nearly empty."""
    other = plan
    for path, value in _EDITS:
        other = set_value(other, f"profiles.0.{path}", value)
        section = diff_document(Side("Now", plan, results), Side("Then", other, results), TODAY).sections[1]
        first = section.blocks[0]
        has_page = isinstance(first, Paragraph) and first.style == "eyebrow"
        n_inputs = len(differences(plan, other))
        assert has_page == (n_inputs >= FULL_PAGE)
        assert f"{n_inputs} input" in (first.text if isinstance(first, Paragraph) else section.title)
    assert n_inputs >= FULL_PAGE > 1


_EDITS = (
    ("job.n_tokens", 2.2e12), ("job.sequence_length", 4096), ("job.global_batch_sequences", 512), ("job.epochs", 2),
    ("job.n_runs", 2), ("team.engineers", 5), ("team.engineer_usd_per_week", 5000.0),
    ("team.delay_usd_per_day", 10.0), ("limits.budget_usd", 3e6), ("limits.deadline_days", 70.0),
    ("stack.maturity", "frozen"),
    ("places.egress_gb_per_month", 10.0), ("places.commitment_reuse_pct", 10.0),
)  # fmt: skip
