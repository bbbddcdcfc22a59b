"""``nvidia-smi --query-gpu=... --format=csv``: one row a GPU and tick, units in the header, the cells, or neither.

As drivers 375 to 610 print it, Linux and Windows alike, with and without a header, and as wrappers rewrite it. A file
of nothing else is read in blocks of bytes, whole columns at once; rows among other text one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from core.logs.machine.cells import CellBlock, cell_block, keys, numbers, stamps
from core.logs.machine.machine_log import MachineLog
from core.logs.machine.smi_columns import (
    Column,
    Schema,
    bracketed,
    guessed_schema,
    is_bare_row,
    is_header,
    names_no_reading,
    names_processes,
    says_unknown,
    schema_of,
    separator_of,
    with_commas,
)
from core.logs.record import LogRecord, Refused, Series
from core.logs.registry import Finding, LogFormat, formats
from core.logs.text import lines_of, log_blocks, tasks_in, without_prefix
from core.logs.timestamps import seconds_of, seconds_of_ctime, seconds_of_number, seconds_of_sheet
from core.reading.pace import too_many
from core.reading.shown import shown

_MOST_HEADERS = 1000
_ROWS_TO_GUESS = 64
_MOST_COMPARED = 512
_ID = "nvidia-smi-csv"
_NO_ROW = "a header without a whole row"
_READINGS = "columns of readings too, such as utilization.gpu and power.draw"
_AS_HEADED = "rows with as many cells as the header, parted by the same sign; decimal commas need another one than ','"
_NO_TIME = "time stamp not understood"
_NO_TIMES = "rows whose time stamps can be read in more than one way, or in none"
_NO_HEADER = "rows without a header and without units, so that nothing tells what they are"


@dataclass
class _Rows:
    """Takes headers and rows in turn, whichever way they are read."""

    log: MachineLog
    schema: Schema | None = None
    header: str = ""
    _bare: list[tuple[int, str]] = field(default_factory=list)
    _schemas: list[Schema] = field(default_factory=list)
    _chips: dict[tuple[tuple[str, str], ...], int] = field(default_factory=dict)
    _places: dict[int, int] = field(default_factory=dict)
    _has_units: set[int] = field(default_factory=set)
    _is_of_processes: bool = False
    _separator: str = ","
    _tasks: set[str] = field(default_factory=set)
    _without_reading: Refused | None = None
    _misfit: Refused | None = None

    def is_of_one_host(self, block: bytes) -> bool:
        """False once lines are of more hosts or tasks than one, which count their GPUs each from 0."""
        self._tasks |= tasks_in(block)
        return len(self._tasks) <= 1

    def take(self, number: int, line: str) -> bool:
        """True for a header, for a row, and for one that is damaged, which is counted."""
        line = self._with_stamp(line) if line.startswith("[") else line
        if not line[:1].isdigit() and is_header(header := _header(line)):
            self._separator = separator_of(line)
            line = header
        else:
            line = with_commas(line, self._separator)
        if not line[:1].isdigit() and is_header(line):
            self.begin(line)
        elif not line[:1].isdigit() and names_processes(line):
            self.schema, self._is_of_processes = None, True
            return False
        elif self.schema is None and not line[:1].isdigit() and names_no_reading(line):
            found = f"a header without a reading ({shown(line.strip())})"
            self._without_reading = self._without_reading or Refused(_ID, number, found, _READINGS)
            return False
        elif self.schema is None and not self._is_of_processes and is_bare_row(line):
            self._bare.append((number, line))
            if len(self._bare) >= _ROWS_TO_GUESS:
                self.guess()
        elif self.schema is None or not self._take_row(number, line.split(","), line):
            return False
        self.log.use(number)
        return True

    def begin(self, header: str) -> None:
        """Rows that follow have these columns. Raises TooMuchError for a file of endless headers."""
        self.header, self._is_of_processes = header, False
        schema = schema_of(header)
        if schema != self.schema:
            self._use(schema)

    def _with_stamp(self, line: str) -> str:
        """A row behind a stamp in brackets, as loops write one, with the stamp as its first cell where it has none."""
        parted = bracketed(line)
        if parted is None:
            return line
        stamp, row = parted
        if self.schema is not None and self.schema.stamp is None:
            self.begin(f"timestamp, {self.header}")
        has_stamp = is_bare_row(row) or (self.schema is not None and row.count(",") + 1 >= self.schema.n_columns)
        return row if has_stamp else f"{stamp}, {row}"

    def guess(self) -> None:
        """Rows that stood without a header are read, as far as their columns can be told."""
        bare, self._bare = self._bare, []
        width = len(bare[0][1].split(",")) if bare else 0
        rows = [line.split(",") for _, line in bare]
        schema = guessed_schema([cells for cells in rows if len(cells) == width]) if bare else None
        if schema is not None and self.schema is None:
            self._use(schema)
            for cells, (number, line) in zip(rows, bare, strict=True):
                self._take_row(number, cells, line)

    def take_block(self, block: bytes) -> bool:
        """Reads a block of rows at once; False where it is not one, and nothing of it is read."""
        schema = self.schema
        cells = cell_block(block, schema.n_columns) if schema else None
        if schema is None or cells is None:
            return False
        time_s = np.full(cells.n_rows, np.nan) if schema.stamp is None else stamps(cells, schema.stamp, _seconds_or_nan)
        values = _columns(schema.columns, cells)
        if schema.stamp is None and np.all([np.isnan(column) for column in values.values()], axis=0).any():
            return False  # perhaps no row at all
        if schema.stamp is not None and np.isnan(time_s).any():
            return False
        chips = self._chips_of(cells, schema)
        self._note_unit(schema, cells.cell(cells.n_rows - 1, schema.n_columns - 1).decode("utf-8", "replace"))
        self._note_first(schema, lambda place: cells.cell(0, place).decode("utf-8", "replace"))
        self.log.ticks.add_rows(chips, time_s, values)
        return True

    def finding(self) -> LogRecord | Refused:
        """What all rows say together."""
        self.guess()
        if self.schema is None:
            if self._without_reading is not None:
                return self._without_reading
            return Refused(_ID, max(self.log.first_line, 1), _NO_HEADER, "the header too, or cells with their units")
        if not self.log.ticks.n_rows and self.log.skipped[_NO_TIME]:
            return Refused(_ID, max(self.log.first_line, 1), _NO_TIMES, "time stamps with the year first")
        if not self.log.ticks.n_rows and self._misfit is not None:
            return self._misfit
        return self.log.finding(_NO_ROW, "at least one row of readings")

    def _use(self, schema: Schema) -> None:
        if schema not in self._schemas:
            self._schemas.append(schema)
        if len(self._schemas) > _MOST_HEADERS:
            raise too_many(self.log.file, _MOST_HEADERS, "headers, each with other columns")
        self.schema, self._places, self._has_units = schema, {}, set()

    def _take_row(self, number: int, cells: list[str], line: str) -> bool:
        schema = self.schema
        assert schema is not None
        if len(cells) != schema.n_columns:
            if len(cells) == 1 or not line[:1].isdigit():
                return False
            self._misfit = self._misfit or _misfit(number, cells, line, schema)
            self.log.skipped["row cut short" if len(cells) < schema.n_columns else "row with too many cells"] += 1
            return True
        time_s = math.nan if schema.stamp is None else _seconds(cells[schema.stamp])
        if time_s is None:
            self.log.skipped[_NO_TIME] += 1
            return True
        values = _readings(schema.columns, cells)
        if all(math.isnan(value) for value in values.values()) and not _says_unknown(schema, cells):
            return False
        if self._is_cut(schema, cells):
            self.log.skipped["row cut short"] += 1
            return True
        self._note_first(schema, cells.__getitem__)
        self.log.ticks.add_numbered(self._chip(schema, cells), values, time_s)
        return True

    def _note_unit(self, schema: Schema, last_cell: str) -> None:
        """Whether the last cell of a row prints its unit."""
        text = last_cell.strip()
        if not says_unknown(text) and (text[-1:].isalpha() or text.endswith("%")):
            self._has_units.add(schema.n_columns - 1)

    def _is_cut(self, schema: Schema, cells: list[str]) -> bool:
        """Whether the last cell ends before its unit or name does, as where a file is cut in the middle of a row."""
        last = schema.n_columns - 1
        for column in schema.columns:
            if column.place == last:
                text = cells[last].strip()
                self._note_unit(schema, text)
                is_whole = text.endswith(("%", "]", "!", "-")) or (text[-1:].isalpha() and text[:1] != "[")
                return last in self._has_units and not is_whole
        key = self._key(schema, cells)
        is_new = any(place == last for _, place in schema.keys) and key not in self._chips
        return is_new and len(self._chips) < _MOST_COMPARED and self._is_part(key)

    def _is_part(self, key: tuple[tuple[str, str], ...]) -> bool:
        return any(
            all(mine in (own, (own[0], own[1][: len(mine[1])])) for own, mine in zip(known, key, strict=False))
            for known in self._chips
        )

    def _note_first(self, schema: Schema, cell: Callable[[int], str]) -> None:
        if schema.stamp is not None:
            self.log.note_start(cell(schema.stamp))
        if schema.driver is not None and not self.log.facts:
            self.log.facts["driver"] = cell(schema.driver).strip()

    def _key(self, schema: Schema, cells: list[str]) -> tuple[tuple[str, str], ...]:
        return tuple([(key, cells[place].strip()) for key, place in schema.keys])

    def _chip(self, schema: Schema, cells: list[str]) -> int:
        """The number of the row's GPU, told by all columns that name it; by shared ones where headers differ."""
        key = self._key(schema, cells)
        if key not in self._chips:
            known_ones = self._chips.items() if len(self._chips) < _MOST_COMPARED else ()
            same = next((n for known, n in known_ones if _are_same(known, key)), None)
            self._chips[key] = self.log.ticks.number(" ".join(map(str, key)) or "0") if same is None else same
            if schema.name is not None:
                self.log.note_name(cells[schema.name].strip())
        return self._chips[key]

    def _chips_of(self, cells: CellBlock, schema: Schema) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        columns = tuple(place for _, place in schema.keys)
        marks, firsts, places = np.unique(keys(cells, columns), return_index=True, return_inverse=True)
        for mark, row in sorted(zip(marks.tolist(), firsts.tolist(), strict=True), key=lambda pair: pair[1]):
            if mark not in self._places:
                texts = [cells.cell(row, place).decode("utf-8", "replace") for place in range(schema.n_columns)]
                self._places[mark] = self._chip(schema, texts)
        return np.array([self._places[mark] for mark in marks.tolist()], np.int64)[places]

    def chip_names(self) -> tuple[str, ...]:
        """The GPUs as a chart names them: by index, bus or id, the first that tells them apart, else by all of them."""
        by_number = {number: dict(key) for key, number in reversed(self._chips.items())}
        known = [by_number.get(number, {}) for number in range(len(self.log.ticks.numbers))]
        for name in ("index", "gpu", "pci.bus_id", "uuid"):
            names = tuple(one.get(name, "") for one in known)
            if all(names) and len(set(names)) == len(names):
                return names
        return tuple(
            " ".join(one[name] for name in ("hostname", "index", "gpu") if name in one) or str(number)
            for number, one in enumerate(known)
        )


def _misfit(number: int, cells: list[str], line: str, schema: Schema) -> Refused:
    """Why a row does not stand below its header."""
    found = f"a row of {len(cells)} cells below a header of {schema.n_columns}"
    if (sign := separator_of(line)) in (";", "\t"):
        found = f"a row whose cells are parted by {shown(sign)} below a header with other signs"
    return Refused(_ID, number, found, _AS_HEADED)


class _Reader:
    """Rows among other text."""

    def __init__(self, file_name: str) -> None:
        self._rows = _Rows(MachineLog(file_name, _ID))

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        return self._rows.take(number, line)

    def finish(self) -> list[Finding]:
        """One record of all rows; nothing where all of them were of processes."""
        return [_named(self._rows)] if self._rows.log.first_line else []


def _named(rows: _Rows) -> Finding:
    finding = rows.finding()
    if isinstance(finding, LogRecord):
        object.__setattr__(finding, "chips", rows.chip_names())
    return finding


def _read(path: Path) -> list[Finding]:
    """A whole file of rows; nothing where it holds another format too."""
    rows, n_lines = _Rows(MachineLog(path.name, _ID)), 0
    with closing(log_blocks(path)) as blocks:
        for n_block_lines, block in blocks:
            if not _take(rows, n_lines, block):
                return []
            n_lines += n_block_lines
    rows.log.n_lines = n_lines
    finding = _named(rows)
    return [] if isinstance(finding, Refused) and rows.schema is None else [finding]


def _take(rows: _Rows, n_before: int, block: bytes) -> bool:
    """Takes a block whole where it can, else line by line. False where a line begins another format."""
    rest = block
    if rows.schema is None:
        if not rows.is_of_one_host(block):
            return False
        lines = lines_of(block)
        n_head = next((n for n, line in enumerate(lines, 1) if is_header(_header(line))), len(lines))
        if not _take_lines(rows, n_before, lines[:n_head]):
            return False
        n_before, rest = n_before + n_head, _after(block, n_head)
    plain = _without_headers(rest, rows.header) if b"\x1b" not in rest else b""
    is_plain = plain and b"\r" not in plain and not plain.startswith(b"[")
    if rest and not rows.is_of_one_host(rest[: rest.find(b"\n") + 1]):
        return False
    if not rest or (is_plain and rows.take_block(plain)):
        return True
    return rows.is_of_one_host(rest) and _take_lines(rows, n_before, lines_of(rest))


def _take_lines(rows: _Rows, n_before: int, lines: list[str]) -> bool:
    for number, line in enumerate(lines, n_before + 1):
        if not line.strip():
            continue
        if not rows.take(number, line):
            if line.startswith(("{", "[")) or any(one.id != _ID and one.begins_with(line) for one in formats()):
                return False
            rows.log.skipped["before the header" if rows.schema is None else "not a row"] += 1
    return True


def _after(block: bytes, n_lines: int) -> bytes:
    at = 0
    for _ in range(n_lines):
        at = block.find(b"\n", at) + 1
        if not at:
            return b""
    return block[at:]


def _without_headers(block: bytes, header: str) -> bytes:
    """The block with plain line ends, without repeated headers and without the prefix that all its lines have."""
    plain = b"\n" + (block.replace(b"\r\n", b"\n") if b"\r" in block else block)
    first = plain[1 : plain.find(b"\n", 1)]
    bare = without_prefix(first.decode("latin-1")).encode("latin-1", "replace")
    n_prefix = len(first) - len(bare) if first.endswith(bare) else 0
    if n_prefix:
        plain = plain.replace(b"\n" + first[:n_prefix], b"\n")
    if header and (line := f"\n{header}\n".encode()) in plain:
        plain = plain.replace(line, b"\n")
    return plain[1:]


def _readings(columns: tuple[Column, ...], cells: list[str]) -> dict[str, float]:
    """Readings of each quantity: of its first column that knows one; of throttling, the worst of all its columns."""
    values: dict[str, float] = {}
    for column in columns:
        value, known = column.reading(cells[column.place]), values.get(column.quantity, math.nan)
        if math.isnan(known) or (column.is_mask and value > known):
            values[column.quantity] = value
    return values


def _columns(columns: tuple[Column, ...], cells: CellBlock) -> dict[str, Series]:
    """The same of many rows."""
    values: dict[str, Series] = {}
    for column in columns:
        new = numbers(cells, column.place, partial(_cell_reading, column), column.factor)
        known = values.get(column.quantity)
        if known is None:
            values[column.quantity] = new
        elif column.is_mask:
            values[column.quantity] = np.fmax(known, new)
        else:
            values[column.quantity] = np.where(np.isnan(known), new, known)
    return values


def _cell_reading(column: Column, cell: bytes) -> float:
    return column.reading(cell.decode("utf-8", "replace"))


def _seconds_or_nan(cell: bytes) -> float:
    seconds = _seconds(cell.decode("utf-8", "replace"))
    return math.nan if seconds is None else seconds


def _says_unknown(schema: Schema, cells: list[str]) -> bool:
    return any(says_unknown(cells[column.place]) for column in schema.columns)


def _seconds(stamp: str) -> float | None:
    text = stamp.strip()
    seconds = seconds_of(text)
    if seconds is None and text[:1].isdigit():
        seconds = seconds_of_number(text) or seconds_of_sheet(text)
    return seconds_of_ctime(text) if seconds is None and text[:1].isalpha() else seconds


def _are_same(known: tuple[tuple[str, str], ...], key: tuple[tuple[str, str], ...]) -> bool:
    """Whether two headers' names of a GPU, by different columns, agree in all that both have."""
    old, new = dict(known), dict(key)
    shared = old.keys() & new.keys()
    return old.keys() != new.keys() and bool(shared) and all(old[name] == new[name] for name in shared)


def _header(line: str) -> str:
    return with_commas(line, separator_of(line))


def _begins(line: str) -> bool:
    if line.startswith("[") and (parted := bracketed(line)):
        line = f"{parted[0]}, {parted[1]}"
    return is_bare_row(line) or (not line[:1].isdigit() and is_header(_header(line)))


FORMAT = LogFormat(
    _ID,
    "nvidia-smi --query-gpu CSV",
    "nvidia-smi query",
    marks=("utilization", "memory", "power", "temperature", "clocks", ", "),
    begins=_begins,
    reader=_Reader,
    bulk=_read,
)
