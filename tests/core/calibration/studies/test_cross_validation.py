"""Judging with a study made for it: one coefficient a source, so that what a fit has seen can be told."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from core.calibration.studies.cross_validation import (
    SMALL_GROUPS,
    OutOfFold,
    chip,
    folds,
    groups_by,
    join_folds,
    large_groups,
    merged_source,
    predict_fold,
    score,
    source,
)
from core.calibration.studies.study import RowMask, StudyRow
from core.throughput.parameters import Parameter, Parameters


@dataclass
class MeanStudy:
    """Predicts the mean of the kept rows and remembers what it was shown."""

    rows: tuple[StudyRow, ...]
    name: str = "samples"
    shown: list[RowMask] = field(default_factory=list)

    def fit(self, fit_rows: RowMask) -> Parameters:
        self.shown.append(fit_rows)
        mean = float(np.mean([row.measured for row, is_fit in zip(self.rows, fit_rows, strict=True) if is_fit]))
        return Parameters((Parameter("mean", mean, 0.0, 1e9, mean, 1.0, True, "test"),))

    def predict(self, parameters: Parameters) -> NDArray[np.float64]:
        return np.full(len(self.rows), parameters["mean"])

    def baseline(self, fit_rows: RowMask) -> NDArray[np.float64]:
        return np.full(len(self.rows), float(fit_rows.sum()))


def _row(number: int, source_name: str, chip_name: str, measured: float) -> StudyRow:
    return StudyRow(source_name, chip_name, "vision", "samples_per_s", measured)


def _study() -> MeanStudy:
    rows = [_row(n, "one", "a", 10.0) for n in range(20)] + [_row(n, "two", "b", 20.0) for n in range(20, 60)]
    return MeanStudy(tuple(rows))


def _by_source(study: MeanStudy) -> OutOfFold:
    groups = groups_by(study.rows, source)
    return join_folds(study.rows, groups, [predict_fold(study, held_out) for held_out in folds(groups)])


def test_no_row_is_predicted_by_a_fit_that_saw_its_group() -> None:
    study = _study()
    predictions = _by_source(study)
    assert set(predictions.predicted[:20]) == {20.0}
    assert set(predictions.predicted[20:]) == {10.0}
    assert set(predictions.baseline[:20]) == {40.0}
    assert [int(fit_rows.sum()) for fit_rows in study.shown] == [40, 20]


def test_a_fold_that_leaves_too_little_says_nothing() -> None:
    study = MeanStudy(tuple(_row(n, "one" if n < 50 else "two", "a", 1.0) for n in range(55)))
    predictions = _by_source(study)
    assert np.isnan(predictions.predicted[:50]).all()
    assert (predictions.predicted[50:] == 1.0).all()


def test_submitters_of_mlperf_are_one_source_only_where_merged() -> None:
    row = _row(1, "mlperf:Dell", "a", 1.0)
    assert (source(row), merged_source(row), chip(row)) == ("mlperf:Dell", "mlperf", "a")
    assert merged_source(_row(2, "maxtext", "a", 1.0)) == "maxtext"


def test_small_groups_are_left_out_together() -> None:
    rows = [_row(n, "s", "large" if n < 96 else f"rare{n}", 1.0) for n in range(100)]
    assert set(large_groups(rows, chip)) == {"large", SMALL_GROUPS}


def test_scores_of_known_errors() -> None:
    predicted, measured = np.array([110.0, 90.0, 150.0, np.nan]), np.full(4, 100.0)
    found = score(predicted, measured, 0.95 * predicted, 1.2 * predicted)
    assert found.n == 3
    assert found.median_pct == pytest.approx(10.0)
    assert found.within_20_pct == pytest.approx(200 / 3)
    assert found.coverage_pct == pytest.approx(100 / 3)
    assert found.ratio == pytest.approx(1.2 / 0.95)
    assert score(np.array([np.nan]), np.array([1.0])).median_pct is None
