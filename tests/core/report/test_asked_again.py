"""Spot that halves a bill: told with its risk, also where it would come too late."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.asked_again import HALF, MOST_LATE, spot_lead
from core.report.pages.context import PageContext
from core.report.pages.leads import leads_table
from core.units import usd
from core.workload.library import load_profiles

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def late(catalogue: Catalogue) -> ResultSet:
    """A run that no option on spot does in time."""
    return evaluate(load_profiles()["llama3-70b-pretraining"], catalogue)


def test_spot_that_is_late_alone_is_told_with_how_late_it_is(late: ResultSet) -> None:
    """A sixth of the bill was not told at all, as nothing on spot keeps the deadline."""
    lead = spot_lead(late)
    assert lead is not None and late.choice is not None and not lead.option.feasible and lead.on_time is None
    assert lead.option.cost.total.likely <= HALF * late.choice.cost.total.likely
    assert [reason.code for reason in lead.option.reasons] == ["deadline"]
    days, deadline = lead.option.days_to_finish, late.profile.limits.deadline_days
    assert days is not None and deadline is not None and deadline < days.likely <= MOST_LATE * deadline
    assert lead.late == f"{days.likely - deadline:.0f}\u202fd past the deadline"


def test_the_first_page_tells_it_first(late: ResultSet, catalogue: Catalogue) -> None:
    lead = spot_lead(late)
    assert lead is not None
    plan = Plan(id="p", name="P", profiles=(late.profile,))
    (table,) = leads_table([PageContext(plan, late, catalogue, TODAY, "Base")])
    name, told = table.rows[0]
    assert name.text == lead.option.candidate.name
    assert told.text.startswith(f"Costs {usd(lead.option.cost.total.likely)}") and told.text.endswith(lead.late)
    assert "not allowed in this plan" in told.second
