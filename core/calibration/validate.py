"""The engine against a table of published measurements: error, coverage, and a plain baseline beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.calibration.baseline import baseline_errors_pct
from core.calibration.measured.case import AnyCase, MeasuredCase, Unpredictable, any_case_of
from core.calibration.measured.reinforcement import ReinforcementCase
from core.calibration.measured.samples import SampleCase
from core.calibration.measured.serving import ServingCase
from core.calibration.measured.table import MeasuredTable, read_table
from core.calibration.scored_rows import ScoredRow, fit_after_all, predict_cases, scored
from core.calibration.studies import finetuning, reinforcement, samples, serving, training
from core.calibration.studies.reinforcement import scored_reinforcement
from core.calibration.studies.samples import scored_samples
from core.calibration.studies.serving import scored_serving
from core.calibration.studies.shipped_studies import SHIPPED, shipped_table
from core.calibration.studies.study import kind_words
from core.catalogue.catalogue import Catalogue
from core.throughput.types import Throughput
from core.throughput.uncertainty import KINDS


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
    """Every entry of a table and what they come to; ``baseline`` is the error of the plain rule on the same rows.

    ``n_out_of_memory``: runs that failed for want of memory, ``n_fit_after_all`` of which are predicted to fit;
    ``n_fitted_on``: predicted values whose row, by its id, is among those that the engine was fitted on.
    """

    file: str
    work: str
    rows: tuple[ScoredRow, ...]
    summary: ErrorSummary
    n_skipped: int
    by_hardware: dict[str, ErrorSummary]
    by_metric: dict[str, ErrorSummary]
    by_family: dict[str, ErrorSummary]
    n_fitted_on: int
    n_out_of_memory: int
    n_fit_after_all: int
    baseline_name: str
    baseline: ErrorSummary
    engine_on_baseline_rows: ErrorSummary


BASELINE_NAMES = {
    "training": "one constant MFU per chip",
    "finetune": "one constant MFU per chip",
    "inference": "weight bytes over memory bandwidth, one factor a metric",
    "reinforcement": "one share of peak per chip for all tokens of a step",
    "media": "",
}


def validate_table(path: Path, catalogue: Catalogue) -> ValidationReport:
    """Predicts every row of a training or inference table and compares.

    A row is predicted on the layout it gives, else on the best one found; a row that cannot be predicted carries the
    reason instead. Raises InputError naming file, row and field when the table is not as expected.
    """
    table = read_table(path)
    cases = [any_case_of(row, row.work, catalogue) for row in table.rows]
    rows = scored_rows(cases)
    return _report(table, rows, cases)


def scored_rows(cases: list[AnyCase]) -> tuple[ScoredRow, ...]:
    """Every metric of the cases beside its prediction."""
    answers = predict_cases([case for case in cases if isinstance(case, MeasuredCase)])
    scored_apart = scored_samples([case for case in cases if isinstance(case, SampleCase)])
    scored_apart |= scored_serving([case for case in cases if isinstance(case, ServingCase)])
    scored_apart |= scored_reinforcement([case for case in cases if isinstance(case, ReinforcementCase)])
    return tuple(entry for case in cases for entry in _entries(case, answers, scored_apart))


def _entries(
    case: AnyCase,
    answers: dict[str, Throughput],
    scored_apart: dict[str, list[ScoredRow]],
) -> list[ScoredRow]:
    if isinstance(case, SampleCase | ServingCase | ReinforcementCase):
        return scored_apart[case.row.text("id")]
    measured = case.row.measured()
    if isinstance(case, Unpredictable):
        return [ScoredRow.left_out(case.row, metric, value, case.reason) for metric, value in measured.items()]
    answer = answers[case.row.text("id")]
    if not answer.fits:
        why = str(answer.reasons[0].text)
        return [ScoredRow.left_out(case.row, metric, value, why) for metric, value in measured.items()]
    return [_entry(case, answer, metric, value) for metric, value in measured.items()]


def _entry(case: MeasuredCase, answer: Throughput, metric: str, value: float) -> ScoredRow:
    if metric in case.unsaid:
        return ScoredRow.left_out(case.row, metric, value, case.unsaid[metric])
    return scored(case, answer, metric, value)


def _report(table: MeasuredTable, rows: tuple[ScoredRow, ...], cases: list[AnyCase]) -> ValidationReport:
    known = [row for row in rows if row.skipped is None]
    plain = baseline_errors_pct(cases, known)
    both = [row for row in known if (row.id, row.metric) in plain]
    errors = [plain[row.id, row.metric] for row in both]
    failed = fit_after_all([case for case in cases if isinstance(case, MeasuredCase)])
    of_id = {case.row.text("id"): case for case in cases}
    fitted_on = {row.text("id") for work in SHIPPED for row in shipped_table(work).rows}
    return ValidationReport(
        file=table.file,
        work=table.work,
        rows=rows,
        summary=summarise(known),
        n_skipped=len(rows) - len(known),
        by_hardware=_summaries(known, lambda row: row.hardware),
        by_metric=_summaries(known, lambda row: row.metric),
        by_family=_summaries(known, lambda row: _family_line(of_id[row.id], row.metric)),
        n_fitted_on=sum(row.id in fitted_on for row in known),
        n_out_of_memory=len(failed),
        n_fit_after_all=sum(failed.values()),
        baseline_name=BASELINE_NAMES[table.work],
        baseline=_of_errors(np.array(errors), None),
        engine_on_baseline_rows=summarise(both),
    )


def _family_line(case: AnyCase, metric: str) -> str:
    """Piece and family, as in "training, dense" or "TPOT, moe"; "other" for a row that no study would take."""
    if isinstance(case, SampleCase):
        return f"samples/s, {samples.family_of(case)}"
    if isinstance(case, ReinforcementCase):
        return f"reinforcement, {reinforcement.family_of(case)}"
    if isinstance(case, ServingCase):
        return f"{kind_words(metric, serving.concurrency_a_replica(case))}, {serving.family_of(case)}"
    if isinstance(case, MeasuredCase) and case.row.work == "finetune":
        return f"{'memory' if KINDS[metric] == 'memory' else 'fine-tuning'}, {finetuning.family_of(case)}"
    if isinstance(case, MeasuredCase) and case.profile.job.trains:
        return f"training, {training.family_of(case)}"
    return "other"


def _summaries(rows: list[ScoredRow], name_of: Callable[[ScoredRow], str]) -> dict[str, ErrorSummary]:
    groups: dict[str, list[ScoredRow]] = defaultdict(list)
    for row in rows:
        groups[name_of(row)].append(row)
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
