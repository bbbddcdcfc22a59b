"""Opening a file from outside: a regular file of a bounded size, every failure in words."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import InputError, MachineError, MissingFileError
from core.reading.limits import MIB

_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Not waiting, since opening a pipe would wait for somebody to write into it."""


@contextmanager
def opened(path: Path, expected: str, most_bytes: int) -> Iterator[IO[bytes]]:
    """The file, open for reading bytes; ``expected`` says what it should be.

    Raises InputError for a missing file, a folder, a device, a pipe or more than ``most_bytes``, MachineError when it
    cannot be read.
    """
    try:
        with os.fdopen(_checked(path, expected, most_bytes), "rb") as file:
            yield file
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(str(path), expected) from None
    except OSError as error:
        raise MachineError(f"read {path}", error.strerror or str(error)) from error


def text_of(path: Path, expected: str, most_bytes: int) -> str:
    """The whole file as text. Raises InputError also for bytes that are no UTF-8 text, else as :func:`opened`."""
    with opened(path, expected, most_bytes) as file:
        content = file.read(most_bytes + 1)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(str(path), "bytes that are no UTF-8 text", expected) from None


def _checked(path: Path, expected: str, most_bytes: int) -> int:
    """The opened file, known to be a regular one of that size."""
    if "\0" in str(path):  # a name that no file can have
        raise MissingFileError(str(path), expected)
    if path.is_dir():  # some systems do not even open one
        raise InputError(str(path), "a folder", expected)
    number = os.open(path, _READING)
    try:
        _check(os.fstat(number), path, expected, most_bytes)
    except InputError:
        os.close(number)
        raise
    return number


def _check(known: os.stat_result, path: Path, expected: str, most_bytes: int) -> None:
    if not stat.S_ISREG(known.st_mode):
        raise InputError(str(path), "no regular file (a device or a pipe)", expected)
    if known.st_size > most_bytes:
        raise InputError(str(path), f"{known.st_size / MIB:.0f} MB", f"at most {most_bytes / MIB:.0f} MB")
