"""JSON of ``gpustat --json`` and of ``nvtop -s``: one instant each; a loop writes one after the other.

gpustat gives numbers in MiB, W and percent and null for what is not supported; nvtop texts with their units ("117W").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.units import cell_reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of_line

_ID = "gpustat"
_KEYS = {
    "utilization.gpu": ("utilization_pct", "%"),
    "memory.used": ("memory_used_gib", "MiB"),
    "memory.total": ("memory_total_gib", "MiB"),
    "power.draw": ("power_w", "W"),
    "enforced.power.limit": ("power_limit_w", "W"),
    "temperature.gpu": ("temperature_c", "C"),
    "gpu_util": ("utilization_pct", "%"),
    "power_draw": ("power_w", "W"),
    "gpu_clock": ("sm_clock_mhz", "MHz"),
    "mem_clock": ("memory_clock_mhz", "MHz"),
    "temp": ("temperature_c", "C"),
    "mem_used": ("memory_used_gib", "B"),
    "mem_total": ("memory_total_gib", "B"),
}


def _gpus(value: Any) -> list[Mapping[str, Any]]:
    gpus = value.get("gpus") if isinstance(value, Mapping) else value
    if not isinstance(gpus, Sequence) or isinstance(gpus, str):
        return []
    names = {"utilization.gpu", "memory.used"} if isinstance(value, Mapping) else {"device_name", "gpu_util"}
    return [gpu for gpu in gpus if isinstance(gpu, Mapping) and names <= gpu.keys()]


def _instants(value: Any) -> list[Any]:
    """The value where it is one instant, else those that it lists."""
    if _gpus(value):
        return [value]
    return [one for one in value if isinstance(one, Mapping) and _gpus(one)] if isinstance(value, list) else []


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    log = MachineLog(file_name, _ID)
    for document in documents:
        log.use(document.line)
        for instant in _instants(document.value):
            _take(log, instant, document.stamp)
    return [log.finding("GPUs without a reading", "their utilisation, memory or power")]


def _take(log: MachineLog, instant: Any, printed: str) -> None:
    log.ticks.end_tick()
    top = instant if isinstance(instant, Mapping) else {}
    stamp = str(top.get("query_time") or printed)
    log.note_start(stamp)
    seconds = seconds_of_line(stamp)
    for name, fact in (("hostname", "host"), ("driver_version", "driver")):
        log.facts[fact] = str(top.get(name) or "")
    for place, gpu in enumerate(_gpus(instant)):
        log.note_name(str(gpu.get("name") or gpu.get("device_name") or ""))
        values = {
            ours: cell_reading(ours, _text(gpu.get(key)), unit) for key, (ours, unit) in _KEYS.items() if key in gpu
        }
        log.ticks.add(str(gpu.get("index", place)), values, math.nan if seconds is None else seconds)


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, bool) else str(value)


FORMAT = LogFormat(
    _ID,
    "gpustat or nvtop JSON",
    "gpustat or nvtop",
    fits=lambda value: bool(_instants(value)),
    documents=_read,
)
