"""The page of actuals against the plan."""

from __future__ import annotations

from datetime import timedelta

from core.catalogue.catalogue import Catalogue
from core.comparison.actuals.baseline import frozen
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Document, Paragraph, Section, Table
from core.report.document import build
from core.report.masking import handed_out
from core.workload.actuals import Entry, Tracked
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
    lead, figures, ways = page.blocks[:3]
    assert isinstance(lead, Paragraph) and isinstance(figures, Table) and isinstance(ways, Table)
    assert "Work done" in figures.rows[0][0].text and len(ways.rows) >= 2


def test_a_plan_without_actuals_has_no_page_and_masked_ones_leave_none(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    assert _page(build(plan, results, catalogue, TODAY, ["actuals"])) is None
    followed = _followed(plan, results["train"])
    team = plan.profiles[0].team.model_copy(update={"engineer_usd_per_week": 9999.0})
    private = followed.profiles[0].model_copy(update={"team": team})
    masked = followed.model_copy(update={"profiles": (private,), "masks_private_prices": True})
    assert handed_out(masked, {"train": results["train"]}, catalogue, catalogue).plan.actuals == ()
