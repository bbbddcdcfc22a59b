"""A finish that lies beyond a century is told as such on paper."""

from __future__ import annotations

import re
from datetime import date

import pytest

from core.comparison.evaluate import evaluate
from core.report.document import build
from core.report.pages.context import day_text
from core.report.text import comparison_text
from core.units import OVER_A_CENTURY, THIN
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Limits, Profile


def test_a_finish_beyond_a_century_has_no_date(plan) -> None:
    profile: Profile = plan.profiles[0]
    assert day_text(profile, 884_000.0) == day_text(profile, 1e12, year=False) == OVER_A_CENTURY
    assert day_text(profile, 30.0).startswith(day_text(profile, 30.0, year=False))


@pytest.mark.parametrize("deadline_days", [None, 30.0])
def test_no_table_tells_days_beyond_a_century(plan, catalogue, deadline_days) -> None:
    """In the terminal and on paper: neither of what fits nor of what comes too late."""
    limits = Limits(deadline_days=deadline_days, budget_usd=None)
    profile = plan.profiles[0].model_copy(update={"job": PreTraining(n_tokens=1e16), "limits": limits})
    results = evaluate(profile, catalogue)
    today = date(2026, 11, 21)
    endless = plan.model_copy(update={"profiles": (profile,)})
    paper = build(endless, {profile.id: results}, catalogue, today, ("decision", "candidates"))
    for told in (comparison_text(results, None, today), repr(paper.sections)):
        assert OVER_A_CENTURY in told.lower()
        assert not re.search(rf"\d({THIN}\d{{3}}){{2,}}(d|{THIN}d| d\b| days| {{2,}})", told)
    table = comparison_text(results, None, today)
    assert (f"36{THIN}500+" in table) == (deadline_days is None)
