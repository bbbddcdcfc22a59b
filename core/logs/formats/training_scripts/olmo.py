"""OLMo: ``[step=10/1000,epoch=0]`` and below it metrics such as ``throughput/device/tokens_per_second=12,345``.

OLMo-core shortens names: ``throughput/device/TPS``, ``throughput/device/MFU`` in percent.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import grouped_reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.steps import Runs, by_batch

_HEAD = re.compile(r"\[step=([\d,]{1,15})(?:/[\d,]{1,15})?(?:,\s?epoch=[\d/]{1,15})?\]")
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?)")
_METRIC = re.compile(r"^\s{1,12}([\w/ .()-]{3,80})=([-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?)\s{0,4}$")
_NAMES = {
    "throughput/device/tokens_per_second": ("tokens_per_s_per_chip", 1.0),
    "throughput/device/TPS": ("tokens_per_s_per_chip", 1.0),
    "throughput/device/MFU": ("mfu_pct", 1.0),
    "train/CrossEntropyLoss": ("loss", 1.0),
    "train/CE loss": ("loss", 1.0),
    "System/Peak GPU Memory (MB)": ("memory_used_gib", 1 / 1024),
}
_PACES = ("throughput/device/batches_per_second", "throughput/device/BPS")


class _Reader:
    """Metrics below the head of each step."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "OLMo", 1, by_batch)
        self._row: dict[str, float] = {}
        self._step, self._line, self._stamp = math.nan, 0, ""

    def take(self, number: int, line: str) -> bool:
        """True for the head of a step and for a metric."""
        if "[step=" in line and (head := _HEAD.search(line)):
            self._flush()
            stamp = _STAMP.search(line[: head.start()])
            self._step, self._line = grouped_reading(head[1]), number
            self._stamp = stamp[1] if stamp else ""
            return True
        match = _METRIC.match(line) if self._line and "=" in line else None
        if match is None:
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
            return False
        value = grouped_reading(match[2])
        if match[1] in _NAMES:
            ours, factor = _NAMES[match[1]]
            self._row[ours] = value * factor
        elif match[1] in _PACES and value > 0:
            self._row["step_time_s"] = 1.0 / value
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        self._flush()
        return self._runs.finish("lines such as 'throughput/device/tokens_per_second=12,345' below '[step=10/1000]'")

    def _flush(self) -> None:
        if self._row.keys() - {"loss"}:
            self._runs.add(self._line, self._step, self._row, self._stamp)
        self._row = {}


FORMAT = LogFormat(
    "olmo",
    "OLMo output",
    "OLMo",
    marks=("[step=",),
    begins=lambda line: bool(_HEAD.search(line)),
    reader=_Reader,
)
