"""Cells of the table of workloads in a portfolio: what is read there and what may be typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.plan.fields import FieldInfo, fields
from core.units import DASH, parse_number, plain
from core.workload.portfolio import MOST_MONTHS, Member
from core.workload.profile import Profile
from gui.forms.number_text import typed_number

_INFOS = {info.path: info for info in fields(Member(workload=""))}
COLUMNS = ("name", "pool", "use_pct", "growth_pct_per_year", "every_months", "start_hour")
TITLES = ("Takes part", "Pool", "Use by month, %", "Growth, %/year", "Again every", "Starts at")
ALONE, FULL, ONCE, QUIETEST = "its own", "100", "once", "quietest"
USE = "shares of what the workload says, by month, such as 100, 120, 150"


@dataclass(frozen=True, slots=True)
class Row:
    """A workload and how it takes part."""

    profile: Profile
    member: Member


def info_of(column: str) -> FieldInfo:
    """What is known of the field of a column."""
    return _INFOS[column]


def can_type(row: Row, column: str, is_split: bool) -> bool:
    """True where a field means something: pools where they are split, runs again for training, an hour for batches."""
    job = row.profile.job
    if column == "every_months":
        return job.trains
    if column == "start_hour":
        return not job.trains and job.service is None
    return column != "name" and (column != "pool" or is_split)


def shown(row: Row, column: str, is_split: bool) -> str:
    """What is read in a cell."""
    if column == "name":
        return row.profile.name
    if not can_type(row, column, is_split):
        return DASH
    member = row.member
    usual = {"pool": ALONE, "use_pct": FULL, "every_months": ONCE, "start_hour": QUIETEST}
    text = editable(row, column)
    if not text:
        return usual.get(column, "0")
    units = {"every_months": " months" if member.every_months != 1 else " month", "start_hour": " o'clock"}
    return text + units.get(column, "")


def editable(row: Row, column: str) -> str:
    """What an editor begins with."""
    value: Any = getattr(row.member, column) if column != "name" else row.profile.name
    if value is None:
        return ""
    if column == "use_pct":
        return ", ".join(plain(one, 6) for one in value)
    return value if isinstance(value, str) else plain(value, 6)


def read(text: str, column: str) -> Any:
    """The value typed into a cell. Raises ValueError with a sentence."""
    if column == "pool":
        return text.strip()
    if column != "use_pct":
        return typed_number(info_of(column), text or ("0" if column == "growth_pct_per_year" else ""), 1.0)
    parts = [part for part in text.replace(";", ",").split(",") if part.strip()]
    try:
        values = tuple(float(parse_number(part.replace("%", ""))) for part in parts)
    except ValueError:
        raise ValueError(f"Expected {USE}") from None
    if len(values) > MOST_MONTHS or any(value < 0 for value in values):
        raise ValueError(f"Expected {USE}")
    return values
