"""Lines of a log file, whatever wrote it: encodings, progress bars, colours and launcher prefixes removed."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Generator
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.reading.gzips import opened_unpacked
from core.reading.limits import MOST_LINE_CHARS, MOST_LOG_BYTES, MOST_LOG_LINES
from core.reading.pace import Pace
from core.units import grouped

TOO_LONG = f"(a line of more than {grouped(MOST_LINE_CHARS)} characters)"
_OFTEN = 4096

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"^(?:"
    r"\[\d+,\d+\]<std(?:out|err)>:\s?"  # mpirun --tag-output
    r"|\[(?:default|rank)?\d+\]:\s?"  # torchrun
    r"|\d{1,5}: (?=\s*\S)"  # srun -l names the task
    r"|\[?[a-z][\w.-]*-\d+\]?:\s(?=completed step|\s*iteration|step:|\S+\s+\d+)"  # pdsh names the host
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w.-]+:\d+\]\s"  # glog
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\s"  # kubectl and docker stamps
    r")"
)


def log_lines(path: Path, reads_all: bool = True) -> Generator[str]:
    """The lines of a file, packed or not, in turn, without line ends; one that is far too long is told instead, so that
    none matches it.

    ``reads_all`` is False where only the first lines are looked at. Close the iterator if you leave it early. Raises
    InputError when the file is missing, empty, binary or beyond a limit, MachineError when it cannot be read.
    """
    with opened_unpacked(path, "a log file", MOST_LOG_BYTES) as (file, share):
        text = io.TextIOWrapper(file, encoding=_encoding(file, path), errors="replace", newline="\n")
        pace = Pace(path.name, "lines", MOST_LOG_LINES, share if reads_all else None)
        n_lines = 0
        try:
            while line := text.readline(MOST_LINE_CHARS):
                n_lines += 1
                if n_lines % _OFTEN == 0:
                    pace.count(_OFTEN)
                yield _cleaned(line.rstrip("\r\n") if line.endswith("\n") else _whole(line, text, pace))
        finally:
            text.detach()


def without_prefix(line: str) -> str:
    """The line without what launchers put before it (mpirun, torchrun, pdsh, glog, container stamps)."""
    while match := _PREFIX.match(line):
        line = line[match.end() :]
    return line


def _cleaned(line: str) -> str:
    if "\r" in line:  # a progress bar redraws its line: only the last state counts
        line = line.rsplit("\r", 1)[-1]
    return _ANSI.sub("", line) if "\x1b" in line else line


def _whole(line: str, text: io.TextIOWrapper, pace: Pace) -> str:
    """A line that goes on: its end, or what follows the last carriage return, or words in place of what is too long."""
    while more := text.readline(MOST_LINE_CHARS):
        pace.count()
        is_end = more.endswith("\n")
        _, is_drawn_over, last = (more.rstrip("\r\n") if is_end else more).rpartition("\r")
        if is_drawn_over:
            line = last
        elif len(line) <= MOST_LINE_CHARS:
            line += last
        if is_end:
            break
    return TOO_LONG if len(line.rpartition("\r")[2]) > MOST_LINE_CHARS else line


def _encoding(file: IO[bytes], path: Path) -> str:
    head = file.read(4096)
    file.seek(0)
    if not head.strip():
        raise InputError(path.name, "an empty file", "a log with at least one reading")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        raise InputError(path.name, "a binary file", "a text log")
    return "utf-8-sig"
