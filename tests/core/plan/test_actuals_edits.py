"""What tracking does to a plan."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.comparison.actuals.belief import Belief
from core.comparison.actuals.options import Option
from core.comparison.actuals.standing import Forecast
from core.errors import InputError
from core.plan import actuals_edits as edits
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.scenario import BASE, resolve
from core.workload.actuals import Baseline, Entry, Tracked

BEGINS = date(2027, 1, 4)
BASELINE = Baseline(
    frozen_on=date(2026, 12, 1), candidate="c", name="64 × H100 SXM", place="Lambda", n_chips=64, usd_per_chip_hour=2.0,
    amount=1e12, work_begins=BEGINS, work_days=100.0, rate_low=9e9, rate_high=1.1e10, cost_usd=3e5, cost_low_usd=2.9e5,
    cost_high_usd=3.2e5,
)  # fmt: skip


@pytest.fixture
def plan() -> Plan:
    return sample_plan()


def tracked(*entries: Entry, workload: str = "w") -> Tracked:
    return Tracked(workload=workload, baseline=BASELINE, entries=entries)


def entry(week: int, **figures: object) -> Entry:
    return Entry.model_validate({"day": BEGINS + timedelta(weeks=week), **figures})


def test_each_workload_is_tracked_once_and_ended_by_itself(plan: Plan) -> None:
    both = edits.tracking(edits.tracking(plan, tracked(workload="a")), tracked(workload="b"))
    anew = edits.tracking(both, tracked(entry(1), workload="a"))
    assert edits.tracked_of(anew, "a") == tracked(entry(1), workload="a")
    assert {one.workload for one in anew.actuals} == {"a", "b"} and len(anew.actuals) == 2
    ended = edits.untracked(anew, "a")
    assert edits.tracked_of(ended, "a") is None and edits.tracked_of(ended, "b") is not None
    assert edits.untracked(ended, "b") == plan


def test_work_that_is_typed_takes_the_place_of_steps() -> None:
    before = tracked(entry(1, steps=100.0), entry(2, steps=200.0))
    first, second = edits.changed(before, 1, "done", 5e10).entries
    assert first == before.entries[0]
    assert (second.done, second.steps) == (5e10, None)
    assert edits.changed(before, 0, "spend_usd", 7.0).entries[0] == entry(1, steps=100.0, spend_usd=7.0)


def test_rows_are_taken_out_by_their_numbers() -> None:
    three = tracked(*(entry(week) for week in (1, 2, 3)))
    assert edits.without_rows(three, (0, 2)).entries == (entry(2),)


def test_the_next_entry_is_a_week_on_in_the_same_phase() -> None:
    assert edits.next_entry(tracked()) == entry(1)
    assert edits.next_entry(tracked(entry(1), entry(2, done=1e10, phase="scale"))) == entry(3, phase="scale")


def option(**changes: object) -> Option:
    forecast = Forecast(BEGINS, 0.0, Belief(10.0, 0.1), 0.0, Belief(1e4, 0.1))
    return Option("more", "More chips", "", forecast, BEGINS, None, None, changes=changes)


def test_a_way_on_becomes_a_scenario_over_the_one_on_screen(plan: Plan) -> None:
    made = edits.with_scenario(plan, BASE, 0, option(**{"limits.deadline_days": 77.0}))
    new = made.scenarios[-1]
    assert new.name == "More chips" and len(made.scenarios) == len(plan.scenarios) + 1
    assert resolve(made, new.id).profiles[0].limits.deadline_days == 77.0
    assert made.profiles == plan.profiles


def test_a_way_on_with_a_value_that_is_refused_makes_no_scenario(plan: Plan) -> None:
    with pytest.raises(InputError, match="Deadline"):
        edits.with_scenario(plan, BASE, 0, option(**{"limits.deadline_days": -1.0}))
