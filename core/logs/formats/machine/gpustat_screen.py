"""``gpustat`` as text: a line with host, time and driver, then ``[0] name | 45°C, 98 % | 71234 / 81920 MB | user``.

Its MB are MiB. A fan's share, the power and its limit stand there where they are asked for.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of_ctime

_ID = "gpustat-screen"
_ROW = re.compile(
    r"^\[(?P<chip>[\w:.-]{1,40})\]\s+(?P<name>\S[^|]{0,80}?)\s*\|(?P<state>[^|]{1,80})\|"
    r"\s*(?P<used>\d{1,9}|\?\?)\s*/\s*(?P<total>\d{1,9}|\?\?)\s*MB"
)
_HEAT = re.compile(r"(\d{1,3})\s?(?:°|')C")
_BUSY = re.compile(r"C,\s*(?:\d{1,3} ?%,)?\s*(\d{1,3}) ?%")
_POWER = re.compile(r"(\d{1,5}|\?\?)\s*/\s*(\d{1,5}|\?\?)\s*W|(\d{1,5})\s*W")
_MIB = 1 / 1024


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._time_s = math.nan

    def take(self, number: int, line: str) -> bool:
        """True for a GPU's line."""
        match = _ROW.match(line)
        if match is None:
            self._take_head(line)
            return False
        self._log.note_name(match["name"])
        self._log.ticks.add(match["chip"], _readings(match), self._time_s)
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all screens."""
        return [self._log.finding("a screen of gpustat without a reading", "memory or utilisation of a GPU")]

    def _take_head(self, line: str) -> None:
        seconds = seconds_of_ctime(line)
        if seconds is None:
            return
        self._log.ticks.end_tick()
        self._time_s = seconds
        self._log.note_start(line.split(None, 1)[-1].rpartition("  ")[0].strip() or line)


def _readings(match: re.Match[str]) -> dict[str, float]:
    state = match["state"]
    heat, busy, power = _HEAT.search(state), _BUSY.search(state), _POWER.search(state)
    return {
        "temperature_c": reading(heat[1]) if heat else math.nan,
        "utilization_pct": reading(busy[1]) if busy else math.nan,
        "power_w": reading(power[1] or power[3]) if power else math.nan,
        "power_limit_w": reading(power[2] or "") if power else math.nan,
        "memory_used_gib": reading(match["used"]) * _MIB,
        "memory_total_gib": reading(match["total"]) * _MIB,
    }


FORMAT = LogFormat(
    _ID,
    "gpustat screen",
    "gpustat screen",
    marks=(" MB",),
    begins=lambda line: bool(_ROW.match(line)),
    reader=_Reader,
)
