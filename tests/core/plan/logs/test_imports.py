"""Logs kept in the plan: thinned without changing what they say."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.calibration.own_logs.bands import band_of
from core.calibration.own_logs.parts import mean_over_time
from core.calibration.own_logs.stretches import stretches, window_of
from core.logs.read import read_log
from core.logs.record import LogRecord, Subject, summarise_all
from core.plan.imports import (
    MAX_CHIP_POINTS,
    MAX_POINTS,
    bands_of,
    kept,
    log_names,
    next_log_id,
    record_of,
    with_logs,
    without_log,
)
from core.plan.plan import ImportedLog, Plan
from core.plan.schema import plan_of, rows_of
from tests.core.calibration.own_logs.made import machine
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
    assert stretches(again) == stretches(record)
    parts = (window_of(stretches(record))[0],)
    means = [mean_over_time(one, one.series["power_w"], parts) for one in (again, record)]
    assert means[0] == pytest.approx(means[1])
    assert again.quantities == record.quantities


def test_a_long_log_is_thinned_and_unknown_readings_stay_out_of_the_mean() -> None:
    log = kept(_long_record(), "log-1", NOW)
    assert len(log.series_s) <= MAX_POINTS
    assert {value for value in log.series["utilization_pct"] if value is not None} == {100.0}
    assert log.quantities["utilization_pct"]["n"] == 90_000


def test_logs_come_and_go_with_their_calibrations() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    plan = with_logs(Plan(id="p"), [kept(record, "", NOW, "ab")])
    assert (plan.logs[0].sha256, plan.logs[0].subject) == ("ab", Subject.TRAINING)
    assert next_log_id(plan) == "log-2"
    assert without_log(plan, "log-1") == Plan(id="p")


def test_records_of_one_file_are_told_apart_by_their_line() -> None:
    first = _long_record()
    records = (first, replace(first, first_line=90), machine([1.0]))
    plan = with_logs(Plan(id="p"), [kept(record, "", NOW) for record in records])
    assert log_names(plan) == {"log-1": "long.csv, line 1", "log-2": "long.csv, line 90", "log-3": "node.csv"}


def test_records_of_one_file_are_told_apart_by_their_hosts() -> None:
    first = replace(_long_record(), facts={"host": "node01"})
    records = (first, replace(first, first_line=2, facts={"host": "node02"}))
    plan = with_logs(Plan(id="p"), [kept(record, "", NOW) for record in records])
    assert set(log_names(plan).values()) == {"long.csv, host node01", "long.csv, host node02"}


def test_chips_are_kept_apart_within_a_bound_and_bands_keep_the_extremes() -> None:
    use = np.tile(np.linspace(80.0, 95.0, 16), (30_000, 1))
    use[17_003, 4] = 3.0
    use[20_000, 5] = np.nan
    record = machine(use)
    log = kept(record, "log-1", NOW)
    again = record_of(log, frozenset({"h100-sxm"}))
    assert sum(map(len, log.by_chip["utilization_pct"])) <= MAX_CHIP_POINTS
    assert again.by_chip["utilization_pct"].shape == (len(log.series_s), 16)
    assert again.by_chip["utilization_pct"][0].tolist() == pytest.approx(use[0].tolist())
    band = bands_of(log)["utilization_pct"]
    assert np.nanmin(band.low) == 3.0 and band.high.max() == 95.0
    assert band.median.mean() == pytest.approx(band_of(record, "utilization_pct").median.mean(), rel=1e-3)


def test_a_log_with_chips_and_facts_comes_back_from_the_rows_of_a_file() -> None:
    record = replace(machine(np.array([[1.0, np.nan], [2.0, 4.0]]), power_w=[3.0, np.nan]), facts={"driver": "570"})
    plan = with_logs(Plan(id="p"), [kept(record, "", NOW, "ab")])
    assert plan_of(rows_of(plan), "p.roofplan") == plan


def test_a_log_of_before_chips_were_told_apart_loads() -> None:
    old = {
        "id": "log-1", "file_name": "a.csv", "format": "nvidia-smi-csv", "imported_at": "2026-01-01", "n_lines": 3,
        "accelerator": "h100-sxm", "n_accelerators": 8, "n_skipped": 0, "duration_s": 1.0,
    }  # fmt: skip
    log = ImportedLog.model_validate_json(json.dumps(old))
    assert (log.subject, log.chips, log.bands) == (Subject.MACHINE, (), {})
    assert record_of(log, frozenset()).by_chip == {}


def test_series_that_were_cut_in_the_file_stay_out() -> None:
    log = kept(machine(np.array([[1.0, 3.0], [2.0, 4.0]]), power_w=[3.0, 5.0]), "log-1", NOW)
    cut = log.model_copy(
        update={"series": log.series | {"power_w": (3.0,)}, "chips": ("0",), "bands": {"utilization_pct": ((), (), ())}}
    )
    record = record_of(cut, frozenset())
    assert set(record.series) == {"utilization_pct"} and record.by_chip == {} and bands_of(cut) == {}
