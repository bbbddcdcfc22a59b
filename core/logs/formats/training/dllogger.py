"""NVIDIA's DLLogger: ``DLLL {"timestamp": .., "type": "LOG", "step": 16, "data": {...}}``, one line a record.

Seen in the examples of NVIDIA and in NeMo's runs; documents show it over many lines. The step "PARAMETER" holds the
settings, a METADATA record the units that a program gives its metrics.
"""

from __future__ import annotations

from typing import Any

from core.logs.json_blocks import JsonBlocks
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import settings_in
from core.logs.training.speed_names import speeds_of
from core.logs.training.steps import Runs, by_batch

_MARK = "DLLL"
_UNITS = {
    "tokens/s": "tokens_per_sec",
    "samples/s": "samples_per_sec",
    "sequences/s": "samples_per_sec",
    "images/s": "samples_per_sec",
    "img/s": "samples_per_sec",
}
_MOST_METRICS = 1000
_MOST_PARTS = 4


class _Reader:
    """Records as they close; nothing but their figures is kept."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "DLLogger", 1, by_batch)
        self._blocks = JsonBlocks()
        self._is_open = False
        self._units: dict[str, str] = {}

    def take(self, number: int, line: str) -> bool:
        """True for a record or a part of one."""
        at = line.find(_MARK)
        rest = line[at + len(_MARK) :].lstrip() if at >= 0 else ""
        if rest.startswith("{"):
            self._blocks, line = JsonBlocks(), rest
        elif not self._is_open:
            return False
        self._blocks.take(number, line)
        self._is_open = not self._blocks.documents and not self._blocks.n_lost
        if self._blocks.n_lost:
            self._runs.skip(number, "record that is no JSON")
        for document in self._blocks.documents:
            self._keep(document.line, document.value)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish('records such as DLLL {.., "step": 16, "data": {"train_step_timing in s": 92.3}}')

    def _keep(self, number: int, value: Any) -> None:
        data = value.get("data") if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(value.get("metadata"), dict):
            self._keep_unit(value.get("metric"), value["metadata"].get("unit"))
        if not isinstance(data, dict):
            return
        step = value.get("step")
        if step == "PARAMETER":
            self._note(data)
            return
        speeds = speeds_of({self._units.get(str(name), str(name)): one for name, one in data.items()})
        if speeds.keys() - {"loss"}:
            stamp = reading(str(value.get("timestamp", "")))
            self._runs.add(number, _number(data.get("global_step", step)), speeds, at_s=stamp)

    def _keep_unit(self, metric: object, unit: object) -> None:
        if isinstance(unit, str) and unit in _UNITS and len(self._units) < _MOST_METRICS:
            self._units[str(metric)] = _UNITS[unit]

    def _note(self, data: dict[Any, Any]) -> None:
        for name, value in data.items():
            if not isinstance(value, dict | list):
                self._runs.note(settings_in(f"{str(name).rpartition('/')[2]}: {value}"))


def _number(step: object) -> float:
    """``16`` and ``[0, 16]`` (epoch, step) -> 16; NaN for a total."""
    last = step[-1] if isinstance(step, list) and step and len(step) < _MOST_PARTS else step
    return reading(str(last))


FORMAT = LogFormat(
    "dllogger",
    "DLLogger records",
    "DLLogger",
    marks=(_MARK,),
    begins=lambda line: line[line.find(_MARK) + len(_MARK) :].lstrip().startswith("{"),
    reader=_Reader,
)
