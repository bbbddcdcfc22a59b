"""The engine against a table of published measurements: error, coverage, and a plain baseline beside it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.calibration.baseline import baseline_errors_pct
from core.calibration.measured_case import MeasuredCase, Unpredictable, case_of
from core.calibration.measured_table import MeasuredTable, read_table
from core.calibration.scored import ScoredRow, scored
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator
from core.throughput.predict import predict
from core.throughput.types import Layout, Throughput
from core.workload.job import FineTuning, Job, PreTraining
from core.workload.profile import Stack


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """Errors of a set of entries in percent of the measured value; None where the set is empty."""

    n: int
    median_abs_pct: float | None
    p90_abs_pct: float | None
    within_20_pct: float | None
    interval_coverage_pct: float | None


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """Every entry of a table and what they come to; ``baseline`` is the error of the plain rule on the same rows."""

    file: str
    work: str
    rows: tuple[ScoredRow, ...]
    summary: ErrorSummary
    n_skipped: int
    by_hardware: dict[str, ErrorSummary]
    by_metric: dict[str, ErrorSummary]
    baseline_name: str
    baseline: ErrorSummary
    engine_on_baseline_rows: ErrorSummary


BASELINE_NAMES = {
    "training": "one constant MFU per chip",
    "inference": "weight bytes over memory bandwidth, one factor a metric",
}


def validate_table(path: Path, catalogue: Catalogue) -> ValidationReport:
    """Predicts every row of a training or inference table and compares.

    A row is predicted on the layout it gives, else on the best one found; a row that cannot be predicted carries the
    reason instead. Raises InputError naming file, row and field when the table is not as expected.
    """
    table = read_table(path)
    cases = [case_of(row, table.work, catalogue) for row in table.rows]
    answers = _predict_all([case for case in cases if isinstance(case, MeasuredCase)])
    rows = tuple(entry for case in cases for entry in _entries(table, case, answers))
    return _report(table, rows, catalogue, [case for case in cases if isinstance(case, MeasuredCase)])


def _predict_all(cases: list[MeasuredCase]) -> dict[str, Throughput]:
    """Answers by row id: rows of one profile and layout are predicted together; without fit, again on any layout."""
    found = _predict_grouped([(case, case.layout) for case in cases])
    again = [case for case in cases if case.layout is not None and not found[case.row.text("id")].fits]
    found |= _predict_grouped([(case, _freed(case.layout)) for case in again if case.layout is not None])
    return found | _predict_grouped([(case, None) for case in roomy(cases, found)])


def roomy(cases: list[MeasuredCase], found: dict[str, Throughput]) -> list[MeasuredCase]:
    """Training cases that fit nowhere, on chips of plenty of memory: the run did fit, by means its row does not state."""
    tight = [case for case in cases if isinstance(case.profile.job, PreTraining | FineTuning)]
    return [
        replace(case, system=replace(case.system, accelerator=_with_memory(case.system.accelerator)))
        for case in tight
        if not found[case.row.text("id")].fits
    ]


def _with_memory(chip: Accelerator) -> Accelerator:
    return chip.model_copy(update={"memory_gb": chip.memory_gb * ROOM})


ROOM = 16.0
"""Times the memory that a run without a fitting layout is predicted with."""


def _freed(layout: Layout) -> Layout | None:
    """A layout that leaves the batch to the engine, when serving; none when training."""
    return Layout(tp=layout.tp, pp=layout.pp, replicas=layout.replicas, max_batch=0) if layout.max_batch else None


def _predict_grouped(work: list[tuple[MeasuredCase, Layout | None]]) -> dict[str, Throughput]:
    groups: dict[tuple[object, Job, Stack, Layout | None], list[MeasuredCase]] = defaultdict(list)
    for case, layout in work:
        groups[case.profile.model, case.profile.job, case.profile.stack, layout].append(case)
    answers: dict[str, Throughput] = {}
    for (*_, layout), cases in groups.items():
        results = predict(cases[0].profile, [case.system for case in cases], layout=layout)
        answers |= {case.row.text("id"): result for case, result in zip(cases, results, strict=True)}
    return answers


def _entries(
    table: MeasuredTable, case: MeasuredCase | Unpredictable, answers: dict[str, Throughput]
) -> list[ScoredRow]:
    measured = case.row.measured(table.metrics)
    if isinstance(case, Unpredictable):
        return [ScoredRow.left_out(case.row, metric, value, case.reason) for metric, value in measured.items()]
    answer = answers[case.row.text("id")]
    if not answer.fits:
        return [ScoredRow.left_out(case.row, m, value, answer.reasons[0].text) for m, value in measured.items()]
    return [scored(case, answer, metric, value) for metric, value in measured.items()]


def _report(
    table: MeasuredTable, rows: tuple[ScoredRow, ...], catalogue: Catalogue, cases: list[MeasuredCase]
) -> ValidationReport:
    known = [row for row in rows if row.skipped is None]
    plain = baseline_errors_pct(table.work, cases, known)
    both = [row for row in known if (row.id, row.metric) in plain]
    errors = [plain[row.id, row.metric] for row in both]
    return ValidationReport(
        file=table.file,
        work=table.work,
        rows=rows,
        summary=summarise(known),
        n_skipped=len(rows) - len(known),
        by_hardware=_summaries(known, "hardware"),
        by_metric=_summaries(known, "metric"),
        baseline_name=BASELINE_NAMES[table.work],
        baseline=_of_errors(np.array(errors), None),
        engine_on_baseline_rows=summarise(both),
    )


def _summaries(rows: list[ScoredRow], field: str) -> dict[str, ErrorSummary]:
    groups: dict[str, list[ScoredRow]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, field)].append(row)
    return {name: summarise(groups[name]) for name in sorted(groups, key=lambda name: -len(groups[name]))}


def summarise(rows: list[ScoredRow]) -> ErrorSummary:
    """Median, 90th percentile, share within 20 % and share of measurements inside the predicted range."""
    covered = [row.low <= row.measured <= row.high for row in rows if row.low is not None and row.high is not None]
    return _of_errors(np.array([row.error_pct for row in rows], dtype=np.float64), covered)


def _of_errors(errors_pct: np.ndarray[tuple[int], np.dtype[np.float64]], covered: list[bool] | None) -> ErrorSummary:
    if not len(errors_pct):
        return ErrorSummary(0, None, None, None, None)
    size = np.abs(errors_pct)
    return ErrorSummary(
        n=len(size),
        median_abs_pct=float(np.median(size)),
        p90_abs_pct=float(np.percentile(size, 90)),
        within_20_pct=100.0 * float(np.mean(size <= 20.0)),
        interval_coverage_pct=100.0 * float(np.mean(covered)) if covered else None,
    )
