"""A log of a run and one of its chips on one time axis."""

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.own_logs.joined import guessed, joined
from core.calibration.own_logs.readings import measured
from core.calibration.own_logs.stretches import stretches, window_of
from core.logs.clock import Clock, clock_of
from core.logs.record import LogRecord
from tests.core.calibration.own_logs.made import machine, serving, training


def _chips(n_idle: int = 60, n_busy: int = 300, n_after: int = 40) -> LogRecord:
    """Two chips a second apart from each other by 2 %: idle, busy, idle."""
    use = np.concatenate((np.zeros(n_idle), np.full(n_busy, 98.0), np.zeros(n_after)))
    both = np.stack((use, use - 2.0 * (use > 0)), axis=1)
    return machine(both, power_w=np.where(both > 0, 600.0, 100.0), memory_used_gib=np.where(both > 0, 70.0, 1.0))


def _clock(stamp: str) -> Clock:
    clock = clock_of(stamp)
    assert clock is not None
    return clock


def test_readings_of_the_chips_are_means_over_the_steps() -> None:
    run, chips = training(np.full(30, 10.0), np.full(30, 5000.0)), _chips()
    both = joined(run, chips, begins_s=-60.0)
    record = both.record
    assert (both.share, both.before_s, both.after_s) == (pytest.approx(1.0), 60.0, pytest.approx(39.0))
    assert record.time_s is run.time_s and record.subject is run.subject
    assert record.series["utilization_pct"].tolist() == [97.0] * 30
    assert record.by_chip["utilization_pct"][3].tolist() == [98.0, 96.0]
    assert record.quantities["memory_used_gib"].max == 70.0 and "energy_kwh" not in record.quantities
    assert (record.accelerator_id, record.n_accelerators, record.chips) == ("tpu-v5p", 64, ("0", "1"))


def test_what_the_run_says_itself_goes_before() -> None:
    run = training(np.full(30, 10.0), np.full(30, 5000.0))
    told = replace(run, series=run.series | {"power_w": np.full(30, 321.0)}, quantities=run.quantities | {
        "power_w": run.quantities["step_time_s"]})  # fmt: skip
    assert joined(told, _chips(), -60.0).record.series["power_w"].tolist() == [321.0] * 30


def test_a_shift_that_misses_the_run_leaves_nothing_of_the_chips() -> None:
    run = training(np.full(30, 10.0), np.full(30, 5000.0))
    both = joined(run, _chips(), begins_s=5000.0)
    assert both.share == 0.0 and both.record.series.keys() == run.series.keys()
    assert (both.before_s, both.after_s) == (0.0, pytest.approx(399.0))


def test_a_pause_of_the_monitor_is_unknown_not_idle() -> None:
    run, chips = training(np.full(30, 10.0), np.full(30, 5000.0)), _chips(0, 300, 0)
    kept = (chips.time_s < 100.0) | (chips.time_s >= 200.0)
    holed = replace(chips, time_s=chips.time_s[kept], series={n: v[kept] for n, v in chips.series.items()},
                    by_chip={n: v[kept] for n, v in chips.by_chip.items()})  # fmt: skip
    record = joined(run, holed, 0.0).record
    assert np.isnan(record.series["utilization_pct"][11:19]).all()
    assert joined(run, holed, 0.0).share == pytest.approx(200 / 300, abs=0.01)


def test_a_test_of_totals_takes_the_ticks_of_the_chips() -> None:
    run = serving(duration_s=300.0, output_tokens_per_s=1200.0)
    record = joined(run, _chips(), -60.0).record
    assert len(record.time_s) == 301 and set(record.series["output_tokens_per_s"]) == {1200.0}
    stages = stretches(record)
    parts = (window_of(stages)[0],)
    found = measured(record, parts, 8, None)
    assert found is not None and found.tokens_per_s == 1200.0


def test_both_clocks_without_a_zone_are_taken_as_one() -> None:
    run, chips = training(np.full(30, 10.0), np.full(30, 5000.0)), _chips()
    guess = guessed(run, chips, _clock("2025-10-15 10:01:10"), _clock("2025/10/15 10:00:00.000"))
    assert guess.begins_s == -60.0  # the first step ends 10 s after the run begins
    assert guess.why == "By both clocks, which print no time zone."


def test_of_all_zones_the_one_counts_under_which_the_chips_are_busy_in_the_run() -> None:
    run, chips = training(np.full(30, 10.0), np.full(30, 5000.0)), _chips()
    guess = guessed(run, chips, _clock("2025-10-15T08:01:10Z"), _clock("2025/10/15 10:00:00.000"))
    assert guess.begins_s == -60.0 and "moved by -2 h" in guess.why


def test_without_a_clock_the_use_of_the_chips_tells_where_the_run_was() -> None:
    run, chips = training(np.full(30, 10.0), np.full(30, 5000.0)), _chips()
    guess = guessed(run, chips, None, _clock("2025/10/15 10:00:00.000"))
    assert guess.begins_s == pytest.approx(-60.0, abs=3.0) and "does not print the time" in guess.why
    assert "Neither log prints the time" in guessed(run, chips, None, None).why


def test_a_totals_stamp_is_printed_when_the_test_ends() -> None:
    run = serving(duration_s=300.0, output_tokens_per_s=1200.0)
    guess = guessed(run, _chips(), _clock("20251015-100600"), _clock("2025/10/15 10:00:00.000"))
    assert guess.begins_s == -60.0
