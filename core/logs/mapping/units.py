"""Units that a column of a table may be in, by what it measures, and the factor from each to the unit we keep."""

from __future__ import annotations

from collections.abc import Mapping

from core.logs.quantities import SHARED
from core.units import GIB

_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
_BYTES = {
    "GiB": 1.0, "MiB": 2.0**-10, "KiB": 2.0**-20, "bytes": 1 / GIB, "TiB": 2.0**10,
    "GB": 1e9 / GIB, "MB": 1e6 / GIB, "kB": 1e3 / GIB,
}  # fmt: skip
_GB_PER_S = {
    "GB/s": 1.0, "MB/s": 1e-3, "kB/s": 1e-6, "bytes/s": 1e-9, "Gbit/s": 0.125,
    "GiB/s": GIB / 1e9, "MiB/s": 2**20 / 1e9, "KiB/s": 2**10 / 1e9,
}  # fmt: skip
_KWH = {"kWh": 1.0, "Wh": 1e-3, "MJ": 1 / 3.6, "kJ": 1 / 3600, "J": 1 / 3.6e6, "mJ": 1 / 3.6e9}


def _rates(noun: str) -> dict[str, float]:
    return {f"{noun}/s": 1.0, f"{noun}/min": 1 / 60, f"{noun}/h": 1 / 3600, f"thousand {noun}/s": 1e3}


_BY_UNIT: Mapping[str, Mapping[str, float]] = {
    "%": {"%": 1.0, "0 to 1": 100.0},
    "GiB": _BYTES,
    "W": {"W": 1.0, "mW": 1e-3, "kW": 1e3},
    "kWh": _KWH,
    "s": _SECONDS,
    "ms": {unit: factor * 1e3 for unit, factor in _SECONDS.items()},
    "us": {unit: factor * 1e6 for unit, factor in _SECONDS.items()},
    "MHz": {"MHz": 1.0, "GHz": 1e3, "kHz": 1e-3, "Hz": 1e-6},
    "GB/s": _GB_PER_S,
    "TFLOP/s": {"TFLOP/s": 1.0, "GFLOP/s": 1e-3, "PFLOP/s": 1e3, "FLOP/s": 1e-12},
    "tokens/s": _rates("tokens"),
    "samples/s": _rates("samples"),
    "requests/s": _rates("requests"),
}

DATE_AND_TIME = "date and time"
TIME_OF_DAY = "time of day"
TIME_UNITS: Mapping[str, float] = {DATE_AND_TIME: 1.0, TIME_OF_DAY: 1.0, **_SECONDS}
"""Of a column that says when a row was read. A number may count from 1970 or from the start: only gaps are used."""


def units_of(quantity: str) -> Mapping[str, float]:
    """Units that a column of the quantity may be in -> factor to ours, ours first. KeyError for an unknown name."""
    ours = SHARED[quantity].unit
    return {ours: 1.0} | dict(_BY_UNIT.get(ours, {}))
