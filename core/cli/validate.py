"""``roofplan validate``: the engine's error on a table of published measurements."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.calibration.validate import ErrorSummary, ValidationReport, validate_table
from core.catalogue.loading import load_catalogue
from core.cli.output import print_json

_ROW_FIELDS = ("id", "hardware", "metric", "measured", "predicted", "low", "high", "error_pct", "skipped")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``validate`` command."""
    parser = commands.add_parser("validate", help="predict every row of a measured table and report the error")
    parser.add_argument("table", type=Path, metavar="TABLE.csv")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Validates one table and prints the report; raises InputError naming what is wrong in the table."""
    report = validate_table(arguments.table, load_catalogue())
    if arguments.json:
        print_json(as_json(report), indent=1)
    else:
        print("\n".join(as_text(report)))
    return 0


def as_json(report: ValidationReport) -> dict[str, Any]:
    """The object that ``validate --json`` prints: ``rows`` and ``summary``."""
    rows = [{name: getattr(row, name) for name in _ROW_FIELDS} for row in report.rows]
    summary = asdict(report.summary) | {
        "skipped": report.n_skipped,
        "by_hardware": {name: asdict(errors) for name, errors in report.by_hardware.items()},
        "by_metric": {name: asdict(errors) for name, errors in report.by_metric.items()},
        "by_family": {name: asdict(errors) for name, errors in report.by_family.items()},
        "fitted_on": report.n_fitted_on,
        "out_of_memory": {"runs": report.n_out_of_memory, "predicted_to_fit": report.n_fit_after_all},
        "baseline": {"name": report.baseline_name} | asdict(report.baseline),
        "engine_on_baseline_rows": asdict(report.engine_on_baseline_rows),
    }
    return {"rows": rows, "summary": summary}


def as_text(report: ValidationReport) -> list[str]:
    """Lines for a reader: totals, metrics, chips, the baseline and why rows were left out."""
    head = f"{'':34}{'n':>6}{'median %':>10}{'p90 %':>9}{'in 20 %':>9}{'in range':>10}"
    lines = [f"{report.file}: {report.work}, {report.summary.n} values predicted, {report.n_skipped} left out", head]
    lines.append(_line("all", report.summary))
    lines += [_line(name, errors) for name, errors in report.by_metric.items()]
    lines += ["", "By family"] + [_line(name, errors) for name, errors in report.by_family.items()]
    lines += ["", "By chip"] + [_line(name, errors) for name, errors in report.by_hardware.items()]
    if report.n_fitted_on:
        lines += [
            "",
            f"{report.n_fitted_on} of these values set the engine's coefficients: this is how well it fits them.",
        ]
        lines += ["How well it predicts rows that it has not seen: make accuracy, ACCURACY.md"]
    if report.n_out_of_memory:
        missed = f"{report.n_fit_after_all} of them are predicted to fit"
        lines += ["", f"{report.n_out_of_memory} runs failed for want of memory: {missed}"]
    lines += ["", f"Beside it, fitted leaving each source out: {report.baseline_name}"]
    lines.append(_line("plain rule", report.baseline))
    lines.append(_line("engine, same rows", report.engine_on_baseline_rows))
    left_out = Counter(row.skipped for row in report.rows if row.skipped)
    return lines + ["", "Left out"] + [f"  {n:6}  {reason}" for reason, n in left_out.most_common(12)]


def _line(name: str, errors: ErrorSummary) -> str:
    values = (errors.median_abs_pct, errors.p90_abs_pct, errors.within_20_pct, errors.interval_coverage_pct)
    widths = (10, 9, 9, 10)
    cells = ("-" if value is None else f"{value:.1f}" for value in values)
    return f"  {name:32}{errors.n:6}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
