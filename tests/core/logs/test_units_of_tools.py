"""One chip in one state, as each metric of each tool tells it in its own unit: the same figure is read every time."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.logs.formats.machine import dcgmi_dmon, prometheus_gpu
from core.logs.formats.training import megatron
from core.logs.machine.units import factor_to_ours
from core.logs.serving.labels import ms_factor
from tests.core.logs.training_logs import means
from tests.core.logs.written import means_of, record_of

STATE = {
    "utilization_pct": 50.0, "memory_busy_pct": 25.0, "sm_active_pct": 75.0, "tensor_active_pct": 12.5,
    "memory_used_gib": 40.0, "memory_total_gib": 80.0, "power_w": 650.5, "power_limit_w": 700.0, "temperature_c": 66.0,
    "memory_temperature_c": 77.0, "sm_clock_mhz": 1980.0, "memory_clock_mhz": 2619.0, "host_in_gb_per_s": 20.0,
    "host_out_gb_per_s": 10.0, "link_in_gb_per_s": 300.0, "link_out_gb_per_s": 200.0, "throttled_pct": 100.0,
}  # fmt: skip
RAW = {
    "share": {"utilization_pct": 0.5, "memory_busy_pct": 0.25, "sm_active_pct": 0.75, "tensor_active_pct": 0.125,
              "throttled_pct": 1.0},
    "MiB": {"memory_used_gib": 40_960, "memory_total_gib": 81_920},
    "bytes": {"memory_used_gib": 42_949_672_960, "memory_total_gib": 85_899_345_920, "host_in_gb_per_s": 20_000_000_000,
              "host_out_gb_per_s": 10_000_000_000, "link_in_gb_per_s": 300_000_000_000,
              "link_out_gb_per_s": 200_000_000_000},
    "Hz": {"sm_clock_mhz": 1_980_000_000, "memory_clock_mhz": 2_619_000_000},
    "mW": {"power_w": 650_500},
}  # fmt: skip
OF_UNIT = {
    "share": "_ACTIVE _ratio GRACT SMACT TENSO DRAMA _reasons_",
    "MiB": "_FB_ dcgm_fb_ _vram FBUSD FBTTL",
    "bytes": "_bytes _BYTES PCIRX PCITX NVLRX NVLTX",
    "Hz": "_hz",
    "mW": "_milliwatts",
}
"""What a metric's name has in it, by the unit that its documents give."""


def _raw(metric: str, quantity: str) -> float:
    unit = next((unit for unit, words in OF_UNIT.items() if any(word in metric for word in words.split())), "")
    return RAW[unit][quantity] if unit else STATE[quantity]


@pytest.mark.parametrize("metric", sorted(prometheus_gpu._METRICS))
def test_a_metric_of_an_exporter(tmp_path: Path, metric: str) -> None:
    quantity = prometheus_gpu._METRICS[metric][0]
    name = f"amd_{metric}" if metric.startswith("gpu_") else metric
    text = "".join(f'{name}{{gpu="0"}} {_raw(metric, quantity)} 17636000{n}0000\n' for n in (10, 20, 30))
    assert means_of(record_of(tmp_path, text))[quantity] == pytest.approx(STATE[quantity])


def test_the_fields_of_dcgmi(tmp_path: Path) -> None:
    for field, (quantity, _) in dcgmi_dmon._FIELDS.items():
        record = record_of(tmp_path, f"#Entity {field}\nID\n" + f"GPU 0 {_raw(field, quantity)}\n" * 3)
        assert means_of(record)[quantity] == pytest.approx(STATE[quantity]), field


STEP = {"step_time_s": 5.2, "loss": 2.5, "tflops_per_chip": 412.0, "tokens_per_s_per_chip": 12_300.0,
        "samples_per_s": 98.5, "power_w": 650.5}  # fmt: skip


@pytest.mark.parametrize("name", sorted(megatron._NAMES))
def test_a_figure_of_megatron(tmp_path: Path, name: str) -> None:
    quantity = megatron._NAMES[name][0]
    told = 5200.0 if name.endswith("(ms)") else STEP[quantity]
    timed = "" if quantity == "step_time_s" else " elapsed time per iteration (ms): 5200.0 |"
    text = "".join(f" iteration {n:8d}/ 1000 |{timed} {name}: {told} | global batch size: 64 |\n" for n in range(1, 9))
    assert means(record_of(tmp_path, text))[quantity] == pytest.approx(STEP[quantity])


@pytest.mark.parametrize(
    ("quantity", "units"),
    [
        ("memory_used_gib", {"B": 2.0**-30, "bytes": 2.0**-30, "KiB": 2.0**-20, "MiB": 2.0**-10, "GiB": 1, "TiB": 1024,
                             "kB": 1e3 / 2**30, "MB": 1e6 / 2**30, "GB": 1e9 / 2**30}),
        ("power_w", {"W": 1, "watts": 1, "mW": 0.001, "kW": 1000, "uW": 0.000001}),
        ("sm_clock_mhz", {"MHz": 1, "GHz": 1000, "kHz": 0.001, "Hz": 0.000001}),
        ("utilization_pct", {"%": 1, "pct": 1, "percent": 1}),
        ("temperature_c", {"C": 1, "°C": 1}),
        ("host_in_gb_per_s", {"GB/s": 1, "MB/s": 0.001, "KB/s": 0.000001, "B/s": 1e-9, "GiB/s": 1.073741824,
                              "MiB/s": 0.001048576, "KiB/s": 0.000001024}),
    ],
)  # fmt: skip
def test_every_unit_of_a_machine(quantity: str, units: dict[str, float]) -> None:
    for unit, factor in units.items():
        assert factor_to_ours(quantity, unit) == pytest.approx(factor), unit
    assert math.isnan(factor_to_ours(quantity, "furlong"))


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("ns", 1e-6), ("us", 1e-3), ("µs", 1e-3), ("ms", 1.0), ("milliseconds", 1.0), ("s", 1000.0), ("sec", 1000.0),
     ("secs", 1000.0), ("Seconds", 1000.0)],
)  # fmt: skip
def test_every_unit_of_a_latency(unit: str, factor: float) -> None:
    assert ms_factor(f"Mean TTFT ({unit})") == ms_factor(f"Mean TTFT [ {unit} ]") == pytest.approx(factor)
    assert ms_factor("Mean TTFT") == 1.0
