"""Recovery copies: whole plans kept aside for a week, so that nothing is lost to a crash or a mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from core.errors import InputError, MachineError
from core.paths import user_data
from core.plan.plan import Plan
from core.plan.store import load, save, title
from core.units import GIB
from core.writing.whole_file import sweep_folder

KEEP = timedelta(days=7)
MOST_BYTES = 2 * GIB
"""Copies of very large plans go earlier than after a week, the oldest first."""

_STAMP = "%Y%m%d-%H%M%S-%f"
_NAME = re.compile(r"(\d{8}-\d{6}-\d{6})_(.+)\.roofplan")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A recovery copy: when it was taken (UTC), and which plan it is."""

    path: Path
    plan_id: str
    plan_name: str
    taken_at: datetime


def folder() -> Path:
    """Where recovery copies lie, made when missing. Raises MachineError when the disk refuses."""
    return private_folder("recovery")


def private_folder(name: str) -> Path:
    """A folder among the user's own, closed to others, made when missing. Raises MachineError when the disk refuses."""
    try:
        place = user_data() / name
        place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise MachineError(f"use the folder '{name}' of your own data", error.strerror or str(error)) from error
    return place


def take(plan: Plan, now: datetime | None = None) -> Path | None:
    """Keeps a copy of the plan, and drops copies older than a week; None when the newest copy is the same plan.

    Called on open, on save and every five minutes. Raises MachineError when the disk refuses.
    """
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    prune(moment)
    if _newest_is(plan):
        return None
    path = _free_name(plan, moment)
    save(plan, path)
    return path


def snapshots(plan_id: str | None = None, most: int | None = None) -> list[Snapshot]:
    """The copies that can be read, of one plan or of all, newest first, and no more of them than are asked for."""
    copies = sorted(folder().glob("*.roofplan") if plan_id is None else _copies(plan_id), reverse=True)
    known = (one for path in copies if (one := _snapshot(path)) and plan_id in (None, one.plan_id))
    return list(islice(known, most))


def prune(now: datetime) -> int:
    """Drops copies older than a week, and the oldest of more than a drive should hold; how many."""
    sweep_folder(folder())
    copies = sorted(((taken, path) for path in folder().glob("*.roofplan") if (taken := _taken_at(path))), reverse=True)
    n_bytes, n_dropped = 0, 0
    for taken, path in copies:
        n_bytes += _size(path)
        if now - taken > KEEP or n_bytes > MOST_BYTES:
            n_dropped += _dropped(path)
    return n_dropped


def _dropped(path: Path) -> int:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return 0  # It is tried again at the next copy.
    return 1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _free_name(plan: Plan, moment: datetime) -> Path:
    """Copies sort by when they were taken even where the clock was set back between them."""
    taken = [taken for path in _copies(plan.id) if (taken := _taken_at(path))]
    moment = max([moment, *(one + timedelta(microseconds=1) for one in taken)])
    return folder() / f"{moment:{_STAMP}}_{_slug(plan.id)}.roofplan"


def _copies(plan_id: str) -> list[Path]:
    return sorted(folder().glob(f"*_{_slug(plan_id)}.roofplan"))


def _snapshot(path: Path) -> Snapshot | None:
    taken = _taken_at(path)
    if taken is None:
        return None
    try:
        return Snapshot(path, *title(path), taken)
    except (InputError, MachineError):
        return None


def _newest_is(plan: Plan) -> bool:
    """Names sort by time, so that only one copy has to be read."""
    copies = _copies(plan.id)
    try:
        return bool(copies) and load(copies[-1]) == plan
    except (InputError, MachineError):
        return False


def _taken_at(path: Path) -> datetime | None:
    match = _NAME.fullmatch(path.name)
    try:
        return datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)[:60] or "plan"
