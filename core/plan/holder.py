"""Who has a plan open: a small hidden file beside it, so that colleagues on a shared folder see each other.

It only informs. What keeps work from being overwritten is that a save looks whether the file is still the known one.
"""

from __future__ import annotations

import getpass
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.writing.processes import is_on_this_machine, is_surely_dead, platform_name, process_number, this_process
from core.writing.whole_file import beside, read_whole, real

_ENDING = ".lock"
_MOST_BYTES = 4096
_MOST_LETTERS = 60
_SHARED = 0o644
"""Others must read who has it; it says nothing of the plan."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a plan open, where, in which process, and since when (UTC)."""

    user: str
    machine: str
    owner: str
    since: datetime

    @property
    def is_here(self) -> bool:
        """True for a window of the same user on this machine."""
        return is_on_this_machine(self.owner) and self.user == _user()

    @property
    def process(self) -> int:
        """The number of its process, on its machine."""
        return process_number(self.owner)


class Hold:
    """This program's mark on a plan; gone once let go, and swept by others when this program dies."""

    def __init__(self, path: Path) -> None:
        self._mark = _mark(path)

    def let_go(self) -> None:
        """The plan is free again, unless somebody took it over meanwhile."""
        with suppress(OSError):
            if _owner(self._mark) == this_process():
                self._mark.unlink()


def holder(path: Path) -> Holder | None:
    """Who else has the plan open; None when nobody does, or nobody that lives any more, whose mark is removed."""
    known = _read(_mark(path))
    if known is None or known.owner == this_process():
        return None
    if is_surely_dead(known.owner):
        with suppress(OSError):
            _mark(path).unlink()
        return None
    return known


def take_hold(path: Path) -> Hold | None:
    """Marks the plan as open here, whoever had it before; None where nothing can be written beside it."""
    mark = _mark(path)
    here = {"user": _user(), "machine": platform_name(), "owner": this_process(), "since": _now()}
    try:
        mark.unlink(missing_ok=True)
        with os.fdopen(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _SHARED), "w", encoding="utf-8") as file:
            json.dump(here, file)
    except OSError:
        return None
    return Hold(path)


def _mark(path: Path) -> Path:
    return beside(real(path), _ENDING)


def _owner(mark: Path) -> str:
    known = _read(mark)
    return known.owner if known else ""


def _read(mark: Path) -> Holder | None:
    """What a mark says. It may have been written by anybody: words are cut, and nothing in it is followed."""
    try:
        told: Any = json.loads(read_whole(mark, _MOST_BYTES)[0])
        since = datetime.fromisoformat(str(told["since"])).astimezone(UTC)
        return Holder(_plain(told["user"]), _plain(told["machine"]), _plain(told["owner"]), since)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def _plain(text: object) -> str:
    return "".join(letter for letter in str(text) if letter.isprintable())[:_MOST_LETTERS]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _user() -> str:
    try:
        return _plain(getpass.getuser())
    except (OSError, KeyError):
        return "somebody"
