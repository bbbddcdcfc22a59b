"""Cross-validation of a study on rows that its fit never saw: whole sources left out, then whole chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.studies.study import RowMask, Study, StudyRow

Floats = NDArray[np.float64]
GroupOf = Callable[[StudyRow], str]

MLPERF = "mlperf"
SAME_PUBLISHER = (MLPERF, "megatron-bridge", "tpu-recipes", "maxtext", "megatron-lm")
SMALL_GROUPS = "small groups"
SMALL_GROUP_SHARE = 0.02
MIN_GROUP_ROWS = 5
MIN_FIT_ROWS = 10
"""Rows that a fold must leave to fit on."""


def source(row: StudyRow) -> str:
    """Who published the row; the submitters of MLPerf count one by one."""
    return row.submitter or row.source


def merged_source(row: StudyRow) -> str:
    """Who published the row: all of MLPerf is one source, whose submitters share software and rules.

    So are editions of one table that were gathered apart.
    """
    return next((name for name in SAME_PUBLISHER if row.source.startswith(name)), row.source)


def chip(row: StudyRow) -> str:
    """The chip the row was measured on."""
    return row.hardware


def groups_by(rows: Sequence[StudyRow], name_of: GroupOf) -> tuple[str, ...]:
    """The group of every row."""
    return tuple(name_of(row) for row in rows)


def large_groups(rows: Sequence[StudyRow], name_of: GroupOf) -> tuple[str, ...]:
    """Groups, those with less than a fiftieth of the rows as one: they are left out together, the harder test."""
    counts = Counter(name_of(row) for row in rows)
    least = max(MIN_GROUP_ROWS, SMALL_GROUP_SHARE * len(rows))
    return tuple(name_of(row) if counts[name_of(row)] >= least else SMALL_GROUPS for row in rows)


@dataclass(frozen=True)
class OutOfFold:
    """Predictions by fits that had not seen a row's group, shape (n rows,); NaN where nothing could be said."""

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


def predict_fold(study: Study, held_out: RowMask) -> tuple[Floats, Floats]:
    """Prediction and plain rule of the rows held out, shape (n held out,) each; NaN when too few are left to fit on."""
    if (~held_out).sum() < MIN_FIT_ROWS:
        return np.full(held_out.sum(), np.nan), np.full(held_out.sum(), np.nan)
    return study.predict(study.fit(~held_out))[held_out], study.baseline(~held_out)[held_out]


def join_folds(rows: Sequence[StudyRow], groups: Sequence[str], answers: Sequence[tuple[Floats, Floats]]) -> OutOfFold:
    """Answers of the folds, in the order of :func:`folds`, put back in the order of the rows."""
    predicted, baseline = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    for held_out, (likely, plain) in zip(folds(groups), answers, strict=True):
        predicted[held_out], baseline[held_out] = likely, plain
    return OutOfFold(tuple(rows), tuple(groups), predicted, baseline)


def folds(groups: Sequence[str]) -> list[RowMask]:
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
