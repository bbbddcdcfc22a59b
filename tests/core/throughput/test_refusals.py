"""Refusals: what does not fit and by how much, and which change would admit it."""

import math

import pytest

from core.ranges import Range
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.refusals import DOUBLINGS, memory_reason, no_layout, nothing, too_slow
from core.throughput.types import Layout, Reason
from core.units import THIN
from core.workload.jobs.kinds import PreTraining
from tests.core.throughput.fleet_samples import system


def _told(needed: float, capacity: float, n_chips: int, splits: bool, stays: float = 0.0, other: str = "") -> str:
    return str(memory_reason(needed, capacity, n_chips, splits, stays, other).nearest_change)


@pytest.mark.parametrize(
    ("needed", "n_chips", "stays", "enough"),
    [
        (100.0, 4, 0.0, 8),  # 100 of 80: twice the chips
        (159.0, 4, 0.0, 8),
        (160.0, 4, 0.0, 8),  # exactly twice is enough, and not four times
        (320.0, 4, 0.0, 16),
        (161.0, 4, 0.0, 16),
        (100.0, 4, 60.0, 8),
        (99.0, 4, 60.0, 8),  # 39 of the 20 that are left: twice
        (101.0, 4, 60.0, 16),
        (81.0, 4, 79.5, 16),  # half a GiB is left for one and a half
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


def test_no_chip_that_nobody_sells_is_asked_for() -> None:
    told = _told(1_000_000.0, 80.0, 4, False)
    assert told.startswith("No chip holds ") and "or more" not in told
    assert str(memory_reason(700.0, 80.0, 4, False, enough_chips=0).nearest_change).startswith("No chip holds 700")
    assert str(memory_reason(700.0, 80.0, 4, True, 90.0, enough_chips=0).nearest_change).startswith("No chip holds 700")
    assert str(memory_reason(700.0, 80.0, 4, True, enough_chips=64).nearest_change) == "May fit with 64 chips"


def test_what_splits_over_chips_asks_for_no_smaller_model() -> None:
    """Beside "may fit with 128 chips" of eight a server, one a server read "take a smaller model"."""
    told = str(memory_reason(6850.0, 78.0, 1, True, enough_chips=0).nearest_change)
    assert told == f"Takes more than {2**DOUBLINGS} chips"


def test_a_memory_refusal_says_both_figures() -> None:
    reason = memory_reason(100.0, 80.0, 4, True)
    assert reason.code == "memory"
    text = str(reason.text)
    assert text.startswith("Needs 100") and text.endswith("a chip, 80 are there")


def test_a_batch_that_cannot_fill_the_chips_and_degrees_that_do_not_divide() -> None:
    job, one = PreTraining(global_batch_sequences=4), system("h100-sxm", 8)
    small, given = no_layout(job, one, None), no_layout(job, one, Layout(tp=3))
    assert (small.code, given.code) == ("batch", "layout")
    assert "4 sequences" in str(small.text) and "8 chips" in str(small.text)
    assert "tp 3" in str(given.text) and "dp 1" in str(given.text)


def test_nothing_runs_at_no_speed_with_its_reason() -> None:
    answer = nothing(system("h100-sxm", 8), Reason("memory", "x"), "bf16")
    assert (answer.fits, answer.tokens_per_s.likely, answer.samples_per_s, answer.mfu) == (False, 0.0, 0.0, 0.0)
    assert answer.memory_capacity_gib == 80 * USABLE_MEMORY_SHARE
    assert not math.isnan(answer.step_time_s) and answer.latency is None


def test_what_cannot_run_has_no_speed_at_either_end() -> None:
    refused = nothing(system("h100-sxm", 8), Reason("memory", "Too large"), "fp8", {"weights": 90.0})
    assert refused.tokens_per_s == Range(0.0, 0.0, 0.0)
    assert not refused.fits and refused.latency is None and refused.memory_gib == {"weights": 90.0}
    assert (refused.samples_per_s, refused.step_time_s, refused.mfu, refused.precision) == (0.0, 0.0, 0.0, "fp8")
    assert refused.memory_capacity_gib == pytest.approx(80.0 * USABLE_MEMORY_SHARE, rel=0.01)


@pytest.mark.parametrize(
    ("time_ms", "limit_ms", "text", "change"),
    [
        (620.0, 500.0, f"At best 620{THIN}ms to an answer, limit 500{THIN}ms", f"May fit with a limit of 632{THIN}ms"),
        (
            374_000.0, 240_000.0, f"At best 6{THIN}min 14{THIN}s to an answer, limit 4{THIN}min",
            f"May fit with a limit of 6{THIN}min 21{THIN}s",
        ),
    ],
)  # fmt: skip
def test_what_is_too_slow_is_told_in_a_unit_that_people_read(
    time_ms: float, limit_ms: float, text: str, change: str
) -> None:
    reason = too_slow("an answer", time_ms, limit_ms)
    assert (reason.code, str(reason.text), str(reason.nearest_change)) == ("latency", text, change)
