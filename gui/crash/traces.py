"""What is left when the whole process dies: the calls that were under way, in a file that the next start finds."""

from __future__ import annotations

import faulthandler
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import PySide6
from PySide6.QtCore import QLockFile

from core.crash.redaction import place_of
from core.crash.story import log_folder, new_report, system_line

QT = f"Qt {PySide6.__version__}"
_PREFIX = "crash-"
MOST_BYTES = 64_000
_FRAME = '  File "'


@dataclass(frozen=True, slots=True)
class CrashTrace:
    """What an earlier run left when it died."""

    path: Path
    died_at: datetime
    text: str

    def put_away(self) -> Path:
        """Keeps it among the reports, so that it is offered once; where it is then."""
        with suppress(OSError):
            return self.path.replace(new_report())
        return self.path


class TraceOfDeath:
    """Holds the file open while the program runs, since nothing can be opened any more when it dies."""

    def __init__(self) -> None:
        name = f"{_PREFIX}{uuid4().hex}"
        self.path = log_folder() / f"{name}.txt"
        self._lock = QLockFile(str(self.path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        self._file = self.path.open("w", encoding="utf-8")
        self._was_enabled = faulthandler.is_enabled()
        faulthandler.enable(self._file)

    def end(self) -> None:
        """The program ends in good order: nothing is left."""
        faulthandler.disable()
        if self._was_enabled:
            faulthandler.enable()
        self._file.close()
        self.path.unlink(missing_ok=True)
        self._lock.unlock()


def trace_of_death() -> TraceOfDeath | None:
    """The trace of this run; None where nothing can be written."""
    with suppress(OSError):
        return TraceOfDeath()
    return None


def left_traces() -> list[CrashTrace]:
    """What dead runs left, newest first. Runs that left no word, since they were ended from outside, are forgotten."""
    try:
        files = [path for path in log_folder().glob(f"{_PREFIX}*.txt") if _is_of_a_dead_run(path)]
    except OSError:
        return []
    traces = [trace for path in files if (trace := _read(path))]
    return sorted(traces, key=lambda one: one.died_at, reverse=True)


def _is_of_a_dead_run(path: Path) -> bool:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _read(path: Path) -> CrashTrace | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_BYTES)
        died_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return None
    if not text.strip():
        path.unlink(missing_ok=True)
        return None
    lines = "\n".join(map(_without_folders, text.splitlines()))
    return CrashTrace(path, died_at, f"{system_line(QT)}\n\n{lines}")


def _without_folders(line: str) -> str:
    """A line ``File "/…/core/x.py", line 3 in f`` with the file as everybody knows it."""
    if not line.startswith(_FRAME):
        return line
    file, mark, rest = line.removeprefix(_FRAME).partition('"')
    return f"{_FRAME}{place_of(file)}{mark}{rest}"
