"""What logs measure: quantities that all formats share, each with its unit, its name and its place in the charts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A quantity as people read it.

    ``turn`` is its place among the charts of a log, 0 where it has none. ``limit`` names the quantity that holds the
    chip's own limit of it, told by ``limit_words``.
    """

    unit: str
    title: str
    turn: int = 0
    limit: str = ""
    limit_words: str = ""


SHARED: Mapping[str, QuantityKind] = {
    "tokens_per_s_per_chip": QuantityKind("tokens/s", "Tokens/s per chip", 1),
    "utilization_pct": QuantityKind("%", "Utilisation", 2),
    "memory_used_gib": QuantityKind("GiB", "Memory", 3, "memory_total_gib", "of {}"),
    "power_w": QuantityKind("W", "Power", 4, "power_limit_w", "limit {}"),
    "step_time_s": QuantityKind("s", "Step time", 5),
    "output_tokens_per_s": QuantityKind("tokens/s", "Tokens written/s", 1),
    "samples_per_s": QuantityKind("samples/s", "Samples/s", 1),
    "memory_total_gib": QuantityKind("GiB", "Memory of the chip"),
    "power_limit_w": QuantityKind("W", "Power limit"),
    "temperature_c": QuantityKind("°C", "Temperature"),
    "memory_temperature_c": QuantityKind("°C", "Temperature of the memory"),
    "sm_clock_mhz": QuantityKind("MHz", "Clock of the multiprocessors"),
    "memory_clock_mhz": QuantityKind("MHz", "Clock of the memory"),
    "throttled_pct": QuantityKind("%", "Throttled by power or heat"),
    "memory_busy_pct": QuantityKind("%", "Memory interface busy"),
    "sm_active_pct": QuantityKind("%", "Multiprocessors active"),
    "tensor_active_pct": QuantityKind("%", "Matrix units active"),
    "link_in_gb_per_s": QuantityKind("GB/s", "Links between chips, in"),
    "link_out_gb_per_s": QuantityKind("GB/s", "Links between chips, out"),
    "host_in_gb_per_s": QuantityKind("GB/s", "From the host"),
    "host_out_gb_per_s": QuantityKind("GB/s", "To the host"),
    "process_memory_gib": QuantityKind("GiB", "Memory of one process"),
    "energy_kwh": QuantityKind("kWh", "Energy"),
    "tflops_per_chip": QuantityKind("TFLOP/s", "TFLOP/s per chip"),
    "mfu_pct": QuantityKind("%", "Model FLOP utilisation"),
    "loss": QuantityKind("", "Loss"),
    "samples_per_s_per_chip": QuantityKind("samples/s", "Samples/s per chip"),
    "tokens_per_s": QuantityKind("tokens/s", "Tokens/s of all chips"),
    "train_runtime_s": QuantityKind("s", "Time of the run"),
    "data_wait_s": QuantityKind("s", "Waiting for data a step"),
    "save_s": QuantityKind("s", "Time to save a state"),
    "requests_per_s": QuantityKind("requests/s", "Requests/s"),
    "input_tokens_per_s": QuantityKind("tokens/s", "Tokens read/s"),
    "total_tokens_per_s": QuantityKind("tokens/s", "Tokens read and written/s"),
    "output_tokens_per_s_per_chip": QuantityKind("tokens/s", "Tokens written/s per chip"),
    "ttft_ms": QuantityKind("ms", "Time to first token"),
    "tpot_ms": QuantityKind("ms", "Time per output token"),
    "itl_ms": QuantityKind("ms", "Time between tokens"),
    "e2e_latency_ms": QuantityKind("ms", "Time of a whole request"),
    "bus_bandwidth_gb_per_s": QuantityKind("GB/s", "Bus bandwidth of a collective"),
    "collective_latency_us": QuantityKind("us", "Latency of a collective"),
    "copy_bandwidth_gb_per_s": QuantityKind("GB/s", "Bandwidth of a copy"),
    "storage_read_gb_per_s": QuantityKind("GB/s", "Read from storage by a host"),
}
"""By name. A format with quantities of its own declares them with itself."""

_MOST = 1e15
"""No reading of any quantity is so large in any unit; sums of such figures stay finite."""


def reading(text: str) -> float:
    """The number as a log prints it; NaN, which is unknown, for any other text and for what nothing measures."""
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if abs(value) < _MOST else math.nan


_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")


def grouped_reading(text: str) -> float:
    """The same of a number that may have a comma between groups of three digits (``10,050``) or a stop after it.

    NaN where a comma stands elsewhere: some programs and languages print it as a decimal point, ``127,69``.
    """
    bare = text.strip().rstrip(".,")
    if "," not in bare:
        return reading(bare)
    return reading(bare.replace(",", "")) if _GROUPED.fullmatch(bare) else math.nan
