"""Rows of a CSV file from outside, one after the other, each of a bounded size."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.reading.files import opened
from core.reading.limits import MOST_CELL_CHARS, MOST_ROW_CHARS, MOST_ROWS, MOST_TABLE_BYTES
from core.reading.pace import Pace, TooMuchError, too_many
from core.units import grouped

COMMAS = "columns parted by commas, and points before decimals"

Row = tuple[int, list[str]]
"""Its number as a spreadsheet counts, and its cells."""


def read_cells(path: Path, expected: str) -> list[Row]:
    """All rows of a CSV file. Raises as :func:`rows_of` and :func:`core.reading.files.opened`."""
    with opened(path, expected, MOST_TABLE_BYTES) as file:
        return list(rows_of(file, path.name, expected, table_pace(path.name)))


def table_pace(where: str) -> Pace:
    """The pace of a file with one table or several."""
    return Pace(where, "rows", MOST_ROWS)


def rows_of(file: IO[bytes], where: str, expected: str, pace: Pace) -> Generator[Row]:
    """Rows of a CSV file, empty for a blank line; the file stays open. Close the iterator if you leave it early.

    Raises InputError, naming the row, for text that is no UTF-8 or no CSV, TooMuchError for what goes beyond a limit.
    """
    if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise InputError(where, "text saved as UTF-16", "a CSV file saved as UTF-8")
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        yield from _rows(_Lines(text, where), where, expected, pace)
    finally:
        text.detach()


def parted_otherwise(header: Sequence[str]) -> str:
    """What parts the columns of a header that was read as if commas did: ``columns parted by semicolons``, as
    spreadsheets write them where a comma parts decimals; empty where commas do."""
    marks = {"semicolons": ";", "tabs": "\t"}
    return next((f"columns parted by {name}" for name, mark in marks.items() if _many(header, mark)), "")


def _many(header: Sequence[str], mark: str) -> bool:
    return len(header) <= 2 and any(cell.count(mark) > 1 for cell in header)


class _Lines:
    """Lines of a text for the csv module, which asks for as many as a row has: ``n_chars`` so far, bounded."""

    def __init__(self, text: io.TextIOWrapper, where: str) -> None:
        self._text, self._where = text, where
        self.n_chars = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._text.readline(MOST_ROW_CHARS + 1)
        self.n_chars += len(line)
        if self.n_chars > MOST_ROW_CHARS:
            raise too_many(self._where, MOST_ROW_CHARS, "characters in one row")
        if not line:
            raise StopIteration
        return line


def _rows(lines: _Lines, where: str, expected: str, pace: Pace) -> Iterator[Row]:
    number = 0
    try:
        for number, row in enumerate(csv.reader(lines), start=1):
            lines.n_chars = 0
            pace.count(1, len(row))
            yield number, row
    except UnicodeDecodeError:
        raise InputError(where, "bytes that are no UTF-8 text", expected) from None
    except csv.Error as error:
        place = f"{where}, row {number + 1}"
        if "field limit" in str(error):
            raise TooMuchError(place, *_LONG_CELL) from None
        raise InputError(place, str(error), "a CSV file") from None


_LONG_CELL = (f"a cell of more than {grouped(MOST_CELL_CHARS)} characters", f"at most {grouped(MOST_CELL_CHARS)}")
