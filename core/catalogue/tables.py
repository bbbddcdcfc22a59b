"""One CSV file of the catalogue -> validated entries; a bad row is named by file, row and field."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from core.catalogue.entries import Entry
from core.errors import InputError
from core.reading.csv_rows import COMMAS, parted_otherwise, read_cells, rows_of, table_pace
from core.reading.files import opened
from core.reading.limits import MOST_DIGITS, MOST_TABLE_BYTES
from core.reading.shown import shown
from core.workload.validation_words import expectation

FIRST_ROW = 2
"""Row number of the first entry, as a spreadsheet counts: the header is row 1."""

E = TypeVar("E", bound=Entry)
Cell = Callable[[str], Any]
_EXPECTED = "a table of the catalogue"


def read_header(path: Path) -> list[str]:
    """The first row of a CSV file. Raises as :func:`read_rows`."""
    with opened(path, _EXPECTED, MOST_TABLE_BYTES) as file:
        pace = table_pace(path.name)
        with closing(rows_of(file, path.name, _EXPECTED, pace)) as rows:
            _, header = next(rows, (1, []))
    return header


def read_rows(path: Path) -> list[list[str]]:
    """Header and rows of a CSV file as text.

    Raises InputError when the file is missing, empty or no UTF-8 text, MachineError when it cannot be read.
    """
    rows = [row for _, row in read_cells(path, _EXPECTED)]
    if not rows:
        raise InputError(str(path), "an empty file", "a header and rows")
    return rows


def read_entries(path: Path, model: type[E]) -> tuple[E, ...]:
    """Entries of one table, checked field by field.

    Raises InputError naming the file, the row and the field of the first bad value.
    """
    header, *rows = read_rows(path)
    return entries(path.name, model, header, rows)


def entries(file_name: str, model: type[E], header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[E, ...]:
    """Entries from a table already split into cells. Raises InputError as :func:`read_entries` does."""
    _check_header(file_name, model, header)
    _check_widths(file_name, header, rows)
    _check_numbers(file_name, model, header, rows)
    cells = _cells(model)
    columns = [(name, cells[name]) for name in header]
    once: dict[str, str] = {}
    records = [
        {name: cell(once.setdefault(text, text)) for (name, cell), text in zip(columns, row, strict=True)}
        for row in rows
    ]
    try:
        return _with_shared_sets(_adapter(model).validate_python(records))
    except ValidationError as error:
        raise _named(file_name, error) from None


def _with_shared_sets(made: list[E]) -> tuple[E, ...]:
    """Entries of the same columns share one set of names of the fields that were given: pydantic makes one for each, a
    kB, 5 MB for the shipped catalogue. Entries are frozen, and a copy of one takes a copy of its set."""
    known: dict[frozenset[str], set[str]] = {}
    for one in made:
        given = one.model_fields_set
        object.__setattr__(one, "__pydantic_fields_set__", known.setdefault(frozenset(given), given))
    return tuple(made)


def row_name(file_name: str, index: int, field: str) -> str:
    """Where a value stands, counted as a spreadsheet counts."""
    return f"{file_name}, row {index + FIRST_ROW}, field {field}"


def _check_header(file_name: str, model: type[Entry], header: Sequence[str]) -> None:
    known = model.model_fields
    if parted := parted_otherwise(header):
        raise InputError(f"{file_name}, header", parted, COMMAS)
    for name in header:
        if name not in known:
            raise InputError(f"{file_name}, header", f"column {shown(name)}", f"only {', '.join(known)}")
    for name, field in known.items():
        if field.is_required() and name not in header:
            raise InputError(f"{file_name}, header", f"no column '{name}'", f"a column for each of {', '.join(known)}")


def _check_widths(file_name: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for index, row in enumerate(rows):
        if len(row) != len(header):
            where = f"{file_name}, row {index + FIRST_ROW}"
            raise InputError(where, f"{len(row)} cells", f"{len(header)}, one for each column of the header")


def _check_numbers(file_name: str, model: type[Entry], header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Refuses ``1_0``, which pydantic reads as ten."""
    hints = typing.get_type_hints(model)
    places = [place for place, name in enumerate(header) if {float, int} & {hints[name], *typing.get_args(hints[name])}]
    for index, row in enumerate(rows):
        for place in places:
            if "_" in row[place]:
                raise InputError(row_name(file_name, index, header[place]), shown(row[place]), "a number")


def _named(file_name: str, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    index, *path = first["loc"]
    where = row_name(file_name, int(index), str(path[0]) if path else "of the whole row")
    return InputError(where, shown(first["input"]), expectation(first["type"], first.get("ctx", {}), first["msg"]))


@cache
def _adapter(model: type[Entry]) -> TypeAdapter[Any]:
    many: Any = types.GenericAlias(list, (model,))
    return TypeAdapter(many)


@cache
def _cells(model: type[Entry]) -> dict[str, Cell]:
    return {name: _cell(hint) for name, hint in typing.get_type_hints(model).items() if name in model.model_fields}


def _cell(hint: Any) -> Cell:
    if typing.get_origin(hint) is tuple:
        return str.split
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return _optional
    if typing.get_origin(hint) is typing.Literal and isinstance(typing.get_args(hint)[0], int):
        return _whole
    return str.strip


def _optional(text: str) -> str | None:
    return text.strip() or None


def _whole(text: str) -> int | str:
    """Literals of numbers are not read from text by pydantic."""
    return int(text) if text.strip().isdecimal() and len(text) < MOST_DIGITS else text
