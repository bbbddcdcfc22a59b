"""Days before a run by hand: porting shared by the team, what a deadline leaves."""

from __future__ import annotations

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.sellers.waits import wait_of
from core.comparison.judge.calendar import calendar_days, days_before, days_left
from core.comparison.search.options import options
from core.comparison.search.pool import kinds_of
from core.ranges import Range
from core.workload.profile import Limits, Profile


@pytest.mark.parametrize(("engineers", "days"), [(1, 84.0), (3, 28.0), (4, 21.0), (5, 21.0)])
def test_at_most_four_share_a_port(engineers: int, days: float) -> None:
    """Twelve engineer-weeks are 84 days of one."""
    weeks = calendar_days(Range(6.0, 12.0, 24.0), engineers)
    assert (weeks.low, weeks.likely, weeks.high) == pytest.approx((days / 2, days, 2 * days))


def test_a_deadline_leaves_what_porting_and_waiting_do_not_take(catalogue: Catalogue) -> None:
    """Of 60 days 20 of porting leave 40 on demand; where nothing is left, all of it is told."""
    option = next(one for one in options(catalogue) if one.offer.purchase_model == "on_demand")
    kinds = kinds_of(Profile(), catalogue, (option, option))
    usual = wait_of(catalogue, option.offer, option.chips_per_host).days.likely
    assert usual > 0
    for porting, left in ((20.0, 40.0 - usual), (60.0, 60.0), (90.0, 60.0)):
        until = Profile(limits=Limits(deadline_days=60))
        before_days = days_before(kinds, {option.accelerator.id: Range(porting, porting, porting)})
        assert [days_left(until, before) for before in before_days] == pytest.approx([left, left])
    never = Profile(limits=Limits(deadline_days=None))
    assert days_left(never, 1.0) is None
