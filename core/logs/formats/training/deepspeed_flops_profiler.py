"""DeepSpeed's flops profiler: a block of ``label:   value unit`` lines that a title line opens.

Labels changed with the versions and some hold a colon or a formula; the value follows the last run of blanks.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.facts import stated
from core.logs.quantities import SHARED, QuantityKind, grouped_reading
from core.logs.record import LogRecord, Quantity, Refused, Subject
from core.logs.registry import Finding, LogFormat

OWN = {
    "forward_s": QuantityKind("s", "Forward pass"),
    "backward_s": QuantityKind("s", "Backward pass"),
    "optimizer_s": QuantityKind("s", "Optimiser"),
}
_TITLE = re.compile(r"-{3,120} DeepSpeed Flops Profiler -{3,120}")
_ROW = re.compile(r"(?P<label>[A-Za-z][^\n]{0,200}?):\s{1,120}(?P<value>[-+.\d][^:\n]{0,60})$")
_VALUE = re.compile(r"(?P<number>[-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?)\s?(?P<unit>[A-Za-z/]{0,12})\s{0,4}$")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
_TERA = {"K": 1e-9, "M": 1e-6, "G": 1e-3, "T": 1.0, "P": 1e3, "": 1e-12}
_COUNTS = {"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12, "": 1.0}
_END = "------------------------------"


class _Reader:
    """Blocks of a file; all processes may print the same one."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._blocks: list[tuple[int, dict[str, str]]] = []
        self._is_open = False
        self._last_line = 0

    def take(self, number: int, line: str) -> bool:
        """True for a line of a block."""
        if "DeepSpeed Flops Profiler -" in line and _TITLE.search(line):
            self._is_open = len(self._blocks) < _MOST_BLOCKS
            if self._is_open:
                self._blocks.append((number, {}))
            return True
        if not self._is_open:
            return False
        self._last_line = number
        if (match := _ROW.search(line)) and len(self._blocks[-1][1]) < _MOST_ROWS:
            self._blocks[-1][1].setdefault(match["label"].strip().lower(), match["value"].strip())
        elif _END in line or "Detailed Profile" in line or "Aggregated Profile" in line:
            self._is_open = not self._blocks[-1][1]
        return True

    def finish(self) -> list[Finding]:
        """A record a block that has a time."""
        return [self._finding(first_line, rows) for first_line, rows in self._blocks]

    def _finding(self, first_line: int, rows: dict[str, str]) -> Finding:
        quantities = _quantities(rows)
        if not quantities:
            example = "a line such as 'iter latency:    184.73 ms'"
            return Refused(FORMAT.id, first_line, "a profile without a time or a speed", example)
        count = _labelled(rows, "world size", _COUNTS)
        return LogRecord(
            file=self._file_name,
            format=FORMAT.id,
            n_lines=max(self._last_line - first_line + 1, 1),
            skipped={},
            accelerator=None,
            accelerator_id=None,
            n_accelerators=int(count) if 1 <= count < _MOST_CHIPS else None,
            start=None,
            time_s=np.zeros(0),
            series={},
            quantities=quantities,
            subject=Subject.TRAINING,
            first_line=first_line,
            facts=_facts(rows),
        )


_MOST_BLOCKS, _MOST_ROWS, _MOST_CHIPS = 10_000, 1000, 10_000_000


def _quantities(rows: dict[str, str]) -> dict[str, Quantity]:
    figures = {
        "step_time_s": _labelled(rows, "iter latency", _SECONDS),
        "forward_s": _labelled(rows, ("fwd latency", "latency"), _SECONDS),
        "backward_s": _labelled(rows, "bwd latency", _SECONDS),
        "optimizer_s": _labelled(rows, "step latency", _SECONDS),
        "samples_per_s": _labelled(rows, "samples/second", _COUNTS),
        "tflops_per_chip": _tflops(rows),
    }
    kinds = dict(SHARED) | OWN
    return {name: Quantity(kinds[name].unit, 1, value, value, value) for name, value in figures.items() if value > 0}


def _facts(rows: dict[str, str]) -> dict[str, str | float]:
    figures = {
        "n_parameters": _labelled(rows, "params of model", _COUNTS),
        "micro_batch": _labelled(rows, "batch size per gpu", _COUNTS),
        "data_parallel": _labelled(rows, "data parallel size", _COUNTS),
        "tensor_parallel": _labelled(rows, "model parallel size", _COUNTS),
    }
    return stated({"framework": "DeepSpeed"} | {name: value for name, value in figures.items() if value > 0})


def _tflops(rows: dict[str, str]) -> float:
    """Of the whole step per GPU, else of forward and backward together."""
    for begin in ("flops per gpu =", "fwd+bwd flops per gpu", "floating point operations per second"):
        value = next((text for label, text in rows.items() if label.startswith(begin)), "")
        if value:
            return _scaled(_VALUE.search(value.replace("FLOPS", "").strip()), _TERA)
    return math.nan


def _labelled(rows: dict[str, str], begin: str | tuple[str, ...], scales: dict[str, float]) -> float:
    """The value of the first label that begins so; NaN where there is none."""
    value = next((text for label, text in rows.items() if label.startswith(begin)), "")
    return _scaled(_VALUE.search(value), scales)


def _scaled(match: re.Match[str] | None, scales: dict[str, float]) -> float:
    if match is None or match["unit"] not in scales:
        return math.nan
    return grouped_reading(match["number"]) * scales[match["unit"]]


FORMAT = LogFormat(
    "deepspeed-flops-profiler",
    "DeepSpeed flops profile",
    "DeepSpeed profiler",
    marks=("DeepSpeed Flops Profiler -",),
    begins=lambda line: bool(_TITLE.search(line)),
    reader=_Reader,
    quantities=OWN,
)
