"""Cells of the table of entries: what is read there, what may be typed, and blocks pasted from a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import ValidationError

from core.units import DASH, date_text, grouped, parse_number, plain, scaled, shown_money
from core.workload.actuals import MOST_ENTRIES, Baseline, Entry

COLUMNS = ("day", "done", "spend_usd", "chip_hours", "phase", "source")
PHASE, EDITED = 4, 5
"""The first so many columns are typed into."""
AMOUNT = "a number from 0 on, such as 1200, 3.5e9 or 2 B"
DAY = "a day such as 2027-01-31 or 31.01.2027"


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that was refused: its row from 1, its column, what stands there and what was expected."""

    row: int
    column: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"Row {self.row}, {self.column}: found '{self.found[:40]}', expected {self.expected}"


Phases = Mapping[str, str]
"""Names of the plan's phases by id."""


def titles(baseline: Baseline) -> tuple[str, ...]:
    """Heads of the columns, with units; money in the currency shown."""
    return ("Up to", f"Done, {baseline.unit}", f"Spent, {shown_money().unit}", "Chip hours", "Phase", "From")


def shown(entry: Entry, column: str, phases: Phases) -> str:
    """What is read in a cell."""
    if column == "day":
        return date_text(entry.day)
    if column == "phase":
        return editable(entry, column, phases)
    if column == "source":
        return entry.file_name if entry.source == "log" else "typed"
    value = getattr(entry, column)
    if column == "done" and value is None and entry.steps is not None:
        return f"{plain(entry.steps, 4)} steps"
    if value is None:
        return DASH
    return grouped(value * shown_money().per_usd) if column == "spend_usd" else scaled(value, 4)


def editable(entry: Entry, column: str, phases: Phases) -> str:
    """What an editor begins with: the exact value, in the currency shown; empty for a phase that is gone."""
    if column == "day":
        return entry.day.isoformat()
    if column == "phase":
        return phases.get(entry.phase, "")
    value = getattr(entry, column)
    if value is None:
        return ""
    return f"{value * shown_money().per_usd:.2f}" if column == "spend_usd" else f"{value:.12g}"


def read(text: str, column: str, row: int, title: str, phases: Phases) -> Any:
    """The value typed into a cell; money is turned into US dollars, a phase into its id, an empty number is None.

    Raises ValueError that carries a :class:`BadCell`.
    """
    cleaned = text.strip()
    if column == "day":
        return _day(cleaned, row, title)
    if column == "phase":
        return _phase(cleaned, row, title, phases)
    if cleaned in ("", DASH, "-"):
        return None
    cleaned = cleaned.removeprefix(shown_money().sign).removesuffix(shown_money().code)
    try:
        value = parse_number(cleaned)
        Entry.model_validate({"day": date.min, column: value})
    except (ValueError, ValidationError):
        raise ValueError(BadCell(row, title, text, AMOUNT)) from None
    return value / shown_money().per_usd if column == "spend_usd" else value


def _phase(text: str, row: int, title: str, phases: Phases) -> str:
    if text in ("", DASH, "-"):
        return ""
    for phase_id, name in phases.items():
        if name.casefold() == text.casefold():
            return phase_id
    named = ", ".join(phases.values())
    raise ValueError(BadCell(row, title, text, f"one of {named}" if named else "nothing: the plan has no phases"))


def _day(text: str, row: int, title: str) -> date:
    parts = text.replace("/", ".").split(".")
    if len(parts) == 3 and all(part.isdecimal() for part in parts) and len(parts[2]) == 4 and "/" not in text:
        text = f"{parts[2]}-{parts[1]:0>2}-{parts[0]:0>2}"
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise ValueError(BadCell(row, title, text, DAY)) from None


def pasted(text: str, heads: Sequence[str], phases: Phases) -> tuple[tuple[Entry, ...], tuple[BadCell, ...]]:
    """Entries of lines copied from a spreadsheet, day first, parted by tabs (or semicolons), and what was refused.

    A first line that begins with no day is taken as titles; nothing is entered where anything is refused.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    entries, bad = [], []
    for number, line in enumerate(lines[: MOST_ENTRIES + 1], start=1):
        cells = line.split("\t" if "\t" in text else ";")
        if number == 1 and len(lines) > 1 and not any(letter.isdigit() for letter in cells[0]):
            continue
        values, refused = _values(cells, number, heads, phases)
        bad += refused
        if not refused:
            entries.append(Entry(**values))
    return (() if bad else tuple(entries)), tuple(bad)


def _values(
    cells: Sequence[str], row: int, heads: Sequence[str], phases: Phases
) -> tuple[dict[str, Any], list[BadCell]]:
    values: dict[str, Any] = {}
    bad = []
    for column, head, text in zip(COLUMNS[:EDITED], heads, cells, strict=False):
        try:
            values[column] = read(text, column, row, head, phases)
        except ValueError as error:
            bad.append(error.args[0])
    return values, bad
