"""Shares, rates and forecasts against figures worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from core.comparison.actuals.belief import USUAL_SPREAD, Belief, Stretch, shrunk
from core.comparison.actuals.standing import planned_share, standing
from core.comparison.actuals.words import NO_ENTRIES, figures, headline, notes
from core.ranges import Z_OF_80_PCT
from core.workload.actuals import Baseline, Entry, Tracked, with_entries
from tests.core.comparison.actuals.conftest import BEGINS

Make = Callable[..., Tracked]


def test_without_entries_the_forecast_is_the_plan(tracked: Make) -> None:
    one = standing(tracked())
    assert one.forecast.end == BEGINS + timedelta(days=100)
    assert one.forecast.cost.likely == pytest.approx(100_000.0)
    assert one.forecast.cost.low > 70_000.0 and headline(one) == NO_ENTRIES
    low, high = one.rate.range.low, one.rate.range.high
    assert (low, high) == (pytest.approx(80.0), pytest.approx(125.0))


def test_one_entry_moves_the_rate_by_what_it_says(tracked: Make) -> None:
    one = standing(tracked(0.8))
    plan, seen = (math.log(125 / 80) / (2 * Z_OF_80_PCT)) ** -2, USUAL_SPREAD**-2
    expected = math.exp((plan * math.log(100.0) + seen * math.log(80.0)) / (plan + seen))
    assert one.rate.middle == pytest.approx(expected)
    assert one.rate.spread == pytest.approx((plan + seen) ** -0.5)
    assert one.rate_of_entries == pytest.approx(80.0)


def test_more_entries_count_for_more_and_only_the_last_ones(tracked: Make) -> None:
    rates = [standing(tracked(*[0.8] * n)).rate for n in (1, 3, 6)]
    assert rates[0].middle > rates[1].middle > rates[2].middle > 80.0
    assert rates[0].spread > rates[1].spread > rates[2].spread
    late = standing(tracked(*[1.0] * 6, *[0.5] * 6))
    assert late.rate_of_entries == pytest.approx(50.0)


def test_shares_and_spend_stand_beside_those_of_the_plan(tracked: Make) -> None:
    one = standing(tracked(0.8, 0.8, 0.8, 0.8, spend=1.1))
    assert (one.done_share, one.planned_share) == (pytest.approx(0.224), pytest.approx(0.28))
    assert (one.spend_usd, one.planned_usd) == (pytest.approx(30_800.0), pytest.approx(28_000.0))
    titles = {row.title: str(row.now) for row in figures(one)}
    assert titles["Work done"] == "22\u202f%" and titles["Spent"] == "$30.8\u202fk"


def test_the_date_and_its_chance_agree(tracked: Make) -> None:
    one = standing(tracked(0.8, 0.8, 0.8, 0.8))
    days = one.left / one.rate.middle
    assert one.forecast.end == one.as_of + timedelta(days=round(days))
    likely = one.forecast.chance_by(one.forecast.end)  # done within that day counts
    assert likely is not None and 0.5 <= likely < 0.65
    assert one.forecast.chance_by(one.forecast.end_range[1]) == pytest.approx(0.9, abs=0.03)
    assert one.forecast.chance_within(one.forecast.cost.high) == pytest.approx(0.9, abs=1e-9)
    assert str(headline(one)).startswith("14 days late at this rate: 5 May 2027 instead of 21 Apr 2027")


def test_what_is_slower_than_planned_and_keeps_the_deadline_is_not_called_early(
    tracked: Make, baseline: Baseline
) -> None:
    far = baseline.model_copy(update={"deadline": BEGINS + timedelta(days=150)})
    words = str(headline(standing(tracked(0.8, 0.8, 0.8, 0.8, base=far))))
    assert words.startswith("26 days before the deadline at this rate: 5 May 2027, planned 11 Apr 2027, 80 %: ")
    free = baseline.model_copy(update={"deadline": None})
    words = str(headline(standing(tracked(0.8, 0.8, 0.8, 0.8, base=free))))
    assert words.startswith("24 days late at this rate: 5 May 2027 instead of 11 Apr 2027, 80 %: ")


def test_days_before_the_first_work_say_nothing_of_the_rate(tracked: Make) -> None:
    assert standing(tracked(0.0, 0.0, 1.0)).rate_of_entries == pytest.approx(100.0)
    assert standing(tracked(1.0, 0.0)).rate_of_entries == pytest.approx(50.0)


def test_steps_and_chip_hours_stand_in(baseline: Baseline) -> None:
    entry = Entry(day=BEGINS + timedelta(days=7), steps=7.0, chip_hours=100.0)
    one = standing(Tracked(workload="a", baseline=baseline, entries=(entry,)))
    assert (one.done, one.spend_usd) == (700.0, 500.0)
    assert one.is_spend_known


def test_spend_that_nobody_entered_counts_as_planned_and_is_told(tracked: Make) -> None:
    one = standing(tracked(1.0, 1.0, spend=None))
    assert one.spend_usd == pytest.approx(14_000.0)
    assert one.usd_per_day.middle == pytest.approx(1000.0)
    assert "since the last spend" in " ".join(str(line) for line in notes(one, ""))


def test_bills_may_come_in_entries_of_their_own(baseline: Baseline) -> None:
    days = [BEGINS + timedelta(days=n) for n in (7, 12, 14, 16)]
    work, bill = Entry(day=days[0], done=700.0), Entry(day=days[1], spend_usd=12_000.0)
    more, empty = Entry(day=days[2], done=700.0), Entry(day=days[3])
    one = standing(Tracked(workload="a", baseline=baseline, entries=(work, bill, more, empty)))
    assert one.rate_of_entries == pytest.approx(100.0) and one.as_of == days[2]
    assert one.spend_usd == pytest.approx(12_000.0 + 2 * 1000.0)
    assert one.usd_per_day.middle == pytest.approx(1000.0)


def test_bills_before_the_first_work_say_nothing_of_a_day_of_it(baseline: Baseline) -> None:
    days = [BEGINS + timedelta(days=n) for n in (7, 14, 21)]
    bill = Entry(day=days[0], spend_usd=70_000.0)
    work = [Entry(day=day, done=700.0, spend_usd=7000.0) for day in days[1:]]
    one = standing(Tracked(workload="a", baseline=baseline, entries=(bill, *work)))
    assert one.spend_usd == 84_000.0 and one.rate_of_entries == pytest.approx(100.0)
    assert one.usd_per_day.middle == pytest.approx(1000.0)


def test_what_ends_on_its_day_is_told_so(tracked: Make, baseline: Baseline) -> None:
    exact = baseline.model_copy(update={"deadline": BEGINS + timedelta(days=100)})
    assert str(headline(standing(tracked(1.0, 1.0, base=exact)))).startswith("On the day at this rate: 11 Apr 2027")
    last = Entry(day=exact.deadline, done=exact.amount)
    done = standing(Tracked(workload="a", baseline=exact, entries=(last,)))
    assert str(headline(done)).startswith("All the work is done, on the day")
    early = baseline.model_copy(update={"deadline": BEGINS + timedelta(days=101)})
    done = standing(Tracked(workload="a", baseline=early, entries=(last,)))
    assert str(headline(done)).startswith("All the work is done, 1 day early")


def test_a_service_is_told_by_month(baseline: Baseline, tracked: Make) -> None:
    serving = baseline.model_copy(update={"ends": False, "unit": "requests", "deadline": None, "budget_usd": None})
    one = standing(tracked(1.5, 1.5, base=serving))
    assert one.forecast.end == BEGINS + timedelta(days=100)
    told = "4.57\u202fk requests a month so far where 3.04\u202fk were planned; cost as in the plan."
    assert str(headline(one)) == told


def test_entries_lie_in_the_order_of_their_days(tracked: Make) -> None:
    one = tracked(1.0, 1.0)
    assert with_entries(one, one.entries[::-1]) == one


def test_a_belief_is_shrunk_towards_nothing_by_no_entries() -> None:
    own = Belief.of_range(80.0, 100.0, 125.0)
    assert shrunk(own, ()) == own
    stopped = shrunk(own, [Stretch(0.0, 7.0)] * 6)
    assert 0 < stopped.middle < 50.0


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e9])
def test_a_rate_in_another_unit_is_believed_as_much(scale: float) -> None:
    told = shrunk(Belief.of_range(80.0 * scale, 100.0 * scale, 125.0 * scale), [Stretch(560.0 * scale, 7.0)] * 3)
    usual = shrunk(Belief.of_range(80.0, 100.0, 125.0), [Stretch(560.0, 7.0)] * 3)
    assert (told.middle / scale, told.spread) == (pytest.approx(usual.middle), pytest.approx(usual.spread))
    assert 80.0 < usual.middle < 100.0


def test_planned_shares_stay_between_none_and_all(baseline: Baseline) -> None:
    assert planned_share(baseline, date(2026, 1, 1)) == 0.0
    assert planned_share(baseline, date(2028, 1, 1)) == 1.0
