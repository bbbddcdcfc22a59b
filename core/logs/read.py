"""Recognise what a log file holds, line by line and never by its name, and read it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from core.errors import InputError
from core.logs.facts import stated
from core.logs.instead import MOST_LINES, instead_of_a_log
from core.logs.json_blocks import JsonBlocks, whole_of
from core.logs.record import LogRecord, Refused
from core.logs.registry import Document, Finding, LogFormat, LogReader, formats, formats_of_chips
from core.logs.text import log_lines, task_of, unquoted, without_prefix
from core.reading.shown import shown

LINES_BEFORE = 2000
"""Lines before the first one of a format that its reader is given: settings are printed above the steps."""

_HEAD_LINES = 20
_MOST_TASKS = 2000
_QUOTES = (" ", '"')
"""What a line of a notebook begins with."""

_NAMED = 3
_SOME_LOGS = (
    "one of these logs: of chips (nvidia-smi, dcgmi, amd-smi, rocm-smi, tpu-info and the like), of training (MaxText,"
    " Megatron-LM, torchtitan, Hugging Face ...), of a server (vLLM, SGLang, TensorRT-LLM ...), of links (nccl-tests,"
    " nvbandwidth)"
)
"""Not all of them: a list of every format would be longer than anyone reads."""


@dataclass(frozen=True)
class LogFile:
    """What one file holds. ``n_other`` counts the lines with text that no format could use."""

    file: str
    n_lines: int
    n_other: int
    records: tuple[LogRecord, ...]
    refused: tuple[Refused, ...]


def read_logs(path: Path) -> LogFile:
    """Everything that one file of any known formats says; the records in the order of their lines.

    Raises InputError when nothing in it can be used, with what was seen instead; MachineError when it can't be read.
    """
    whole = _in_bulk(path)
    read = LogFile(path.name, sum(r.n_lines for r in whole if isinstance(r, LogRecord)), 0, *_parted(whole))
    if not whole:
        read = _by_line(path)
    if not read.records:
        raise _nothing(path, read)
    return read


def read_log(path: Path) -> LogRecord:
    """The record of a file that has the most readings. Raises as :func:`read_logs`."""
    return max(read_logs(path).records, key=lambda record: len(record.time_s))


def _in_bulk(path: Path) -> list[Finding]:
    """What a format finds that reads the file its own way; nothing where none does."""
    with closing(log_lines(path, reads_all=False)) as lines:
        head = [without_prefix(line) for line in islice(lines, _HEAD_LINES)]
    for log_format in formats():
        if log_format.bulk and any(log_format.begins_with(line) for line in head):
            return log_format.bulk(path)
    return []


def _by_line(path: Path) -> LogFile:
    hand = _Hand(path.name)
    n_lines = 0
    for n_lines, line in enumerate(log_lines(path), 1):
        hand.take(n_lines, line)
    findings = hand.finish()
    if not findings and hand.cut_at:
        findings = [
            Refused("json", hand.cut_at, "JSON that is cut short", "a whole file: it ends before its JSON does")
        ]
    return LogFile(path.name, n_lines, hand.n_other, *_parted(findings))


class _Closed:
    """The formats that are read line by line, of chips or of anything else, and have not begun yet."""

    def __init__(self, of_chips: bool) -> None:
        self._of_mark: dict[str, list[LogFormat]] = {}
        for one in formats():
            for mark in one.marks if one.reader and (one.id in formats_of_chips()) == of_chips else ():
                self._of_mark.setdefault(mark, []).append(one)

    def taken(self, line: str) -> list[LogFormat]:
        """Those that begin with a line, which are not asked again. Every line of a log comes by here."""
        marks = [mark for mark in self._of_mark if mark in line]
        if not marks:
            return []
        told = {one.id: one for mark in marks for one in self._of_mark[mark]}
        beginning = [told[id] for id in sorted(told) if told[id].begins(line)]
        if beginning:
            left = {mark: [one for one in own if one not in beginning] for mark, own in self._of_mark.items()}
            self._of_mark = {mark: own for mark, own in left.items() if own}
        return beginning


@dataclass
class _Hand:
    """Deals the lines of one file to the formats that have begun in it."""

    file: str
    n_other: int = 0
    _open: list[LogReader] = field(default_factory=list)
    _of_task: dict[str, list[LogReader]] = field(default_factory=dict)
    _closed: _Closed = field(default_factory=lambda: _Closed(of_chips=False))
    _closed_of_task: dict[str, _Closed] = field(default_factory=dict)
    _before: deque[tuple[int, str, str]] = field(default_factory=lambda: deque(maxlen=LINES_BEFORE))
    _blocks: JsonBlocks = field(default_factory=JsonBlocks)

    def take(self, number: int, raw: str) -> None:
        bare = without_prefix(raw)
        line = bare if bare[:1] not in _QUOTES else without_prefix(unquoted(bare))
        task = task_of(raw, bare) if bare is not raw else ""
        if task not in self._of_task:
            task = self._known(task)
        self._open_what_begins(line, task)
        uses = [reader.take(number, line) for reader in self._open]  # each looks at each line
        uses += [reader.take(number, line) for reader in self._of_task[task]]
        is_used = any(uses) or self._blocks.take(number, bare)
        self.n_other += not is_used and bool(line.strip())
        self._before.append((number, line, task))

    @property
    def cut_at(self) -> int:
        """The line on which JSON begins that the file cuts short; 0 where there is none."""
        return self._blocks.cut_at

    def finish(self) -> list[Finding]:
        findings = [one for reader in self._open for one in reader.finish()] + self._of_tasks()
        documents = [part for one in self._blocks.finish() for part in _parts(one)]
        self.n_other += self._blocks.n_lost
        for log_format in formats():
            fitting = [one for one in documents if log_format.fits(one.value)]
            if fitting and log_format.documents:
                findings += log_format.documents(self.file, fitting)
        return findings

    def _known(self, task: str) -> str:
        """A task of which lines are kept apart from now on; the nameless one beyond as many as anybody has."""
        name = task if len(self._of_task) < _MOST_TASKS else ""
        if name not in self._of_task:
            self._of_task[name], self._closed_of_task[name] = [], _Closed(of_chips=True)
        return name

    def _of_tasks(self) -> list[Finding]:
        """What each host or task says of its chips, which it counts from 0, with its name where there are several."""
        found = {
            task: [one for reader in readers for one in reader.finish()] for task, readers in self._of_task.items()
        }
        found = {task: own for task, own in found.items() if own}
        if len(found) == 1:
            return next(iter(found.values()))
        return [_of_host(one, task) for task, own in found.items() for one in own]

    def _open_what_begins(self, line: str, task: str) -> None:
        for log_format in self._closed.taken(line):
            self._open.append(self._reader(log_format, [(n, earlier) for n, earlier, _ in self._before]))
        for log_format in self._closed_of_task[task].taken(line):
            before = [(n, earlier) for n, earlier, other in self._before if other == task]
            self._of_task[task].append(self._reader(log_format, before))

    def _reader(self, log_format: LogFormat, before: Iterable[tuple[int, str]]) -> LogReader:
        """A reader that has seen the lines before."""
        assert log_format.reader is not None
        reader = log_format.reader(self.file)
        for number, earlier in before:
            reader.take(number, earlier)
        return reader


def _of_host(finding: Finding, task: str) -> Finding:
    if isinstance(finding, Refused) or not task:
        return finding
    return replace(finding, facts=stated({"host": task} | dict(finding.facts)))


def _parts(document: Document) -> Sequence[Document]:
    """The document itself where a format knows it, with the lists that were left out where that helps; those that it
    lists where none knows the list."""
    known = document if _is_known(document) else whole_of(document)
    listed = known.value if isinstance(known.value, list) and not _fits_any(known.value) else []
    parts = [replace(known, value=one) for one in listed if isinstance(one, dict)]
    return parts or [known]


def _is_known(document: Document) -> bool:
    return not document.whole or _fits_any(document.value)


def _fits_any(value: object) -> bool:
    return any(one.fits(value) for one in formats())


def _parted(findings: Iterable[Finding]) -> tuple[tuple[LogRecord, ...], tuple[Refused, ...]]:
    known = list(findings)
    records = sorted((one for one in known if isinstance(one, LogRecord)), key=lambda record: record.first_line)
    return tuple(records), tuple(one for one in known if isinstance(one, Refused))


def _nothing(path: Path, read: LogFile) -> InputError:
    """Why nothing of a file can be used: what was refused in it, or what was seen instead of a log."""
    if read.refused:
        reasons = {(one.found, one.expected): one for one in read.refused}
        found = "; ".join(f"{one.found} (line {one.line})" for one in list(reasons.values())[:_NAMED])
        return InputError(path.name, found, next(iter(reasons.values())).expected)
    with closing(log_lines(path, reads_all=False)) as lines:
        head = list(islice(lines, MOST_LINES))
    if instead := instead_of_a_log(without_prefix(line) for line in head):
        return InputError(path.name, *instead)
    first = next((line for line in head if line.strip()), "")
    return InputError(path.name, f"{shown(first)} as its first line", _SOME_LOGS)
