"""A study judged on rows that its fit never saw: whole sources left out, then whole chips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.study import Kept, Study, StudyRow

Floats = NDArray[np.float64]
GroupOf = Callable[[StudyRow], str]

MLPERF = "mlperf"
MIN_KEPT = 10
"""Rows that a fold must leave to fit on."""


def source(row: StudyRow) -> str:
    """Who published the row; the submitters of MLPerf count one by one."""
    return row.submitter or row.source


def merged_source(row: StudyRow) -> str:
    """Who published the row, with all of MLPerf as one source: its submitters share software and rules."""
    return MLPERF if row.source.startswith(MLPERF) else row.source


def chip(row: StudyRow) -> str:
    """The chip the row was measured on."""
    return row.hardware


@dataclass(frozen=True)
class Judged:
    """What fits that had not seen a row's group say of it, shape (n rows,); NaN where nothing could be said."""

    rows: tuple[StudyRow, ...]
    groups: tuple[str, ...]
    predicted: Floats
    baseline: Floats

    @property
    def measured(self) -> Floats:
        """Measured values in the metric's unit."""
        return np.array([row.measured for row in self.rows])

    @property
    def ln_residual(self) -> Floats:
        """``ln(measured / predicted)``."""
        return np.asarray(np.log(self.measured / self.predicted))


def judge(study: Study, group_of: GroupOf) -> Judged:
    """Predictions of every row by a fit on all other groups. Raises ValueError for a study without rows."""
    groups = tuple(group_of(row) for row in study.rows)
    if not groups:
        raise ValueError(f"the study of {study.name} has no rows")
    predicted, baseline = np.full(len(groups), np.nan), np.full(len(groups), np.nan)
    for out in folds(groups):
        keep = ~out
        if keep.sum() < MIN_KEPT:
            continue
        predicted[out] = study.predict(study.fit(keep))[out]
        baseline[out] = study.baseline(keep)[out]
    return Judged(study.rows, groups, predicted, baseline)


def folds(groups: Sequence[str]) -> list[Kept]:
    """The rows of each group in turn, groups by name, shape (n rows,) each."""
    names = np.array(groups)
    return [names == name for name in sorted(set(groups))]


@dataclass(frozen=True, slots=True)
class Score:
    """Absolute errors in percent of the measured value, over ``n`` values; None without any.

    ``coverage_pct``: share of measured values inside the 80 % range; ``ratio``: median of high over low.
    """

    n: int
    median_pct: float | None
    p90_pct: float | None
    within_20_pct: float | None
    coverage_pct: float | None = None
    ratio: float | None = None


def score(predicted: Floats, measured: Floats, low: Floats | None = None, high: Floats | None = None) -> Score:
    """The score of some values; pairs without a prediction do not count."""
    known = np.isfinite(predicted)
    if not known.any():
        return Score(0, None, None, None)
    size = 100.0 * np.abs(predicted[known] / measured[known] - 1.0)
    inside, ratio = None, None
    if low is not None and high is not None:
        inside = 100.0 * float(np.mean((low[known] <= measured[known]) & (measured[known] <= high[known])))
        ratio = float(np.median(high[known] / low[known]))
    return Score(
        n=int(known.sum()),
        median_pct=float(np.median(size)),
        p90_pct=float(np.percentile(size, 90)),
        within_20_pct=100.0 * float(np.mean(size <= 20.0)),
        coverage_pct=inside,
        ratio=ratio,
    )
