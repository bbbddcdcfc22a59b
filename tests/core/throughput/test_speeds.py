"""From array rows to results: the row with the least badness, ranges, evidence and notes."""

import numpy as np
import pytest

from core.ranges import Evidence
from core.throughput.correction import SpeedFactor
from core.throughput.speeds import (
    best_rows,
    evidence_of,
    in_gib,
    largest,
    ranged_speed,
)
from core.throughput.uncertainty import SpreadKey, ranged
from core.units import GIB
from tests.core.throughput.fleet_samples import system

KEY = SpreadKey("throughput", "dense", True, True, 8, 64.0)


def test_the_row_with_the_least_badness_of_each_system() -> None:
    """Two systems of four have rows; of equal rows the first counts, and a row of infinities is still a row."""
    system_of, badness = np.array([0, 0, 0, 2, 2, 3]), np.array([3.0, 1.0, 1.0, 5.0, 4.0, np.inf])
    assert best_rows(system_of, 5, badness).tolist() == [1, -1, 4, 5, -1]
    assert best_rows(np.array([], dtype=int), 2, np.array([])).tolist() == [-1, -1]


def test_a_measured_factor_moves_the_speed_and_its_spread_is_wider_downwards() -> None:
    """Half the speed within 20 %: divided by 1.2 below, times 1.2 to the power 0.8 above."""
    factor = SpeedFactor("h100-sxm", "inference", 0.5, 0.2, 3, Evidence.TRANSFERRED)
    speed, measured = ranged_speed(1000.0, KEY, factor)
    assert (speed.likely, measured) == (500.0, 0.5)
    assert speed.low == pytest.approx(500 / 1.2)
    assert speed.high == pytest.approx(500 * 1.2**0.8)
    assert ranged_speed(1000.0, KEY, None) == (ranged(1000.0, KEY), 1.0)


def test_evidence_is_that_of_the_factor_else_of_the_table() -> None:
    factor = SpeedFactor("h100-sxm", "inference", 0.5, 0.2, 3, Evidence.TRANSFERRED)
    assert evidence_of(system("h100-sxm", 8), "serving", factor) is Evidence.TRANSFERRED
    assert evidence_of(system("h100-sxm", 8), "serving", None) is Evidence.MODELLED
    assert evidence_of(system("tpu-v2", 8), "serving", None) is Evidence.VENDOR


def test_the_longest_term_and_the_parts_of_a_row() -> None:
    assert largest({"compute": 1.0, "network": 3.0, "memory": 2.0}) == "network"
    parts = {"weights": np.array([GIB, 2 * GIB]), "cache": np.array([0.0, GIB / 2])}
    assert in_gib(parts, 1) == {"weights": 2.0, "cache": 0.5}
