"""Cells of machine logs: a number with or without its unit -> the program's own units."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

from core.logs.quantities import grouped_reading
from core.units import GIB

_CELL = re.compile(r"^\s*([-+]?[\d.,]{1,40}(?:[eE][-+]?\d{1,3})?)\s?([A-Za-z%°/µ]{0,8})\s*$")

_FACTORS: Mapping[str, Mapping[str, float]] = {
    "gib": {
        "b": 1 / GIB, "bytes": 1 / GIB, "kib": 2**10 / GIB, "mib": 2**20 / GIB, "gib": 1.0, "tib": 1024.0,
        "kb": 1e3 / GIB, "mb": 1e6 / GIB, "gb": 1e9 / GIB,
    },
    "w": {"w": 1.0, "mw": 1e-3, "kw": 1e3, "uw": 1e-6, "watts": 1.0},
    "mhz": {"mhz": 1.0, "ghz": 1e3, "khz": 1e-3, "hz": 1e-6},
    "pct": {"%": 1.0, "pct": 1.0, "percent": 1.0},
    "c": {"c": 1.0, "°c": 1.0},
    "gb_per_s": {
        "gb/s": 1.0, "mb/s": 1e-3, "kb/s": 1e-6, "b/s": 1e-9,
        "gib/s": GIB / 1e9, "mib/s": 2**20 / 1e9, "kib/s": 2**10 / 1e9,
    },
}  # fmt: skip
_ENDINGS = (("_gib", "gib"), ("_gb_per_s", "gb_per_s"), ("_pct", "pct"), ("_mhz", "mhz"), ("_w", "w"), ("_c", "c"))


def kind_of(quantity: str) -> str:
    """The kind of unit that a quantity is in, by the end of its name; empty where it has none of a machine's."""
    return next((kind for ending, kind in _ENDINGS if quantity.endswith(ending)), "")


def factor_to_ours(quantity: str, unit: str) -> float:
    """What a number in the printed unit is multiplied with; NaN for a unit that the quantity cannot have."""
    return _FACTORS[kind_of(quantity)].get(unit.lower(), math.nan)


@lru_cache(maxsize=16_384)  # cells repeat: percents, clocks, sizes
def cell_reading(quantity: str, cell: str, unit: str) -> float:
    """The cell in the quantity's own unit: by the unit that it prints, else by the one given. NaN without a number."""
    match = _CELL.match(cell[:80])
    if not match:
        return math.nan
    return grouped_reading(match[1]) * factor_to_ours(quantity, match[2] or unit)
