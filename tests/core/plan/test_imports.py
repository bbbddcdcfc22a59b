"""Logs kept in the plan: thinned without changing what they say."""

from datetime import UTC, datetime

import numpy as np
import pytest

from core.calibration.log_window import steady_window, time_weighted_mean
from core.logs.read import read_log
from core.logs.record import LogRecord, summarise_all
from core.plan.imports import MAX_POINTS, kept, next_log_id, record_of, with_log, without_log
from core.plan.plan import Plan
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def _long_record() -> LogRecord:
    time_s = np.arange(100_000.0)
    series = {"utilization_pct": np.where(time_s % 10 < 9, 100.0, np.nan)}
    return LogRecord(
        "long.csv", "nvidia-smi-csv", 100_001, {}, None, None, 1, None, time_s, series, summarise_all(series)
    )


def test_a_kept_log_gives_the_same_window_and_mean() -> None:
    record = read_log(DATA / "h100-node07.csv")
    again = record_of(kept(record, "log-1", NOW), frozenset({"h100-sxm"}))
    assert again.accelerator_id == "h100-sxm"
    assert steady_window(again) == steady_window(record)
    window_s = steady_window(record)
    assert time_weighted_mean(again, "power_w", window_s) == pytest.approx(
        time_weighted_mean(record, "power_w", window_s)
    )
    assert again.quantities == record.quantities


def test_a_long_log_is_thinned_and_unknown_readings_stay_out_of_the_mean() -> None:
    log = kept(_long_record(), "log-1", NOW)
    assert len(log.series_s) <= MAX_POINTS
    assert {value for value in log.series["utilization_pct"] if value is not None} == {100.0}
    assert log.quantities["utilization_pct"]["n"] == 90_000


def test_logs_come_and_go_with_their_calibrations() -> None:
    log = kept(read_log(DATA / "maxtext-v5p.log"), "log-1", NOW)
    plan = with_log(Plan(id="p"), log)
    assert next_log_id(plan) == "log-2"
    assert without_log(plan, "log-1") == Plan(id="p")
