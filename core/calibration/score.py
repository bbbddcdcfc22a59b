"""Errors of predictions, and of the baselines that they must beat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Scored:
    """One measured figure: prediction with range, or the reason why there is none; ``source`` for leaving out."""

    id: str
    hardware: str
    metric: str
    source: str
    measured: float
    predicted: float | None
    low: float | None
    high: float | None
    skipped: str | None
    work: float = 0.0
    """What the baseline scales with: model FLOPs a token (training), bytes a step and chip (serving)."""

    @property
    def error_pct(self) -> float | None:
        """Predicted over measured less one, in percent."""
        return None if self.predicted is None else 100.0 * (self.predicted / self.measured - 1.0)


@dataclass(frozen=True, slots=True)
class Summary:
    """Absolute errors in percent over the scored figures of one metric."""

    n: int
    skipped: int
    median_abs_pct: float
    p90_abs_pct: float
    within_20_pct: float
    interval_coverage_pct: float


def summarise(rows: Sequence[Scored]) -> Summary:
    """Summary of figures; NaN where none was scored."""
    scored = [row for row in rows if row.error_pct is not None]
    errors = np.abs([row.error_pct for row in scored if row.error_pct is not None])
    covered = [row.low <= row.measured <= row.high for row in scored if row.low is not None and row.high is not None]
    if not len(errors):
        return Summary(0, len(rows), *(float("nan"),) * 4)
    return Summary(
        n=len(scored),
        skipped=len(rows) - len(scored),
        median_abs_pct=float(np.median(errors)),
        p90_abs_pct=float(np.percentile(errors, 90)),
        within_20_pct=float(100 * np.mean(errors <= 20)),
        interval_coverage_pct=float(100 * np.mean(covered)) if covered else float("nan"),
    )


def grouped_by(rows: Sequence[Scored], key: Callable[[Scored], str]) -> dict[str, list[Scored]]:
    """Figures by a key, in order of the keys."""
    found: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return dict(sorted(found.items()))


def baseline_errors_pct(rows: Sequence[Scored], slower_with_work: bool) -> list[float]:
    """Absolute errors of one constant a chip, fitted on all other sources: constant MFU, or bytes over bandwidth.

    ``measured x work`` is taken as constant for a speed that falls with work, ``measured / work`` for a time that
    grows with it. Figures whose chip no other source measured take the constant of all chips.
    """
    usable = [row for row in rows if row.error_pct is not None and row.work > 0]
    errors = []
    for row in usable:
        others = [other for other in usable if other.source != row.source]
        same = [other for other in others if other.hardware == row.hardware] or others
        if same:
            constant = float(np.median([_constant(other, slower_with_work) for other in same]))
            predicted = constant / row.work if slower_with_work else constant * row.work
            errors.append(100.0 * abs(predicted / row.measured - 1.0))
    return errors


def _constant(row: Scored, slower_with_work: bool) -> float:
    return row.measured * row.work if slower_with_work else row.measured / row.work
