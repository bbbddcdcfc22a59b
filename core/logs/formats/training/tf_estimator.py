"""TensorFlow's Estimator and the official models' loops: ``global_step/sec``, ``examples/sec``, with glog or not.

Seen in outputs of TensorFlow 1.x and 2.x on TPUs, also within notebooks; no line says how many chips there were.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.quantities import reading
from core.logs.record import Series
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import settings_in
from core.logs.training.steps import Runs, StepTable, size

_NUMBER = r"(?<![\d.])([\d.]{1,20}(?:e[-+]?\d{1,3})?)"
_STEPS = re.compile(rf"\bglobal_step/sec: {_NUMBER}")
_EXAMPLES = re.compile(rf"\bexamples/sec: {_NUMBER}")
_LOSS = re.compile(rf"\bloss = (-?[\d.]{{1,20}}(?:e[-+]?\d{{1,3}})?), step = (\d{{1,12}})(?: \({_NUMBER} sec\))?")
_HISTORY = re.compile(
    rf"(?:{_NUMBER} seconds, )?{_NUMBER} (?:examples|images)/second between steps (\d{{1,12}}) and (\d{{1,12}})"
)
_MARKS = ("global_step/sec:", "examples/sec:", "examples/second between steps", "images/second between steps")


class _Reader:
    """A row begins with the rate of steps; the rate of examples and the loss that follow belong to it."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "TensorFlow Estimator", 1, _samples)
        self._row: dict[str, float] = {}
        self._line, self._step = 0, math.nan

    def take(self, number: int, line: str) -> bool:
        """True for a rate or a loss."""
        if "/sec" in line and (match := _STEPS.search(line)):
            self._begin(number, "step_time_s", 1.0 / max(reading(match[1]), 1e-12))
        elif "/sec" in line and (match := _EXAMPLES.search(line)):
            if "samples_per_s" in self._row:
                self._flush()
            self._row["samples_per_s"] = reading(match[1])
            self._line = number
        elif "/second between" in line and (match := _HISTORY.search(line)):
            first, last = reading(match[3]), reading(match[4])
            self._begin(number, "samples_per_s", reading(match[2]))
            self._row["step_time_s"] = reading(match[1] or "") / max(last - first, 1.0)
            self._step = last
        elif "loss = " in line and (match := _LOSS.search(line)):
            self._row.setdefault("loss", reading(match[1]))
            self._step, self._line = reading(match[2]), number
        else:
            self._runs.note(settings_in(line))
            return False
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        self._flush()
        return self._runs.finish("lines such as 'global_step/sec: 12.5'")

    def _begin(self, number: int, name: str, value: float) -> None:
        if name in self._row:
            self._flush()
        self._row[name] = value
        self._line = number

    def _flush(self) -> None:
        if self._row.keys() - {"loss"}:
            self._runs.add(self._line, self._step, self._row)
        self._row, self._step = {}, math.nan


def _samples(table: StepTable) -> dict[str, Series]:
    """samples/s = samples a step / seconds a step, where only the other two are printed."""
    none = np.full(len(table.step), np.nan)
    samples, seconds = table.columns.get("samples_per_s", none), table.columns.get("step_time_s", none)
    batch = size(table.facts, "global_batch")
    return {
        "samples_per_s": np.where(np.isnan(samples), batch / seconds, samples),
        "step_time_s": np.where(np.isnan(seconds), batch / samples, seconds),
    }


FORMAT = LogFormat(
    "tf-estimator",
    "TensorFlow Estimator output",
    "TensorFlow Estimator",
    marks=_MARKS,
    begins=lambda line: bool(_STEPS.search(line) or _EXAMPLES.search(line) or _HISTORY.search(line)),
    reader=_Reader,
)
