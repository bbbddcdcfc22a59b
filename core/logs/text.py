"""Lines of a log file, whatever wrote it: encodings, progress bars, colours and launcher prefixes removed."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError, MachineError

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"^(?:"
    r"\[\d+,\d+\]<std(?:out|err)>:\s?"  # mpirun --tag-output
    r"|\[rank\d+\]:\s?"  # torchrun
    r"|\[?[\w.-]*\d\]?:\s(?=completed step)"  # pdsh and srun -l name the host or task
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w.-]+:\d+\]\s"  # glog
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\s"  # kubectl and docker stamps
    r")"
)


def log_lines(path: Path) -> Iterator[str]:
    """The file's lines in turn, without line ends.

    Raises InputError when the file is missing, empty or binary, MachineError when it cannot be read.
    """
    encoding = _encoding(path)
    try:
        with path.open(encoding=encoding, errors="replace", newline="\n") as file:
            for line in file:
                yield _cleaned(line.rstrip("\r\n"))
    except OSError as error:
        raise MachineError(f"Reading {path.name}", error.strerror or str(error)) from error


def without_prefix(line: str) -> str:
    """The line without what launchers put before it (mpirun, torchrun, pdsh, glog, container stamps)."""
    while match := _PREFIX.match(line):
        line = line[match.end() :]
    return line


def _cleaned(line: str) -> str:
    if "\r" in line:  # a progress bar redraws its line: only the last state counts
        line = line.rsplit("\r", 1)[-1]
    return _ANSI.sub("", line) if "\x1b" in line else line


def _encoding(path: Path) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except FileNotFoundError as error:
        raise InputError(path.name, "no such file", "a log file") from error
    except IsADirectoryError as error:
        raise InputError(path.name, "a folder", "a log file") from error
    except OSError as error:
        raise MachineError(f"Reading {path.name}", error.strerror or str(error)) from error
    if not head.strip():
        raise InputError(path.name, "an empty file", "a log with at least one reading")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        raise InputError(path.name, "a binary file", "a text log")
    return "utf-8-sig"
