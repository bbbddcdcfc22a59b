"""Price files as tables of text: a CSV file, or several in a zip, with limits on what is unpacked."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core.catalogue.price_lists.price_list import PriceListSource
from core.errors import InputError, MachineError

MOST_BYTES = 64 * 2**20
"""Of all tables of a file together, unpacked; the largest list known has 5 MB."""

MOST_TABLES = 200
MOST_RATIO = 500
"""Text of numbers packs some 10 to 50 times; what packs better than this is no list of prices."""

_EXPECTED = "a SkyPilot vms.csv, or a gpuhunt CSV or zip"
_ZIP_START = (b"PK\x03\x04", b"PK\x05\x06")
_NAMELESS = re.compile(
    r"v?\d+|vms|instances|prices?|offers?|data|catalog(ue)?s?|common|skypilot|gpuhunt|tmp|home|downloads?|desktop|documents"
)
"""Parts of file and folder names that name no provider."""

_PROVIDER = re.compile(r"v\d+|catalogs?|catalogues?|common|tmp|downloads?|desktop|documents", re.I)
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
    with _opened(path) as file:
        if _is_zip(file):
            return True
        try:
            with _text(file, path.name) as text:
                header = next(csv.reader(text), [])
        except (UnicodeDecodeError, csv.Error):
            return False
        return is_header({cell.strip() for cell in header})


def is_header(names: set[str]) -> bool:
    """True for the columns without which no price can be read: those of SkyPilot, or those of gpuhunt."""
    return {"InstanceType", "Price"} <= names or {"instance_name", "price"} <= names


def sources_of(path: Path) -> tuple[PriceListSource, ...]:
    """The tables of prices in a file, with a guess of whose they are; other files in a zip are passed over.

    Raises InputError for a file that is damaged, encrypted, too large or of another kind, MachineError when it cannot
    be read.
    """
    return tuple(
        PriceListSource(one.name, _provider_of(one, path), len(one.rows), one.day) for one in read_tables(path)
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
    with _opened(path) as file:
        days = [_zip_day(one) for one in _members(file, path.name)] if _is_zip(file) else []
    return max(days, default="") or _written(path)


def read_tables(path: Path) -> tuple[Table, ...]:
    """Header and rows of each table of prices in a file (see :func:`sources_of`)."""
    with _opened(path) as file:
        if not _is_zip(file):
            return (_table(file, path.name, path.name, _written(path)),)
        tables = tuple(one for one in _zipped(file, path) if one)
    if not tables:
        raise InputError(path.name, "a zip without a table of prices", _EXPECTED)
    return tables


def named(table: Table, provider: str, path: Path) -> str:
    """The provider given, or the one that the table's name tells."""
    return provider or _provider_of(table, path)


def _provider_of(table: Table, path: Path) -> str:
    inside = table.name if table.name != path.name else path.absolute().as_posix()
    return guess_provider(inside) or guess_provider(path.absolute().as_posix())


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(path.name, f"{path.stat().st_size / 2**20:.0f} MB", f"at most {MOST_BYTES / 2**20:.0f} MB")
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError(str(path), "no such file", _EXPECTED) from None
    except IsADirectoryError:
        raise InputError(str(path), "a folder", _EXPECTED) from None
    except OSError as error:
        raise MachineError(f"read {path}", error.strerror or str(error)) from error


def _is_zip(file: BinaryIO) -> bool:
    start = file.read(4)
    file.seek(0)
    return start in _ZIP_START


def _members(file: BinaryIO, name: str) -> list[zipfile.ZipInfo]:
    """CSV files of a zip, within the limits. Raises InputError for a zip that is damaged, encrypted or a bomb."""
    try:
        infos = [one for one in zipfile.ZipFile(file).infolist() if _is_table(one.filename)]
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise InputError(name, f"a damaged zip ({error})", _EXPECTED) from None
    if any(one.flag_bits & 1 for one in infos):
        raise InputError(name, "an encrypted zip", "one without a password")
    if len(infos) > MOST_TABLES:
        raise InputError(name, f"{len(infos)} tables", f"at most {MOST_TABLES}")
    for one in infos:
        if one.file_size > MOST_RATIO * max(one.compress_size, 1) and one.file_size > 2**20:
            raise InputError(f"{name}, {one.filename}", "a file that unpacks to far too much", _EXPECTED)
    if sum(one.file_size for one in infos) > MOST_BYTES:
        raise InputError(name, "a zip that unpacks to far too much", f"at most {MOST_BYTES / 2**20:.0f} MB in all")
    return infos


def _zipped(file: BinaryIO, path: Path) -> Iterator[Table | None]:
    infos = _members(file, path.name)
    with zipfile.ZipFile(file) as archive:
        for info in infos:
            try:
                with archive.open(info) as member:
                    content = member.read(info.file_size + 1)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
                raise InputError(f"{path.name}, {info.filename}", f"a damaged file ({error})", _EXPECTED) from None
            yield _table_or_none(content, f"{path.name}, {info.filename}", info, len(infos) == 1)


def _table_or_none(content: bytes, where: str, info: zipfile.ZipInfo, is_only: bool) -> Table | None:
    """The table, None for one of another kind among several."""
    try:
        return _table(io.BytesIO(content), info.filename, where, _zip_day(info))
    except InputError:
        if is_only:
            raise
        return None


def _table(file: BinaryIO, name: str, where: str, day: str) -> Table:
    header, *rows = _cells(file, where) or [(1, [])]
    names = tuple(cell.strip() for cell in header[1])
    if not is_header(set(names)):
        columns = f"the columns {', '.join(names[:8])}" if any(names) else "an empty file"
        raise InputError(f"{where}, header", columns[:200], _EXPECTED)
    return Table(name, day, names, tuple(rows))


def _cells(file: BinaryIO, where: str) -> list[tuple[int, list[str]]]:
    """Numbered rows of cells. The reader gets the file, not its lines: a quoted cell may run over several."""
    number = 0
    listed = []
    try:
        with _text(file, where) as text:
            for number, row in enumerate(csv.reader(text), start=1):
                if any(map(str.strip, row)):
                    listed.append((number, row))
    except UnicodeDecodeError:
        raise InputError(where, "bytes that are no UTF-8 text", _EXPECTED) from None
    except csv.Error as error:
        raise InputError(f"{where}, row {number + 1}", str(error), "a CSV file") from None
    return listed


@contextmanager
def _text(file: BinaryIO, where: str) -> Iterator[io.TextIOWrapper]:
    """The file as text; it stays open, for whoever opened it to close."""
    if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(where, "text saved as UTF-16", "a CSV file saved as UTF-8")
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        yield text
    finally:
        text.detach()


def _is_table(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return name.lower().endswith(".csv") and not any(part.startswith((".", "__MACOSX")) for part in parts)


def _written(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime).date().isoformat()
    except (OSError, OverflowError, ValueError):
        return ""


def _zip_day(info: zipfile.ZipInfo) -> str:
    """Day of a file in a zip; the first day that the format knows stands for none."""
    try:
        day = date(*info.date_time[:3])
    except ValueError:
        return ""
    return "" if day == date(1980, 1, 1) else day.isoformat()
