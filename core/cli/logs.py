"""``roofplan logs``: recognise log files and say what is in them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from core.cli.output import print_json
from core.constants import SECONDS_PER_HOUR
from core.errors import InputError
from core.logs.read import read_logs
from core.logs.record import LogRecord, figures_of
from core.units import duration, grouped, plain

_TITLES = {"p50": "median"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``logs`` command."""
    parser = commands.add_parser("logs", help="recognise log files and print what was found")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Reads every file; returns 1 when none could be read, else 0."""
    records, refused = _read_all(arguments.files)
    if arguments.json:
        print_json(as_json(records, refused))
    else:
        _print_text(records)
        for file, reason in refused:
            print(f"{file}: not read. {reason}", file=sys.stderr)
    return 0 if records else 1


def as_json(records: list[LogRecord], refused: list[tuple[str, str]]) -> dict[str, Any]:
    """The object that ``logs --json`` prints: ``records``, ``skipped`` and ``refused``."""
    return {
        "records": [_record_json(record) for record in records],
        "skipped": [
            {"file": record.file, "lines": lines, "reason": reason}
            for record in records
            for reason, lines in record.skipped.items()
        ],
        "refused": [{"file": file, "reason": reason} for file, reason in refused],
    }


def _read_all(files: list[Path]) -> tuple[list[LogRecord], list[tuple[str, str]]]:
    records: list[LogRecord] = []
    refused: list[tuple[str, str]] = []
    for file in files:
        try:
            records.extend(read_logs(file).records)
        except InputError as error:
            refused.append((str(file), str(error)))
    return records, refused


def _record_json(record: LogRecord) -> dict[str, Any]:
    quantities = {
        name: {"unit": q.unit, "n": q.n, "mean": None, "p50": None, "max": None} | figures_of(q)
        for name, q in record.quantities.items()
    }
    return {
        "file": record.file,
        "format": record.format,
        "lines": record.n_lines,
        "accelerator": record.accelerator_id or record.accelerator,
        "n_accelerators": record.n_accelerators,
        "start": record.start,
        "duration_s": record.duration_s,
        "quantities": quantities,
    }


def _print_text(records: list[LogRecord]) -> None:
    for record in records:
        chips = f"{record.n_accelerators or '?'} × {record.accelerator_id or record.accelerator or 'unknown chip'}"
        print(
            f"{record.file}: {record.format}, {grouped(record.n_lines)} lines, {chips}, "
            f"{duration(record.duration_s / SECONDS_PER_HOUR)}, {grouped(record.n_skipped)} lines skipped"
        )
        for name, q in record.quantities.items():
            figures = "  ".join(f"{_TITLES.get(key, key)} {plain(value):>9}" for key, value in figures_of(q).items())
            print(f"  {name:24} {figures} {q.unit}")
        for reason, lines in record.skipped.items():
            print(f"  skipped {grouped(lines)}: {reason}")
