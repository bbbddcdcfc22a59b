"""What differs between two plans, field by field, in the words of the form."""

from __future__ import annotations

from dataclasses import dataclass

from core.plan.fields import FieldInfo, fields, value_words
from core.plan.own_difference import own_differences
from core.plan.plan import Plan
from core.workload.profile import Profile

NOTHING = "\u2013"
"""Stands where one of the plans has no such field or workload."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs: where it is, its title and what it reads in the old and the new plan."""

    workload: str
    path: str
    title: str
    before: str
    after: str


def differences(old: Plan, new: Plan) -> list[Difference]:
    """Differences of the new plan from the old one: its name, its workloads (matched by id), their fields, own entries.

    Logs, calibrations and choices are counted, not compared one by one. An empty list does not prove that the plans
    are equal; ``old == new`` does.
    """
    found = [_plain("name", "Plan", old.name, new.name)]
    before, after = ({one.id: one for one in plan.profiles} for plan in (old, new))
    for profile_id in dict.fromkeys([*before, *after]):
        found += profile_differences(before.get(profile_id), after.get(profile_id))
    for name in ("scenarios", "logs", "calibrations", "choices"):
        found.append(_plain(name, name.capitalize(), str(len(getattr(old, name))), str(len(getattr(new, name)))))
    found += [_plain("own", *line) for line in own_differences(old.own, new.own)]
    return [one for one in found if one.before != one.after or one.path == "own"]


def profile_differences(old: Profile | None, new: Profile | None) -> list[Difference]:
    """Fields that differ between two workloads; one line when one of them is missing."""
    workload = (new or old or Profile()).name
    if old is None or new is None:
        there = [NOTHING if one is None else one.name for one in (old, new)]
        return [Difference(workload, "", "Workload", *there)] if old is not new else []
    before, after = _readings(old), _readings(new)
    return [
        Difference(workload, path, info.title, _words(before, path), _words(after, path))
        for path, (info, _) in {**before, **after}.items()
        if before.get(path, (info, NOTHING))[1] != after.get(path, (info, NOTHING))[1]
    ]


_Reading = dict[str, tuple[FieldInfo, object]]


def _readings(profile: Profile) -> _Reading:
    return {info.path: (info, _value(profile, info.path)) for info in fields(profile)}


def _value(profile: Profile, path: str) -> object:
    value: object = profile
    for step in path.split("."):
        value = getattr(value, step)
    return value


def _words(readings: _Reading, path: str) -> str:
    return value_words(*readings[path]) if path in readings else NOTHING


def _plain(path: str, title: str, before: str, after: str) -> Difference:
    return Difference("", path, title, before, after)
