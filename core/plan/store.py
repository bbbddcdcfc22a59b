"""The document as one SQLite file, read whole and put in place whole.

A save builds the database in memory and writes it aside; a file that is opened is read into memory first, so that
nothing in it can lead elsewhere. There is no write-ahead log: the file can be copied like any other.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError, MachineError
from core.plan.database import HEADER_BYTES, UnfitError, guarded, identity, packed, unpacked
from core.plan.newer import known_part
from core.plan.plan import Plan
from core.plan.schema import APPLICATION_ID, STEPS, USER_VERSION, Rows, Step, migrated, plan_of, rows_of
from core.writing.whole_file import DATABASE, Fingerprint, read_whole, real, sweep, write_whole

__all__ = [
    "APPLICATION_ID",
    "USER_VERSION",
    "OpenedPlan",
    "fingerprint",
    "load",
    "open_plan",
    "read_rows",
    "save",
    "title",
]

MOST_BYTES = 256 * 2**20
_LOCK_WAIT_S = 0.5
_WRITE_AHEAD = b"\x02\x02"
_PLAN = "a Roofplan plan"
_WHOLE = f"{_PLAN} that is whole"


@dataclass(frozen=True, slots=True)
class OpenedPlan:
    """A plan with the file it was read from: what it held then, its format, and how many parts of a newer format were
    left out because this program does not know them."""

    plan: Plan
    fingerprint: Fingerprint
    version: int
    n_left_out: int = 0

    @property
    def is_newer(self) -> bool:
        """True for a file of a newer Roofplan, which may only be looked at: saving would lose what was left out."""
        return self.version > USER_VERSION


def save(plan: Plan, path: Path) -> Fingerprint:
    """Writes the plan to ``path``, whole or not at all; what the file then holds.

    A file of an older format is kept beside it, once. Raises MachineError when the disk refuses.
    """
    target = real(path)
    try:
        _refuse_unfit(target)
        content = packed(rows_of(plan))
        _keep_older(target)
        return write_whole(target, content)
    except (OSError, sqlite3.Error) as error:
        raise MachineError(f"save {path}", _reason(error)) from error


def load(path: Path, steps: Mapping[int, Step] = STEPS) -> Plan:
    """Reads a plan; older formats are brought up to date in memory. The file is never changed.

    Raises InputError when there is no such file, or it is no plan, newer than this program, or damaged (naming table
    and row); MachineError when the disk refuses or another program has it locked.
    """
    sweep(real(path))
    version, rows = read_rows(path)
    return plan_of(migrated(rows, version, str(path), steps), path.name)


def open_plan(path: Path) -> OpenedPlan:
    """As :func:`load`, with what is known of the file; of a newer format what this program knows is read."""
    sweep(real(path))
    content, mark = _content(path)
    version, rows = _unpacked(content, path)
    if version <= USER_VERSION:
        return OpenedPlan(plan_of(migrated(rows, version, str(path)), path.name), mark, version)
    plan, n_left_out = known_part(rows, path.name)
    return OpenedPlan(plan, mark, version, n_left_out)


def read_rows(path: Path) -> tuple[int, Rows]:
    """Format number and raw rows of a file, not looked at further. Raises as :func:`load`."""
    return _unpacked(_content(path)[0], path)


def fingerprint(path: Path, known: Fingerprint | None = None) -> Fingerprint | None:
    """What the file holds now, or ``known`` when it was not touched since; None when it is gone or cannot be read."""
    try:
        if known is not None and known.is_of(path.stat()):
            return known
        return read_whole(path, MOST_BYTES)[1]
    except (OSError, ValueError):
        return None


def title(path: Path) -> tuple[str, str]:
    """Id and name of the plan in a file that nobody else writes, without reading the rest. Raises as :func:`load`."""
    _refuse_foreign(path)
    try:
        opened = sqlite3.connect(f"{real(path).as_uri()}?mode=ro&immutable=1", uri=True)
        with closing(opened) as connection, guarded(connection):
            identity(connection)
            rows = connection.execute("SELECT name, document FROM meta WHERE name IN ('id', 'name')").fetchall()
        documents = {str(name): json.loads(text) for name, text in rows}
        return str(documents["id"]), str(documents["name"])
    except UnfitError as error:
        raise InputError(str(path), error.holds, _PLAN) from None
    except (sqlite3.Error, KeyError, TypeError, ValueError, RecursionError):
        raise InputError(f"{path}, table meta", "no name", _WHOLE) from None


def _refuse_unfit(target: Path) -> None:
    """A rename would also replace what is no plain file, and a file that its owner protected against writing."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise FileNotFoundError(2, "its folder is gone") from None
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError("it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError("it is no file but a device or a pipe")
    if not os.access(target, os.W_OK):
        raise PermissionError("the file is protected against writing")


def _keep_older(target: Path) -> None:
    """A plan of an older format is kept as it was, beside the one that is about to take its place."""
    version = _format_at(target)
    if version > USER_VERSION:
        raise OSError(f"a newer Roofplan made the file there (format {version}); choose another name")
    kept = target.with_name(f"{target.stem[:100]}.format-{version}{target.suffix}")
    if 0 < version < USER_VERSION and not kept.exists():
        write_whole(kept, read_whole(target, MOST_BYTES)[0], target.stat().st_mode & 0o777)


def _format_at(target: Path) -> int:
    """Format number in the head of a file of ours; 0 for any other, and where there is none."""
    try:
        with target.open("rb") as file:
            return _format_of(file.read(HEADER_BYTES))
    except FileNotFoundError:
        return 0


def _format_of(content: bytes) -> int:
    """Format number in the head of a file of ours; 0 for any other."""
    is_ours = content.startswith(DATABASE) and int.from_bytes(content[68:72], "big") == APPLICATION_ID
    return int.from_bytes(content[60:64], "big", signed=True) if is_ours else 0


def _content(path: Path) -> tuple[bytes, Fingerprint]:
    start = _refuse_foreign(path)
    try:
        if start[18:20] == _WRITE_AHEAD:
            _refuse_open_log(path)
            return read_whole(path, MOST_BYTES)
        with closing(sqlite3.connect(f"{real(path).as_uri()}?mode=ro", uri=True, timeout=_LOCK_WAIT_S)) as lock:
            lock.execute("BEGIN")
            lock.execute("PRAGMA schema_version").fetchone()  # Waits until nobody else writes, and keeps it so.
            return read_whole(path, MOST_BYTES)
    except ValueError as error:
        raise InputError(str(path), str(error), _PLAN) from None
    except sqlite3.Error as error:
        raise _told(error, path) from error
    except OSError as error:
        raise MachineError(f"open {path}", _reason(error)) from error


def _refuse_open_log(path: Path) -> None:
    log = real(path).with_name(f"{real(path).name}-wal")
    if log.exists() and log.stat().st_size:
        raise MachineError(f"open {path}", "another program has it open, and some of it lies in a file beside it")


def _refuse_foreign(path: Path) -> bytes:
    """The head of a file that may be a plan. Raises InputError for any other, MachineError when it cannot be read."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(str(path), "a folder", _PLAN)
        if not stat.S_ISREG(mode):
            raise InputError(str(path), "no file but a device or a pipe", _PLAN)
        with path.open("rb") as file:
            start = file.read(HEADER_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(str(path), "no such file", _PLAN) from None
    except ValueError:
        raise InputError(repr(str(path)), "a name that no file can have", _PLAN) from None
    except OSError as error:
        raise MachineError(f"open {path}", _reason(error)) from error
    if not start.startswith(DATABASE):
        raise InputError(str(path), "an empty file" if not start else "a file of another kind", _PLAN)
    if len(start) < HEADER_BYTES:
        raise InputError(str(path), "a damaged file (it ends too soon)", _WHOLE)
    return start


def _unpacked(content: bytes, path: Path) -> tuple[int, Rows]:
    try:
        return unpacked(content)
    except UnfitError as error:
        raise InputError(f"{path}{error.part}", error.holds, error.expected or _PLAN) from None
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _told(error, path) from error


def _told(error: Exception, path: Path) -> InputError | MachineError:
    """A plan that another program is writing is locked, not damaged; nor is one that the disk does not give."""
    code = getattr(error, "sqlite_errorcode", None)
    kind = code & 0xFF if isinstance(code, int) else None
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return MachineError(f"open {path}", "another program has it locked; close it there and try again")
    if kind == sqlite3.SQLITE_READONLY:
        return MachineError(f"open {path}", "another program stopped in the middle of changing it; open it there once")
    if kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM):
        return MachineError(f"open {path}", str(error))
    if kind in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM):
        return InputError(str(path), f"more than a plan can hold ({error})", _PLAN)
    return InputError(str(path), f"a damaged file ({error})", _WHOLE)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
