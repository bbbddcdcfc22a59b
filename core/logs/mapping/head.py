"""The head of a table: how its cells are parted, what its columns are called, and what they begin with."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import InputError
from core.logs.mapping.cells import Decimal, cells_of, number
from core.logs.text import log_lines
from core.reading.shown import shown

DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 2000
MOST_NAME_CHARS = 200

_HEAD_LINES = 400
_SHOWN_ROWS = 8
_SOUND = 0.6
"""Share of the lines below the header that have as many cells as it."""

# Three digits behind a sign may be thousands: they tell nothing.
_DECIMAL_COMMA = re.compile(r"\s*[-+]?[\d.]{1,20},(?:\d{1,2}|\d{4,20})\s{0,3}[%°A-Za-z/µ]{0,20}\s*")
_DECIMAL_POINT = re.compile(r"\s*[-+]?[\d,]{1,20}\.(?:\d{1,2}|\d{4,20})\s{0,3}[%°A-Za-z/µ]{0,20}\s*")


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its name and the first cells below it, as printed."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The head of a table. ``columns`` have names of their own: a name that comes again is told apart by a number."""

    file: str
    delimiter: str
    decimal: Decimal
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    """The first rows, for a preview and to tell units by their size."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in their order."""
        return tuple(column.name for column in self.columns)


def read_head(path: Path) -> Table:
    """The head of a file. Raises InputError when it is no table with a header, MachineError when it cannot be read."""
    with closing(log_lines(path, reads_all=False)) as lines:
        head = [line for line in islice(lines, _HEAD_LINES) if line.strip()]
    table = head_of(path.name, head)
    if table is None:
        expected = "a table: a line with the names of its columns, then rows parted by commas, semicolons or tabs"
        raise InputError(path.name, f"{shown(head[0]) if head else 'no text'} as its first line", expected)
    return table


def head_of(file: str, lines: list[str]) -> Table | None:
    """The table that the first lines of a file begin; None where they are none."""
    begins = (_begin(lines, delimiter) for delimiter in DELIMITERS)
    begin = max(begins, key=lambda one: (one[0], -one[1]), default=(0.0, 0, ""))  # decimal commas part rows too
    share, first, delimiter = begin
    if share == 0.0:
        return None
    names = header_names(lines[first], delimiter)
    rows = [tuple(cells) for line in lines[first + 1 :] if len(cells := cells_of(line, delimiter)) == len(names)]
    decimal = _decimal(rows)
    columns = [Column(name, tuple(row[at] for row in rows[:_SHOWN_ROWS])) for at, name in enumerate(names)]
    return Table(file, delimiter, decimal, tuple(columns), tuple(rows))


def header_names(line: str, delimiter: str) -> tuple[str, ...]:
    """The names in a header, each another: ``power``, ``power (2)``; an empty one is called by its place."""
    names: list[str] = []
    seen: Counter[str] = Counter()
    for place, cell in enumerate(cells_of(line.lstrip("# "), delimiter), 1):
        name = cell.strip()[:MOST_NAME_CHARS] or f"column {place}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def _begin(lines: list[str], delimiter: str) -> tuple[float, int, str]:
    """How sound a table is by this delimiter (0.0 is none), the place of its header, the delimiter."""
    counts = [len(cells_of(line, delimiter)) for line in lines]
    usual = [n for n, _ in Counter(n for n in counts if 1 < n <= MOST_COLUMNS).most_common(1)]
    first = next((at for at, n in enumerate(counts) if usual and n == usual[0]), len(lines))
    n_below = len(lines) - first - 1
    if n_below < 1 or not _is_header(lines[first], delimiter):
        return 0.0, 0, delimiter
    share = counts[first + 1 :].count(usual[0]) / n_below
    numeric = any(number(cell) == number(cell) for cell in cells_of(lines[first + 1], delimiter))
    return (share if share >= _SOUND and (numeric or n_below > 1) else 0.0), first, delimiter


def _is_header(line: str, delimiter: str) -> bool:
    """True for names: none of them is a number, and at least one is a short text."""
    cells = [cell.strip() for cell in cells_of(line.lstrip("# "), delimiter)]
    named = [cell for cell in cells if cell]
    return bool(named) and not any(number(cell) == number(cell) and not cell[-1:].isalpha() for cell in named)


def _decimal(rows: list[tuple[str, ...]]) -> Decimal:
    cells = [cell for row in rows for cell in row]
    has_commas = any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    return "," if has_commas and not any(_DECIMAL_POINT.fullmatch(cell) for cell in cells) else "."
