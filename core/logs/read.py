"""Recognise a log file and read it."""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from pathlib import Path

from core.errors import InputError
from core.logs.record import LogRecord
from core.logs.registry import LogFormat, formats
from core.logs.text import log_lines
from core.reading.shown import shown

_HEAD_LINES = 2000


def recognise_format(path: Path) -> LogFormat:
    """The format of a file, told from its first lines, never from its name alone.

    Raises InputError when no known format matches.
    """
    with closing(log_lines(path, reads_all=False)) as lines:
        head = list(islice(lines, _HEAD_LINES))
    for log_format in formats():
        if log_format.matches(head):
            return log_format
    known = ", ".join(log_format.title for log_format in formats())
    first = next((line for line in head if line.strip()), "")
    raise InputError(path.name, f"{shown(first)} as its first line", f"one of these logs: {known}")


def read_log(path: Path) -> LogRecord:
    """Reads one file of any known format.

    Raises InputError when the format is unknown or nothing in the file can be used, MachineError when it can't be read.
    """
    return recognise_format(path).read(path.name, log_lines(path))
