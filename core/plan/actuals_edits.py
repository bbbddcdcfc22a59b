"""What tracking does to a plan: begun, ended, entries changed, a way on made a scenario. Plans in, plans out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from core.comparison.actuals.options import Option
from core.plan.plan import Plan
from core.plan.scenario import add_scenario, edit_in
from core.workload.actuals import Entry, Tracked, with_entries, with_tracked

WEEK = timedelta(days=7)


def tracked_of(plan: Plan, workload: str) -> Tracked | None:
    """What is tracked of a workload."""
    return next((one for one in plan.actuals if one.workload == workload), None)


def tracking(plan: Plan, new: Tracked) -> Plan:
    """The plan with a workload tracked. Facts belong to the plan itself, whatever scenario is on screen."""
    return plan.model_copy(update={"actuals": with_tracked(plan.actuals, new)})


def untracked(plan: Plan, workload: str) -> Plan:
    """The plan without what is tracked of a workload."""
    return plan.model_copy(update={"actuals": tuple(one for one in plan.actuals if one.workload != workload)})


def changed(tracked: Tracked, row: int, column: str, value: Any) -> Tracked:
    """One cell changed; work that is typed takes the place of steps."""
    update = {column: value} | ({"steps": None} if column == "done" else {})
    rows = [one.model_copy(update=update) if n == row else one for n, one in enumerate(tracked.entries)]
    return with_entries(tracked, tuple(rows))


def without_rows(tracked: Tracked, rows: Collection[int]) -> Tracked:
    """Entries taken out by their numbers."""
    return with_entries(tracked, tuple(one for n, one in enumerate(tracked.entries) if n not in rows))


def next_entry(tracked: Tracked) -> Entry:
    """An empty entry a week after the last one, of the same phase."""
    if not tracked.entries:
        return Entry(day=tracked.baseline.work_begins + WEEK)
    last = tracked.entries[-1]
    return Entry(day=last.day + WEEK, phase=last.phase)


def with_scenario(plan: Plan, scenario_id: str, index: int, option: Option) -> Plan:
    """The plan with a scenario that holds a way on, over the one on screen. Raises InputError for a value refused."""
    plan = add_scenario(plan, str(option.title), scenario_id)
    for field, value in option.changes.items():
        plan = edit_in(plan, plan.scenarios[-1].id, f"profiles.{index}.{field}", value)
    return plan
