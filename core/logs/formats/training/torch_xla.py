"""PyTorch/XLA's example trainers: ``| Training Device=xla:0/3 Epoch=1 Step=280 Loss=.. Rate=1760.91 GlobalRate=..``.

One line a device; ``Rate`` is samples/s of that device now, ``GlobalRate`` drags the compilation along. Older releases
(2019) print ``[xla:1](20) Loss=.. Rate=..``. The time of day has no date.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.constants import SECONDS_PER_DAY
from core.logs.quantities import reading
from core.logs.record import Series
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import settings_in
from core.logs.training.steps import Runs, StepTable, chip_count

_STEP = re.compile(
    r"(?:Device=(?P<device>[\w:/-]{1,40})|\[(?P<old>[\w:/-]{1,40})\]\((?P<old_step>\d{1,12})\))\s"
    r"(?:Epoch=(?P<epoch>\d{1,6})\s)?(?:Step=(?P<step>\d{1,12})\s)?Loss=(?P<loss>[\w.+-]{1,20})\s"
    r"Rate=(?P<rate>[\d.]{1,20})\sGlobalRate=(?:\S{1,20}\sTime=(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d))?"
)
_STEPS_AN_EPOCH = 1e7
"""Steps count from 0 in each epoch; no epoch has so many."""

_MOST_DEVICES = 1_000_000


class _Reader:
    """Rows of all devices; those of one step are one row."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "PyTorch/XLA", 1, _of_all)
        self._devices: set[str] = set()
        self._last_s = self._midnight_s = 0.0

    def take(self, number: int, line: str) -> bool:
        """True for a rate of a device."""
        match = _STEP.search(line) if "GlobalRate=" in line else None
        if match is None:
            self._runs.note(settings_in(line))
            return False
        if len(self._devices) < _MOST_DEVICES:
            self._devices.add(match["device"] or match["old"])
        values = {"samples_per_s_per_chip": reading(match["rate"]), "loss": reading(match["loss"])}
        step = reading(match["epoch"] or "0") * _STEPS_AN_EPOCH + reading(match["step"] or match["old_step"] or "nan")
        self._runs.add(number, step, values, at_s=self._at_s(match))
        self._runs.note({"n_accelerators": float(len(self._devices))}, replaces=True)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as '| Training Device=xla:0/0 Step=20 Loss=.. Rate=.. GlobalRate=..'")

    def _at_s(self, match: re.Match[str]) -> float:
        """Seconds since the first midnight; NaN where no time is printed."""
        if match["hour"] is None:
            return math.nan
        of_day_s = 3600.0 * int(match["hour"]) + 60.0 * int(match["minute"]) + int(match["second"])
        if of_day_s < self._last_s - SECONDS_PER_DAY / 2:
            self._midnight_s += SECONDS_PER_DAY
        self._last_s = of_day_s
        return self._midnight_s + of_day_s


def _of_all(table: StepTable) -> dict[str, Series]:
    """samples/s of all devices = samples/s a device (the mean of a step) x devices seen."""
    rate = table.columns.get("samples_per_s_per_chip", np.full(len(table.step), np.nan))
    return {"samples_per_s": rate * (chip_count(table.facts) or math.nan)}


FORMAT = LogFormat(
    "torch-xla",
    "PyTorch/XLA rate lines",
    "PyTorch/XLA rates",
    marks=("GlobalRate=",),
    begins=lambda line: bool(_STEP.search(line)),
    reader=_Reader,
)
