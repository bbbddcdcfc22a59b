"""Workloads of a plan: added, copied and removed, with what refers to them by place kept true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.plan.plan import Plan, Scenario
from core.workload.portfolio import without_workload
from core.workload.profile import Profile

MOST_LETTERS = 2000
"""Of a comment: as many as the note of a workload may have."""


def with_comments(plan: Plan, of_plan: str, of_workloads: Mapping[str, str]) -> Plan:
    """The plan with these comments of itself and of its workloads by their ids; other workloads keep theirs."""
    profiles = (one.model_copy(update={"note": of_workloads.get(one.id, one.note)}) for one in plan.profiles)
    return plan.model_copy(update={"note": of_plan, "profiles": tuple(profiles)})


def add_workload(plan: Plan, profile: Profile) -> Plan:
    """The plan with one more workload at the end; an id or name that is taken gets a number."""
    ids = {one.id for one in plan.profiles}
    names = {one.name for one in plan.profiles}
    fresh = profile.model_copy(update={"id": _free(profile.id, ids, "-"), "name": _free(profile.name, names, " ")})
    return plan.model_copy(update={"profiles": (*plan.profiles, fresh)})


def remove_workload(plan: Plan, index: int) -> Plan:
    """The plan without a workload and all that is about it; overrides of later ones move up.

    Raises InputError when there is no such workload.
    """
    if not 0 <= index < len(plan.profiles):
        raise InputError("Workload", f"number {index + 1}", f"one of the {len(plan.profiles)} there are")
    gone = plan.profiles[index].id
    return plan.model_copy(
        update={
            "profiles": (*plan.profiles[:index], *plan.profiles[index + 1 :]),
            "scenarios": tuple(_without(scenario, index) for scenario in plan.scenarios),
            "calibrations": tuple(one for one in plan.calibrations if one.profile_id != gone),
            "lessons": tuple(one for one in plan.lessons if one.profile_id != gone),
            "choices": tuple(one for one in plan.choices if one.profile_id != gone),
            "phases": tuple(one for one in plan.phases if one.workload != gone),
            "actuals": tuple(one for one in plan.actuals if one.workload != gone),
            "portfolio": plan.portfolio and without_workload(plan.portfolio, gone),
        }
    )


def _free(name: str, taken: set[str], joint: str) -> str:
    if name not in taken:
        return name
    return next(free for n in range(2, len(taken) + 3) if (free := f"{name}{joint}{n}") not in taken)


def _without(scenario: Scenario, index: int) -> Scenario:
    moved = ((_moved(path, index), value) for path, value in scenario.overrides.items())
    kept: dict[str, Any] = {path: value for path, value in moved if path is not None}
    return scenario.model_copy(update={"overrides": kept})


def _moved(path: str, removed: int) -> str | None:
    head, _, rest = path.partition(".")
    place, _, field = rest.partition(".")
    if head != "profiles" or not place.isdecimal() or int(place) < removed:
        return path
    return None if int(place) == removed else f"profiles.{int(place) - 1}.{field}"
