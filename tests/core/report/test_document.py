"""The comparison plan: pages, presets, and that what it says is what was computed."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.lazy_sequence import LazySequence
from core.plan.plan import Plan
from core.report.blocks import Facts, Figure, ForAgainst, KpiTable, Pairs, Paragraph, Section, Table
from core.report.document import PAGES, PRESETS, build
from core.report.plan_hash import plan_hash
from core.report.tabular import candidate_csv
from core.units import parse_number
from core.workload.profile import Profile

TODAY = date(2026, 11, 21)


def _page(document, page: str) -> Section:
    return next(section for section in document.sections if section.id == page)


def _texts(section: Section) -> str:
    found = [section.title]
    for block in section.blocks:
        match block:
            case Paragraph():
                found.append(block.text)
            case Table():
                found += [f"{cell.text} {cell.second}" for row in block.rows for cell in row]
            case Facts():
                found += [f"{fact.title} {fact.value} {fact.note}" for fact in block.items]
            case ForAgainst():
                found += [*block.reasons_for, *block.reasons_against]
    return "\n".join(found)


def test_full_plan_has_every_page_that_has_something_to_say(document) -> None:
    ids = [section.id for section in document.sections]
    assert ids[:5] == ["plan", "candidates", "candidates", "finance", "risk"]
    told = {"decision", "map"}  # one page for the whole plan; the map stands on each workload's page
    assert set(ids) == {"plan", *PAGES} - told - {
        "calibration",
        "budget",
        "cash",
        "phases",
        "actuals",
        "portfolio",
    }  # nobody asks


def test_presets_name_known_pages() -> None:
    assert set(PRESETS) == {"one-page", "finance", "engineering", "full"}
    assert all(set(pages) <= set(PAGES) for pages in PRESETS.values())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_gives_its_pages_only(plan, results, catalogue, preset) -> None:
    document = build(plan, results, catalogue, TODAY, pages=PRESETS[preset])
    ids = [section.id for section in document.sections]
    assert set(ids) <= {"plan", *PRESETS[preset]} and ("ways" in ids) == ("ways" in PRESETS[preset])
    assert ids[0] == "plan" and ids.count("plan") == 1


@pytest.fixture(scope="module")
def alone(plan, results, catalogue):
    """The same plan with its first workload alone."""
    return build(plan.model_copy(update={"profiles": plan.profiles[:1]}), results, catalogue, TODAY)


def test_decision_page_answers_in_its_title(alone, results) -> None:
    page = _page(alone, "decision")
    pick = results["train"].choice
    assert page.title.startswith(f"Choose {pick.candidate.name}, ")
    assert (
        page.blocks[0].text
        == "Where should we run pre-training of Llama 3 70B on 1.1 trillion tokens, on GPU or on TPU?"
    )


def test_key_figures_are_those_of_the_results(alone, results) -> None:
    table = next(block for block in _page(alone, "decision").blocks if isinstance(block, KpiTable))
    pick = results["train"].choice
    assert [row.role for row in table.rows] == ["Pick", "Runner-up"]
    cost, finish, flexibility, first = table.rows[0].kpis
    assert cost.likely == pick.cost.total.likely
    assert finish.likely == pick.days_to_finish.likely
    assert flexibility.likely == pick.flexibility.score.likely
    assert first.likely is None
    assert all(kpi.low <= kpi.likely <= kpi.high for row in table.rows for kpi in row.kpis[:3])


def test_flip_points_are_listed_with_never(alone, results) -> None:
    table = next(block for block in _page(alone, "decision").blocks if isinstance(block, Table))
    assert [row[0].text for row in table.rows] == [
        p.input_name for p in results["train"].recommendation.would_change_it
    ]
    for row, point in zip(table.rows, results["train"].recommendation.would_change_it, strict=True):
        assert row[2].text == str(point.flips_at or "Never")


def test_old_and_undated_prices_are_flagged_and_estimates_marked(document, results) -> None:
    rows = [
        row
        for block in _page(document, "sources").blocks
        if isinstance(block, Table) and block.columns[0].title == "Offer"
        for row in block.rows
    ]
    assert any("over 90 days old" in row[5].text and row[3].tone == "warn" for row in rows)
    estimated = {
        f"{r.candidate.accelerator.short_name}, {r.candidate.place}"
        for r in results["train"].best_per_accelerator
        if r.candidate.offer.estimate
    }
    assert all("estimate" in row[5].text for row in rows if row[0].text in estimated)


def test_rejected_options_are_counted_by_reason(alone, results) -> None:
    table = next(block for block in _page(alone, "rejected").blocks if isinstance(block, Table))
    *rows, total = table.rows
    counts = [parse_number(row[1].text) for row in rows]
    assert counts == sorted(counts, reverse=True) and all(row[3].text for row in rows)
    first = results["train"]
    assert sum(counts) == parse_number(total[1].text) == len(first.results) - first.n_feasible


def test_figures_carry_results_and_words(document) -> None:
    figures = [block for section in document.sections for block in section.blocks if isinstance(block, Figure)]
    assert {figure.chart for figure in figures} <= {
        "decision-map",
        "cost-by-part",
        "unit-cost",
        "roofline",
        "step-time",
        "memory",
        "latency-load",
        "flexibility",
        "cumulative-cash",
        "spot-risk",
        "save-interval",
    }
    assert all(figure.alt and 0 < figure.height_share <= 1 for figure in figures)


def test_rows_match_their_columns(document) -> None:
    tables = [block for section in document.sections for block in section.blocks if isinstance(block, Table)]
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)


def test_serving_limits_are_told_for_serving_only(document) -> None:
    assert sum(section.id == "serving" for section in document.sections) == 1
    assert "first token 1" in _texts(_page(document, "serving"))


def test_inputs_grey_the_defaults(document) -> None:
    pairs = [block for block in _page(document, "workload").blocks if isinstance(block, Pairs)]
    by_name = {pair.name: pair for pair in pairs[0].items}
    assert len(pairs) == 2
    assert by_name["Tokens"].value == "1.1\u202fT\u202ftokens" and by_name["Tokens"].tone == ""
    assert by_name["Runs"].tone == "muted"


def test_footer_names_catalogue_and_plan(document, plan, catalogue) -> None:
    assert document.footer[1] == f"21 Nov 2026, catalogue {catalogue.date}, plan {plan_hash(plan)}"


def test_hash_follows_the_content(plan) -> None:
    assert plan_hash(plan) == plan_hash(Plan.model_validate_json(plan.model_dump_json()))
    assert plan_hash(plan) != plan_hash(plan.model_copy(update={"name": "Other"}))


def test_without_the_essentials_the_page_says_what_is_needed(catalogue) -> None:
    from core.comparison.evaluate import evaluate

    plan = Plan(id="p", profiles=(Profile(),))
    document = build(plan, {"workload": evaluate(plan.profiles[0], catalogue)}, catalogue, TODAY, pages=("decision",))
    assert document.sections[0].title == "Fill in model and tokens to see a ranking"


def test_a_figure_takes_at_most_six_tenths_of_a_page_and_says_what_is_seen(document) -> None:
    figures = [block for section in document.sections for block in section.blocks if isinstance(block, Figure)]
    assert figures
    assert all(0.2 <= figure.height_share <= 0.6 for figure in figures)
    assert all(figure.alt for figure in figures)


def test_a_missing_price_book_is_told_on_the_first_page(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    for had_book in (True, False):
        saved = plan.model_copy(update={"had_price_book": had_book})
        blocks = build(saved, results, catalogue, TODAY, ["decision"]).sections[0].blocks
        told = [one.text for one in blocks if isinstance(one, Paragraph) and "no price of one counts here" in one.text]
        assert len(told) == had_book


def test_a_paper_and_its_tables_put_few_candidates_together_and_leave_the_others(plan, catalogue) -> None:
    """All of five workloads took 80 MB, edit after edit, while the Report tab was open."""
    answers = {one.id: evaluate(one, catalogue) for one in plan.profiles}
    build(plan, answers, catalogue, TODAY)
    for one in answers.values():
        every = one.results
        assert isinstance(every, LazySequence)
        before = every.n_made
        assert candidate_csv(one).count("\n") > len(every)
        assert every.n_made == before < len(every) / 3
