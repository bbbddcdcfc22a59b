"""Headers and rows of monitors that print ``# gpu  pwr  sm ...`` over columns parted by blanks or commas."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_PARTS = re.compile(r"[\s,]+")
_CLOCK = {"time", "date"}


def parted(line: str) -> list[str]:
    """The cells of a header or row."""
    return [part for part in _PARTS.split(line.strip()) if part]


def header_columns(line: str) -> list[str]:
    """The columns of a header line, small letters; none where the line is no header with a GPU's index."""
    if not line.lstrip().startswith("#"):
        return []
    columns = [name.lower() for name in parted(line.replace("#", " "))]
    before = columns[: columns.index("gpu")] if "gpu" in columns else ["?"]
    return columns if _CLOCK.issuperset(before) else []


def is_cell(cell: str) -> bool:
    """A number, a time or what is not known."""
    return cell == "-" or cell == "N/A" or not cell.strip("0123456789.:/-")


def stamp_of(columns: Sequence[str], cells: Sequence[str]) -> tuple[str, str]:
    """Time and date of a row, empty where it has none."""
    named = dict(zip(columns, cells, strict=False))
    return named.get("time", ""), named.get("date", "")


class MonitorColumns:
    """The columns of the last header, by which lines are told: a header, its units below it, or a row."""

    def __init__(self, begins: Callable[[str], bool], take_row: Callable[[list[str]], bool]) -> None:
        self.names: list[str] = []
        self._begins, self._take_row = begins, take_row

    def take(self, line: str) -> bool:
        """True for a header, its units, or a row that ``take_row`` takes."""
        if self._begins(line):
            self.names = header_columns(line)
            return True
        if not self.names:
            return False
        return "idx" in line.lower() if line.lstrip().startswith("#") else self._take_row(parted(line))
