"""PyTorch/XLA's metrics report: how often it compiled, how long it ran, and what fell back to the host.

``Metric: CompileTime`` with ``TotalSamples``, ``Accumulator`` and ``Percentiles``; ``Counter: aten::nonzero`` with a
``Value``. Seen in reports of releases 1.5 to 2.x.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.facts import stated
from core.logs.quantities import QuantityKind, reading
from core.logs.record import LogRecord, Quantity, Refused, Subject
from core.logs.registry import Finding, LogFormat

OWN = {
    "graph_compilations": QuantityKind("", "Graphs compiled"),
    "graph_compile_s": QuantityKind("s", "Compiling a graph"),
    "graph_execute_s": QuantityKind("s", "Running a graph"),
    "host_fallback_operations": QuantityKind("", "Kinds of operations that ran on the host"),
    "host_fallback_calls": QuantityKind("", "Operations that ran on the host"),
    "transfers_from_chip_s": QuantityKind("s", "Fetching a tensor from the chip"),
}
_KEPT = {
    "CompileTime": "graph_compile_s",
    "ExecuteTime": "graph_execute_s",
    "ExecuteReplicatedTime": "graph_execute_s",
    "ExecuteComputation": "graph_execute_s",
    "TransferFromServerTime": "transfers_from_chip_s",
    "TransferFromDeviceTime": "transfers_from_chip_s",
}
_HEAD = re.compile(r"(?P<kind>Metric|Counter): (?P<name>[\w:.\[\]<>~-]{1,120})\s{0,4}$")
_FIELD = re.compile(r"(?P<name>TotalSamples|Accumulator|Percentiles|Value): (?P<value>\S.{0,400})")
_TIME_PART = re.compile(r"([\d.]{1,20})(d|h|ms|us|ns|m|s)")
_PERCENTILE = re.compile(r"(\d{1,2})%=((?:[\d.]{1,20}(?:d|h|ms|us|ns|m|s)){1,7})")
_UNITS_S = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class _Reader:
    """The last report of a file counts: its counters go on from those before."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._first_line = self._last_line = 0
        self._kind = self._name = ""
        self._metrics: dict[str, dict[str, str]] = {}
        self._counters: dict[str, float] = {}

    def take(self, number: int, line: str) -> bool:
        """True for a line of a report."""
        if ("Metric: " in line or "Counter: " in line) and (match := _HEAD.search(line)):
            self._kind, self._name = match["kind"], match["name"]
            self._first_line = self._first_line or number
        elif self._kind and (match := _FIELD.search(line)):
            self._keep(match["name"], match["value"])
        else:
            self._kind = self._kind if "Rate" in line[:12] or "Rate:" in line else ""
            return bool(self._kind)
        self._last_line = number
        return True

    def finish(self) -> list[Finding]:
        """One record a file."""
        quantities = _quantities(self._metrics, self._counters)
        if not quantities:
            example = "a report with CompileTime, ExecuteTime or counters of aten:: operations"
            return [Refused(FORMAT.id, self._first_line or 1, "a metrics report without those of compilation", example)]
        return [self._record(quantities)]

    def _keep(self, name: str, value: str) -> None:
        if self._kind == "Counter" and name == "Value" and len(self._counters) < 10_000:
            self._counters[self._name] = reading(value.strip())
        elif self._kind == "Metric" and self._name in _KEPT:
            self._metrics.setdefault(self._name, {})[name] = value

    def _record(self, quantities: dict[str, Quantity]) -> LogRecord:
        return LogRecord(
            file=self._file_name,
            format=FORMAT.id,
            n_lines=self._last_line - self._first_line + 1,
            skipped={},
            accelerator=None,
            accelerator_id=None,
            n_accelerators=None,
            start=None,
            time_s=np.zeros(0),
            series={},
            quantities=quantities,
            subject=Subject.TRAINING,
            first_line=self._first_line,
            facts=stated({"framework": "PyTorch/XLA"}),
        )


def _quantities(metrics: dict[str, dict[str, str]], counters: dict[str, float]) -> dict[str, Quantity]:
    known = {_KEPT[name]: quantity for name, fields in metrics.items() if (quantity := _times(fields)) is not None}
    compiled = reading(metrics.get("CompileTime", {}).get("TotalSamples", "").strip())
    fallbacks = {name: n for name, n in counters.items() if name.startswith("aten::") and n > 0}
    counts = {"graph_compilations": compiled}
    if counters:
        counts |= {"host_fallback_operations": float(len(fallbacks)), "host_fallback_calls": sum(fallbacks.values())}
    return known | {
        name: Quantity("", 1, mean=count, p50=count, max=count) for name, count in counts.items() if count >= 0
    }


def _times(fields: dict[str, str]) -> Quantity | None:
    """A time by its printed percentiles and total; None where no sample was taken."""
    n = reading(fields.get("TotalSamples", "").strip())
    mean = _seconds(fields.get("Accumulator", "")) / n if n > 0 else math.nan
    if not 1 <= n < 1e12:
        return None
    at = {int(share): _seconds(text) for share, text in _PERCENTILE.findall(fields.get("Percentiles", ""))}
    middle, high, highest = (at.get(share, math.nan) for share in (50, 90, 99))
    return Quantity("s", int(n), mean=mean, p50=middle, p90=high, p99=highest)


def _seconds(text: str) -> float:
    """``01s234ms567.5us`` -> 1.2345675; NaN for other text."""
    parts = _TIME_PART.findall(text)
    return sum(reading(value) * _UNITS_S[unit] for value, unit in parts) if parts else math.nan


FORMAT = LogFormat(
    "torch-xla-metrics",
    "PyTorch/XLA metrics report",
    "PyTorch/XLA metrics",
    marks=("Metric: ", "Counter: "),
    begins=lambda line: bool(_HEAD.search(line)),
    reader=_Reader,
    quantities=OWN,
)
