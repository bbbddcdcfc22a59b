"""``rocm-smi`` as text: its concise table, a row a GPU, and its lists ``GPU[0] : key: value`` of ``--show...``.

The table's columns changed with the releases (4 to 7): a temperature, a power, clocks with ``Mhz``, the cap, the share
of the memory and that of the GPU. The share of the memory says no size, so that it is left alone.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.amd_keys import ROCM_KEYS, rocm_name, rocm_readings
from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of_ctime

_ID = "rocm-smi-text"
_TITLE = re.compile(r"^={2,120} ?(?:ROCm System Management Interface|ROCm SMI Log)")
_ENTRY = re.compile(r"^GPU\[(\d{1,4})\]\s*:\s*([^\n:]{1,80}?):{1,2}\s*(\S[^\n]{0,80}?)\s*$")
_ROW = re.compile(r"^(\d{1,4})\s{1,12}\S.{0,300}\s(\d{1,3})%\s+(\d{1,3})%\s*$")
_HEAT = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d)?) ?°?[cC](?![a-zA-Z])")
_POWERS = re.compile(r"(?<![\w.])(\d{1,5}(?:\.\d{1,3})?) ?W(?![a-zA-Z])")
_CLOCKS = re.compile(r"(?<![\w.])(\d{1,5}) ?Mhz", re.IGNORECASE)
_LINES_TO_A_NAME = 2
_END = "End of ROCm SMI Log"


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._time_s = math.nan
        self._cards: dict[str, dict[str, str]] = {}
        self._is_open = False
        self._since_row = _LINES_TO_A_NAME + 1

    def take(self, number: int, line: str) -> bool:
        """True for a line of the table or of a list."""
        self._since_row += 1
        if (seconds := seconds_of_ctime(line)) is not None:
            self._time_s = seconds
            self._log.note_start(line)
            return False
        if _TITLE.match(line):
            self._end_screen()
        elif self._is_open and _END in line:
            self._is_open = False
            self._log.use(number)
            return True
        elif self._is_open and line.startswith(("===", "Device", "GPU  ", "  ")):
            self._note_name(line)
        elif match := _ENTRY.match(line):
            self._cards.setdefault(match[1], {}).setdefault(match[2].strip(), match[3])
        elif not self._is_open or not (match := _ROW.match(line)):
            return False
        else:
            self._log.ticks.add(match[1], _readings(line, match), self._time_s)
            self._since_row = 0
        self._is_open = True
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all screens."""
        self._end_screen()
        return [self._log.finding("a screen of rocm-smi without a reading", "a row of readings for each GPU")]

    def _note_name(self, line: str) -> None:
        """The line below a row holds the card's name in some releases."""
        if self._since_row <= _LINES_TO_A_NAME and line.strip().startswith("AMD"):
            self._log.note_name(line.strip())

    def _end_screen(self) -> None:
        self._log.ticks.end_tick()
        for chip, values in self._cards.items():
            known = rocm_readings(values)
            self._log.ticks.add(chip, {**known, "power_w": known.get("power_w") or math.nan}, self._time_s)
            self._log.note_name(rocm_name(values))
        self._cards = {}


def _readings(line: str, row: re.Match[str]) -> dict[str, float]:
    powers, clocks = _POWERS.findall(line), _CLOCKS.findall(line)
    heat = _HEAT.search(line)
    return {
        "utilization_pct": reading(row[3]),
        "temperature_c": reading(heat[1]) if heat else math.nan,
        "power_w": (reading(powers[0]) or math.nan) if len(powers) > 1 else math.nan,
        "power_limit_w": (reading(powers[-1]) or math.nan) if powers else math.nan,
        "sm_clock_mhz": reading(clocks[0]) if len(clocks) == 2 else math.nan,
        "memory_clock_mhz": reading(clocks[1]) if len(clocks) == 2 else math.nan,
    }


def _begins(line: str) -> bool:
    match = _ENTRY.match(line)
    return bool(_TITLE.match(line)) or (match is not None and match[2].strip().lower() in ROCM_KEYS)


FORMAT = LogFormat(_ID, "rocm-smi screen", "rocm-smi screen", marks=("ROCm S", "GPU["), begins=_begins, reader=_Reader)
