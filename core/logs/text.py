"""Lines of a log file, whatever wrote it: encodings, progress bars, colours and launcher prefixes removed."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.logs.long_json import ShortenedJson
from core.reading.gzips import opened_unpacked
from core.reading.limits import MOST_JSON_BYTES, MOST_LINE_CHARS, MOST_LOG_BYTES, MOST_LOG_LINES
from core.reading.pace import Pace
from core.units import grouped

TOO_LONG = f"(a line of more than {grouped(MOST_LINE_CHARS)} characters)"
_OFTEN = 4096
_BLOCK_BYTES = 2**20
_PLAIN = "utf-8-sig"

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"^(?:"
    r"\[\d+,\d+\]<std(?:out|err)>:\s?"  # mpirun --tag-output
    r"|\[(?:default|rank)?\d+\]:\s?"  # torchrun
    r"|\d{1,5}: (?=\s*\S)"  # srun -l names the task
    r"|\[?[a-z][\w.-]*-\d+\]?:\s(?=completed step|\s*iteration|step:|\S+\s+\d+)"  # pdsh names the host
    r"|[a-z][\w.-]{0,60}\d:\s(?=timestamp,|index,|name,|\d{4}/\d\d/\d\d \d\d:|# ?gpu\s|# ?Idx\s|\s{2,6}\d{1,2}\s)"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w.-]+:\d+\]\s"  # glog
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)\s(?:std(?:out|err) [FP]\s)?"  # kubectl, docker, CRI
    r"|(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d{4})"
    r" [\w.-]{1,64} [\w./@-]{1,64}\[\d+\]:\s"  # journalctl and syslog
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?!\d{4}\s*$)(?=\S)"  # ts, which stamps what is piped through it
    r"|\[pod/[^\]\s]{1,200}\]\s"  # kubectl logs --prefix
    r"|[a-z][\w.-]{0,60}[-_]\d{1,3} {1,40}\|\s"  # docker compose names the container
    r"|\([\w.:-]{1,60} pid=\d+(?:, ip=[\d.]+)?\)\s"  # Ray and vLLM name the process
    r"|> (?=\s{0,8}\S)"  # a quotation in a page of text
    r")"
)

_TASK = re.compile(
    r"\[\d+,(?P<rank>\d+)\]<|(?:^|\s)(?P<task>\d{1,5}): |\[pod/(?P<pod>[^\]\s]{1,200})\]|\bip=(?P<ip>[\d.]+)"
    r"|(?:^|\s)(?P<container>[a-z][\w.-]{0,60}[-_]\d{1,3}) {1,40}\||(?P<host>[a-z][\w.-]{0,60}\d)\]?:\s"
    r"|\d\d:\d\d:\d\d\S{0,40} (?P<logged>[\w.-]{1,64}) [\w./@-]{1,64}\[\d+\]:"
)
"""Those of the prefixes that say which host or task of many wrote a line."""

_WRAPPED = re.compile(r'\{"(?:log|[^{}]{0,2000}"textPayload)": ?("(?:[^"\\]|\\.)*")')
"""How Docker's json-file driver and Google Cloud's logging keep a line."""

_QUOTED = re.compile(r'\s{0,80}"(.*)\\n",?\s?')


_PIECE = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) (?P<stream>std(?:out|err)) (?P<which>[PF]) ")


class _Pieces:
    """Joins the pieces that a container's runtime makes of a long line: all but the last are marked ``P``."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def joined(self, line: str) -> str:
        """The whole line at its last piece, nothing at the others; any other line as it is."""
        piece = _PIECE.match(line)
        if piece is None:
            return line
        before = self.held.pop(piece["stream"], "")
        whole = before + line[piece.end() :] if before else line
        if piece["which"] == "F":
            return whole if len(whole) <= MOST_LINE_CHARS else TOO_LONG
        self.held[piece["stream"]] = whole[: MOST_LINE_CHARS + 1]
        return ""


class LongJson(str):
    """A JSON value on one line that is far too long: its text without its lists, and ``whole``, for who needs them."""

    whole: str


def log_lines(path: Path, reads_all: bool = True) -> Generator[str]:
    """The lines of a file, packed or not, in turn, without line ends; one that is far too long is told instead, so that
    none matches it.

    ``reads_all`` is False where only the first lines are looked at. Close the iterator if you leave it early. Raises
    InputError when the file is missing, empty, binary or beyond a limit, MachineError when it cannot be read.
    """
    with opened_unpacked(path, "a log file", MOST_LOG_BYTES) as (file, share):
        text = io.TextIOWrapper(file, encoding=_encoding(file, path), errors="replace", newline="\n")
        pace = Pace(path.name, "lines", MOST_LOG_LINES, share if reads_all else None)
        n_lines, pieces = 0, _Pieces()
        try:
            while line := text.readline(MOST_LINE_CHARS):
                n_lines += 1
                if n_lines % _OFTEN == 0:
                    pace.count(_OFTEN)
                line = _cleaned(line.rstrip("\r\n") if line.endswith("\n") else _whole(line, text, pace))
                yield pieces.joined(line) if pieces.held or " P " in line else line
        finally:
            text.detach()


def log_blocks(path: Path) -> Generator[tuple[int, bytes]]:
    """The file as UTF-8 text in blocks of about a megabyte with the number of lines in each. They are whole; the last
    may have no line feed.

    For readers that look at many lines at once; :func:`lines_of` parts a block. Raises as :func:`log_lines`.
    """
    with opened_unpacked(path, "a log file", MOST_LOG_BYTES) as (file, share):
        encoding = _encoding(file, path)
        decoder = None if encoding == _PLAIN else codecs.getincrementaldecoder(encoding)("replace")
        pace = Pace(path.name, "lines", MOST_LOG_LINES, share)
        rest = b""
        while piece := file.read(_BLOCK_BYTES):
            block, feed, rest = (rest + (decoder.decode(piece).encode() if decoder else piece)).rpartition(b"\n")
            if feed:
                n_lines = block.count(b"\n") + 1
                pace.count(n_lines)
                yield n_lines, block.removeprefix(codecs.BOM_UTF8) + feed
            elif len(rest) > _BLOCK_BYTES:
                rest = TOO_LONG.encode()
        if rest:
            yield 1, rest.removeprefix(codecs.BOM_UTF8)


def lines_of(block: bytes) -> list[str]:
    """The lines of a block as :func:`log_lines` gives them, prefixes off."""
    lines = block.decode("utf-8", "replace").removesuffix("\n").split("\n")
    return [without_prefix(_cleaned(line.rstrip("\r"))) if len(line) < MOST_LINE_CHARS else TOO_LONG for line in lines]


def without_prefix(line: str) -> str:
    """The line without what launchers put before it (mpirun, torchrun, pdsh, glog, container stamps)."""
    if line.startswith('{"') and (wrapped := _WRAPPED.match(line)):
        line = _cleaned(_text_of(wrapped[1]).rstrip("\r\n"))
    while match := _PREFIX.match(line):
        line = line[match.end() :]
    return line


def task_of(line: str, bare: str) -> str:
    """The host, container or task that wrote a line, by the prefix that ``bare`` is without; "" where none is told."""
    if len(bare) == len(line) or not line.endswith(bare):
        return ""
    match = _TASK.search(line[: len(line) - len(bare)])
    return match[match.lastgroup] if match and match.lastgroup else ""


def tasks_in(block: bytes) -> set[str]:
    """All of a block of lines."""
    lines = block.decode("utf-8", "replace").split("\n")
    return {task_of(line, without_prefix(line)) for line in lines if line.strip()}


def _text_of(quoted: str) -> str:
    """The text that a JSON string spells; its letters as they stand where it is none."""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]


def unquoted(line: str) -> str:
    """The text of a line as a notebook quotes it, ``"text\\n",`` with blanks before; any other line as it is."""
    match = _QUOTED.fullmatch(line) if '\\n"' in line[-4:] else None
    return match[1].replace('\\"', '"').replace("\\t", "\t") if match else line


def _cleaned(line: str) -> str:
    line = line.rpartition("\r")[2]  # a progress bar redraws its line: only the last state counts
    return _ANSI.sub("", line) if "\x1b" in line else line


def _whole(line: str, text: io.TextIOWrapper, pace: Pace) -> str:
    """A line that goes on: its end, or what follows the last carriage return, or words in place of what is too long.

    Of a JSON object that is too long only the lists are left out.
    """
    shortened = ShortenedJson(MOST_LINE_CHARS) if line.startswith("{") else None
    parts, n_chars = [line], len(line)
    is_json = line.startswith(("{", "["))
    if shortened:
        shortened.take(line)
    while more := text.readline(MOST_LINE_CHARS):
        pace.count()
        is_end = more.endswith("\n")
        n_chars += len(more)
        if is_json and n_chars <= MOST_JSON_BYTES:
            parts.append(more)
        if shortened:
            shortened.take(more.rstrip("\r\n") if is_end else more)
        _, is_drawn_over, last = (more.rstrip("\r\n") if is_end else more).rpartition("\r")
        if is_drawn_over:
            line = last
        elif len(line) <= MOST_LINE_CHARS:
            line += last
        if is_end:
            break
    if len(line.rpartition("\r")[2]) <= MOST_LINE_CHARS:
        return line
    rest = (shortened.text if shortened else None) or TOO_LONG
    if not is_json or n_chars > MOST_JSON_BYTES:
        return rest
    long = LongJson(rest)
    long.whole = "".join(parts).rstrip("\r\n")
    return long


def _encoding(file: IO[bytes], path: Path) -> str:
    head = file.read(4096)
    file.seek(0)
    if not head.strip():
        raise InputError(path.name, "an empty file", "a log with at least one reading")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        raise InputError(path.name, "a binary file", "a text log")
    return _PLAIN
