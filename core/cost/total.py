"""Adds the components up: parts to the cent, total with its range, unit cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.bill.line import Line
from core.cost.bill.types import RENT_PARTS, Cost, CostPart
from core.cost.registry import components
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.units import HOURS_PER_MONTH
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Profile

CENTS = 2
ONE_OFF = ("porting", "pipeline", "waiting")
"""Parts that a further run would not add to."""


@dataclass(frozen=True)
class Bills:
    """The bills of all candidates side by side, shapes (n,); ``costs`` writes one out when somebody looks at it.

    ``cents`` are likely USD by part, rounded to cents, which add up to ``likely_usd``.
    """

    likely_usd: Array
    cents: dict[str, Array]
    per_month_usd: Array
    unit_usd: Array
    costs: Sequence[Cost]

    def part(self, *part_ids: str) -> Array:
        """Likely USD of one part, or of several together; 0 where no bill has such a line."""
        return sum((self.cents[part] for part in part_ids if part in self.cents), np.zeros(len(self.costs)))


def bill(batch: CostBatch) -> Sequence[Cost]:
    """One bill a candidate, in order; see :func:`bills`."""
    return bills(batch).costs


def bills(batch: CostBatch) -> Bills:
    """The bills of a batch.

    Each part is rounded to cents first, so that the parts add up to the likely total to the cent. The range of the
    total combines deviations as independent ones: ``total +- sqrt(sum of squares)``, except those of chip time: a
    longer run uses more of a commitment and wastes less, so compute, waste and idle move together. How sure the
    price itself is counts as a deviation of its own.
    """
    lines = {component.part: component.count(batch) for component in components()}
    cents = {part: np.round(line.usd[:, LIKELY], CENTS) for part, line in lines.items()}
    likely = np.round(np.sum(list(cents.values()), axis=0), CENTS)
    totals = np.column_stack(_span(lines, likely, batch.price_factor))
    millions, runs, unit = tokens(batch) / 1e6, n_runs(batch.profile), unit_of(batch.profile)
    unit_usd = np.where(millions > 0, likely / np.where(millions > 0, millions, 1.0), 0.0)
    per_month = likely / np.maximum(batch.months[:, LIKELY], 1.0)
    once = sum((cents[part] for part in ONE_OFF), np.zeros(batch.n))

    def cost(row: int) -> Cost:
        return Cost(
            Range(*totals[row].tolist()),
            _parts(lines, cents, row),
            float(unit_usd[row]),
            unit,
            float(per_month[row]),
            float(likely[row]) / runs,
            _per_epoch(batch.profile, float(likely[row])),
            _per_experiment(batch.profile, float(likely[row] - once[row])),
            float(batch.months[row, LIKELY]),
        )

    return Bills(likely, cents, per_month, unit_usd, LazySequence(batch.n, cost))


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


def unit_of(profile: Profile) -> str:
    """What the unit cost is for: trained tokens, or answered ones, which carry the cost of their prompts."""
    if profile.is_in_samples:
        return "1M samples"
    return "1M tokens" if isinstance(profile.job, PreTraining | FineTuning) else "1M output tokens"


def n_runs(profile: Profile) -> float:
    """What "per run" divides by: runs when training, batches, or months in service."""
    job = profile.job
    if isinstance(job, PreTraining | FineTuning):
        return float(job.n_runs)
    return job.months * (job.batches_per_month if isinstance(job, BatchInference) else 1.0)


def _per_epoch(profile: Profile, usd: float) -> float | None:
    """The bill over all passes of all runs over the data; None where nothing is trained."""
    job = profile.job
    return usd / (job.epochs * job.n_runs) if isinstance(job, PreTraining | FineTuning) else None


def _per_experiment(profile: Profile, lasting_usd: float) -> float | None:
    """What one more run would add: the bill without work done once, over the runs; None where nothing is trained."""
    job = profile.job
    return lasting_usd / job.n_runs if isinstance(job, PreTraining | FineTuning) else None


def _span(lines: dict[str, Line], likely: Array, price_factor: Array) -> tuple[Array, Array, Array]:
    """Low, likely and high total, shape (n,) each."""
    rented = sum((lines[part].usd for part in RENT_PARTS), np.zeros((len(likely), 3)))
    spans = [rented, rented[:, LIKELY : LIKELY + 1] * price_factor]
    spans += [line.usd for part, line in lines.items() if part not in RENT_PARTS]
    down = [span[:, LIKELY] - span.min(axis=1) for span in spans]
    up = [span.max(axis=1) - span[:, LIKELY] for span in spans]
    return (
        np.maximum(likely - np.sqrt(np.sum(np.square(down), axis=0)), 0.0),
        likely,
        likely + np.sqrt(np.sum(np.square(up), axis=0)),
    )


def _parts(lines: dict[str, Line], cents: dict[str, Array], row: int) -> tuple[CostPart, ...]:
    """Lines of one candidate that are not zero; compute always."""
    return tuple(
        CostPart(
            part, float(cents[part][row]), line.formula, line.inputs_of(row), line.sources[row], line.estimates[row]
        )
        for part, line in lines.items()
        if part == "compute" or cents[part][row]
    )
