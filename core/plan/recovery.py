"""Recovery copies: whole plans kept aside for a week, so that nothing is lost to a crash or a mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import InputError, MachineError
from core.paths import user_data
from core.plan.plan import Plan
from core.plan.store import load, save, title

KEEP = timedelta(days=7)
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
    """Where recovery copies lie, made when missing."""
    place = user_data() / "recovery"
    place.mkdir(parents=True, exist_ok=True)
    return place


def take(plan: Plan, now: datetime | None = None) -> Path | None:
    """Keeps a copy of the plan, and drops copies older than a week; None when the newest copy is the same plan.

    Called on open, on save and every five minutes. Raises MachineError when the disk refuses.
    """
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    prune(moment)
    if _newest_is(plan):
        return None
    path = folder() / f"{moment:{_STAMP}}_{_slug(plan.id)}.roofplan"
    save(plan, path)
    return path


def snapshots() -> list[Snapshot]:
    """The copies that can be read, newest first."""
    snapshots = [one for path in folder().glob("*.roofplan") if (one := _snapshot(path))]
    return sorted(snapshots, key=lambda one: one.taken_at, reverse=True)


def prune(now: datetime) -> int:
    """Drops copies older than a week; how many."""
    old = [path for path in folder().glob("*.roofplan") if (taken := _taken_at(path)) and now - taken > KEEP]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


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
    copies = sorted(folder().glob(f"*_{_slug(plan.id)}.roofplan"))
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
