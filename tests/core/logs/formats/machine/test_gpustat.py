"""JSON of gpustat and nvtop: numbers, texts with units, and null."""

import json
from pathlib import Path

import pytest

from tests.core.logs.written import means_of, record_of


def _gpustat(second: int, busy: float | None) -> str:
    gpu = {
        "index": 0, "uuid": "GPU-1", "name": "NVIDIA A100-SXM4-80GB", "temperature.gpu": 50, "utilization.gpu": busy,
        "power.draw": 360, "enforced.power.limit": 400, "memory.used": 2048, "memory.total": 81920, "processes": [],
    }  # fmt: skip
    top = {"hostname": "n1", "driver_version": "570.1", "query_time": f"2026-07-14T08:00:{second:02d}.5", "gpus": [gpu]}
    return json.dumps(top, indent=4) + "\n"


def test_answers_of_gpustat_in_a_loop_are_a_series(tmp_path: Path) -> None:
    record = record_of(tmp_path, _gpustat(0, 80) + _gpustat(10, None))
    assert (record.format, record.accelerator_id) == ("gpustat", "a100-sxm-80")
    assert record.facts == {"host": "n1", "driver": "570.1"}
    assert record.quantities["utilization_pct"].n == 1
    assert means_of(record)["memory_used_gib"] == 2.0
    assert means_of(record)["energy_kwh"] == pytest.approx(360 * 10 / 3.6e6)


def test_units_in_the_texts_of_nvtop(tmp_path: Path) -> None:
    gpus = [
        {"device_name": "AMD Instinct MI300X", "gpu_clock": "2.1GHz", "temp": "51C", "fan_speed": "CPU Fan",
         "power_draw": "700000mW", "gpu_util": "73%", "mem_util": None},
    ]  # fmt: skip
    record = record_of(tmp_path, json.dumps(gpus))
    assert record.accelerator_id == "mi300x"
    assert means_of(record) == {
        "sm_clock_mhz": 2100.0, "temperature_c": 51.0, "power_w": 700.0, "utilization_pct": 73.0,
    }  # fmt: skip


def test_a_list_of_instants_is_a_series(tmp_path: Path) -> None:
    instants = ",".join(_gpustat(second, 80) for second in (0, 10))
    record = record_of(tmp_path, f"[{instants}]")
    assert (record.n_accelerators, record.duration_s, means_of(record)["utilization_pct"]) == (1, 10.0, 80.0)


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("2026-07-14T08:00:{:02d}+00:00", 20.0),
        ("Tue Jul 14 08:00:{:02d} UTC 2026", 20.0),
        ("Tue Jul 14 08:00:{:02d} AM CEST 2026", 20.0),
        ("reading {:02d}", 1.0),
    ],
)
def test_a_date_before_each_reading_tells_its_time(date: str, seconds: float, tmp_path: Path) -> None:
    card = json.dumps({"card0": {"GPU use (%)": "90", "Current Socket Graphics Package Power (W)": "700.0"}})
    record = record_of(tmp_path, "".join(f"{date.format(at)}\n{card}\n" for at in (0, 20)))
    assert (record.format, record.duration_s) == ("rocm-smi-json", seconds)


def test_screens_of_tpu_info_below_dates(tmp_path: Path) -> None:
    screen = "TPU Runtime Utilization\n| Device | Memory usage | Duty cycle |\n| 0 | 1.0 GiB / 2.0 GiB | 90.00% |\n\n"
    record = record_of(tmp_path, "".join(f"2026-07-14T08:00:{at:02d}+00:00\n{screen}" for at in (0, 15)))
    assert (record.format, record.duration_s, means_of(record)["utilization_pct"]) == ("tpu-info", 15.0, 90.0)
