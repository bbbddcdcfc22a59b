"""The steady window leaves start-up out and keeps stalls in."""

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.log_window import inside, steady_window, time_weighted_mean
from core.logs.read import read_log
from core.logs.record import LogRecord
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"


def _record(time_s: list[float], busy_pct: list[float]) -> LogRecord:
    series = {"utilization_pct": np.array(busy_pct)}
    return LogRecord("x", "x", 1, {}, None, None, 1, None, np.array(time_s), series, {})


def test_the_window_of_a_node_log_spans_the_job_with_its_checkpoints() -> None:
    start_s, end_s = steady_window(read_log(DATA / "h100-node07.csv"))
    assert start_s == pytest.approx(8 * 60)
    assert end_s == pytest.approx(111 * 60)


def test_compilation_and_the_unsynchronised_first_step_are_left_out() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    window_s = steady_window(record)
    assert window_s[0] > 48
    assert inside(record, "step_time_s", window_s).max() < 9


def test_each_reading_counts_for_the_time_until_the_next() -> None:
    record = _record([0.0, 1.0, 10.0], [0.0, 100.0, 0.0])
    assert time_weighted_mean(record, "utilization_pct", (0.0, 10.0)) == pytest.approx(90.0)


def test_a_single_reading_is_its_own_mean() -> None:
    assert time_weighted_mean(_record([5.0], [42.0]), "utilization_pct", (0.0, 10.0)) == 42.0


def test_an_idle_log_keeps_its_whole_length() -> None:
    assert steady_window(_record([0.0, 1.0, 2.0], [0.0, 0.0, 0.0])) == (0.0, 2.0)


def test_readings_at_both_ends_of_a_window_are_inside_and_unknown_ones_are_not() -> None:
    record = _record([0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, np.nan, 4.0, 5.0])
    assert inside(record, "utilization_pct", (1.0, 3.0)).tolist() == [2.0, 4.0]
    assert inside(record, "utilization_pct", (0.0, 4.0)).tolist() == [1.0, 2.0, 4.0, 5.0]
    assert inside(record, "power_w", (0.0, 4.0)).tolist() == []


def test_a_mean_over_time_counts_known_readings_within_the_window() -> None:
    """10 for two seconds and 40 for one; the last reading only ends the time."""
    record = _record([0.0, 1.0, 2.0, 3.0, 4.0, 9.0], [99.0, 10.0, np.nan, 40.0, 7.0, 99.0])
    assert time_weighted_mean(record, "utilization_pct", (1.0, 4.0)) == pytest.approx((2 * 10 + 40) / 3)
    assert np.isnan(time_weighted_mean(record, "utilization_pct", (5.0, 8.0)))


def _steps(step_s: list[float]) -> LogRecord:
    record = _record(list(np.arange(len(step_s), dtype=float)), [0.0] * len(step_s))
    return replace(record, series={"step_time_s": np.array(step_s)})


@pytest.mark.parametrize(
    ("step_s", "window_s"),
    [
        ([1.0, 1.0, 1.0, 1.0], (1.0, 3.0)),  # the first step never counts
        ([9.0], (0.0, 0.0)),  # unless it is alone
        ([1.0, 1.0, 1.0, 1.5], (1.0, 3.0)),  # half as long again is steady
        ([1.0, 1.0, 1.0, 1.5001], (1.0, 2.0)),
        ([9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 9.0, 1.0, 9.0], (2.0, 7.0)),  # a stall inside stays in
        ([1.0, 1.5, 1.0, 1.51, 0.66, 1.0, 0.6], (1.0, 5.0)),  # within a factor of 1.5 of the median
    ],
)
def test_steady_steps_lie_within_a_factor_of_the_median(step_s: list[float], window_s: tuple[float, float]) -> None:
    assert steady_window(_steps(step_s)) == window_s


def test_work_is_half_of_the_usual_use_or_more_and_a_log_without_either_counts_whole() -> None:
    assert steady_window(_record([0.0, 1.0, 2.0, 3.0, 4.0], [10.0, 45.0, 0.0, 90.0, 35.0])) == (1.0, 3.0)
    record = _record([3.0, 4.0, 8.0], [np.nan] * 3)
    assert steady_window(record) == steady_window(replace(record, series={})) == (3.0, 8.0)
