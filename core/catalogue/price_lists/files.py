"""Price files as tables of text: a CSV file, one in a gzip, or several in a zip, with limits on what is unpacked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import IO

from core.catalogue.price_lists.price_list import PriceListSource
from core.errors import InputError
from core.reading.csv_rows import COMMAS, parted_otherwise, rows_of, table_pace
from core.reading.gzips import opened_unpacked
from core.reading.limits import MOST_TABLE_BYTES
from core.reading.pace import Pace
from core.reading.zips import Member, Zip, is_zip

_EXPECTED = "a SkyPilot vms.csv, a gpuhunt CSV or zip, or a table of offers as this program writes it"
_NAMELESS = re.compile(
    r"v?\d+|vms|instances|prices?|offers?|data|catalog(ue)?s?|common|skypilot|gpuhunt|tmp|home|downloads?|desktop|documents|csv|gz"
)
"""Parts of file and folder names that name no provider."""

_PROVIDER = re.compile(r"[a-z][a-z0-9-]{1,29}")
_ALIASES = {
    "ovhcloud": "ovh", "do": "digitalocean", "lambdalabs": "lambda", "datacrunch": "verda", "vastai": "vast",
    "google": "gcp", "amazon": "aws", "oracle": "oci",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of text, each with its number as a spreadsheet counts; blank lines are not rows."""

    name: str
    day: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, list[str]], ...]


def is_price_list(path: Path) -> bool:
    """True for a zip or a CSV with the columns of SkyPilot or gpuhunt.

    Raises InputError when there is no such file or it is too large, MachineError when it cannot be read.
    """
    with opened_unpacked(path, _EXPECTED, MOST_TABLE_BYTES) as (file, _):
        if is_zip(file):
            return True
        try:
            with closing(rows_of(file, path.name, _EXPECTED, table_pace(path.name))) as rows:
                _, header = next(rows, (1, []))
        except InputError:
            return False
        return is_header({cell.strip() for cell in header})


def is_header(names: set[str]) -> bool:
    """True for the columns without which no price can be read: those of SkyPilot, or those of gpuhunt."""
    return {"InstanceType", "Price"} <= names or {"instance_name", "price"} <= names


def sources_of(path: Path, tables: Sequence[Table] = ()) -> tuple[PriceListSource, ...]:
    """The tables of prices in a file, with a guess of whose they are; other files in a zip are passed over.

    ``tables`` are those of the file where it was read before.

    Raises InputError for a file that is damaged, encrypted, too large or of another kind, MachineError when it cannot
    be read.
    """
    return tuple(
        PriceListSource(one.name, _provider_of(one, path), len(one.rows), one.day)
        for one in tables or read_tables(path)
    )


def guess_provider(name: str | Path) -> str:
    """Provider named by a path: the file's own name, or the folder of ``vms.csv``; "" when neither says.

    ``catalogs/v9/gcp/vms.csv`` is of gcp, ``v3/lambdalabs.csv`` of lambda, ``aws-vms (1).csv`` of aws.
    """
    path = PurePosixPath(str(name).replace("\\", "/"))
    for part in (path.stem, *reversed(path.parts[:-1])):
        words = [word for word in re.split(r"[^a-z0-9]+", part.lower()) if word and not _NAMELESS.fullmatch(word)]
        if words:
            word = "-".join(words)
            return _ALIASES.get(word, word) if _PROVIDER.fullmatch(word) else ""
    return ""


def file_day(path: Path) -> str:
    """Day on which the newest table of a file was written, for a person to confirm: YYYY-MM-DD.

    Raises InputError when there is no such file, MachineError when it cannot be read.
    """
    with opened_unpacked(path, _EXPECTED, MOST_TABLE_BYTES) as (file, _):
        days = [_zip_day(one) for one in _zip(file, path).members] if is_zip(file) else []
    return max(days, default="") or _written(path)


def read_tables(path: Path) -> tuple[Table, ...]:
    """Header and rows of each table of prices in a file (see :func:`sources_of`).

    Raises InputError for what cannot be read or holds no prices, TooMuchError for what goes beyond a limit.
    """
    pace = table_pace(path.name)
    with opened_unpacked(path, _EXPECTED, MOST_TABLE_BYTES) as (file, pace.share):
        if not is_zip(file):
            return (_table(file, path.name, path.name, _written(path), pace),)
        tables = tuple(one for one in _zipped(_zip(file, path), path.name, pace) if one)
    if not tables:
        raise InputError(path.name, "a zip without a table of prices", _EXPECTED)
    return tables


def named(table: Table, provider: str, path: Path) -> str:
    """The provider given, or the one that the table's name tells."""
    return provider or _provider_of(table, path)


def _provider_of(table: Table, path: Path) -> str:
    inside = table.name if table.name != path.name else path.absolute().as_posix()
    return guess_provider(inside) or guess_provider(path.absolute().as_posix())


def _zip(file: IO[bytes], path: Path) -> Zip:
    return Zip(file, path.name, _is_table, _EXPECTED)


def _zipped(archive: Zip, where: str, pace: Pace) -> Iterator[Table | None]:
    """The tables in turn, None for one of another kind among several."""
    for number, member in enumerate(archive.members):
        pace.share = lambda done=number: done / len(archive.members)
        try:
            with archive.opened(member) as file:
                yield _table(file, member.filename, f"{where}, {member.filename}", _zip_day(member), pace)
        except _OfAnotherKindError:
            if len(archive.members) == 1:
                raise
            yield None


class _OfAnotherKindError(InputError):
    """A table, but none of prices."""


def _table(file: IO[bytes], name: str, where: str, day: str, pace: Pace) -> Table:
    header, *rows = _cells(file, where, pace) or [(1, [])]
    names = tuple(cell.strip() for cell in header[1])
    if not is_header(set(names)):
        if parted := parted_otherwise(names):
            raise _OfAnotherKindError(f"{where}, header", parted, COMMAS)
        columns = f"the columns {', '.join(names[:8])}" if any(names) else "an empty file"
        raise _OfAnotherKindError(f"{where}, header", columns[:200], _EXPECTED)
    return Table(name, day, names, tuple(rows))


def _cells(file: IO[bytes], where: str, pace: Pace) -> list[tuple[int, list[str]]]:
    """Numbered rows that are not blank. The reader gets the file, not its lines: a quoted cell may run over several."""
    return [row for row in rows_of(file, where, _EXPECTED, pace) if any(map(str.strip, row[1]))]


def _is_table(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return name.lower().endswith(".csv") and not any(part.startswith((".", "__MACOSX")) for part in parts)


def _written(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime).date().isoformat()
    except (OSError, OverflowError, ValueError):
        return ""


def _zip_day(info: Member) -> str:
    """Day of a file in a zip; the first day that the format knows stands for none."""
    try:
        day = date(*info.date_time[:3])
    except ValueError:
        return ""
    return "" if day == date(1980, 1, 1) else day.isoformat()
