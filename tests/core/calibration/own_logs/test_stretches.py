"""Warm-up, steady work, checkpoints, stalls and idle time are told from readings alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.calibration.own_logs.parts import seconds_in, whole_of, without
from core.calibration.own_logs.stretches import (
    MOST_STRETCHES,
    Stage,
    stretches,
    window_of,
    with_window,
)
from core.logs.record import LogRecord
from tests.core.calibration.own_logs.made import machine, training

W, S, C, L, IDLE = Stage.WARM_UP, Stage.STEADY, Stage.CHECKPOINT, Stage.STALL, Stage.IDLE


def _stages(record: LogRecord) -> list[tuple[Stage, float]]:
    return [(one.stage, one.seconds) for one in stretches(record)]


@given(st.floats(6.0, 100.0), st.integers(2, 300))
def test_a_constant_log_is_steady_throughout(use_pct: float, n_ticks: int) -> None:
    assert _stages(machine([use_pct] * n_ticks)) == [(S, n_ticks - 1.0)]


@settings(max_examples=40)
@given(st.integers(100, 900), st.integers(20, 200), st.integers(20, 200))
def test_a_ramp_and_an_idle_end_are_cut(n_steady: int, n_before: int, n_after: int) -> None:
    record = machine([20.0] * n_before + [95.0] * n_steady + [0.0] * n_after)
    stages = stretches(record)
    assert [one.stage for one in stages] == [W, S, IDLE]
    (start_s, end_s), cuts = window_of(stages)
    assert (start_s, end_s) == pytest.approx((n_before, n_before + n_steady), abs=5) and cuts == ()


@settings(max_examples=40)
@given(st.lists(st.integers(200, 400), min_size=2, max_size=5), st.integers(15, 60), st.floats(0.0, 40.0))
def test_dips_between_steady_work_are_cut_and_counted_as_checkpoints(runs: list[int], dip: int, use: float) -> None:
    ticks = [value for n in runs for value in [98.0] * n + [use] * dip][:-dip]
    record = machine(ticks)
    found = stretches(record)
    assert sum(one.stage is C for one in found) == len(runs) - 1
    assert seconds_in(without(*window_of(found))) == pytest.approx(sum(runs), abs=10 * len(runs))


def test_work_that_goes_on_slowly_at_the_end_is_a_stall_and_then_idle() -> None:
    record = machine([95.0] * 1000 + [50.0] * 300 + [0.0] * 200)
    assert [one.stage for one in stretches(record)] == [S, L, IDLE]


def test_a_long_or_shallow_dip_is_no_checkpoint() -> None:
    assert [s for s, _ in _stages(machine([95.0] * 300 + [60.0] * 50 + [95.0] * 300))] == [S, L, S]
    assert [s for s, _ in _stages(machine([95.0] * 300 + [0.0] * 200 + [95.0] * 300))] == [S, IDLE, S]


def test_an_idle_card_and_one_snapshot_of_it_have_no_steady_part() -> None:
    for record in (machine([0.0] * 100), machine([0.0]), machine([3.0, 4.0, 2.0])):
        found = stretches(record)
        assert [one.stage for one in found] == [IDLE] and not found[0].is_kept


def test_use_that_hides_between_seconds_is_not_a_stall() -> None:
    """A step of 3 s that ends in a pause of 1 s shows as readings of 100 and 0 %."""
    assert _stages(machine([100.0, 100.0, 100.0, 0.0] * 200)) == [(S, 799.0)]


def test_the_first_step_never_counts_and_a_slow_one_is_cut() -> None:
    stages = stretches(training([9.0, 1.0, 1.0, 1.0, 4.0] + [1.0] * 40))
    assert [(one.stage, one.start_s, one.end_s) for one in stages] == [
        (W, 0.0, 9.0), (S, 9.0, 12.0), (C, 12.0, 16.0), (S, 16.0, 56.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step_s", "kept_s"), [([1.0] * 4, 3.0), ([9.0], 9.0), ([1.0, 1.5, 1.0, 1.6, 0.66, 0.7], 1.5 + 1.0 + 0.7)]
)
def test_steps_within_a_factor_of_the_median_are_steady(step_s: list[float], kept_s: float) -> None:
    assert seconds_in(without(*window_of(stretches(training(step_s))))) == pytest.approx(kept_s)


@settings(max_examples=60)
@given(st.lists(st.sampled_from([0.0, 3.0, 30.0, 60.0, 90.0, 100.0, np.nan]), min_size=1, max_size=400))
def test_stretches_touch_from_the_first_reading_to_the_last(use_pct: list[float]) -> None:
    record = machine(use_pct)
    found = stretches(record)
    assert 1 <= len(found) <= MOST_STRETCHES + 1
    assert (found[0].start_s, found[-1].end_s) == whole_of(record)
    assert all(a.end_s == b.start_s for a, b in zip(found, found[1:], strict=False))


def test_a_log_without_use_or_steps_counts_whole_and_one_without_readings_not_at_all() -> None:
    record = machine([np.nan] * 5, power_w=[300.0] * 5)
    assert [(one.stage, one.is_kept) for one in stretches(record)] == [(S, True)]
    assert stretches(machine([])) == () and window_of(()) == ((0.0, 0.0), ())


def test_a_window_of_ones_own_splits_stretches_and_keeps_what_it_holds() -> None:
    found = stretches(machine([20.0] * 100 + [95.0] * 800 + [0.0] * 100))
    mine = with_window(found, (300.0, 999.0), ((400.0, 500.0),))
    assert without(*window_of(mine)) == ((300.0, 400.0), (500.0, 999.0))
    assert {one.stage for one in mine if one.is_kept} == {S, IDLE}
    assert sum(one.seconds for one in mine) == sum(one.seconds for one in found)


def _stamped(pauses_s: dict[int, float]) -> LogRecord:
    """Steps of 20 s, each with its stamp; before some of them something else took time."""
    waits = np.array([pauses_s.get(place, 0.0) for place in range(100)])
    record = training([20.0] * 100)
    return replace(record, time_s=np.cumsum(20.0 + waits))


def test_a_pause_that_only_the_stamps_tell_is_cut() -> None:
    """Before, states that Megatron saves between its steps counted as steady, and were never paid for in vain."""
    stages = stretches(_stamped({30: 65.0, 60: 65.0}))
    cut = [(one.stage, one.seconds) for one in stages if not one.is_kept and one.start_s > 20]
    assert cut == [(Stage.CHECKPOINT, pytest.approx(85.0))] * 2


def test_lines_that_come_a_little_sooner_and_later_tell_a_pause_too() -> None:
    stages = stretches(_stamped(dict.fromkeys(range(1, 100, 2), 2.0) | {30: 65.0}))
    assert [one.stage for one in stages if not one.is_kept and one.start_s > 60] == [Stage.CHECKPOINT]


def test_hours_until_a_run_began_again_do_not_count() -> None:
    stages = stretches(_stamped({50: 36_000.0}))
    assert [(one.stage, one.is_kept) for one in stages if one.seconds > 30_000] == [(Stage.STALL, False)]


@pytest.mark.parametrize("pauses_s", [{30: 20.0, 31: 40.0}, {30: 5.0}, dict.fromkeys(range(0, 100, 3), 15.0)])
def test_missing_lines_short_waits_and_uneven_lines_are_no_pause(pauses_s: dict[int, float]) -> None:
    assert all(one.is_kept for one in stretches(_stamped(pauses_s)) if one.start_s > 60)
