"""Page 2: the workload as entered, with what was left at its default in grey."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import Any

from core.plan.edit import get_value
from core.plan.fields import YEAR, FieldInfo, fields
from core.report.blocks import Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.units import THIN, plain, scaled, unit_of
from core.workload.profile import Profile

STANDING_IN = " So are usual rates that stand in for private ones."
_COLUMNS = (Column("Field", weight=2.2), Column("Value", weight=2), Column("What it means", weight=3.5))


def workload_page(context: PageContext) -> Section:
    """Every field with its value, group by group."""
    grey = f"Values left at their default are grey.{STANDING_IN if context.catalogue.is_masked else ''}"
    blocks: list[Block] = [Paragraph(grey, "note")]
    for group, infos in groupby(_shown(context.profile), key=lambda info: info.group):
        blocks += [Paragraph(group, "heading"), Table(_COLUMNS, tuple(_row(context.profile, info) for info in infos))]
    return Section("workload", f"Workload: {context.profile.name}", tuple(blocks))


def _shown(profile: Profile) -> Iterator[FieldInfo]:
    order: dict[str, int] = {}
    infos = [info for info in fields(profile) if info.path not in ("id", "name") and info.relevant]
    for info in infos:
        order.setdefault(info.group, len(order))
    return iter(sorted(infos, key=lambda info: order[info.group]))


def _row(profile: Profile, info: FieldInfo) -> tuple[Cell, ...]:
    value = get_value(profile, info.path)
    tone = "muted" if value == info.default else ""
    return Cell(info.title, tone=tone), Cell(value_text(value, info), tone=tone), Cell(info.help, tone="muted")


def value_text(value: Any, info: FieldInfo) -> str:
    """A field's value as read: words for choices, scale and unit for numbers, ``none`` for what is left empty."""
    if value is None or value in ("", ()):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(info.choices.get(one, str(one)) for one in value)
    if isinstance(value, date):
        return f"{value.day} {value:%b %Y}"
    if info.unit == YEAR:
        return str(value)
    if isinstance(value, int | float):
        number = scaled(value) if abs(value) >= 1e6 else plain(value, 6)
        return f"{number}{THIN}{unit_of(number, info.unit)}" if info.unit else number
    return info.choices.get(value, str(value))
