"""Where logs come from: files, all files of a folder and of those below it, and the members of a zip."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from core.breath import breathe
from core.errors import InputError, MachineError, RoofplanError
from core.logs.read import LogFile, read_logs
from core.reading.files import opened
from core.reading.limits import MOST_LOG_BYTES, MOST_LOG_ZIP_BYTES, MOST_ZIP_LOGS
from core.reading.pace import too_many
from core.reading.zips import Member, Zip, ZipLimits, is_zip

T = TypeVar("T")
MOST_FILES = 2000
"""Of one folder; one with more is hardly a folder of logs."""

_EXPECTED = "log files"
_LIMITS = ZipLimits(MOST_LOG_ZIP_BYTES, MOST_LOG_BYTES, MOST_ZIP_LOGS, "files")
_CHUNK_BYTES = 2**20


@dataclass(frozen=True)
class Source:
    """One log. ``name`` is what its records are called: ``run/train.log``, ``archive.zip/member``; ``shown`` is that
    with the whole path. One that can only be refused holds the reason."""

    name: str
    shown: str
    path: Path
    archive: Zip | None = None
    member: Member | None = None
    reason: RoofplanError | None = None

    def read(self, reader: Callable[[Path], T]) -> T:
        """What ``reader`` makes of its file, or of a copy of the zip's member, which is gone afterwards.

        Raises what that raises, for a member under its name; the reason of one that can only be refused; InputError for
        a damaged zip, MachineError where a member cannot be unpacked.
        """
        if self.reason is not None:
            raise self.reason
        if self.archive is None or self.member is None:
            return reader(self.path)
        with tempfile.TemporaryDirectory() as folder:
            copy = self._unpacked(Path(folder), self.archive, self.member)
            try:
                return reader(copy)
            except InputError as error:
                raise InputError(self.name, error.found, error.expected) from error

    def log_file(self) -> LogFile:
        """All that its file says, under its name. Raises as :meth:`read` and :func:`core.logs.read.read_logs`."""
        return named(self.read(read_logs), self.name)

    def _unpacked(self, folder: Path, archive: Zip, member: Member) -> Path:
        copy = folder / Path(member.filename).name
        try:
            with archive.opened(member) as packed, copy.open("wb") as file:
                while chunk := packed.read(_CHUNK_BYTES):
                    file.write(chunk)
                    breathe()
        except OSError as error:
            raise MachineError(f"unpack {self.name}", error.strerror or str(error)) from error
        return copy


def sources(paths: Sequence[Path]) -> Iterator[Source]:
    """The logs of what was given, folders and zips unfolded, in the order of their names."""
    for path in paths:
        if path.is_dir():
            yield from _of_folder(path)
        else:
            yield from _of_file(path, path.name, str(path))


def _of_folder(folder: Path) -> Iterator[Source]:
    """Its files, hidden ones and links left out; a single refusal where there are none or too many."""
    n_files = 0
    for n_files, path in enumerate(_within(folder), 1):
        if n_files > MOST_FILES:
            yield _refused(folder, too_many(folder.name, MOST_FILES, "files"))
            return
        inner = path.relative_to(folder).as_posix()
        yield from _of_file(path, f"{folder.name}/{inner}", f"{folder}/{inner}")
    if not n_files:
        yield _refused(folder, InputError(folder.name, "a folder without files", _EXPECTED))


def _of_file(path: Path, name: str, shown: str) -> Iterator[Source]:
    try:
        with opened(path, _EXPECTED, MOST_LOG_BYTES) as file:
            archive = Zip(file, name, _is_wanted, _EXPECTED, _LIMITS) if is_zip(file) else None
    except RoofplanError as error:
        yield Source(name, shown, path, reason=error)
        return
    if archive is None:
        yield Source(name, shown, path)
        return
    for member in archive.members:
        inner = f"/{member.filename}"
        yield Source(name + inner, shown + inner, path, archive, member)
    if not archive.members:
        yield Source(name, shown, path, reason=InputError(name, "a zip without files", _EXPECTED))


def _refused(folder: Path, reason: RoofplanError) -> Source:
    return Source(folder.name, str(folder), folder, reason=reason)


def _within(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        breathe()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(parent, name) for name in sorted(names) if not name.startswith("."))
        yield from (path for path in paths if path.is_file() and not path.is_symlink())


def _is_wanted(name: str) -> bool:
    """A file within a zip that is neither a folder, hidden, nor what macOS adds."""
    parts = name.split("/")
    return bool(parts[-1]) and "__MACOSX" not in parts and not any(part.startswith(".") for part in parts)


def named(read: LogFile, name: str) -> LogFile:
    """A file's records under another name."""
    return replace(read, file=name, records=tuple(replace(record, file=name) for record in read.records))
