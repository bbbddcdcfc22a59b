"""Several log files read one after the other: what was dropped together, folders and zips with all that is in them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.breath import breathe, part_of, tell_share
from core.errors import InputError, MachineError, RoofplanError
from core.logs.mapping.head import read_head
from core.logs.mapping.model import TableMapping, remembered
from core.logs.mapping.read import read_mapped
from core.logs.read import LogFile, read_logs
from core.logs.sources import named, sources

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
    """Reads all files, those of folders and zips in the order of their names, and tells the share that is done.

    A table of no known format is read as one of the ``mappings`` says that knows its columns. A file that cannot be
    read does not keep others from it. Raises the one error where a single file was asked for and cannot be read;
    InputError for a folder without files, and where they are too many.
    """
    files = list(sources(paths))
    read: list[ReadFile] = []
    refused: list[RoofplanError] = []
    for number, source in enumerate(files):
        try:
            with part_of(number, len(files)):
                one = source.read(lambda path: ReadFile(_read(path, mappings), _sha256(path)))
                read.append(replace(one, log_file=named(one.log_file, source.name)))
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
