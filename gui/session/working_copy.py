"""The unsaved plan, written aside as it is edited, so that a crash costs next to nothing.

Each running window has a lock file and, while there is something unsaved, a plan beside it and a note: which file the
plan belongs to, and what that file held. A plan whose lock belongs to no living process was left by a crash.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from PySide6.QtCore import QLockFile

from core.errors import InputError, MachineError
from core.plan.plan import Plan
from core.plan.recovery import private_folder
from core.plan.store import load, save, title
from core.writing.whole_file import read_whole, sweep_folder, write_whole

_PATIENCE_S = 0.2
_MOST_NOTE_BYTES = 65_536
_CUT_OFF_S = 3600


@dataclass(frozen=True, slots=True)
class Belonging:
    """The file that an unsaved plan belongs to, and what the file held when it was last known; none for a new plan."""

    file: Path | None = None
    digest: str = ""


NEW = Belonging()
"""Of a plan that no file holds yet."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """An unsaved plan that a crash left behind."""

    path: Path
    plan_name: str
    written_at: datetime
    belonging: Belonging = NEW

    def plan(self) -> Plan:
        """The plan itself. Raises as :func:`core.plan.store.load`."""
        return load(self.path)

    def forget(self) -> None:
        """Removes it, once it is in hands or refused."""
        _remove(self.path)


class WorkingCopy:
    """The working copy of one window. It may be written in one thread and dropped in another."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._lock: QLockFile | None = None
        self._noted: Belonging | None = None
        self.number = 0
        self.path: Path | None = None
        with suppress(MachineError):  # Told at the first edit that cannot be kept.
            self._begin()

    def write(self, plan: Plan, belonging: Belonging, number: int) -> None:
        """Keeps the plan, unless it was dropped since ``number``. Raises MachineError when the disk refuses."""
        with self._busy:
            if number != self.number:
                return
            path = self.path or self._begin()
            if belonging != self._noted:
                _write_note(path, belonging)
                self._noted = belonging
            save(plan, path)
        if number != self.number:
            _remove(path)

    def drop(self) -> None:
        """Nothing is unsaved any more; what is being written in this moment goes too."""
        self.number += 1
        is_free = self._busy.acquire(timeout=_PATIENCE_S)
        self._noted = None
        if self.path is not None:
            _remove(self.path)
        if is_free:
            self._busy.release()

    def close(self) -> None:
        """The window closes in good order."""
        self.drop()
        if self._lock is not None:
            self._lock.unlock()

    def _begin(self) -> Path:
        name = uuid4().hex
        self._lock = QLockFile(str(_folder() / f"{name}.lock"))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        self.path = _folder() / f"{name}.roofplan"
        return self.path


def left_over() -> list[LeftOver]:
    """Unsaved plans of windows that no longer live, newest first; what else such windows left is swept.

    Raises MachineError when the disk refuses.
    """
    folder = _folder()
    sweep_folder(folder)
    gone = {path.stem for path in folder.iterdir() if path.suffix in _ENDINGS and _owner_is_gone(path)}
    plans = [folder / f"{stem}.roofplan" for stem in gone]
    for path in [path for path in plans if not path.exists()]:
        _remove(path)
    copies = [one for path in plans if (one := _left_over(path))]
    return sorted(copies, key=lambda one: one.written_at, reverse=True)


_ENDINGS = (".roofplan", ".json", ".lock")


def _owner_is_gone(path: Path) -> bool:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return _was_cut_off(path.with_suffix(".lock"))
    lock.unlock()
    return True


def _was_cut_off(lock: Path) -> bool:
    """A lock without a word in it, long ago: its window was killed between making and writing it."""
    try:
        status = lock.stat()
        if status.st_size or time.time() - status.st_mtime < _CUT_OFF_S:
            return False
        lock.unlink()
    except OSError:
        return False
    return True


def _left_over(path: Path) -> LeftOver | None:
    try:
        _, name = title(path)
        written_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (InputError, MachineError, OSError):
        return None
    return LeftOver(path, name, written_at, _read_note(path))


def _write_note(path: Path, belonging: Belonging) -> None:
    note = {"file": str(belonging.file) if belonging.file else "", "digest": belonging.digest}
    try:
        write_whole(path.with_suffix(".json"), json.dumps(note).encode())
    except OSError as error:
        raise MachineError("keep the unsaved plan", error.strerror or str(error)) from error


def _read_note(path: Path) -> Belonging:
    try:
        note: Any = json.loads(read_whole(path.with_suffix(".json"), _MOST_NOTE_BYTES)[0])
        return Belonging(Path(note["file"]) if note["file"] else None, str(note["digest"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Belonging()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.with_suffix(".json").unlink(missing_ok=True)


def _folder() -> Path:
    return private_folder("open")
