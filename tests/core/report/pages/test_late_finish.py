"""A finish that lies beyond a century is told as such on paper."""

from __future__ import annotations

from core.report.pages.context import OVER_A_CENTURY, day_text
from core.workload.profile import Profile


def test_a_finish_beyond_a_century_has_no_date(plan) -> None:
    profile: Profile = plan.profiles[0]
    assert day_text(profile, 884_000.0) == day_text(profile, 1e12, year=False) == OVER_A_CENTURY
    assert day_text(profile, 30.0).startswith(day_text(profile, 30.0, year=False))
