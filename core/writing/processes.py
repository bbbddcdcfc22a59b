"""Who wrote a file that is not finished, and whether that program surely lives no more."""

from __future__ import annotations

import os
import platform
from functools import cache
from hashlib import sha256
from pathlib import Path

NO_BIRTH = "0"
"""Where the system does not tell when a program was started."""


def this_process() -> str:
    """This program, told apart from every other: machine, start of the machine, number and start of the process."""
    return f"{_machine()}-{_start_of_machine()}-{os.getpid()}-{_birth(os.getpid())}"


def is_on_this_machine(owner: str) -> bool:
    """True when ``owner``, as :func:`this_process` wrote it, runs or ran here since the machine was started."""
    return owner.split("-")[:2] == [_machine(), _start_of_machine()]


def process_number(owner: str) -> int:
    """The number of the process; 0 where ``owner`` was written by nobody of ours."""
    parts = owner.split("-")
    return (
        int(parts[2]) if len(parts) == 4 and parts[2].isascii() and parts[2].isdecimal() and len(parts[2]) < 10 else 0
    )


def is_surely_dead(owner: str) -> bool:
    """True only when it is certain: it ran on this machine, and before its last start or in a process that is gone."""
    if not process_number(owner) or owner.split("-")[0] != _machine():
        return False
    if not is_on_this_machine(owner):
        return True
    birth = _birth(process_number(owner))
    return birth == "" or (NO_BIRTH not in (birth, owner.split("-")[3]) and birth != owner.split("-")[3])


@cache
def _machine() -> str:
    """A container counts as a machine of its own, since processes of others are hidden from it."""
    try:
        within = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        within = ""
    return _short(f"{platform.node()} {within}")


@cache
def _start_of_machine() -> str:
    try:
        return _short(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    except OSError:
        return _short("")


def _birth(number: int) -> str:
    """When a process was started, as the system counts; empty when there is none."""
    if os.name != "posix":
        return NO_BIRTH  # asking whether a process lives would end it there
    try:
        os.kill(number, 0)
        state, *rest = (
            Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except ProcessLookupError:
        return ""
    except (OSError, ValueError, OverflowError):
        return NO_BIRTH
    return "" if state in "ZX" else rest[18]


def _short(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def platform_name() -> str:
    """The name of this machine, as people know it."""
    return platform.node() or "this machine"
