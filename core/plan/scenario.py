"""Scenarios: the base plan with a few values changed, each kept as path -> value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from core.errors import InputError
from core.plan.edit import get_value, set_value
from core.plan.plan import Plan, Scenario

BASE = "base"
_NO_VALUE = object()


@dataclass(frozen=True, slots=True)
class OverrideProblem:
    """An override that no longer applies: it is kept and told, not lost."""

    scenario_id: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A plan as a scenario sees it, and the overrides that could not be applied."""

    plan: Plan
    problems: tuple[OverrideProblem, ...]


def resolve(plan: Plan, scenario_id: str) -> Plan:
    """The plan as a scenario sees it. Raises InputError for an unknown scenario; see :func:`resolved` for problems."""
    return resolved(plan, scenario_id).plan


def resolved(plan: Plan, scenario_id: str) -> Resolved:
    """As :func:`resolve`, with what could not be applied.

    Overrides that depend on each other (heads and KV heads, the kind of a job and its fields) apply in any order.
    """
    waiting = _kinds_first(scenario(plan, scenario_id).overrides)
    shown, refused = plan, dict[str, InputError]()
    while waiting:
        shown, left, refused = _pass(shown, waiting)
        if len(left) == len(waiting):
            break
        waiting = left
    problems = tuple(OverrideProblem(scenario_id, path, str(refused[path])) for path in waiting)
    return Resolved(shown, problems)


def scenario(plan: Plan, scenario_id: str) -> Scenario:
    """A scenario by id. Raises InputError when the plan has none such."""
    for one in plan.scenarios:
        if one.id == scenario_id:
            return one
    raise InputError("Scenario", f"'{scenario_id}'", f"one of {', '.join(one.id for one in plan.scenarios)}")


def edit_in(plan: Plan, scenario_id: str, path: str, value: Any) -> Plan:
    """The plan after an edit made while a scenario is shown: in Base the plan itself, elsewhere an override.

    An override back to the base value is dropped, and so are overrides within what is edited. Raises InputError as
    :func:`core.plan.edit.set_value` does.
    """
    if scenario_id == BASE:
        return set_value(plan, path, value)
    shown = set_value(resolve(plan, scenario_id), path, value)
    within = f"{path}."
    kept = scenario(plan, scenario_id).overrides
    overrides = {key: one for key, one in kept.items() if key != path and not key.startswith(within)}
    checked = get_value(shown, path)
    if checked != _base_value(plan, path):
        overrides[path] = to_jsonable_python(checked)
    return _with(plan, scenario_id, {"overrides": overrides})


def add_scenario(plan: Plan, name: str, copy_of: str = BASE) -> Plan:
    """The plan with one more scenario, which starts with the overrides of another."""
    taken = {one.id for one in plan.scenarios}
    new_id = next(f"scenario-{n}" for n in range(1, len(taken) + 2) if f"scenario-{n}" not in taken)
    new = Scenario(id=new_id, name=name, overrides=dict(scenario(plan, copy_of).overrides))
    return plan.model_copy(update={"scenarios": (*plan.scenarios, new)})


def remove_scenario(plan: Plan, scenario_id: str) -> Plan:
    """The plan without a scenario. Raises InputError for Base, which is the plan itself."""
    if scenario(plan, scenario_id).id == BASE:
        raise InputError("Scenario", "'base'", "one that was added; the base is the plan itself")
    return plan.model_copy(update={"scenarios": tuple(one for one in plan.scenarios if one.id != scenario_id)})


def rename_scenario(plan: Plan, scenario_id: str, name: str) -> Plan:
    """The plan with another name for a scenario."""
    return _with(plan, scenario_id, {"name": name})


def move_scenario(plan: Plan, scenario_id: str, place: int) -> Plan:
    """The plan with a scenario at another place of the list, counted from 0; the base stays first."""
    others = [one for one in plan.scenarios if one.id != scenario_id]
    others.insert(max(place, 1), scenario(plan, scenario_id))
    return plan.model_copy(update={"scenarios": tuple(others)})


def make_base(plan: Plan, scenario_id: str) -> Plan:
    """The plan whose base is what a scenario shows. The scenario becomes the base as it was, and all others show what
    they did. Raises InputError for an unknown scenario."""
    made, new = scenario(plan, scenario_id), resolve(plan, scenario_id)
    kept = [_as_before(plan, new, made, one) for one in plan.scenarios]
    return new.model_copy(update={"scenarios": tuple(kept)})


BEFORE = "Base before"
"""Name of the scenario that holds the base as it was."""


def _as_before(plan: Plan, new: Plan, made: Scenario, one: Scenario) -> Scenario:
    """A scenario over the new base that shows what it did over the old one; that of the new base shows the old base."""
    if one.id == BASE:
        return one
    is_made = one.id == made.id
    shown = plan if is_made else resolve(plan, one.id)
    paths = dict.fromkeys([*made.overrides, *one.overrides])
    now = {path: _base_value(shown, path) for path in paths}
    overrides = {
        path: to_jsonable_python(value)
        for path, value in now.items()
        if value is not _NO_VALUE and value != _base_value(new, path)
    }
    return Scenario(id=one.id, name=BEFORE if is_made else one.name, overrides=overrides)


def _kinds_first(overrides: dict[str, Any]) -> dict[str, Any]:
    """The kind of a job decides which fields there are, so it goes before them."""
    return dict(sorted(overrides.items(), key=lambda item: not item[0].endswith(".kind")))


def _pass(plan: Plan, waiting: dict[str, Any]) -> tuple[Plan, dict[str, Any], dict[str, InputError]]:
    left: dict[str, Any] = {}
    refused: dict[str, InputError] = {}
    for path, value in waiting.items():
        try:
            plan = set_value(plan, path, value)
        except InputError as error:
            left[path], refused[path] = value, error
    return plan, left, refused


def _base_value(plan: Plan, path: str) -> Any:
    """The base value; where the base has no such field (another kind of job), one that equals no other."""
    try:
        return get_value(plan, path)
    except InputError:
        return _NO_VALUE


def _with(plan: Plan, scenario_id: str, changes: dict[str, Any]) -> Plan:
    changed = (one.model_copy(update=changes) if one.id == scenario_id else one for one in plan.scenarios)
    return plan.model_copy(update={"scenarios": tuple(changed)})
