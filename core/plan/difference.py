"""What differs between two plans, field by field and entry by entry, in the words of the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from core.catalogue.entries import Entry, Offer, Server
from core.catalogue.own.checks import NAMES
from core.catalogue.own.layers import KEYS, OwnEntries
from core.plan.actuals_difference import actual_differences
from core.plan.fields import FieldInfo, fields, value_words
from core.plan.plan import Plan
from core.units import DASH, counted, grouped
from core.workload.phases import Phase
from core.workload.portfolio import Member, Portfolio
from core.workload.profile import Profile

MOST_LINES = 12
"""Entries of a kind told one by one; a price file brings hundreds."""

NOTHING = DASH
"""Stands where one of the plans has no such field, entry or workload."""

PRESENT, CORRECTED = "entered", "changed"


def own_differences(old: OwnEntries, new: OwnEntries) -> list[tuple[str, str, str]]:
    """Title, what it reads in the old plan, and in the new one."""
    return [line for table in KEYS for line in _of_table(table, getattr(old, table), getattr(new, table))]


def _of_table(table: str, old: tuple[Entry, ...], new: tuple[Entry, ...]) -> list[tuple[str, str, str]]:
    key, (word, name) = KEYS[table], NAMES[table]
    before, after = ({key(entry): entry for entry in entries} for entries in (old, new))
    changed = [one for one in {**before, **after} if before.get(one) != after.get(one)]
    if len(changed) > MOST_LINES:
        return [_counted(word, len(changed), before, after)]
    entries = [(before.get(one), after.get(one)) for one in changed]
    return [(f"Own {word} {name(b or a)}", _reading(b), _reading(a, b)) for b, a in entries]


def _counted(
    word: str, n_changed: int, before: Mapping[Any, Entry], after: Mapping[Any, Entry]
) -> tuple[str, str, str]:
    return f"Own {word}s, {grouped(n_changed)} of them different", grouped(len(before)), grouped(len(after))


def _reading(entry: Entry | None, other: Entry | None = None) -> str:
    """The price where the entry is one; else whether it is there."""
    if entry is None:
        return NOTHING
    if isinstance(entry, Offer):
        return f"{entry.usd_per_host_hour:.6g} USD per host and hour"
    if isinstance(entry, Server):
        return f"{grouped(entry.typical_usd)} USD"
    return CORRECTED if other is not None else PRESENT


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
    lines = [_plain("name", "Plan", old.name, new.name), _plain("note", "Comment", old.note, new.note)]
    before, after = ({one.id: one for one in plan.profiles} for plan in (old, new))
    for profile_id in dict.fromkeys([*before, *after]):
        lines += profile_differences(before.get(profile_id), after.get(profile_id))
    lines += phase_differences(old, new)
    lines += [_plain("actuals", *line) for line in actual_differences(old, new)]
    lines += portfolio_differences(old, new)
    for name in ("scenarios", "logs", "calibrations", "lessons", "choices"):
        lines.append(_plain(name, name.capitalize(), str(len(getattr(old, name))), str(len(getattr(new, name)))))
    lines += [_plain("own", *line) for line in own_differences(old.own, new.own)]
    return [one for one in lines if one.before != one.after or one.path == "own"]


def phase_differences(old: Plan, new: Plan) -> list[Difference]:
    """Fields of phases that differ, matched by id; one line for a phase that only one plan has."""
    before, after = ({one.id: one for one in plan.phases} for plan in (old, new))
    lines = [_plain("phases_deadline", "Deadline of the phases", _day(old), _day(new))]
    for phase_id in dict.fromkeys([*before, *after]):
        lines += _of_phase(before.get(phase_id), after.get(phase_id))
    return lines


def portfolio_differences(old: Plan, new: Plan) -> list[Difference]:
    """Settings of the portfolio that differ, and how each workload takes part."""
    before, after = old.portfolio, new.portfolio
    if before is None or after is None:
        words = [NOTHING if one is None else PRESENT for one in (before, after)]
        return [_plain("portfolio", "Portfolio", *words)]
    lines = [_plain("portfolio", f"Portfolio, {title}", *words) for title, *words in _read(Portfolio, before, after)]
    names = dict.fromkeys(one.workload for settings in (before, after) for one in settings.members)
    for name in names:
        read = _read(Member, before.member(name), after.member(name))
        lines += [_plain("portfolio", f"{name}, {title}", *words) for title, *words in read]
    pins = [" and ".join(f"{one.workload} {one.chip}" for one in each.pins) or NOTHING for each in (before, after)]
    return [*lines, _plain("portfolio", "Moved by hand", *pins)]


def _read(model: type[BaseModel], old: BaseModel, new: BaseModel) -> list[tuple[str, str, str]]:
    """Title and both values of each field that forms know."""
    values = ((info, getattr(old, info.path), getattr(new, info.path)) for info in fields(model))
    return [(info.title, value_words(info, before), value_words(info, after)) for info, before, after in values]


def _of_phase(old: Phase | None, new: Phase | None) -> list[Difference]:
    if old is None or new is None:
        return [_plain("phases", "Phase", *(NOTHING if one is None else one.name for one in (old, new)))]
    read = _read(Phase, old, new)
    measures = [" and ".join(f"{one.quantity} {one.threshold:g}" for one in phase.measures) for phase in (old, new)]
    return [
        *(_plain("phases", f"{new.name}, {title}", before, after) for title, before, after in read),
        _plain("phases", f"{new.name}, must show", *(one or NOTHING for one in measures)),
    ]


def _day(plan: Plan) -> str:
    return plan.phases_deadline.isoformat() if plan.phases_deadline else NOTHING


def difference_words(old: Plan, new: Plan) -> str:
    """How much differs, in words: ``3 fields differ``."""
    n_lines = len(differences(old, new))
    if n_lines:
        return f"{counted(n_lines, 'field')} {'differs' if n_lines == 1 else 'differ'}"
    return "no difference" if old == new else "differs in what no form shows"


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
