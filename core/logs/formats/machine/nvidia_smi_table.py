"""The plain screen of ``nvidia-smi``: utilisation, power, memory and temperature; many screens are a series.

Two lines a GPU, three since driver 450; borders moved in driver 5xx, so that lines are told by what they hold.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of_ctime

_ID = "nvidia-smi-table"
_SCREEN = re.compile(r"^\|\s*NVIDIA-SMI\s+(\S{1,40})")
_DRIVER = re.compile(r"(?:Driver|KMD) Version: (\S{1,40})")
_NAMED = re.compile(
    r"^\|\s{1,6}(\d{1,3})\s{1,6}(\S.{0,60}?)\s+(?:On|Off|TCC|WDDM|MCDM|N/A|Enabled|Disabled)\s*\|"
    r"\s*(?:[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:|N/A\s)"
)
_MEMORY = re.compile(r"(\d{1,9})MiB\s*/\s*(\d{1,9})MiB")
_POWER = re.compile(r"(\d{1,6}|N/A|ERR!)W?\s*/\s*(\d{1,6}|N/A|ERR!)W?\s*\|")
_HEAT = re.compile(r"\s(\d{1,3})C\s")
_BUSY = re.compile(r"\|\s*(\d{1,3})%\s[^|]{0,60}\|\s{0,200}$")
"""In the last cell: the first one holds the fan's percent."""

_MIB = 1 / 1024


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._time_s = math.nan
        self._chip = self._name = ""
        self._is_in_screen = False

    def take(self, number: int, line: str) -> bool:
        """True for a line of a screen."""
        if (seconds := seconds_of_ctime(line)) is not None and not line.startswith("|"):
            self._time_s, self._is_in_screen = seconds, False
            if "Every" not in line:
                self._log.note_start(line)
            return False
        if match := _SCREEN.match(line):
            self._log.ticks.end_tick()
            driver = _DRIVER.search(line)
            self._log.facts["driver"] = driver[1] if driver else match[1]
            self._is_in_screen = True
        elif not self._is_in_screen or not line.startswith(("|", "+")):
            return False
        elif match := _NAMED.match(line):
            self._chip, self._name = match[1], match[2].strip()
        elif self._chip and line.startswith("|"):
            self._take_readings(line, _MEMORY.search(line))
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all screens."""
        found = "GPUs of which nvidia-smi knows nothing" if self._log.names else "a screen of nvidia-smi without a GPU"
        return [self._log.finding(found, "two lines of readings for each GPU")]

    def _take_readings(self, line: str, memory: re.Match[str] | None) -> None:
        """The second line of a GPU; a chip that shares the host's memory prints ``Not Supported`` for it."""
        power, heat, busy = _POWER.search(line), _HEAT.search(line), _BUSY.search(line)
        total_gib = reading(memory[2]) * _MIB if memory else math.nan
        values = {
            "memory_used_gib": reading(memory[1]) * _MIB if memory else math.nan,
            "memory_total_gib": total_gib,
            "power_w": reading(power[1]) if power else math.nan,
            "power_limit_w": reading(power[2]) if power else math.nan,
            "temperature_c": reading(heat[1]) if heat else math.nan,
            "utilization_pct": reading(busy[1]) if busy else math.nan,
        }
        self._log.note_name(self._name, _whole_name(self._name, total_gib))
        self._log.ticks.add(self._chip, values, self._time_s)
        self._chip = ""


def _whole_name(name: str, total_gib: float) -> str:
    """A name that old drivers cut (``Tesla V100-SXM2...``) with what the memory tells of the rest."""
    if not name.endswith("...") or math.isnan(total_gib):
        return name
    start = name.removesuffix("...").rstrip()
    return f"{start}{'E' if start.endswith('PCI') else ''} {total_gib:.0f}GB"


FORMAT = LogFormat(
    _ID,
    "nvidia-smi screen",
    "nvidia-smi screen",
    marks=("NVIDIA-SMI",),
    begins=lambda line: bool(_SCREEN.match(line)),
    reader=_Reader,
)
