"""The plan's rows as one SQLite database in memory, made from a plan's rows or from a file that nobody vouches for.

A file may have been made to harm whoever opens it: nothing in it is run (no view, trigger, function or table that is
made of code), nothing is written, and rows, values and time have limits.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from core.plan.schema import APPLICATION_ID, TABLES, USER_VERSION, Row, Rows

if TYPE_CHECKING:
    from sqlite_utils import Database

HEADER_BYTES = 100
MOST_ROWS = 200_000
MOST_VALUE_BYTES = 64 * 2**20
MOST_TABLES, MOST_COLUMNS = 64, 32
MOST_S = 20.0

_LOG_BYTES = slice(18, 20)
_OWN_LOG = b"\x01\x01"
_PROGRESS_STEPS = 100_000
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_FUNCTION}


class UnfitError(Exception):
    """Says in words why a database is no plan that may be read: which part, what it holds, what is expected."""

    def __init__(self, part: str, holds: str, expected: str = "") -> None:
        super().__init__(part, holds, expected)
        self.part, self.holds, self.expected = part, holds, expected


def packed(rows: Rows) -> bytes:
    """The file that holds these rows; tables that this program does not know are written as they were read."""
    from sqlite_utils import Database  # costs a twentieth of the time to the first window, which saves nothing

    with closing(sqlite3.connect(":memory:")) as memory:
        database = Database(memory, execute_plugins=False)
        with database.atomic():
            for name in dict.fromkeys([*TABLES, *rows]):
                _fill(database, name, rows[name])
        memory.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        memory.execute(f"PRAGMA user_version = {USER_VERSION}")
        return memory.serialize()


def unpacked(content: bytes) -> tuple[int, Rows]:
    """Format number and rows of every table. Raises UnfitError, or sqlite3.Error for what is damaged."""
    content = content[: _LOG_BYTES.start] + _OWN_LOG + content[_LOG_BYTES.stop :]
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.deserialize(content)
        with guarded(memory):
            version = identity(memory)
            names = _tables(memory)
            _check_whole(memory)
            return version, {name: _rows(memory, name) for name in names}


def identity(connection: sqlite3.Connection) -> int:
    """Format number of a file of ours. Raises UnfitError for another program's."""
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise UnfitError("", "a database of another program")
    return _pragma(connection, "user_version")


@contextmanager
def guarded(connection: sqlite3.Connection) -> Iterator[None]:
    """Within, a database from outside can neither run code of its own, write, nor take without end."""
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {setting}")
    harden = getattr(connection, "setconfig", None)  # from Python 3.12 on
    if harden is not None:
        harden(getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE"), True)  # noqa: B009
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(_may)
    connection.set_progress_handler(_until(time.monotonic() + MOST_S), _PROGRESS_STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)


def _may(action: int, _: str | None, __: str | None, ___: str | None, inner: str | None) -> int:
    """``inner`` names the view or trigger that asks; none may."""
    return sqlite3.SQLITE_OK if action in _ALLOWED and inner is None else sqlite3.SQLITE_DENY


def _until(end_s: float) -> Callable[[], int]:
    return lambda: int(time.monotonic() > end_s)


def _fill(database: Database, name: str, rows: list[Row]) -> None:
    """A table with its rows; columns that this program does not know take values as they are, of whatever type."""
    columns: dict[str, type] = dict(TABLES.get(name, {}))
    columns |= {key: bytes for row in rows for key in row if key not in columns}
    if columns:
        table = database.table(name)
        table.create(columns)
        table.insert_all({key: row.get(key) for key in columns} for row in rows)


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Names of plain tables; statistics that SQLite keeps for itself are passed over."""
    entries = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchmany(4 * MOST_TABLES)
    for kind, name, sql in entries:
        if kind in ("view", "trigger") or (kind == "table" and str(sql).upper().startswith("CREATE VIRTUAL")):
            raise UnfitError("", f"a {kind} with code of its own, {str(name)[:40]!r}", "tables alone")
    names = [str(name) for kind, name, _ in entries if kind == "table" and not str(name).startswith("sqlite_")]
    if len(names) > MOST_TABLES:
        raise UnfitError("", "too many tables", f"at most {MOST_TABLES}")
    return sorted(names)


def _check_whole(connection: sqlite3.Connection) -> None:
    [[verdict]] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise sqlite3.DatabaseError(str(verdict).splitlines()[-1])


def _rows(connection: sqlite3.Connection, table: str) -> list[Row]:
    described = connection.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
    if len(described) > MOST_COLUMNS or any(hidden for *_, hidden in described):
        raise UnfitError(f", table {table}", "columns that no plan has")
    columns = [str(column[1]) for column in described]
    listed = ", ".join(_quoted(name) for name in columns)
    rows = connection.execute(f"SELECT {listed} FROM {_quoted(table)} ORDER BY rowid").fetchmany(MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise UnfitError(f", table {table}", f"more than {MOST_ROWS} rows")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
