"""The plain screen of ``amd-smi`` (ROCm 7): two lines a GPU in a box; many screens are a series.

The first line has the name, how busy the memory is, the temperature and ``power/limit W``; the second how busy the GPU
is and ``used/total MB``, which are MiB.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of_ctime

_ID = "amd-smi-screen"
_SCREEN = re.compile(r"^\|\s{0,4}AMD-SMI\s+(\S{1,60})")
_DRIVER = re.compile(r"amdgpu version: (\S{1,40})")
_NAMED = re.compile(
    r"^\|\s{0,4}[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d\s{1,12}(\S[^|]{0,60}?)\s{0,12}\|(.{1,80})\|"
)
_OWN = re.compile(r"^\|\s{0,6}(\d{1,4})\s[^|]{1,60}\|(.{1,80})\|")
_SHARE = re.compile(r"^\s*([\d.]{1,6}) ?%")
_HEAT = re.compile(r"\s(\d{1,3}) ?°C")
_POWER = re.compile(r"(\d{1,5}|N/A)\s?/\s?(\d{1,5}|N/A) ?W")
_MEMORY = re.compile(r"(\d{1,9})\s?/\s?(\d{1,9}) ?MB")
_MIB = 1 / 1024


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._time_s = math.nan
        self._first: tuple[str, dict[str, float]] | None = None
        self._is_in_screen = False

    def take(self, number: int, line: str) -> bool:
        """True for a line of a screen."""
        if (seconds := seconds_of_ctime(line)) is not None and not line.startswith("|"):
            self._time_s, self._is_in_screen = seconds, False
            self._log.note_start(line)
            return False
        if match := _SCREEN.match(line):
            self._log.ticks.end_tick()
            driver = _DRIVER.search(line)
            self._log.facts |= {"version": match[1], "driver": driver[1] if driver else None}
            self._is_in_screen = True
        elif not self._is_in_screen or not line.startswith(("|", "+")):
            return False
        elif match := _NAMED.match(line):
            self._log.note_name(match[1])
            self._first = match[1], _first_line(match[2])
        elif self._first and (match := _OWN.match(line)):
            self._log.ticks.add(match[1], self._first[1] | _second_line(match[2]), self._time_s)
            self._first = None
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all screens."""
        return [self._log.finding("a screen of amd-smi without a GPU", "two lines of readings for each GPU")]


def _first_line(cells: str) -> dict[str, float]:
    power = _POWER.search(cells)
    return {
        "memory_busy_pct": _number(_SHARE.search(cells)),
        "temperature_c": _number(_HEAT.search(cells)),
        "power_w": _number(power),
        "power_limit_w": _number(power, 2),
    }


def _second_line(cells: str) -> dict[str, float]:
    memory = _MEMORY.search(cells)
    return {
        "utilization_pct": _number(_SHARE.search(cells)),
        "memory_used_gib": _number(memory) * _MIB,
        "memory_total_gib": _number(memory, 2) * _MIB,
    }


def _number(match: re.Match[str] | None, group: int = 1) -> float:
    return reading(match[group]) if match else math.nan


FORMAT = LogFormat(
    _ID,
    "amd-smi screen",
    "amd-smi screen",
    marks=("AMD-SMI",),
    begins=lambda line: bool(_SCREEN.match(line)),
    reader=_Reader,
)
