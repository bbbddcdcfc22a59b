"""``rocm-smi --csv``: a header that begins with ``device``, then one row a card; headers repeat in a loop."""

from __future__ import annotations

import csv
import math
import re

from core.logs.machine.amd_keys import ROCM_KEYS, rocm_name, rocm_readings
from core.logs.machine.machine_log import MachineLog
from core.logs.registry import Finding, LogFormat

_ID = "rocm-smi-csv"
_CARD = re.compile(r"^card(\d{1,4}),")


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._names: list[str] = []

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        if _begins(line):
            self._names = _cells(line)
        elif not self._names or not (match := _CARD.match(line)):
            return False
        else:
            cells = _cells(line)
            if len(cells) != len(self._names):
                self._log.skipped["row cut short"] += 1
            else:
                named = dict(zip(self._names, cells, strict=True))
                values = rocm_readings(named)
                self._log.ticks.add(match[1], {**values, "power_w": values.get("power_w") or math.nan})
                self._log.note_name(rocm_name(named))
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all rows."""
        return [self._log.finding("a header of rocm-smi without a whole row", "rows of readings below it")]


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _begins(line: str) -> bool:
    return line.startswith("device,") and any(name.lower().strip() in ROCM_KEYS for name in _cells(line))


FORMAT = LogFormat(_ID, "rocm-smi CSV", "rocm-smi CSV", marks=("device,",), begins=_begins, reader=_Reader)
