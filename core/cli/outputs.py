"""The files that a command writes: each ends as its kind does, and none is one that the command reads."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from core.errors import InputError

Named = Mapping[str, Path | None]
"""Files and folders by what the user calls them, such as ``--pdf``; None for one that was not named."""


def file_ending_in(*endings: str) -> Callable[[str], Path]:
    """A file to write, as the parser of arguments takes it: its name has one of these endings, in any case."""

    def path_of(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in endings:
            raise argparse.ArgumentTypeError(f"'{text}' does not end in {listed(endings)}")
        return path

    return path_of


def listed(names: Sequence[str]) -> str:
    """``a, b or c``."""
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def keep_apart(written: Named, read: Named) -> None:
    """Refuses to write over what the command reads, a file of a folder among it, or over another of its files.

    Links are followed. Raises InputError before anything is written.
    """
    taken = [(name, path) for name, path in read.items() if path is not None]
    for name, path in written.items():
        if path is None:
            continue
        other = next((other for other, one in taken if _is_within(path, one)), None)
        if other is not None:
            why = "a file of its own" if other in written else "another file, as that one is read and would be lost"
            raise InputError(f"{name} {path}", f"the same file as {other}", why)
        taken.append((name, path))


def _is_within(path: Path, other: Path) -> bool:
    """True for the same file, or for a file of the folder that is there."""
    return any(_are_same(path, one) for one in _files_of(other))


def _files_of(path: Path) -> Iterator[Path]:
    yield path
    try:
        yield from path.iterdir() if path.is_dir() else ()
    except OSError:
        return  # whoever reads the folder says what is the matter


def _are_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # not there yet, or no name that a file can have
        return _real(one) == _real(other)


def _real(path: Path) -> str:
    """The name without links and, where the system knows no capitals, without these."""
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):
        return str(path)
