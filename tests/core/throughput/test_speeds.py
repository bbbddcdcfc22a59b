"""From array rows to words: the row with the least badness, ranges, and what a memory refusal advises."""

import math

import numpy as np
import pytest

from core.ranges import Evidence
from core.throughput.speeds import (
    best_rows,
    evidence_of,
    in_gib,
    largest,
    precision_note,
    ranged_speed,
)
from core.throughput.refusals import memory_reason, no_layout, no_peak, nothing
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.correction import SpeedFactor
from core.throughput.types import Layout, Reason
from core.throughput.uncertainty import SpreadKey, ranged
from core.units import GIB
from core.workload.jobs.kinds import PreTraining
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


def _told(needed: float, capacity: float, n_chips: int, splits: bool, stays: float = 0.0, other: str = "") -> str:
    return memory_reason(needed, capacity, n_chips, splits, stays, other).nearest_change


@pytest.mark.parametrize(
    ("needed", "n_chips", "stays", "enough"),
    [
        (100.0, 4, 0.0, 8),  # 100 of 80: twice the chips
        (159.0, 4, 0.0, 8),
        (161.0, 4, 0.0, 16),
        (99.0, 4, 60.0, 8),  # 39 of the 20 that are left: twice
        (101.0, 4, 60.0, 16),
    ],
)
def test_what_splits_may_fit_with_so_many_chips(needed: float, n_chips: int, stays: float, enough: int) -> None:
    assert _told(needed, 80.0, n_chips, True, stays) == f"May fit with {enough} chips"


@pytest.mark.parametrize(
    ("needed", "splits", "stays"),
    [(100.0, False, 0.0), (100.0, True, 80.0), (100.0, True, 90.0)],
)
def test_what_does_not_split_needs_larger_chips(needed: float, splits: bool, stays: float) -> None:
    """Nor does what leaves no room beside what stays on every chip."""
    words = f"Use chips with {needed:.0f}\u202fGiB or more"
    assert _told(needed, 80.0, 4, splits, stays).replace("\u2009", "\u202f") == words
    assert _told(needed, 80.0, 4, splits, stays, "halve it").endswith(" or more, or halve it")


def test_a_memory_refusal_says_both_figures() -> None:
    reason = memory_reason(100.0, 80.0, 4, True)
    assert reason.code == "memory"
    assert reason.text.startswith("Needs 100") and reason.text.endswith("a chip, 80 are there")


def test_the_longest_term_and_the_parts_of_a_row() -> None:
    assert largest({"compute": 1.0, "network": 3.0, "memory": 2.0}) == "network"
    parts = {"weights": np.array([GIB, 2 * GIB]), "cache": np.array([0.0, GIB / 2])}
    assert in_gib(parts, 1) == {"weights": 2.0, "cache": 0.5}


def test_a_precision_that_the_chip_lacks_is_told() -> None:
    for chip, wanted, used, words in (
        ("h100-sxm", "bf16", "bf16", ""),
        ("a100-sxm-80", "fp8", "int8", "has no FP8: computed in INT8"),
        ("b200-sxm", "mxfp4", "mxfp4", ""),
        ("b200-sxm", "fp4", "fp4", ""),
        ("mi355x", "fp4", "mxfp4", "has no NVFP4: computed in MXFP4"),
        ("mi355x", "mxfp4", "mxfp4", ""),
    ):
        found, notes = precision_note(system(chip, 8), wanted)
        assert (found, bool(notes)) == (used, bool(words)), (chip, wanted)
        assert not words or words in notes[0]
        assert no_peak(system(chip, 8), wanted) is None


def test_a_batch_that_cannot_fill_the_chips_and_degrees_that_do_not_divide() -> None:
    job, one = PreTraining(global_batch_sequences=4), system("h100-sxm", 8)
    small, given = no_layout(job, one, None), no_layout(job, one, Layout(tp=3))
    assert (small.code, given.code) == ("batch", "layout")
    assert "4 sequences" in small.text and "8 chips" in small.text
    assert "tp 3" in given.text and "dp 1" in given.text


def test_nothing_runs_at_no_speed_with_its_reason() -> None:
    answer = nothing(system("h100-sxm", 8), Reason("memory", "x"), "bf16")
    assert (answer.fits, answer.tokens_per_s.likely, answer.samples_per_s, answer.mfu) == (False, 0.0, 0.0, 0.0)
    assert answer.memory_capacity_gib == 80 * USABLE_MEMORY_SHARE
    assert not math.isnan(answer.step_time_s) and answer.latency is None
