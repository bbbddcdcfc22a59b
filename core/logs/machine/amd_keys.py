"""What AMD's tools call their readings, through all renamings, and what each is of ours."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from core.logs.machine.units import cell_reading

# rocm-smi's keys, small letters: our quantity and the unit of bare numbers, in the order in which they are preferred.
ROCM_KEYS: Mapping[str, tuple[str, str]] = {
    "gpu use (%)": ("utilization_pct", "%"),
    "gpu memory read/write activity (%)": ("memory_busy_pct", "%"),
    "vram total memory (b)": ("memory_total_gib", "B"),
    "vram total used memory (b)": ("memory_used_gib", "B"),
    "current socket graphics package power (w)": ("power_w", "W"),
    "average graphics package power (w)": ("power_w", "W"),
    "max graphics package power (w)": ("power_limit_w", "W"),
    "temperature (sensor edge) (c)": ("temperature_c", "C"),
    "temperature (sensor junction) (c)": ("temperature_c", "C"),
    "temperature (sensor memory) (c)": ("memory_temperature_c", "C"),
    "sclk clock speed:": ("sm_clock_mhz", "MHz"),
    "sclk clock speed": ("sm_clock_mhz", "MHz"),
    "mclk clock speed:": ("memory_clock_mhz", "MHz"),
    "mclk clock speed": ("memory_clock_mhz", "MHz"),
}
_ROCM_NAMES = ("card series", "card model", "device name")

# amd-smi's keys, the last words of their path: its "MB" are MiB and its "GB" GiB.
AMD_KEYS: Mapping[str, tuple[str, str]] = {
    "gfx_activity": ("utilization_pct", "%"),
    "gfx_usage": ("utilization_pct", "%"),
    "gfx%": ("utilization_pct", "%"),
    "gfx_util": ("utilization_pct", "%"),
    "umc_activity": ("memory_busy_pct", "%"),
    "mem_usage": ("memory_busy_pct", "%"),
    "mem%": ("memory_busy_pct", "%"),
    "mem_util": ("memory_busy_pct", "%"),
    "socket_power": ("power_w", "W"),
    "current_socket_power": ("power_w", "W"),
    "average_socket_power": ("power_w", "W"),
    "current_power": ("power_w", "W"),
    "average_power": ("power_w", "W"),
    "power": ("power_w", "W"),
    "power_usage": ("power_w", "W"),
    "pwr_cap": ("power_limit_w", "W"),
    "socket_power_limit": ("power_limit_w", "W"),
    "power_limit": ("power_limit_w", "W"),
    "max_power": ("power_limit_w", "W"),
    "used_vram": ("memory_used_gib", "MiB"),
    "fb_used": ("memory_used_gib", "MiB"),
    "vram_used": ("memory_used_gib", "MiB"),
    "total_vram": ("memory_total_gib", "MiB"),
    "fb_total": ("memory_total_gib", "MiB"),
    "vram_total": ("memory_total_gib", "MiB"),
    "edge": ("temperature_c", "C"),
    "edge_temperature": ("temperature_c", "C"),
    "hotspot": ("temperature_c", "C"),
    "hotspot_temperature": ("temperature_c", "C"),
    "gpu_temp": ("temperature_c", "C"),
    "gpu_t": ("temperature_c", "C"),
    "mem_temperature": ("memory_temperature_c", "C"),
    "memory_temperature": ("memory_temperature_c", "C"),
    "mem_temp": ("memory_temperature_c", "C"),
    "mem_t": ("memory_temperature_c", "C"),
    "gfx_0_clk": ("sm_clock_mhz", "MHz"),
    "gfx_cur_clk": ("sm_clock_mhz", "MHz"),
    "gfx_clk": ("sm_clock_mhz", "MHz"),
    "gfx_clock": ("sm_clock_mhz", "MHz"),
    "mem_0_clk": ("memory_clock_mhz", "MHz"),
    "mem_cur_clk": ("memory_clock_mhz", "MHz"),
    "mem_clock": ("memory_clock_mhz", "MHz"),
}
_AMD_PATHS = {
    ("clock", "gfx_0", "clk"): "gfx_0_clk",
    ("clock", "mem_0", "clk"): "mem_0_clk",
    ("clock", "gfx", "cur_clk"): "gfx_cur_clk",
    ("clock", "mem", "cur_clk"): "mem_cur_clk",
    ("clock", "current", "gfx_clock"): "gfx_clk",
    ("temperature", "edge"): "edge",
    ("temperature", "hotspot"): "hotspot",
    ("temperature", "mem"): "mem_temperature",
}
_THROTTLED = {"THROTTLED": 100.0, "UNTHROTTLED": 0.0, "ACTIVE": 100.0, "INACTIVE": 0.0}
_BINARY = re.compile(r"(?<![A-Za-z])([KMG])B$")
_OF_WHOLE = re.compile(r"([\d.]{1,12})\s?/\s?([\d.]{1,12}) ?([KMG])B$")
_IN_BRACKETS = re.compile(r"^\((.{0,40})\)$")


def rocm_readings(values: Mapping[str, object]) -> dict[str, float]:
    """The readings of one card, from rocm-smi's keys and texts such as ``"(300Mhz)"``."""
    lowered = {key.lower().strip(): str(value).strip() for key, value in values.items()}
    return _first_known((ROCM_KEYS[key], lowered[key]) for key in ROCM_KEYS if key in lowered)


def rocm_name(values: Mapping[str, object]) -> str:
    """The card's name, as far as it is one."""
    lowered = {key.lower().strip(): str(value).strip() for key, value in values.items()}
    return next((lowered[key] for key in _ROCM_NAMES if not lowered.get(key, "N/A").startswith(("N/A", "0x"))), "")


def amd_readings(values: Mapping[str, str]) -> dict[str, float]:
    """The readings of one GPU, from amd-smi's keys, small letters."""
    values = _with_memory(values)
    known = _first_known((AMD_KEYS[key], _BINARY.sub(r"\1iB", values[key])) for key in AMD_KEYS if key in values)
    if (state := values.get("throttle_status", "").strip().upper()) in _THROTTLED:
        known["throttled_pct"] = _THROTTLED[state]
    return known


def _with_memory(values: Mapping[str, str]) -> Mapping[str, str]:
    """Used and whole memory apart, where one cell holds both: ``150.3/191.7 GB``."""
    match = _OF_WHOLE.match(values.get("vram_usage", ""))
    if match is None:
        return values
    used, whole, scale = match.groups()
    return {**values, "vram_used": f"{used} {scale}B", "vram_total": f"{whole} {scale}B"}


def amd_key(path: Iterable[str]) -> str:
    """The key of a path such as ``("usage", "gfx_activity")``, small letters."""
    known = tuple(path)
    return _AMD_PATHS.get(known, known[-1] if known[:1] != ("clock",) else "")


def _first_known(cells: Iterable[tuple[tuple[str, str], str]]) -> dict[str, float]:
    values: dict[str, float] = {}
    for (quantity, unit), cell in cells:
        bare = _IN_BRACKETS.match(cell)
        value = cell_reading(quantity, bare[1] if bare else cell, unit)
        if math.isnan(values.get(quantity, math.nan)):
            values[quantity] = value
    return values
