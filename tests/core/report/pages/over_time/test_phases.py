"""The page of the plan over time."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import over_time
from core.comparison.over_time.printed import cost_words, printed_costs
from core.comparison.over_time.words import OWN_HARDWARE, committed_words
from core.comparison.result import ResultSet
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.report.blocks import Document, Paragraph, Section, Table
from core.report.document import build
from core.workload.library import load_profiles, more_profiles
from core.workload.phase_templates import phases_from, template
from core.workload.phases import Phase

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def phased(plan: Plan) -> Plan:
    return plan.model_copy(update={"phases": phases_from(template("gpu-then-tpu"), plan.profiles)})


def _page(document: Document) -> Section | None:
    return next((one for one in document.sections if one.id == "phases"), None)


def test_phases_ways_and_measures_stand_on_a_page(
    phased: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    page = _page(build(phased, results, catalogue, TODAY))
    assert page is not None and page.title == "Phases and migration"
    phases, ways, gate = (block for block in page.blocks if isinstance(block, Table))
    assert [row[0].text for row in phases.rows] == ["Explore", "Port", "Pilot", "Scale", "Serve", "All phases"]
    assert [one.title for one in ways.columns] == ["", "Mixed", "All-TPU", "All-GPU"]
    told = {row[0].text: (row[1].text, row[2].text) for row in gate.rows}
    assert told["Loss gap to the GPU run \u2264 0.5\u202f%"] == ("\u2013", "open")
    assert told["All measures"][1].startswith("at most ")


def test_paper_of_one_page_and_plans_without_phases_have_none(
    plan: Plan, phased: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    assert _page(build(plan, results, catalogue, TODAY)) is None
    assert _page(build(phased, results, catalogue, TODAY, ["decision"])) is None


def test_bought_hardware_and_ways_that_break_limits_are_told_as_on_screen(catalogue: Catalogue) -> None:
    profile = more_profiles()["bank-on-premises"]
    serve = Phase(id="s", name="Serve", stage="serve", workload=profile.id)
    pilot = serve.model_copy(update={"id": "p", "name": "Pilot", "stage": "pilot", "days": 60.0})
    plan = Plan(id="bank", name="Bank", profiles=(profile,), phases=(pilot, serve))
    results = {profile.id: evaluate(profile, catalogue)}
    page = _page(build(plan, results, catalogue, TODAY))
    answer = over_time(plan.phases, results)
    assert page is not None and answer is not None
    phases, ways, _ = (block for block in page.blocks if isinstance(block, Table))
    assert [row[-1].text for row in phases.rows] == [cost_words(one) for one in printed_costs(answer.own)]
    assert ways.caption == "Ways to run it; All-GPU fits best"
    told = [block.text for block in page.blocks if isinstance(block, Paragraph)]
    assert "All-TPU breaks 2 hard limits." in told[0] and "fits best: $" in told[0]
    assert any(text.startswith("All-TPU breaks 2 hard limits: A cloud offer") for text in told)
    assert told[-1].endswith(OWN_HARDWARE)


def test_what_committed_chips_owe_is_told_as_on_screen(catalogue: Catalogue) -> None:
    shipped = load_profiles()["chat-serving-8b"]
    places = shipped.places.model_copy(update={"purchase_models": ("commit_1y",)})
    profile = shipped.model_copy(update={"places": places})
    serve = Phase(id="s", name="Serve", stage="serve", workload=profile.id, platform="gpu", days=90.0)
    plan = Plan(id="yearly", name="Yearly", profiles=(profile,), phases=(serve,))
    results = {profile.id: evaluate(profile, catalogue)}
    page, answer = _page(build(plan, results, catalogue, TODAY)), over_time(plan.phases, results)
    assert page is not None and answer is not None
    (phases,) = (block for block in page.blocks if isinstance(block, Table))
    assert [row[-1].text for row in phases.rows] == [cost_words(one) for one in printed_costs(answer.own)]
    about = [block.text for block in page.blocks if isinstance(block, Paragraph)][-1]
    assert about.endswith(" ".join(map(str, committed_words(answer.own)))) and "Serve: owed to the end of" in about


def test_a_failed_pilot_that_is_known_too_late_says_when_to_order(
    phased: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    """By the plan's deadline the order is due while the pilot still runs; by a later one after it."""
    answer = over_time(phased.phases, results)
    assert answer is not None and answer.own.fallback is not None and answer.own.gate is not None
    scale = next(run for run in answer.own.fallback.way.runs[::-1] if run.phase.stage == "scale")
    needs = float((scale.waiting + scale.porting + scale.working)[0])
    gate = float(answer.own.gate.run.end[0])
    for spare, words in (
        (-3.0, "after the gate is too late for the deadline: to keep that chance,"),
        (9.0, "; order by "),
    ):
        deadline = answer.own.first_day + timedelta(days=round(gate + needs + spare))
        page = _page(build(phased.model_copy(update={"phases_deadline": deadline}), results, catalogue, TODAY))
        assert page is not None
        (told,) = (one.text for one in page.blocks if isinstance(one, Paragraph) and one.text.startswith("If it fails"))
        assert words in told and told.endswith(".") and ("before the pilot ends" in told) == (spare < 0)


def test_phases_that_cannot_run_are_told(phased: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    page = _page(build(set_value(phased, "phases.0.workload", "gone"), results, catalogue, TODAY))
    assert page is not None and "Phase Explore" in str(page.blocks[0])
