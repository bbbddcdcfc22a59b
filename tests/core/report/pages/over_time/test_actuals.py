"""The page of actuals against the plan."""

from __future__ import annotations

from datetime import timedelta

from core.catalogue.catalogue import Catalogue
from core.comparison.actuals.baseline import frozen
from core.comparison.actuals.words import CHARTS, OVER
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import AnswerFigure, Document, Paragraph, Section, Table
from core.report.document import build
from core.report.masking import handed_out, renewed
from core.report.pages.over_time.actuals import LEFT_OUT
from core.units import date_text, scaled, usd
from core.workload.actuals import Entry, Tracked
from core.workload.phases import Phase
from tests.core.report.conftest import TODAY


def _page(document: Document) -> Section | None:
    return next((one for one in document.sections if one.id == "actuals"), None)


def _followed(plan: Plan, results: ResultSet) -> Plan:
    base = frozen(results, TODAY)
    day = base.work_begins + timedelta(days=4)
    entry = Entry(day=day, done=base.rate * 0.5, spend_usd=4 * base.usd_per_day)
    tracked = Tracked(workload=results.profile.id, baseline=base, entries=(entry,))
    return plan.model_copy(update={"actuals": (tracked,)})


def test_a_slip_stands_on_a_page_with_ways_on(plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    page = _page(build(_followed(plan, results["train"]), results, catalogue, TODAY, ["actuals"]))
    assert page is not None and page.title == "Actuals"
    lead, done, spend, figures, ways = page.blocks[:5]
    assert isinstance(lead, Paragraph) and isinstance(figures, Table) and isinstance(ways, Table)
    assert isinstance(done, AnswerFigure) and isinstance(spend, AnswerFigure)
    assert [done.chart, spend.chart] == list(CHARTS) and done.alt == lead.text and done.day == TODAY
    assert "Work done" in figures.rows[0][0].text and len(ways.rows) >= 2
    assert figures.caption == f"As of {date_text(_followed(plan, results['train']).actuals[0].entries[-1].day)}"


def test_without_ways_on_it_says_why(plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    followed = _followed(plan, results["train"])
    (one,) = followed.actuals
    done = one.model_copy(update={"entries": (one.entries[0].model_copy(update={"done": one.baseline.amount}),)})
    page = _page(build(followed.model_copy(update={"actuals": (done,)}), results, catalogue, TODAY, ["actuals"]))
    assert page is not None and OVER in [block.text for block in page.blocks if isinstance(block, Paragraph)]


def test_entries_of_phases_are_told_apart(plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    followed = _followed(plan, results["train"])
    (one,) = followed.actuals
    first = one.entries[0].model_copy(update={"phase": "try"})
    phases = (Phase(id="try", name="Try it out", workload="train"),)
    one = one.model_copy(update={"entries": (first,)})
    page = _page(build(followed.model_copy(update={"actuals": (one,), "phases": phases}), results, catalogue, TODAY))
    assert page is not None
    figures = next(block for block in page.blocks if isinstance(block, Table))
    told = {row[0].text: (row[1].text, row[1].second) for row in figures.rows}
    assert told["Spent in Try it out"] == (usd(first.spend_usd or 0.0), f"{scaled(first.done or 0.0)} tokens")


def test_a_plan_without_actuals_has_no_page_and_masked_ones_leave_none_and_say_so(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    assert _page(build(plan, results, catalogue, TODAY, ["actuals"])) is None
    followed = _followed(plan, results["train"])
    team = plan.profiles[0].team.model_copy(update={"engineer_usd_per_week": 9999.0})
    private = followed.profiles[0].model_copy(update={"team": team})
    masked = followed.model_copy(update={"profiles": (private,), "masks_private_prices": True})
    out = handed_out(masked, {"train": results["train"]}, catalogue, catalogue)
    assert out.plan.actuals == () and out.leaves_out_actuals
    args = (out.plan, out.results, out.catalogue, TODAY, ["actuals"])
    page = _page(build(*args, leaves_out_actuals=out.leaves_out_actuals))
    assert page is not None
    assert LEFT_OUT in [one.text for one in page.blocks if isinstance(one, Paragraph)]
    without = masked.model_copy(update={"actuals": ()})
    assert not renewed(out, without, catalogue, catalogue).leaves_out_actuals
    assert renewed(out, masked, catalogue, catalogue).leaves_out_actuals
