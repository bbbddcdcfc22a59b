"""What counts of a log, and for how long each reading stands."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.own_logs.parts import chosen, inside, mean_over_time, seconds_in, whole_of, without
from core.logs.record import LogRecord


def _record(time_s: list[float], busy_pct: list[float]) -> LogRecord:
    series = {"utilization_pct": np.array(busy_pct)}
    return LogRecord("x", "x", 1, {}, None, None, 1, None, np.array(time_s), series, {})


def _mean(record: LogRecord, window_s: tuple[float, float]) -> float:
    return mean_over_time(record, record.series["utilization_pct"], (window_s,))


def test_each_reading_counts_for_the_time_until_the_next() -> None:
    assert _mean(_record([0.0, 1.0, 10.0], [0.0, 100.0, 0.0]), (0.0, 10.0)) == pytest.approx(90.0)


def test_a_window_counts_the_share_of_a_reading_that_lies_in_it() -> None:
    assert _mean(_record([0.0, 2.0, 4.0], [10.0, 40.0, 0.0]), (1.0, 4.0)) == pytest.approx((10 + 2 * 40) / 3)


def test_a_single_reading_is_its_own_mean() -> None:
    assert _mean(_record([5.0], [42.0]), (0.0, 10.0)) == 42.0


def test_readings_count_where_the_middle_of_their_time_lies_and_unknown_ones_do_not() -> None:
    record = _record([0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, np.nan, 4.0, 5.0])
    assert inside(record, "utilization_pct", ((1.0, 4.0),)).tolist() == [2.0, 4.0, 5.0]
    assert inside(record, "utilization_pct", ((0.0, 1.0), (3.0, 3.9))).tolist() == [1.0, 4.0]
    assert inside(record, "power_w", ((1.0, 3.0),)).tolist() == []


def test_a_step_stands_for_the_time_before_its_line() -> None:
    record = replace(_record([10.0, 11.0, 12.0], [0.0] * 3), series={"step_time_s": np.array([10.0, 1.0, 1.0])})
    assert whole_of(record) == (0.0, 12.0)
    assert chosen(record, ((0.0, 10.0),)).tolist() == [True, False, False]
    assert chosen(record, ((10.0, 12.0),)).tolist() == [False, True, True]


def test_a_mean_over_time_counts_known_readings_within_the_window() -> None:
    record = _record([0.0, 1.0, 2.0, 3.0, 4.0, 9.0], [99.0, 10.0, np.nan, 40.0, 7.0, 99.0])
    assert _mean(record, (1.0, 4.0)) == pytest.approx((10 + 40) / 2)
    assert np.isnan(_mean(_record([0.0, 1.0], [np.nan, np.nan]), (0.0, 1.0)))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(1, 20)), max_size=5))
def test_a_window_without_cuts_loses_exactly_their_time(cuts: list[tuple[int, int]]) -> None:
    parts = without((10.0, 90.0), [(float(a), float(a + n)) for a, n in cuts])
    left = {second for second in range(10, 90) if not any(a <= second < a + n for a, n in cuts)}
    assert seconds_in(parts) == len(left)
    assert all(a < b for a, b in parts) and sorted(parts) == list(parts)
