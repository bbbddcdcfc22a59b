"""``roofplan validate``: predictions against a measured table."""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from core.calibration.score import Scored, Summary, baseline_errors_pct, grouped_by, summarise
from core.calibration.validate import ValidationReport, validate_table
from core.catalogue.load import load_catalogue

_BASELINES = {"training": "constant MFU", "inference": "bytes only"}
_FIELDS = ("id", "hardware", "metric", "measured", "predicted", "low", "high", "error_pct", "skipped")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``validate`` command."""
    parser = commands.add_parser("validate", help="predict every row of a measured table and report the error")
    parser.add_argument("table", type=Path, metavar="TABLE.csv")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; 0 also when rows were skipped."""
    report = validate_table(arguments.table, load_catalogue())
    if arguments.json:
        print(json.dumps(as_json(report), indent=1, ensure_ascii=False))
    else:
        _print_text(report)
    return 0


def as_json(report: ValidationReport) -> dict[str, Any]:
    """``rows`` and ``summary`` as documented; figures that are unknown are null."""
    rows = [{name: getattr(row, name) for name in _FIELDS} for row in report.rows]
    by_hardware = {chip: _plain(summarise(own)) for chip, own in grouped_by(report.rows, _hardware).items()}
    by_metric = {
        metric: {**_plain(summarise(own)), "baseline": _baseline(report.kind, own)}
        for metric, own in grouped_by(report.rows, _metric).items()
    }
    summary = {**_plain(summarise(report.rows)), "by_hardware": by_hardware, "by_metric": by_metric}
    return {"rows": rows, "summary": summary}


def _hardware(row: Scored) -> str:
    return row.hardware


def _metric(row: Scored) -> str:
    return row.metric


def _plain(summary: Summary) -> dict[str, Any]:
    return {name: _known(value) for name, value in asdict(summary).items()}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _baseline(kind: str, rows: Sequence[Scored]) -> dict[str, Any]:
    falls = rows[0].metric not in ("tpot_ms", "ttft_ms")
    errors = baseline_errors_pct(rows, slower_with_work=falls)
    known = (
        {"median_abs_pct": float(np.median(errors)), "p90_abs_pct": float(np.percentile(errors, 90))} if errors else {}
    )
    return {"name": _BASELINES[kind], "n": len(errors), **known}


def _print_text(report: ValidationReport) -> None:
    print(f"{'':28} {'rows':>6} {'skipped':>8} {'median':>8} {'p90':>8} {'<=20 %':>8} {'in range':>9}")
    for metric, rows in grouped_by(report.rows, _metric).items():
        _print_line(metric, summarise(rows))
        base = _baseline(report.kind, rows)
        if base["n"]:
            median, p90 = base["median_abs_pct"], base["p90_abs_pct"]
            print(f"  baseline: {base['name']:16} {base['n']:6} {'':8} {median:7.1f}% {p90:7.1f}%")
        for chip, own in grouped_by(rows, _hardware).items():
            if any(row.error_pct is not None for row in own):
                _print_line(f"    {chip}", summarise(own))
    _print_skipped(report.rows)


def _print_line(name: str, s: Summary) -> None:
    print(
        f"{name:28} {s.n:6} {s.skipped:8} {s.median_abs_pct:7.1f}% {s.p90_abs_pct:7.1f}% {s.within_20_pct:7.1f}% "
        f"{s.interval_coverage_pct:8.1f}%"
    )


def _print_skipped(rows: Sequence[Scored]) -> None:
    reasons = Counter((row.skipped or "").split(":")[0] for row in rows if row.skipped)
    for reason, n in reasons.most_common(12):
        print(f"skipped {n:5}: {reason}")
