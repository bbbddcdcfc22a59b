"""Measured rows predicted, many at once, and each measured value beside its prediction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.calibration.measured.case import MeasuredCase
from core.calibration.measured.formats import as_trained
from core.calibration.measured.held_memory import held_by_run
from core.calibration.measured.table import MeasuredRow
from core.ranges import Range
from core.throughput.predict import predict
from core.throughput.types import Layout, System, Throughput
from core.throughput.uncertainty import SpreadKey, ranged
from core.workload.jobs.kinds import Job
from core.workload.profile import Stack

ROOM = 16.0
"""Times the memory that a run without a fitting layout is predicted with."""


def predict_cases(cases: Sequence[MeasuredCase]) -> dict[str, Throughput]:
    """Answers by row id: rows of one profile and layout together.

    A serving row whose batch does not fit is asked again without it; a training row that does not fit, which did run,
    with room, on the layout that it states.
    """
    answers = _predict_grouped([(case, case.layout) for case in cases])
    again = [case for case in cases if not _is_training(case) and not answers[case.row.text("id")].fits]
    answers |= _predict_grouped([(case, _freed(case.layout)) for case in again if case.layout is not None])
    tight = [case for case in cases if _is_training(case) and not answers[case.row.text("id")].fits]
    return answers | _predict_grouped([(_with_room(case), _as_stated(case)) for case in tight])


def fit_after_all(cases: Sequence[MeasuredCase]) -> dict[str, bool]:
    """Of runs that failed for want of memory, by row id: whether they are predicted to fit on the chips as they are."""
    failed = [replace(case, system=_as_it_is(case)) for case in cases if case.row.text("fits") == "no"]
    return {name: answer.fits for name, answer in _predict_grouped([(case, case.layout) for case in failed]).items()}


def _as_it_is(case: MeasuredCase) -> System:
    chip = case.system.accelerator
    return replace(case.system, accelerator=chip.model_copy(update={"memory_gb": chip.memory_gb / case.slack}))


def _as_stated(case: MeasuredCase) -> Layout | None:
    """The layout of the row, if it tells one: short of memory it recomputed all it could, where it does not say."""
    if case.layout is None or case.row.work == "finetune":
        return case.layout
    return replace(case.layout, recompute=case.layout.recompute or "full")


def _is_training(case: MeasuredCase) -> bool:
    return case.profile.job.trains


def _with_room(case: MeasuredCase) -> MeasuredCase:
    """A training run on chips of plenty of memory: it did fit, by means that its row does not state."""
    chip = case.system.accelerator
    roomy = chip.model_copy(update={"memory_gb": chip.memory_gb * ROOM})
    return replace(case, system=replace(case.system, accelerator=roomy))


def _freed(layout: Layout) -> Layout | None:
    """A layout that leaves the batch to the engine, when serving; none when training."""
    return Layout(tp=layout.tp, pp=layout.pp, replicas=layout.replicas, max_batch=0) if layout.max_batch else None


def _predict_grouped(work: list[tuple[MeasuredCase, Layout | None]]) -> dict[str, Throughput]:
    groups: dict[tuple[object, Job, Stack, Layout | None], list[MeasuredCase]] = defaultdict(list)
    for case, layout in work:
        groups[case.profile.model, case.profile.job, case.profile.stack, layout].append(case)
    answers: dict[str, Throughput] = {}
    for (*_, layout), cases in groups.items():
        results = predict(cases[0].profile, [case.system for case in cases], layout=layout, runs_in=as_trained)
        answers |= {case.row.text("id"): result for case, result in zip(cases, results, strict=True)}
    return answers


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
    def of(cls, row: MeasuredRow, metric: str, measured: float, prediction: Range) -> ScoredRow:
        """An entry of a predicted row."""
        error_pct = 100.0 * (prediction.likely / measured - 1.0)
        return cls(
            *_identity(row), metric, measured, prediction.likely, prediction.low, prediction.high, error_pct, None
        )


def scored(case: MeasuredCase, answer: Throughput, metric: str, measured: float) -> ScoredRow:
    """The entry of a predicted row. Raises KeyError for a metric that no prediction has."""
    return ScoredRow.of(case.row, metric, measured, _predictions(case, answer)[metric])


def source_of(row: MeasuredRow) -> str:
    """Who published the row: its group or publisher, else the source as written."""
    return row.text("source_group") or row.text("publisher") or row.text("source")


def _identity(row: MeasuredRow) -> tuple[str, str, str]:
    return row.text("id"), row.text("hardware"), source_of(row)


def _predictions(case: MeasuredCase, answer: Throughput) -> dict[str, Range]:
    """Ranges of every metric that a training row may hold, memory of a fine-tuning one among them."""
    job, speed = case.profile.job.training, answer.tokens_per_s
    if job is None:
        raise TypeError("a case of a layout trains")
    per_chip = speed.scaled(1.0 / case.system.n_chips)
    tokens = job.global_batch_sequences * job.sequence_length
    ranges = {
        "tokens_per_s_per_chip": per_chip,
        "samples_per_s_per_chip": per_chip.scaled(1.0 / job.sequence_length),
        "step_time_s": Range(tokens / speed.high, tokens / speed.likely, tokens / speed.low),
    }
    if job.finetuned is not None:
        key = SpreadKey("memory", job.finetuned.method)
        ranges["peak_mem_gib_per_chip"] = ranged(held_by_run(case, answer.layout), key)
    return ranges
