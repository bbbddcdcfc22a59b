"""Every shipped measured row beside what the engine and the plain rule say of it: no figure drifts unseen."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from core.calibration.studies.samples import _weights
from core.calibration.studies.shipped_studies import PIECES, shipped_study
from core.throughput.parameters import shipped_parameters
from tests.golden import assert_kept


@pytest.mark.parametrize("piece", PIECES)
def test_predictions_of_measured_rows_are_kept(piece: str) -> None:
    """Of the rows of a chip, a family and a metric: how many there are, how many chips and requests in all, and the
    mean logarithm of what was measured, of predicted over measured, and of the plain rule over measured."""
    study = shipped_study(piece)
    rows = study.rows
    measured = np.array([row.measured for row in rows])
    told = np.log([study.predict(shipped_parameters(piece)), study.baseline(np.ones(len(rows), dtype=bool))])
    groups: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        groups[f"{row.hardware}, {row.family}, {row.metric}"].append(number)
    assert_kept(
        f"rows_{piece}",
        {
            name: [
                len(found),
                sum(rows[number].n_chips for number in found),
                sum(rows[number].concurrency for number in found),
                sum(rows[number].is_stack_known for number in found),
                np.log(measured[found]).mean(),
                *(told[:, found] - np.log(measured[found])).mean(axis=1),
            ]
            for name, found in sorted(groups.items())
        },
    )


@pytest.mark.parametrize("piece", ["training", "reinforcement", "finetune"])
def test_weights_and_a_fit_to_a_few_rows_are_kept(piece: str) -> None:
    study = shipped_study(piece)
    few = np.zeros(len(study.rows), dtype=bool)
    few[:: max(1, len(few) // 30)] = True
    weights = study.weights
    told = {
        "weights": [len(weights), weights.sum(), (weights**2).sum(), weights @ np.arange(len(weights))],
        "fitted": {row.name: row.value for row in study.fit(few).rows},
    }
    assert_kept(f"fit_{piece}", told, near=2e-3)


def test_weights_of_served_and_sampled_rows_are_kept() -> None:
    served = shipped_study("serving").values.weight
    cases = list(shipped_study("samples").cases)
    sampled = _weights(cases, np.arange(len(cases)) % 3 > 0)
    sums = [[one.sum(), (one**2).sum(), one @ np.arange(len(one))] for one in (served, sampled)]
    assert_kept("weights_of_rows", sums)
