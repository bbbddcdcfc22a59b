"""Adds the components up: parts to the cent, total with its range, unit cost."""

from __future__ import annotations

import numpy as np

from core.cost.batch import HIGH, LIKELY, LOW, Array, CostBatch
from core.cost.line import Line, LiveInputs
from core.cost.registry import components
from core.cost.types import Cost, CostPart
from core.ranges import Range
from core.units import HOURS_PER_MONTH
from core.workload.job import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Profile

UNIT = "1M tokens"
CENTS = 2


def bill(batch: CostBatch) -> list[Cost]:
    """One bill a candidate, in order.

    Each part is rounded to cents first, so that the parts add up to the likely total to the cent. The range of the
    total combines the parts' deviations as independent ones: ``total +- sqrt(sum of squares)``.
    """
    lines = {component.part: component.count(batch) for component in components()}
    cents = {part: np.round(line.usd[:, LIKELY], CENTS) for part, line in lines.items()}
    likely = np.round(np.sum(list(cents.values()), axis=0), CENTS)
    low, high = _range(lines, likely)
    millions = tokens(batch) / 1e6
    months = np.maximum(batch.months[:, LIKELY], 1.0)
    runs = n_runs(batch.profile)
    return [
        Cost(
            total=Range(float(low[row]), float(likely[row]), float(high[row])),
            parts=_parts(lines, cents, row),
            unit_usd=float(likely[row] / millions[row]) if millions[row] > 0 else 0.0,
            unit=UNIT,
            per_month_usd=float(likely[row] / months[row]),
            per_run_usd=float(likely[row] / runs),
        )
        for row in range(batch.n)
    ]


def tokens(batch: CostBatch) -> Array:
    """Tokens that the plan pays for: trained ones, or output tokens of the whole term, shape (n,)."""
    job = batch.profile.job
    if isinstance(job, PreTraining | FineTuning):
        return np.full(batch.n, job.n_tokens * job.n_runs)
    if isinstance(job, BatchInference):
        return np.full(batch.n, job.requests_per_batch * job.output_tokens * job.batches_per_month * job.months)
    return np.full(batch.n, served_tokens(job))


def served_tokens(job: OnlineServing) -> float:
    """Output tokens of the months in service: ``peak x mean load x output tokens x seconds``."""
    seconds = job.months * HOURS_PER_MONTH * 3600
    return job.peak_requests_per_s * job.mean_load_pct / 100 * job.output_tokens * seconds


def n_runs(profile: Profile) -> float:
    """What "per run" divides by: runs when training, batches, or months in service."""
    job = profile.job
    if isinstance(job, PreTraining | FineTuning):
        return float(job.n_runs)
    return job.months * (job.batches_per_month if isinstance(job, BatchInference) else 1.0)


def _range(lines: dict[str, Line], likely: Array) -> tuple[Array, Array]:
    down = [np.maximum(line.usd[:, LIKELY] - line.usd[:, LOW], 0.0) for line in lines.values()]
    up = [np.maximum(line.usd[:, HIGH] - line.usd[:, LIKELY], 0.0) for line in lines.values()]
    return (
        np.maximum(likely - np.sqrt(np.sum(np.square(down), axis=0)), 0.0),
        likely + np.sqrt(np.sum(np.square(up), axis=0)),
    )


def _parts(lines: dict[str, Line], cents: dict[str, Array], row: int) -> tuple[CostPart, ...]:
    """Lines that are not zero; compute always."""
    return tuple(
        CostPart(
            part, float(cents[part][row]), line.formula, LiveInputs(line, row), line.sources[row], line.estimates[row]
        )
        for part, line in lines.items()
        if cents[part][row] or part == "compute"
    )
