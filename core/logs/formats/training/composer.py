"""Composer's and LLM Foundry's console: ``[batch=10/1000]:``, then ``Train throughput/device/tokens_per_sec: 1234.5``.

Memory is in GB of 10^9 bytes; ``time/train`` is hours since the start. The number of chips follows from a rate of all
and the same rate a device.
"""

from __future__ import annotations

import math
import re

from core.constants import SECONDS_PER_HOUR
from core.logs.quantities import grouped_reading, reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.steps import Runs, by_clock
from core.units import GIB

_BATCH = re.compile(r"\[batch=(\d{1,12})(?:/\d{1,12})?\]")
_METRIC = re.compile(
    r"\bTrain (?P<name>[a-z_]{1,30}/[\w/]{1,80}): (?P<value>[-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?)\s{0,4}$"
)
_GIB_PER_GB = 1e9 / GIB
_NAMES = {
    "throughput/device/tokens_per_sec": ("tokens_per_s_per_chip", 1.0),
    "throughput/tokens_per_sec": ("tokens_per_s", 1.0),
    "throughput/device/samples_per_sec": ("samples_per_s_per_chip", 1.0),
    "throughput/samples_per_sec": ("samples_per_s", 1.0),
    "throughput/device/flops_per_sec": ("tflops_per_chip", 1e-12),
    "throughput/device/mfu": ("mfu_pct", 100.0),
    "loss/train/total": ("loss", 1.0),
    "memory/peak_reserved_mem": ("memory_used_gib", _GIB_PER_GB),
    "memory/reserved_mem": ("memory_used_gib", _GIB_PER_GB),
    "memory/current_reserved_mem": ("memory_used_gib", _GIB_PER_GB),
}
_MOST_AGREED = 0.02


class _Reader:
    """Metrics of a batch until one comes again or the next batch begins."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "Composer", 1, by_clock)
        self._row: dict[str, float] = {}
        self._step = self._at_s = math.nan
        self._first_line = 0
        self._seen: set[str] = set()

    def take(self, number: int, line: str) -> bool:
        """True for the head of a batch and for a metric."""
        batch = _BATCH.search(line) if "[batch=" in line else None
        if batch is not None:
            self._flush()
            self._step = reading(batch[1])
        match = _METRIC.search(line) if "Train " in line else None
        if match is not None:
            self._keep(number, match["name"], grouped_reading(match["value"]))
        elif batch is None:
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
        return batch is not None or match is not None

    def finish(self) -> list[Finding]:
        """A record a run."""
        self._flush()
        return self._runs.finish("lines such as 'Train throughput/device/tokens_per_sec: 1234.5'")

    def _keep(self, number: int, name: str, value: float) -> None:
        if name in self._seen:
            self._flush()
        self._seen.add(name)
        self._first_line = self._first_line or number
        if name in _NAMES:
            ours, factor = _NAMES[name]
            self._row.setdefault(ours, value * factor)
        elif name == "throughput/batches_per_sec" and value > 0:
            self._row["step_time_s"] = 1.0 / value
        elif name == "time/batch":
            self._step = value
        elif name == "time/train":
            self._at_s = value * SECONDS_PER_HOUR

    def _flush(self) -> None:
        if self._row:
            self._runs.note({"n_accelerators": _chips(self._row)})
            self._runs.add(self._first_line, self._step, self._row, at_s=self._at_s)
        self._row, self._seen = {}, set()
        self._step = self._at_s = math.nan
        self._first_line = 0


def _chips(row: dict[str, float]) -> float:
    """Rate of all chips / rate of one, where that is a whole number; NaN else."""
    for name in ("tokens_per_s", "samples_per_s"):
        ratio = row.get(name, math.nan) / (row.get(f"{name}_per_chip", math.nan) or math.nan)
        if ratio >= 1 and abs(ratio - round(ratio)) < _MOST_AGREED:
            return float(round(ratio))
    return math.nan


FORMAT = LogFormat(
    "composer",
    "Composer output",
    "Composer",
    marks=("Train throughput/", "Train memory/", "Train loss/train/", "Train time/"),
    begins=lambda line: bool(_METRIC.search(line)),
    reader=_Reader,
)
