"""One measured value beside its prediction."""

from __future__ import annotations

from dataclasses import dataclass

from core.calibration.measured_case import MeasuredCase
from core.calibration.measured_table import MeasuredRow
from core.ranges import Range
from core.throughput.types import Throughput
from core.workload.job import FineTuning, PreTraining


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A metric of a row; the error is ``predicted / measured - 1``. Without a prediction ``skipped`` says why."""

    id: str
    hardware: str
    source: str
    metric: str
    measured: float
    predicted: float | None
    low: float | None
    high: float | None
    error_pct: float | None
    skipped: str | None

    @classmethod
    def left_out(cls, row: MeasuredRow, metric: str, measured: float, reason: str) -> ScoredRow:
        """An entry that is not scored."""
        return cls(*_identity(row), metric, measured, None, None, None, None, reason)

    @classmethod
    def of(cls, row: MeasuredRow, metric: str, measured: float, found: Range, error_pct: float) -> ScoredRow:
        """An entry of a predicted row."""
        return cls(*_identity(row), metric, measured, found.likely, found.low, found.high, error_pct, None)


def scored(case: MeasuredCase, answer: Throughput, metric: str, measured: float) -> ScoredRow:
    """The entry of a predicted row. Raises KeyError for a metric that no prediction has."""
    found = _predictions(case, answer)[metric]
    error_pct = 100.0 * (found.likely / measured - 1.0)
    return ScoredRow(
        *_identity(case.row), metric, measured, found.likely, found.low, found.high, error_pct, None
    )  # fmt: skip


def source_of(row: MeasuredRow) -> str:
    """Who published the row: its group or publisher, else the source as written."""
    return row.text("source_group") or row.text("publisher") or row.text("source")


def _identity(row: MeasuredRow) -> tuple[str, str, str]:
    return row.text("id"), row.text("hardware"), source_of(row)


def _predictions(case: MeasuredCase, answer: Throughput) -> dict[str, Range]:
    """Ranges of every metric that a training row may hold."""
    job, speed = case.profile.job, answer.tokens_per_s
    if not isinstance(job, PreTraining | FineTuning):
        raise TypeError("a case of a layout trains")
    per_chip = speed.scaled(1.0 / case.system.n_chips)
    tokens = job.global_batch_sequences * job.sequence_length
    return {
        "tokens_per_s_per_chip": per_chip,
        "samples_per_s_per_chip": per_chip.scaled(1.0 / job.sequence_length),
        "step_time_s": Range(tokens / speed.high, tokens / speed.likely, tokens / speed.low),
    }
