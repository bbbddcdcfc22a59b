"""Predictions against a measured table, with honest errors and the baselines beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.calibration.score import Scored
from core.calibration.table import Row, SkippedRowError, read_table
from core.calibration.validate_rows import Question, inference_question, training_question
from core.catalogue.catalogue import Catalogue
from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.throughput.work import BYTES, kv_bytes_per_token, model_flops_per_token
from core.workload.job import BatchInference

TRAINING_METRICS = ("tokens_per_s_per_chip",)
INFERENCE_METRICS = ("output_tokens_per_s_total", "tpot_ms", "ttft_ms")


@dataclass(frozen=True)
class ValidationReport:
    """All figures of a table; ``kind`` is training or inference."""

    kind: str
    rows: tuple[Scored, ...]


def validate_table(path: Path, catalogue: Catalogue) -> ValidationReport:
    """Predicts every row of a table of measurements.

    A row's layout is used where it is stated, else searched. Raises InputError for a file that is no such table and
    for a cell that is no number, naming file, row and field.
    """
    kind, rows = read_table(path)
    metrics = TRAINING_METRICS if kind == "training" else INFERENCE_METRICS
    scored = [one for row in rows for one in _score(row, kind, metrics, catalogue)]
    return ValidationReport(kind, tuple(scored))


def _score(row: Row, kind: str, metrics: tuple[str, ...], catalogue: Catalogue) -> Iterator[Scored]:
    measured = {metric: value for metric in metrics if (value := row.number(metric))}
    if not measured:
        return
    try:
        question = training_question(row, catalogue) if kind == "training" else inference_question(row, catalogue)
        answer = _answer(question)
    except SkippedRowError as reason:
        for metric, value in measured.items():
            yield _scored(row, metric, value, None, str(reason))
        return
    for metric, value in measured.items():
        yield _scored(row, metric, value, _prediction(metric, answer), None, _work(question, metric))


def _answer(question: Question) -> Throughput:
    """The prediction on the stated layout; where that does not fit by our count of memory, on the nearest that does.

    A serving engine that can't hold all sequences at once lets some wait, so its batch is halved until it fits.
    """
    layout = question.layout
    while True:
        found = predict(question.profile, [question.system], layout=layout)[0]
        if found.fits:
            return found
        if layout is None:
            raise SkippedRowError("does not fit by the memory model: " + found.reasons[0].text)
        layout = replace(layout, max_batch=layout.max_batch // 2) if layout.max_batch > 1 else None


def _prediction(metric: str, found: Throughput) -> tuple[float, float, float]:
    """Low, likely and high of one metric; times turn the range of speed round."""
    speed = found.tokens_per_s
    if metric == "tokens_per_s_per_chip":
        n = found.system.n_chips
        return speed.low / n, speed.likely / n, speed.high / n
    if metric == "output_tokens_per_s_total":
        return speed.low, speed.likely, speed.high
    latency = found.latency
    time_ms = 0.0 if latency is None else (latency.tpot_p50_ms if metric == "tpot_ms" else latency.ttft_p50_ms)
    return time_ms * speed.likely / speed.high, time_ms, time_ms * speed.likely / speed.low


def _work(question: Question, metric: str) -> float:
    """What the baseline scales with: FLOPs a trained token, or bytes that a decode step reads over bandwidth."""
    profile, system = question.profile, question.system
    job = profile.job
    if not isinstance(job, BatchInference):
        return model_flops_per_token(profile.model, getattr(job, "sequence_length", 0))
    batch = question.layout.max_batch if question.layout and question.layout.max_batch else 1
    context = job.input_tokens + job.output_tokens / 2
    cache = batch * context * kv_bytes_per_token(profile.model, BYTES[job.kv_precision])
    read = BYTES[job.weight_precision] * profile.model.n_active_params + cache
    step_s = read / (system.n_chips * system.accelerator.memory_bandwidth_gbps * 1e9)
    return step_s / batch if metric == "output_tokens_per_s_total" else step_s


def _scored(
    row: Row,
    metric: str,
    measured: float,
    predicted: tuple[float, float, float] | None,
    skipped: str | None,
    work: float = 0.0,
) -> Scored:
    low, likely, high = predicted or (None, None, None)
    source = row.text("source_group") or row.text("publisher") or row.text("source")
    return Scored(row.text("id"), row.text("hardware"), metric, source, measured, likely, low, high, skipped, work)
