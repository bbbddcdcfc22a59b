"""The plain rules that the engine must beat, fitted on the table itself with the judged source left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from core.calibration.measured.case import AnyCase, MeasuredCase
from core.calibration.measured.formats import as_run
from core.calibration.measured.reinforcement import ReinforcementCase
from core.calibration.measured.serving import ServingCase
from core.calibration.scored_rows import ScoredRow
from core.calibration.studies.reinforcement import plain_value
from core.calibration.studies.serving import NOT_COVERED, plain_values
from core.throughput.model_shape import shape_of
from core.throughput.transformer_work import model_flops_per_token

MIN_OTHERS = 3
"""Rows of other sources that a factor of one chip needs; with fewer, all chips together give it."""


def baseline_errors_pct(cases: Sequence[AnyCase], rows: list[ScoredRow]) -> dict[tuple[str, str], float]:
    """Error in percent of the plain rule by (row id, metric).

    Reinforcement learning: all tokens of a step at one share of peak.
    Training: ``tokens/s = MFU peak / FLOPs per token`` with one MFU a chip. Serving: time per token of
    ``(weights + cache) / bandwidth`` with one factor a chip and metric. Factors are medians over other sources.
    """
    by_id = {case.row.text("id"): case for case in cases if isinstance(case, MeasuredCase)}
    plain = plain_values([case for case in cases if isinstance(case, ServingCase)])
    steps = {case.row.text("id"): case for case in cases if isinstance(case, ReinforcementCase)}
    scored, ratios = [], []
    for row in rows:
        if row.id in steps:
            value: float | None = plain_value(steps[row.id], row.metric)
        else:
            value = _training_value(by_id[row.id], row) if row.id in by_id else plain.get((row.id, row.metric))
        if value is not None and row.metric != NOT_COVERED:
            scored.append(row)
            ratios.append(row.measured / value)
    return _left_out_errors(scored, ratios)


def _training_value(case: MeasuredCase, row: ScoredRow) -> float | None:
    job = case.profile.job.training
    if job is None:
        raise TypeError("a training table holds training jobs")
    peak = as_run(case.system.accelerator, job.precision).peak_flops
    per_chip = peak / float(model_flops_per_token(shape_of(case.profile.model), job.sequence_length))
    values = {
        "tokens_per_s_per_chip": per_chip,
        "samples_per_s_per_chip": per_chip / job.sequence_length,
        "step_time_s": job.global_batch_sequences * job.sequence_length / (per_chip * case.system.n_chips),
    }
    return values.get(row.metric)


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
