"""The document as one SQLite file, written aside and put in place whole.

A save builds the database in memory, copies it to a file beside the target, makes sure that it is on the disk and
then renames it: at every moment the file is the old plan or the new one. There is no write-ahead log, so the file
can be copied like any other.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from sqlite_utils import Database

from core.errors import InputError, MachineError
from core.plan.plan import Plan
from core.plan.schema import APPLICATION_ID, STEPS, TABLES, USER_VERSION, Rows, Step, migrated, plan_of, rows_of

__all__ = ["APPLICATION_ID", "USER_VERSION", "load", "read_rows", "save", "title"]

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_PLAN = "a Roofplan plan"


def save(plan: Plan, path: Path) -> None:
    """Writes the plan to ``path``, whole or not at all. Raises MachineError when the disk refuses."""
    target = path.resolve()
    aside = target.with_name(f"{_aside_prefix(target)}{secrets.token_hex(4)}")
    try:
        _refuse_protected(target)
        _write(rows_of(plan), aside)
        _put_in_place(aside, target)
    except (OSError, sqlite3.Error) as error:
        raise MachineError(f"save {path}", _reason(error)) from error
    finally:
        aside.unlink(missing_ok=True)


def load(path: Path, steps: Mapping[int, Step] = STEPS) -> Plan:
    """Reads a plan; older formats are brought up to date in memory. The file is never changed.

    Raises InputError when there is no such file, or it is no plan, newer than this program, or damaged (naming table
    and row); MachineError when the disk refuses.
    """
    _sweep(path.resolve())
    version, rows = read_rows(path)
    return plan_of(migrated(rows, version, str(path), steps), path.name)


def read_rows(path: Path) -> tuple[int, Rows]:
    """Format number and raw rows of a file, not looked at further. Raises as :func:`load`."""
    with _opened(path) as connection:
        return _read(connection, path)


def title(path: Path) -> tuple[str, str]:
    """Id and name of the plan in a file, without reading the rest. Raises as :func:`load`."""
    with _opened(path) as connection:
        _check_identity(connection, path)
        documents = dict(connection.execute("SELECT name, document FROM meta WHERE name IN ('id', 'name')").fetchall())
    try:
        return str(json.loads(documents["id"])), str(json.loads(documents["name"]))
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}, table meta", "no name", f"{_PLAN} that is whole") from None


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    _check_magic(path)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise InputError(str(path), f"a damaged file ({error})", f"{_PLAN} that is whole") from error


def _aside_prefix(target: Path) -> str:
    return f".{target.name}.part-"


def _refuse_protected(target: Path) -> None:
    """A rename would also replace a file that its owner protected against writing."""
    if target.is_dir():
        raise IsADirectoryError("it is a folder")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError("the file is protected against writing")


def _write(rows: Rows, aside: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as memory, closing(sqlite3.connect(aside)) as disk:
        _fill(Database(memory), rows)
        memory.backup(disk)
        disk.execute("PRAGMA journal_mode = DELETE")


def _fill(database: Database, rows: Rows) -> None:
    with database.atomic():
        for name, columns in TABLES.items():
            table = database.table(name)
            table.create(columns)
            table.insert_all(rows[name])
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(f"PRAGMA user_version = {USER_VERSION}")


def _put_in_place(aside: Path, target: Path) -> None:
    if target.exists():
        aside.chmod(target.stat().st_mode & 0o777)
    _sync(aside)
    aside.replace(target)
    if os.name == "posix":
        _sync(target.parent)


def _sync(path: Path) -> None:
    """Waits until the disk has it; for a folder, the names in it."""
    flags = os.O_RDONLY if path.is_dir() else os.O_RDWR
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(target: Path) -> None:
    """Removes what a save that was cut off left beside the file."""
    try:
        for stray in target.parent.glob(f"{_glob_quoted(_aside_prefix(target))}*"):
            stray.unlink(missing_ok=True)
    except OSError:
        return  # A folder that may only be read holds nothing of ours worth a message.


def _glob_quoted(text: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def _check_magic(path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        raise InputError(str(path), "no such file", _PLAN) from None
    except IsADirectoryError:
        raise InputError(str(path), "a folder", _PLAN) from None
    except OSError as error:
        raise MachineError(f"open {path}", _reason(error)) from error
    if not start.startswith(_MAGIC):
        raise InputError(str(path), "an empty file" if not start else "a file of another kind", _PLAN)
    if len(start) < _HEADER_BYTES:
        raise InputError(str(path), "a damaged file (it ends too soon)", f"{_PLAN} that is whole")


def _read(connection: sqlite3.Connection, path: Path) -> tuple[int, Rows]:
    version = _check_identity(connection, path)
    [[verdict]] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise InputError(str(path), f"a damaged file ({verdict.splitlines()[-1]})", f"{_PLAN} that is whole")
    return version, _all_rows(connection, version, path)


def _check_identity(connection: sqlite3.Connection, path: Path) -> int:
    """Format number of a file of ours."""
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise InputError(str(path), "a database of another program", _PLAN)
    version = _pragma(connection, "user_version")
    if version > USER_VERSION:
        raise InputError(str(path), f"format {version}, made by a newer Roofplan", f"format {USER_VERSION} or older")
    return version


def _all_rows(connection: sqlite3.Connection, version: int, path: Path) -> Rows:
    database = Database(connection)
    names = set(database.table_names())
    lacking = [name for name in TABLES if name not in names]
    if lacking and version == USER_VERSION:
        raise InputError(f"{path}, table {lacking[0]}", "no such table", f"{_PLAN} that is whole")
    return {name: list(database.table(name).rows_where(order_by="rowid")) for name in sorted(names)}


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
