"""T5X, PaxML and Flax trainers: ``[1200] steps_per_sec=3.2, train/loss=2.1`` and ``steps/sec: 3.2`` after glog's stamp.

The forms are those of CLU's logging writer and of PaxML's trainer; no sample of a whole run was at hand.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.speed_names import speeds_of
from core.logs.training.steps import Runs, by_batch

_CLU = re.compile(r"(?:^|\s)\[(?P<step>\d{1,12})\] (?=\S{1,80}=)")
_PAIR = re.compile(r"(?P<name>[A-Za-z][\w/]{0,80})=(?P<value>[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)(?=,|\s|$)")
_PAX = re.compile(r"\bstep(?:_i)?[ :=]{1,3}(?P<step>\d{1,12})\b.{0,100}?\bsteps/sec:? ?(?P<rate>[\d.]{1,20})")
_MARKS = ("steps_per_sec", "seqs_per_second", "timing/", "steps/sec")


class _Reader:
    """Steps of the runs of a file."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "T5X or PaxML", 1, by_batch)

    def take(self, number: int, line: str) -> bool:
        """True for a step with a speed."""
        step, values = _row(line)
        if values.keys() - {"loss"}:
            self._runs.add(number, step, values)
            return True
        self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
        return False

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as '[100] steps_per_sec=3.2, loss=2.1'")


def _row(line: str) -> tuple[float, dict[str, float]]:
    if not any(mark in line for mark in _MARKS):
        return 0.0, {}
    if match := _CLU.search(line):
        pairs = {one["name"]: one["value"] for one in _PAIR.finditer(line[match.end() :])}
        return reading(match["step"]), speeds_of(pairs)
    if match := _PAX.search(line):
        return reading(match["step"]), speeds_of({"steps_per_sec": match["rate"].rstrip(".")})
    return 0.0, {}


FORMAT = LogFormat(
    "t5x",
    "T5X or PaxML output",
    "T5X or PaxML",
    marks=_MARKS,
    begins=lambda line: bool(_row(line)[1].keys() - {"loss"}),
    reader=_Reader,
)
