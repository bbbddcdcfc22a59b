"""Files read and written whole: at every moment a file is the old one or the new one, and what a crash left is swept.

What is written lies beside the target first, under a name that says which process is at it.
"""

from __future__ import annotations

import os
import secrets
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import MachineError
from core.writing.processes import is_surely_dead, this_process

PRIVATE, USUAL = 0o600, 0o666
"""A plan is its owner's alone until somebody chooses otherwise; what is handed over may be read by whoever may read the
owner's new files, which the system's mask tells."""

OLD_S = 7 * 86_400
"""What was left longer ago by a program that nobody can ask after is swept too."""

DATABASE = b"SQLite format 3\x00"
"""What plans begin with, as all SQLite files do."""

_LONGEST_NAME_BYTES, _KEPT_NAME_BYTES = 160, 120
_PART = ".part-"
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a file held when it was read or written, and what tells cheaply that it is still the same."""

    digest: str
    n_bytes: int = -1
    inode: int = -1
    changed_ns: int = -1

    def is_of(self, status: os.stat_result) -> bool:
        """True when the file was surely not touched since."""
        return (self.n_bytes, self.inode, self.changed_ns) == (status.st_size, status.st_ino, status.st_mtime_ns)


def real(path: Path) -> Path:
    """Where links lead to; a link that leads to itself stays, and is refused by whoever opens it."""
    return Path(os.path.realpath(path))


def beside(target: Path, ending: str) -> Path:
    """A hidden file beside the target, named after it; a long name is cut, so that every file system takes it."""
    name = os.fsencode(target.name)
    if len(name) > _LONGEST_NAME_BYTES:
        name = name[:_KEPT_NAME_BYTES].decode("utf-8", "ignore").encode() + b"~" + sha256(name).hexdigest()[:8].encode()
    return target.with_name(f".{os.fsdecode(name)}{ending}")


def read_whole(path: Path, most_bytes: int) -> tuple[bytes, Fingerprint]:
    """What a file holds. Raises OSError, or ValueError for what is no file or too large."""
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        _refuse_unreadable(status, most_bytes)
        content = file.read(most_bytes + 1)
        if len(content) > most_bytes:
            raise ValueError("it grows while it is read")
        return content, _fingerprint(content, status)


def write_whole(target: Path, content: bytes, permissions: int | None = None, new: int = PRIVATE) -> Fingerprint:
    """Puts a file in place; unless they are given, one that is there keeps its permissions, and a new one has ``new``,
    less what the system's mask takes away.

    Raises OSError.
    """
    sweep(target)
    aside = beside(target, f"{_PART}{this_process()}-{secrets.token_hex(4)}")
    try:
        status = _write(aside, content, _permissions(target) if permissions is None else permissions, new)
        aside.replace(target)
    finally:
        with suppress(OSError):
            aside.unlink()
    with suppress(OSError):  # The name is in place; many network drives cannot flush a folder.
        _sync_folder(target.parent)
    return _fingerprint(content, status)


def hand_over(target: Path, content: bytes) -> None:
    """Puts a file that is meant for others in place, as :func:`write_whole`; a link keeps pointing to it, and a device
    or a pipe is written to, not replaced. Raises OSError, and MachineError as :func:`refuse_plan`."""
    target = real(target)
    refuse_plan(target)
    if target.exists() and not target.is_file():
        target.write_bytes(content)
    else:
        write_whole(target, content, new=USUAL)


def refuse_plan(target: Path) -> None:
    """Raises MachineError where a plan or another database lies: no export takes its place, whatever its name."""
    if not target.is_file():
        return
    try:
        with target.open("rb") as file:
            is_plan = file.read(len(DATABASE)) == DATABASE
    except OSError:
        return  # whoever may not read it may hardly write it, and is told then
    if is_plan:
        raise MachineError(f"write {target}", "a plan lies there, which would be lost; choose another name")


def with_ending(path: Path, *endings: str) -> Path:
    """The file that is meant by a name that somebody typed: as it is where it has one of the endings, else with the
    first of them behind it."""
    return path if path.suffix.lower() in endings else path.with_name(f"{path.name}{endings[0]}")


def sweep(target: Path, now_s: float | None = None) -> None:
    """Removes what saves that were cut off left beside the file; a save in progress anywhere is left alone."""
    _sweep(target.parent, beside(target, _PART).name, now_s)


def sweep_folder(folder: Path) -> None:
    """As :func:`sweep` for every file of a folder of our own."""
    _sweep(folder, ".", None)


def _sweep(folder: Path, prefix: str, now_s: float | None) -> None:
    with suppress(OSError):  # A folder that may only be read holds nothing of ours worth a message.
        names = [one for one in os.scandir(folder) if one.name.startswith(prefix) and _PART in one.name]
        for entry in names:
            owner = entry.name.rpartition(_PART)[2].rpartition("-")[0]
            if is_surely_dead(owner) or _is_old(entry, time.time() if now_s is None else now_s):
                Path(entry.path).unlink(missing_ok=True)


def _is_old(entry: os.DirEntry[str], now_s: float) -> bool:
    return now_s - entry.stat(follow_symlinks=False).st_mtime > OLD_S


def _refuse_unreadable(status: os.stat_result, most_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(21, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is no file but a device or a pipe")
    if status.st_size > most_bytes:
        raise ValueError(f"it is larger than {most_bytes >> 20} MiB")


def _permissions(target: Path) -> int | None:
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        return None


def _write(aside: Path, content: bytes, permissions: int | None, new: int) -> os.stat_result:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(aside, flags, new if permissions is None else PRIVATE), "wb") as file:
        file.write(content)
        file.flush()
        if permissions is not None:
            aside.chmod(permissions)
        os.fsync(file.fileno())
        return os.fstat(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _fingerprint(content: bytes, status: os.stat_result) -> Fingerprint:
    return Fingerprint(sha256(content).hexdigest(), status.st_size, status.st_ino, status.st_mtime_ns)
