"""Every input of every workload, entered or usual, and what is assumed about time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from core.catalogue.prices.dates import is_exact, parse_as_of
from core.comparison.judge.calendar import time_inputs
from core.plan.edit import get_value
from core.plan.fields import FieldInfo, fields
from core.report.pages.inputs import value_text
from core.report.workbook.sheet import NUMBER, Head, Sheet, Shown
from core.workload.profile import Profile

_HEADS = (
    Head("Workload"), Head("Group"), Head("Input"), Head("Value", "in the unit beside it", NUMBER), Head("Unit"),
    Head("Entered or default"), Head("Default", "", NUMBER), Head("Low", "in the unit", NUMBER),
    Head("High", "in the unit", NUMBER), Head("What it is"), Head("Source"), Head("As of", "", "yyyy-mm-dd"),
)  # fmt: skip


def assumptions_sheet(profiles: Sequence[Profile]) -> Sheet:
    """Inputs of the workloads in the order of their forms, then the usual times of the catalogue."""
    rows = [row for profile in profiles for row in _inputs(profile)]
    return Sheet("Assumptions", _HEADS, [*rows, *_times()], frozen=3)


def _inputs(profile: Profile) -> Iterator[Sequence[Shown]]:
    for info in fields(profile):
        if info.relevant:
            value = get_value(profile, info.path)
            entered = "default" if value == info.default else "entered"
            unit = info.unit if _is_number(value) else ""
            shown, usual = _shown(info, value), _shown(info, info.default)
            yield profile.name, info.group, info.title, shown, unit, entered, usual, None, None, info.help


def _shown(info: FieldInfo, value: Any) -> Shown:
    """Numbers as numbers, days as days, all else in words."""
    if isinstance(value, date):
        return value
    if _is_number(value):
        return info.in_unit(value)
    return value_text(value, info)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _times() -> Iterator[Sequence[Shown]]:
    for row in time_inputs().values():
        name = f"{row.name.replace('_', ' ')}, {row.scope.replace('_', ' ')}"
        span = row.value
        as_of = parse_as_of(row.as_of) if is_exact(row.as_of) else row.as_of
        entered = "default, an estimate" if row.estimate else "default"
        yield (
            "all", "Usual times", name, span.likely, row.unit, entered, span.likely, span.low, span.high, row.note,
            row.source, as_of,
        )  # fmt: skip
