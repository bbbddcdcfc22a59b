"""What the studies share: priors to start from, and the factor of a plain rule."""

from __future__ import annotations

import numpy as np

from core.calibration.studies.study import at_priors, median_ratios
from core.throughput.parameters import Parameter, Parameters


def test_a_factor_is_the_median_of_its_key_else_of_the_wider_key() -> None:
    keys, wider = ["a", "a", "a", "b", "c"], ["x", "x", "x", "x", "y"]
    ratios = np.array([1.0, 3.0, 8.0, 100.0, 5.0])
    fit_rows = np.array([True, True, True, False, False])
    factors = median_ratios(keys, wider, ratios, fit_rows)
    assert factors[:4].tolist() == [3.0, 3.0, 3.0, 3.0]
    assert np.isnan(factors[4])


def test_a_fit_starts_at_the_priors() -> None:
    moved = Parameters((Parameter("share", 0.7, 0.0, 1.0, 0.5, 0.1, True, "test"),))
    assert at_priors(moved)["share"] == 0.5
