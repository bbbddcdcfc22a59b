"""The unsaved plan, written aside seconds after each edit, so that a crash costs next to nothing.

Each running window has a lock file and, while there is something unsaved, a plan beside it. A plan whose lock belongs
to no living process was left by a crash.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QLockFile

from core.errors import InputError, MachineError
from core.paths import user_data
from core.plan.plan import Plan
from core.plan.store import load, save, title


@dataclass(frozen=True, slots=True)
class LeftOver:
    """An unsaved plan that a crash left behind."""

    path: Path
    plan_name: str
    written_at: datetime

    def plan(self) -> Plan:
        """The plan itself. Raises as :func:`core.plan.store.load`."""
        return load(self.path)

    def forget(self) -> None:
        """Removes it, once it is in hands or refused."""
        self.path.unlink(missing_ok=True)


class WorkingCopy:
    """The working copy of one window."""

    def __init__(self) -> None:
        name = uuid4().hex
        self.path = _folder() / f"{name}.roofplan"
        self._lock = QLockFile(str(_folder() / f"{name}.lock"))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)

    def write(self, plan: Plan) -> None:
        """Keeps the plan. Raises MachineError when the disk refuses."""
        save(plan, self.path)

    def drop(self) -> None:
        """Nothing is unsaved any more."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """The window closes in good order."""
        self.drop()
        self._lock.unlock()


def left_over() -> list[LeftOver]:
    """Unsaved plans of windows that no longer live, newest first."""
    copies = [one for path in _folder().glob("*.roofplan") if _owner_is_gone(path) and (one := _left_over(path))]
    return sorted(copies, key=lambda one: one.written_at, reverse=True)


def _owner_is_gone(path: Path) -> bool:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _left_over(path: Path) -> LeftOver | None:
    try:
        _, name = title(path)
        return LeftOver(path, name, datetime.fromtimestamp(path.stat().st_mtime, UTC))
    except (InputError, MachineError, OSError):
        return None


def _folder() -> Path:
    place = user_data() / "open"
    place.mkdir(parents=True, exist_ok=True)
    return place
