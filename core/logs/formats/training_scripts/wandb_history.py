"""A run's history as Weights & Biases exports it: CSV of a chart or of the whole run, JSON objects, or the summary.

A chart's table names the run before each metric and adds ``__MIN`` and ``__MAX``. ``_step`` counts calls, not steps of
training, so that a time of a step follows from the clock only where a column counts steps.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.quantities import reading
from core.logs.record import Refused, Series
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of
from core.logs.training.speed_names import quantity_of, speeds_of
from core.logs.training.steps import Runs, StepTable, by_batch, by_clock

_CLOCKS = ("_timestamp", "_runtime", "relative time (wall)", "relative time (process)", "wall time", "timestamp")
_STEPS = ("train/global_step", "trainer/global_step", "global_step", "train/step", "iteration", "iter")
_CALLS = ("_step", "step")
_MOST_RUNS = 200
_ENDINGS = ("__MIN", "__MAX")
_NO_SPEED = "a history without a speed, and without steps beside the clock"
_EXPECTED = "a column such as tokens_per_sec or step_time beside the steps"


class _Histories:
    """The histories of a file, one for each run that a chart's table names."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._runs: dict[str, Runs] = {}
        self.first_line = 0

    def take(self, number: int, row: Mapping[str, Any]) -> None:
        """One point, with all that was logged at it."""
        self.first_line = self.first_line or number
        plain = {name.lower(): value for name, value in row.items() if name}
        step = _first(plain, _STEPS)
        at_s = next((known for name in _CLOCKS if not math.isnan(known := _seconds(plain.get(name)))), math.nan)
        step_facts = {} if math.isnan(step) else {"counts_steps": 1.0}
        for run, values in _by_run(row).items():
            place = _first(plain, _CALLS) if math.isnan(step) else step
            self._add(run, number, place, speeds_of(values), at_s, step_facts)

    def finish(self) -> list[Finding]:
        """A record a run, or why there is none."""
        findings = [one for runs in self._runs.values() for one in runs.finish(_EXPECTED)]
        kept = [one for one in findings if not isinstance(one, Refused) and one.quantities.keys() - {"loss"}]
        return list(kept) or [Refused(FORMAT.id, max(self.first_line, 1), _NO_SPEED, _EXPECTED)]

    def _add(
        self, run: str, number: int, step: float, values: Mapping[str, float], at_s: float, facts: Mapping[str, float]
    ) -> None:
        if run not in self._runs and (not values or len(self._runs) >= _MOST_RUNS):
            return
        known = self._runs.setdefault(run, Runs(self._file_name, FORMAT.id, "", 1, _derived))
        known.note(facts)
        known.add(number, step, values, at_s=at_s)


class _Reader:
    """A table of cells, which may be quoted."""

    def __init__(self, file_name: str) -> None:
        self._histories = _Histories(file_name)
        self._names: list[str] = []

    def take(self, number: int, line: str) -> bool:
        """True for the header and the rows that fit it."""
        if not self._names:
            self._names = _header(line)
            self._histories.first_line = number if self._names else 0
            return bool(self._names)
        cells = _cells(line)
        if len(cells) != len(self._names):
            return False
        self._histories.take(number, dict(zip(self._names, cells, strict=True)))
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._histories.finish()


def _derived(table: StepTable) -> dict[str, Series]:
    return (by_clock(table) if "counts_steps" in table.facts else {}) | by_batch(table)


def _by_run(row: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What was logged by the name of the run that a chart's table puts before it; "" where it puts none."""
    runs: dict[str, dict[str, Any]] = {}
    for name, value in row.items():
        run, _, metric = name.rpartition(" - ")
        if not metric.endswith(_ENDINGS) and value not in ("", None):
            runs.setdefault(run, {})[metric] = value
    whole = runs.pop("", {})
    return {run: whole | values for run, values in runs.items()} or {"": whole}


def _first(row: Mapping[str, Any], names: Sequence[str]) -> float:
    return next((reading(str(row[name])) for name in names if row.get(name) not in (None, "")), math.nan)


def _seconds(value: Any) -> float:
    number = reading(str(value))
    seconds = seconds_of(value) if isinstance(value, str) and math.isnan(number) else None
    return number if seconds is None else seconds


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _header(line: str) -> list[str]:
    """The columns of a history; none for any other line."""
    names = _cells(line) if line.startswith(('"', ",", "_")) else []
    plain = {name.lower() for name in names}
    is_chart = any(name.endswith(_ENDINGS) for name in names) and bool(plain & {"step", *_CLOCKS})
    is_history = "_step" in plain or ("step" in plain and bool(plain & set(_CLOCKS)))
    known = any(quantity_of(name.rpartition(" - ")[2]) for name in names)
    return names if (is_chart and known) or is_history else []


def _points(value: Any) -> list[Mapping[str, Any]]:
    points = value if isinstance(value, list) else [value]
    kept: list[Mapping[str, Any]] = [
        one for one in points if isinstance(one, dict) and "_step" in one and {"_runtime", "_timestamp"} & one.keys()
    ]
    return kept if len(kept) == len(points) else []


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    histories = _Histories(file_name)
    for document in documents:
        for point in _points(document.value):
            histories.take(document.line, point)
    return histories.finish()


FORMAT = LogFormat(
    "wandb-history",
    "Weights & Biases history",
    "Weights & Biases",
    marks=('Step"', "_step", "Relative Time (", "Wall Time"),
    begins=lambda line: bool(_header(line)),
    reader=_Reader,
    fits=lambda value: bool(_points(value)),
    documents=_read,
)
