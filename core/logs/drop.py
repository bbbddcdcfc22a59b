"""Several log files read one after the other: what was dropped together, folders with all that is in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.breath import breathe, part_of, tell_share
from core.errors import InputError, MachineError, RoofplanError
from core.logs.mapping.head import read_head
from core.logs.mapping.model import TableMapping, remembered
from core.logs.mapping.read import read_mapped
from core.logs.read import LogFile, read_logs
from core.reading.pace import too_many

MOST_FILES = 500
"""Of one drop; a folder with more is hardly one of logs."""

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class ReadFile:
    """One file that was read, with its sha256."""

    log_file: LogFile
    sha256: str


@dataclass(frozen=True)
class Drop:
    """What a drop held: files that were read, and why others were not."""

    read: tuple[ReadFile, ...]
    refused: tuple[RoofplanError, ...]


def read_drop(paths: Sequence[Path], mappings: Sequence[TableMapping] = ()) -> Drop:
    """Reads all files, a folder's in the order of their names, and tells the share that is done.

    A table of no known format is read as one of the ``mappings`` says that knows its columns. A file that cannot be
    read does not keep others from it. Raises the one error where a single file was asked for and cannot be read;
    InputError for a folder without files, and where they are too many.
    """
    files = list(_files(paths))
    read: list[ReadFile] = []
    refused: list[RoofplanError] = []
    for number, path in enumerate(files):
        try:
            with part_of(number, len(files)):
                read.append(ReadFile(_read(path, mappings), _sha256(path)))
                tell_share(1.0)
        except (InputError, MachineError) as error:
            if len(files) == 1:
                raise
            refused.append(error)
    return Drop(tuple(read), tuple(refused))


def _read(path: Path, mappings: Sequence[TableMapping]) -> LogFile:
    try:
        return read_logs(path)
    except InputError:
        mapping = _mapping_of(path, mappings)
        if mapping is None:
            raise
        record = read_mapped(path, mapping)
        return LogFile(path.name, record.n_lines, 0, (record,), ())


def _mapping_of(path: Path, mappings: Sequence[TableMapping]) -> TableMapping | None:
    try:
        return remembered(mappings, read_head(path).names) if mappings else None
    except InputError:
        return None


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    every = chain.from_iterable(_within(path) if path.is_dir() else (path,) for path in paths)
    n_files = 0
    for n_files, file in enumerate(every, 1):
        if n_files > MOST_FILES:
            raise too_many(paths[0].name, MOST_FILES, "files")
        yield file
    if not n_files:
        raise InputError(paths[0].name if paths else "Import", "a folder without files", "log files")


def _within(folder: Path) -> Iterator[Path]:
    """Files of a folder and those below it, hidden ones and links left out."""
    for parent, folders, names in os.walk(folder):
        breathe()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(parent, name) for name in sorted(names) if not name.startswith("."))
        yield from (path for path in paths if path.is_file() and not path.is_symlink())


def _sha256(path: Path) -> str:
    """Of the file as it lies there, packed or not."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
                breathe()
    except OSError as error:
        raise MachineError(f"read {path.name}", str(error.strerror or error)) from error
    return digest.hexdigest()
