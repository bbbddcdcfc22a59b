"""The inputs of a workload in which scenarios differ from the base, and what each scenario says there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.plan.difference import NOTHING
from core.plan.fields import FieldInfo, fields, value_words
from core.plan.plan import Plan
from core.plan.scenario import BASE, resolve
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class InputCell:
    """What a scenario says of one input; ``is_there`` is False where its kind of job has no such input."""

    value: Any
    text: str
    is_changed: bool
    is_there: bool = True


@dataclass(frozen=True, slots=True)
class InputRow:
    """An input that differs somewhere, with a cell for each scenario. ``info.path`` counts from the workload."""

    info: FieldInfo
    cells: tuple[InputCell, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs that differ, of ``n_in_all`` that the workload has in the base."""

    rows: tuple[InputRow, ...]
    n_in_all: int

    def n_changed(self, column: int) -> int:
        """In how many inputs a scenario differs from the base."""
        return sum(row.cells[column].is_changed for row in self.rows)


_Values = dict[str, tuple[FieldInfo, Any]]


def differing_inputs(plan: Plan, profile_index: int, scenario_ids: Sequence[str]) -> Inputs:
    """Where the scenarios' workload differs from that of the base, in the order of the form."""
    base = _values(resolve(plan, BASE).profiles[profile_index])
    shown = [_values(resolve(plan, one).profiles[profile_index]) for one in scenario_ids]
    paths = dict.fromkeys(path for values in (base, *shown) for path in values)
    rows = (_row(path, base, shown) for path in paths)
    n_in_all = sum(info.relevant for info, _ in base.values())
    return Inputs(tuple(row for row in rows if any(cell.is_changed for cell in row.cells)), n_in_all)


def _values(profile: Profile) -> _Values:
    return {info.path: (info, _value(profile, info.path)) for info in fields(profile)}


def _value(owner: Any, path: str) -> Any:
    for step in path.split("."):
        owner = owner[int(step)] if isinstance(owner, tuple) else getattr(owner, step)
    return owner


def _row(path: str, base: _Values, shown: Sequence[_Values]) -> InputRow:
    info = next(values[path][0] for values in (base, *shown) if path in values)
    return InputRow(info, tuple(_cell(path, base, values) for values in shown))


def _cell(path: str, base: _Values, values: _Values) -> InputCell:
    if path not in values:
        return InputCell(None, NOTHING, path in base, is_there=False)
    info, value = values[path]
    before = base[path][1] if path in base else None
    is_changed = path not in base or before != value
    words = _list_words(info, before, value) if is_changed and isinstance(before, tuple) else value_words(info, value)
    return InputCell(value, f"{words[:1].upper()}{words[1:]}", is_changed)


def _list_words(info: FieldInfo, before: tuple[Any, ...], value: tuple[Any, ...]) -> str:
    """What a list has more and less than that of the base: ``also spot, not capacity block``; the whole list where one
    of them is empty, which means any."""
    more = tuple(one for one in value if one not in before)
    less = tuple(one for one in before if one not in value)
    if not before or not value:
        return value_words(info, value)
    told = ("also", more), ("not", less)
    return ", ".join(f"{word} {value_words(info, items)}" for word, items in told if items)
