"""The steady window leaves start-up out and keeps stalls in."""

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
