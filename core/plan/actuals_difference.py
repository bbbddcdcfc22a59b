"""What differs between the actuals of two plans: the plan as it was frozen, and entries by their days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from core.plan.plan import Plan
from core.units import DASH, counted, grouped, plain, scaled, usd
from core.workload.actuals import Baseline, Entry, Tracked

MOST_DAYS = 12
"""Days told one by one; a log or a spreadsheet brings hundreds."""

Line = tuple[str, str, str]
"""Title, what it reads in the old plan, and in the new one."""
ByDay = Mapping[date, tuple[Entry, ...]]


def actual_differences(old: Plan, new: Plan) -> list[Line]:
    """Of each workload that either tracks: that it does, else what was frozen and each day whose entries differ."""
    names = {one.id: one.name for plan in (old, new) for one in plan.profiles}
    before, after = ({one.workload: one for one in plan.actuals} for plan in (old, new))
    phases = {one.id: one.name for plan in (old, new) for one in plan.phases}
    return [
        (f"Actuals of {names.get(workload, workload)}{title}", one, other)
        for workload in dict.fromkeys([*before, *after])
        for title, one, other in _of_workload(before.get(workload), after.get(workload), phases)
    ]


def _of_workload(old: Tracked | None, new: Tracked | None, phases: Mapping[str, str]) -> Iterator[Line]:
    if old is None or new is None:
        yield "", DASH if old is None else _tracked_words(old), DASH if new is None else _tracked_words(new)
        return
    if old.baseline != new.baseline:
        yield ", frozen plan", _frozen_words(old.baseline), _frozen_words(new.baseline)
    before, after = _by_day(old), _by_day(new)
    days = sorted(day for day in {**before, **after} if before.get(day) != after.get(day))
    if len(days) > MOST_DAYS:
        yield f", {grouped(len(days))} days of them different", _tracked_words(old), _tracked_words(new)
        return
    for day in days:
        was = _day_words(before.get(day, ()), old.baseline, phases)
        yield f", {day.isoformat()}", was, _day_words(after.get(day, ()), new.baseline, phases)


def _by_day(one: Tracked) -> ByDay:
    days = dict.fromkeys(entry.day for entry in one.entries)
    return {day: tuple(entry for entry in one.entries if entry.day == day) for day in days}


def _tracked_words(one: Tracked) -> str:
    entries = counted(len(one.entries), "entry", "entries")
    return f"{entries} against the plan of {one.baseline.frozen_on.isoformat()}"


def _frozen_words(base: Baseline) -> str:
    return f"{base.name}, {base.place}, {usd(base.cost_usd)}, of {base.frozen_on.isoformat()}"


def _day_words(entries: tuple[Entry, ...], base: Baseline, phases: Mapping[str, str]) -> str:
    return "; ".join(_entry_words(one, base, phases) for one in entries) or DASH


def _entry_words(one: Entry, base: Baseline, phases: Mapping[str, str]) -> str:
    told = [
        "" if one.done is None else f"{scaled(one.done, 4)} {base.unit}",
        "" if one.steps is None else f"{plain(one.steps, 4)} steps",
        "" if one.spend_usd is None else f"spent {usd(one.spend_usd, 4)}",
        "" if one.chip_hours is None else f"{plain(one.chip_hours, 4)} chip hours",
        phases.get(one.phase, ""),
        f"from {one.file_name}" if one.source == "log" else "",
    ]
    return ", ".join(filter(None, told)) or "an empty entry"
