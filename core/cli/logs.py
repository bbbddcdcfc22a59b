"""``roofplan logs``: recognise log files and say what is in them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.cli.output import print_json
from core.constants import SECONDS_PER_HOUR
from core.errors import InputError, MachineError
from core.logs.facts import FACTS
from core.logs.record import LogRecord, Refused, figures_of
from core.logs.registry import format_name
from core.logs.sources import sources
from core.units import duration, grouped, plain

OTHER_LINES = "not part of a record"

_MOST_IN_FULL = 10_000_000
_TITLES = {"p50": "median"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``logs`` command."""
    parser = commands.add_parser("logs", help="recognise logs in files, folders and zips and print what was found")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Reads every file, folder and zip; returns 1 when nothing could be read, else 0."""
    seen = _read_all(arguments.files)
    if arguments.json:
        print_json(as_json(seen.records, seen.refused, seen.others))
    else:
        _print_text(seen)
    return 0 if seen.records else 1


@dataclass(frozen=True)
class NotUsed:
    """A file that was refused, or the part of one that begins on ``line``."""

    file: str
    reason: str
    line: int | None = None


@dataclass
class _Seen:
    """What all files held. ``others`` counts, by file, the lines that belong to no record."""

    records: list[LogRecord] = field(default_factory=list)
    refused: list[NotUsed] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)


def as_json(
    records: Sequence[LogRecord], refused: Sequence[NotUsed] = (), others: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The object that ``logs --json`` prints: ``records``, ``skipped`` and ``refused``."""
    skipped = [(record.file, reason, lines) for record in records for reason, lines in record.skipped.items()]
    skipped += [(file, OTHER_LINES, lines) for file, lines in (others or {}).items()]
    return {
        "records": [_record_json(record) for record in records],
        "skipped": [{"file": file, "lines": lines, "reason": reason} for file, reason, lines in skipped],
        "refused": [{"file": one.file, "line": one.line, "reason": one.reason} for one in refused],
    }


def _read_all(files: Sequence[Path]) -> _Seen:
    seen = _Seen()
    for source in sources(files):
        try:
            read = source.log_file()
        except InputError as error:
            seen.refused.append(NotUsed(source.shown, str(error)))
            continue
        except MachineError as error:
            if source.shown in map(str, files):
                raise
            seen.refused.append(NotUsed(source.shown, str(error)))
            continue
        seen.records += read.records
        seen.refused += [_part(source.shown, one) for one in read.refused]
        if read.n_other:
            seen.others[read.file] = read.n_other
    return seen


def _part(file: str, refused: Refused) -> NotUsed:
    reason = f"{format_name(refused.format)}: found {refused.found}, expected {refused.expected}"
    return NotUsed(file, reason, refused.line)


def _record_json(record: LogRecord) -> dict[str, Any]:
    quantities = {
        name: {"unit": q.unit, "n": q.n, "mean": None, "p50": None, "max": None} | figures_of(q)
        for name, q in record.quantities.items()
    }
    return {
        "file": record.file,
        "format": record.format,
        "subject": record.subject.value,
        "first_line": record.first_line,
        "lines": record.n_lines,
        "accelerator": record.accelerator_id or record.accelerator,
        "n_accelerators": record.n_accelerators,
        "start": record.start,
        "duration_s": record.duration_s,
        "facts": dict(record.facts),
        "quantities": quantities,
    }


def _print_text(seen: _Seen) -> None:
    for record in seen.records:
        _print_record(record)
    for file, lines in seen.others.items():
        print(f"{file}: {grouped(lines)} lines {OTHER_LINES}")
    for one in seen.refused:
        words = "not read" if one.line is None else f"not read from line {grouped(one.line)} on"
        print(f"{one.file}: {words}. {one.reason}", file=sys.stderr)


def _stated(value: str | float) -> str:
    """Sizes are told in full, larger numbers shortly."""
    if isinstance(value, str):
        return value
    return grouped(round(value)) if value < _MOST_IN_FULL and value == round(value) else plain(value)


def _print_record(record: LogRecord) -> None:
    chips = f"{record.n_accelerators or '?'} × {record.accelerator_id or record.accelerator or 'unknown chip'}"
    print(
        f"{record.file}: {record.format}, {record.subject.value}, line {grouped(record.first_line)}, "
        f"{grouped(record.n_lines)} lines, {chips}, "
        f"{duration(record.duration_s / SECONDS_PER_HOUR)}, {grouped(record.n_skipped)} lines skipped"
    )
    for name, value in record.facts.items():
        print(f"  {FACTS[name]}: {_stated(value)}")
    for name, q in record.quantities.items():
        figures = "  ".join(f"{_TITLES.get(key, key)} {plain(value):>9}" for key, value in figures_of(q).items())
        print(f"  {name:24} {figures} {q.unit}")
    for reason, lines in record.skipped.items():
        print(f"  skipped {grouped(lines)}: {reason}")
