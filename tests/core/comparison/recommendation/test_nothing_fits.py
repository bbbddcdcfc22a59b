"""Where nothing fits: which option is nearest, all that it misses, and how sure it is that nothing does."""

from __future__ import annotations

import pytest

from core.comparison.columns import columns_of
from core.comparison.rank.nearest import nearest_rows
from core.comparison.recommendation.nothing_fits import nothing_fits
from core.throughput.types import Reason
from core.workload.profile import Limits, Profile

PROFILE = Profile(limits=Limits(deadline_days=20.0, budget_usd=8e5))
LATE = Reason("deadline", "10 d past the deadline.", "Fits with a deadline of 30 d")
DEAR = Reason("budget", "$200 k over budget.", "Fits with a budget of $1 M")
UNPROVED = Reason("sla", "99.5 % a month from AWS not proved.", "Ask AWS for an SLA", is_unproved=True)
TOO_SMALL = Reason("memory", "Needs 1 200 GiB a chip, 47 are there", "May fit with 64 chips")
SLOW = Reason("latency", "At best 6 ms to each next token, limit 5 ms", "May fit with a limit of 6 ms")


def test_one_limit_is_told_with_the_change_that_admits_it(make_result) -> None:
    near = make_result("b200-sxm", reasons=(LATE,))
    told = nothing_fits(PROFILE, [near])
    assert (told.choice, told.nearest) == (None, near.id)
    assert "Nearest: 64 × B200, " in str(told.headline)
    assert str(told.headline).endswith(": fits with a deadline of 30 d.")


def test_deadline_and_budget_are_told_together_by_how_much(make_result) -> None:
    headline = str(nothing_fits(PROFILE, [make_result("b200-sxm", 1e6, 30.0, reasons=(LATE, DEAR))]).headline)
    assert headline.endswith(": 10 days past the deadline and $200\u202fk over budget.")


def test_several_limits_are_all_named_and_none_as_if_it_were_enough(make_result) -> None:
    ways = Reason("purchase", "Paid as owned, which is not allowed", "Allow owned")
    headline = str(nothing_fits(PROFILE, [make_result("b200-sxm", reasons=(ways, LATE, DEAR))]).headline)
    assert headline.endswith(", which misses the ways to pay, the deadline and the budget.")
    assert "allow owned" not in headline


@pytest.mark.parametrize(
    ("reasons", "days", "spread", "level"),
    [
        ((LATE,), 30.0, 0.1, "high"),
        ((LATE,), 21.0, 0.1, "low"),
        ((UNPROVED,), 5.0, 0.1, "low"),
        ((UNPROVED, LATE), 30.0, 0.1, "high"),
        ((SLOW,), 5.0, 0.1, "medium"),
    ],
)
def test_nothing_fits_is_as_sure_as_the_nearest_option_is_far(make_result, reasons, days, spread, level) -> None:
    """It is not sure where proof alone is lacking, or where the good end of a range keeps the limits."""
    near = make_result("b200-sxm", 5e5, days, spread=spread, reasons=reasons)
    assert nothing_fits(PROFILE, [near]).confidence == level


def test_what_does_not_run_is_never_the_nearest(make_result) -> None:
    """One reason, too little memory, hides that nobody knows how late and dear it would be."""
    runs = make_result("b200-sxm", 1e6, 30.0, reasons=(LATE, DEAR))
    stands = make_result("l40s", 1e2, 1.0, reasons=(TOO_SMALL,))
    assert nearest_rows(PROFILE, columns_of([stands, runs])).tolist() == [1, 0]
