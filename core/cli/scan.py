"""``roofplan scan``: what of a folder of sources has to change for TPU and for ROCm."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.cli.output import print_json
from core.comparison.json_values import number_range
from core.ranges import Range
from core.readiness.effort import KindEffort, efforts, total_weeks
from core.readiness.finding import Finding
from core.readiness.kinds import Side
from core.readiness.scan import Scan, scan
from core.readiness.xla_report import report_findings
from core.units import counted, grouped, plain

_SHOWN = 3


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``scan`` command."""
    parser = commands.add_parser("scan", help="read a folder of sources for what TPU and ROCm ask to be changed")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--report", type=Path, metavar="FILE", help="a metrics report of PyTorch/XLA besides")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Reads the folder and prints the findings; returns 0. Nothing of it is run."""
    read = scan(arguments.folder)
    if arguments.report is not None:
        read = replace(read, findings=(*read.findings, *report_findings(arguments.report)))
    if arguments.json:
        print_json(as_json(read))
    else:
        _print_text(read)
    return 0


def as_json(read: Scan) -> dict[str, Any]:
    """Findings, and for each side the weeks with what they are for."""
    return {
        "folder": read.folder,
        "files": read.n_files,
        "tests_left_out": read.n_tests,
        "lines": read.n_lines,
        "frameworks": read.frameworks,
        "findings": [_finding_json(one) for one in read.findings],
        "skipped": [{"file": file, "reason": reason} for file, reason in read.skipped],
        "sides": {side.name.lower(): _side_json(efforts(read.findings, side)) for side in Side},
    }


def _finding_json(one: Finding) -> dict[str, Any]:
    return {
        "kind": one.kind_id,
        "title": one.kind.title,
        "file": one.file,
        "line": one.line,
        "code": one.code,
        "library": one.name or None,
        "matters_on": [side.name.lower() for side in Side if one.matters_on(side)],
    }


def _side_json(listed: tuple[KindEffort, ...]) -> dict[str, Any]:
    kinds = [
        {
            "kind": one.kind.id,
            "library": one.name or None,
            "places": len(one.findings),
            "weeks": number_range(one.weeks),
        }
        for one in listed
    ]
    return {"rewrite_weeks": number_range(total_weeks(listed)), "estimate": True, "kinds": kinds}


def _print_text(read: Scan) -> None:
    tests = f", {counted(read.n_tests, 'test file')} left out" if read.n_tests else ""
    print(f"{counted(read.n_files, 'file')}, {grouped(read.n_lines)} lines{tests}. Nothing was run.")
    for side in Side:
        listed = efforts(read.findings, side)
        print(f"\n{side.value}: {weeks_words(total_weeks(listed))} of rewriting (our estimate)" if listed else
              f"\n{side.value}: nothing found that has to change")  # fmt: skip
        for one in listed:
            _print_kind(one)
    for file, reason in read.skipped:
        print(f"\nSkipped {file}: {reason}")


def _print_kind(one: KindEffort) -> None:
    title = f"{one.kind.title}: {one.name}" if one.name else one.kind.title
    print(f"  {title}, {counted(len(one.findings), 'place')}, {weeks_words(one.weeks)}. {one.kind.instead}")
    for finding in one.findings[:_SHOWN]:
        print(f"    {finding.file}:{finding.line}  {finding.code}")
    if len(one.findings) > _SHOWN:
        print(f"    and {len(one.findings) - _SHOWN} more")


def weeks_words(weeks: Range) -> str:
    """``5 weeks (2–12)``; less than a tenth is said so."""
    likely = "under 0.1 weeks" if weeks.likely < 0.1 else counted(weeks.likely, "week", digits=2)
    return f"{likely} ({plain(weeks.low, 2)}–{plain(weeks.high, 2)})"
