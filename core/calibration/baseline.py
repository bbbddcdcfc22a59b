"""The plain rules that the engine must beat, fitted on the table itself with the judged source left out."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from core.calibration.measured_case import MeasuredCase
from core.calibration.scored import ScoredRow
from core.throughput.fleet import usable_precision
from core.throughput.shape import shape_of
from core.throughput.work import BYTES, kv_bytes_per_token, model_flops_per_token
from core.workload.job import FineTuning, PreTraining
from core.workload.model import TransformerModel

_TIMES = ("step_time_s", "ttft_ms", "tpot_ms")
_NOT_COVERED = ("ttft_ms",)
MIN_OTHERS = 3
"""Rows of other sources that a factor of one chip needs; with fewer, all chips together give it."""


def baseline_errors_pct(work: str, cases: list[MeasuredCase], rows: list[ScoredRow]) -> dict[tuple[str, str], float]:
    """Error in percent of the plain rule by (row id, metric).

    Training: ``tokens/s = MFU peak / FLOPs per token`` with one MFU a chip. Inference: time per token of
    ``(weights + cache) / bandwidth`` with one factor a chip and metric. Factors are medians over other sources.
    """
    by_id = {case.row.text("id"): case for case in cases}
    scored = [row for row in rows if row.metric not in _NOT_COVERED]
    ratios = [_ratio(by_id[row.id], row, work) for row in scored]
    return _left_out_errors(scored, ratios)


def _ratio(case: MeasuredCase, row: ScoredRow, work: str) -> float:
    """Measured over the plain rule with a factor of 1."""
    return row.measured / (_training_value(case, row) if work == "training" else _inference_value(case, row))


def _training_value(case: MeasuredCase, row: ScoredRow) -> float:
    job = case.profile.job
    if not isinstance(job, PreTraining | FineTuning):
        raise TypeError("a training table holds training jobs")
    _, peak = usable_precision(case.system.accelerator, job.precision)
    per_chip = peak / float(model_flops_per_token(shape_of(case.profile.model), job.sequence_length))
    values = {
        "tokens_per_s_per_chip": per_chip,
        "samples_per_s_per_chip": per_chip / job.sequence_length,
        "step_time_s": job.global_batch_sequences * job.sequence_length / (per_chip * case.system.n_chips),
    }
    return values[row.metric]


def _inference_value(case: MeasuredCase, row: ScoredRow) -> float:
    job, model = case.profile.job, case.profile.model
    if isinstance(job, PreTraining | FineTuning) or not isinstance(model, TransformerModel):
        raise TypeError("an inference table holds inference jobs")
    batch = case.row.count("batch_or_concurrency") or 64
    context = job.input_tokens + job.output_tokens / 2
    cache = batch * context * float(kv_bytes_per_token(shape_of(model), BYTES[job.kv_precision]))
    bandwidth = case.system.n_chips * case.system.accelerator.memory_bandwidth_gbps * 1e9
    step_s = (BYTES[job.weight_precision] * model.n_active_params + cache) / bandwidth
    values = {
        "tpot_ms": step_s * 1e3,
        "output_tokens_per_s_total": batch / step_s,
        "total_tokens_per_s": batch / step_s * (1 + job.input_tokens / job.output_tokens),
        "samples_per_s": batch / step_s / job.output_tokens,
    }
    return values[row.metric]


def _left_out_errors(rows: list[ScoredRow], ratios: list[float]) -> dict[tuple[str, str], float]:
    groups: dict[tuple[str, ...], list[tuple[str, float]]] = defaultdict(list)
    for row, ratio in zip(rows, ratios, strict=True):
        groups[row.hardware, row.metric].append((row.source, ratio))
        groups[(row.metric,)].append((row.source, ratio))
    factors: dict[tuple[str, str, str], float | None] = {}
    errors: dict[tuple[str, str], float] = {}
    for row, ratio in zip(rows, ratios, strict=True):
        key = (row.hardware, row.metric, row.source)
        if key not in factors:
            factors[key] = _factor(groups, row)
        factor = factors[key]
        if factor is not None:
            errors[row.id, row.metric] = 100.0 * (factor / ratio - 1.0)
    return errors


def _factor(groups: dict[tuple[str, ...], list[tuple[str, float]]], row: ScoredRow) -> float | None:
    for key in ((row.hardware, row.metric), (row.metric,)):
        others = [ratio for source, ratio in groups[key] if source != row.source]
        if len(others) >= MIN_OTHERS:
            return float(np.median(others))
    return None
