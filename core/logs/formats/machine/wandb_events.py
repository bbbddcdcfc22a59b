"""System metrics that Weights & Biases records beside a run: objects with ``system.gpu.0.gpu`` and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.units import cell_reading
from core.logs.quantities import reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of_number

_ID = "wandb-events"
_KEY = re.compile(r"system\.gpu\.(\d{1,4})\.(\w{1,60})")
_NAMES = {
    "gpu": ("utilization_pct", "%"),
    "memory": ("memory_busy_pct", "%"),
    "memoryAllocatedBytes": ("memory_used_gib", "B"),
    "powerWatts": ("power_w", "W"),
    "enforcedPowerLimitWatts": ("power_limit_w", "W"),
    "temp": ("temperature_c", "C"),
    "smClock": ("sm_clock_mhz", "MHz"),
    "memoryClock": ("memory_clock_mhz", "MHz"),
}


def _fits(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(name, str) and _KEY.fullmatch(name) for name in value)


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    log = MachineLog(file_name, _ID)
    for document in documents:
        log.use(document.line)
        log.ticks.end_tick()
        time_s = seconds_of_number(str(document.value.get("_timestamp")))
        time_s = reading(str(document.value.get("_runtime"))) if time_s is None else time_s
        for chip, values in _by_chip(document.value).items():
            log.ticks.add(chip, values, time_s)
    return [log.finding("system metrics without a reading of a GPU", "their utilisation, memory or power")]


def _by_chip(event: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    chips: dict[str, dict[str, float]] = {}
    for name, value in event.items():
        match = _KEY.fullmatch(name)
        if match and match[2] in _NAMES and isinstance(value, int | float) and not isinstance(value, bool):
            ours, unit = _NAMES[match[2]]
            chips.setdefault(match[1], {})[ours] = cell_reading(ours, str(value), unit)
    return chips


FORMAT = LogFormat(_ID, "Weights & Biases system metrics", "Weights & Biases system", fits=_fits, documents=_read)
