"""rocm-smi and amd-smi: texts for numbers, renamed keys, lists without quotes, tables, text and JSON."""

import json
from pathlib import Path

import pytest

from tests.core.logs.written import assert_refused, means_of, record_of

ROCM = {
    "GPU use (%)": "90", "VRAM Total Memory (B)": str(64 * 2**30), "VRAM Total Used Memory (B)": str(2**30),
    "sclk clock speed:": "(1700Mhz)", "Temperature (Sensor edge) (C)": "N/A",
    "Temperature (Sensor junction) (C)": "55.0", "Card series": "AMD Instinct MI210",
}  # fmt: skip
MEANS = {
    "utilization_pct": 90.0, "memory_total_gib": 64.0, "memory_used_gib": 1.0, "sm_clock_mhz": 1700.0,
    "temperature_c": 55.0,
}  # fmt: skip
TEXT = """GPU: 0
    USAGE:
        GFX_ACTIVITY: 98 %
        UMC_ACTIVITY: 30 %
        VCN_ACTIVITY: [0 %, 0 %,
            0 %]
    POWER:
        SOCKET_POWER: 700 W
        THROTTLE_STATUS: UNTHROTTLED
    CLOCK:
        GFX_0:
            CLK: 2100 MHz
            MAX_CLK: 2500 MHz
        MEM_0:
            CLK: 900 MHz
    TEMPERATURE:
        EDGE: N/A
        HOTSPOT: 60 °C
        MEM: 50 °C
    MEM_USAGE:
        TOTAL_VRAM: 196608 MB
        USED_VRAM: 2048 MB

"""
AMD = {
    "utilization_pct": 98.0, "memory_busy_pct": 30.0, "power_w": 700.0, "throttled_pct": 0.0, "sm_clock_mhz": 2100.0,
    "memory_clock_mhz": 900.0, "temperature_c": 60.0, "memory_temperature_c": 50.0, "memory_total_gib": 192.0,
    "memory_used_gib": 2.0,
}  # fmt: skip


@pytest.mark.parametrize("power", ["Current Socket Graphics Package Power (W)", "Average Graphics Package Power (W)"])
def test_rocm_smi_json_with_a_warning_before_it(tmp_path: Path, power: str) -> None:
    top = {"card0": {**ROCM, power: "300.5"}, "card1": {**ROCM, power: "0"}, "system": {"Driver version": "6.3"}}
    record = record_of(tmp_path, "WARNING: AMD GPU device(s) is/are in a low-power state.\n" + json.dumps(top))
    assert (record.format, record.accelerator_id, record.chips) == ("rocm-smi-json", "mi210", ("0", "1"))
    assert means_of(record) == {**MEANS, "power_w": 300.5}  # 0 W is what rocm-smi prints where it knows nothing
    assert record.facts == {"driver": "6.3"}


def test_rocm_smi_csv_in_a_loop(tmp_path: Path) -> None:
    header = ",".join(["device", *ROCM]) + "\n"
    row = ",".join(["card0", *ROCM.values()]) + "\n"
    record = record_of(tmp_path, (header + row) * 2 + "card0,4\n")
    assert (record.format, len(record.time_s), record.skipped) == ("rocm-smi-csv", 2, {"row cut short": 1})
    assert means_of(record) == MEANS


def test_amd_smi_csv_with_lists_that_are_not_quoted(tmp_path: Path) -> None:
    header = "timestamp,gpu,gfx_activity,vcn_activity,socket_power,used_vram,total_vram,throttle_status\n"
    rows = "1752480000,0,90,[0, 0, 0],600,1024,196608,UNTHROTTLED\n1752480010,0,N/A,[N/A, 0, 0],700,1024,196608,N/A\n"
    record = record_of(tmp_path, header + rows)
    means = means_of(record)
    assert (means["utilization_pct"], means["memory_used_gib"], means["throttled_pct"]) == (90.0, 1.0, 0.0)
    assert means["energy_kwh"] == pytest.approx(650 * 10 / 3.6e6)
    assert_refused(tmp_path, header, "without a whole row")


def test_amd_smi_text_in_a_loop(tmp_path: Path) -> None:
    record = record_of(tmp_path, TEXT + TEXT.replace("GPU: 0", "GPU: 1") + TEXT + TEXT.replace("GPU: 0", "GPU: 1"))
    assert (record.format, record.n_accelerators, len(record.time_s)) == ("amd-smi", 2, 2)
    assert means_of(record) == AMD


def test_amd_smi_json(tmp_path: Path) -> None:
    gpu = {
        "gpu": 0,
        "usage": {"gfx_activity": {"value": 98, "unit": "%"}, "umc_activity": {"value": 30, "unit": "%"}},
        "power": {"socket_power": {"value": 700, "unit": "W"}, "throttle_status": "UNTHROTTLED"},
        "clock": {"gfx_0": {"clk": {"value": 2100, "unit": "MHz"}}, "mem_0": {"clk": {"value": 900, "unit": "MHz"}}},
        "temperature": {"edge": "N/A", "hotspot": {"value": 60, "unit": "C"}, "mem": {"value": 50, "unit": "C"}},
        "mem_usage": {"total_vram": {"value": 196608, "unit": "MB"}, "used_vram": {"value": 2048, "unit": "MB"}},
    }
    assert means_of(record_of(tmp_path, json.dumps([gpu]))) == AMD


def test_amd_smi_monitor(tmp_path: Path) -> None:
    table = "GPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%\n  0  138 W   45 °C   N/A   2100 MHz   98 %   N/A\n"
    assert means_of(record_of(tmp_path, table)) == {
        "power_w": 138.0, "temperature_c": 45.0, "sm_clock_mhz": 2100.0, "utilization_pct": 98.0,
    }  # fmt: skip
