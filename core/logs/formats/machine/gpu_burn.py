"""gpu-burn: what GPUs reach in multiplying matrices over and over, their temperatures, and errors.

A progress line is drawn anew with carriage returns and says both for all GPUs: ``proc'd: 10 (13500 Gflop/s) - ...
errors: 0 - 0   temps: 47 C - 48 C``. The rate is of one bare multiplication, so it is a quantity of its own and no
speed of a job.
"""

from __future__ import annotations

import math
import re
from itertools import zip_longest

from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import SHARED, QuantityKind, reading
from core.logs.registry import Finding, LogFormat

_ID = "gpu-burn"
_RATE = re.compile(r"\(([\d.]{1,12}) Gflop/s\)")
_HEAT = re.compile(r"(\d{1,3}|--) C\b")
_NAMED = re.compile(r"^GPU \d{1,4}: (.{1,120}?) \(UUID: ")
_MOST_GPUS = 1000
_KINDS = {"burn_tflops_per_chip": QuantityKind("TFLOP/s", "Multiplying matrices, per chip")}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)

    def take(self, number: int, line: str) -> bool:
        """True for a progress line and for a GPU's name."""
        if match := _NAMED.match(line):
            self._log.note_name(match[1])
            return True
        if not _begins(line):
            return False
        self._log.use(number)
        rates = [reading(text) / 1000 for text in _RATE.findall(line)[:_MOST_GPUS]]
        heats = [reading(text) for text in _HEAT.findall(line.partition("temps:")[2])[:_MOST_GPUS]]
        self._log.ticks.end_tick()
        for place, (rate, heat) in enumerate(zip_longest(rates, heats, fillvalue=math.nan)):
            values = {"burn_tflops_per_chip": rate if rate > 0 else math.nan, "temperature_c": heat}
            self._log.ticks.add(str(place), values)
        return True

    def finish(self) -> list[Finding]:
        """One record of all progress lines."""
        return [self._log.finding("progress of gpu-burn without a rate", "a run that was longer", {**SHARED, **_KINDS})]


def _begins(line: str) -> bool:
    return "proc'd:" in line and "Gflop/s" in line


FORMAT = LogFormat(_ID, "gpu-burn", "gpu-burn", marks=("proc'd:",), begins=_begins, reader=_Reader, quantities=_KINDS)
