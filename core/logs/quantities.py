"""What logs measure: quantities that all formats share, each with its unit, its name and its place in the charts."""

from __future__ import annotations

import math
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
    "memory_total_gib": QuantityKind("GiB", "Memory of the chip"),
    "power_limit_w": QuantityKind("W", "Power limit"),
    "temperature_c": QuantityKind("°C", "Temperature"),
    "sm_clock_mhz": QuantityKind("MHz", "Clock of the multiprocessors"),
    "tflops_per_chip": QuantityKind("TFLOP/s", "TFLOP/s per chip"),
    "loss": QuantityKind("", "Loss"),
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
