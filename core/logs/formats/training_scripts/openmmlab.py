"""OpenMMLab and Detectron2: ``Epoch(train) [1][ 50/1000] ... time: 0.5110 data_time: 0.0120 ... loss: 0.9`` and
``iter: 19 total_loss: 1.2 time: 0.2110 ...``.

``time`` is seconds an iteration, ``data_time`` the part of it that waits for data.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_EPOCH = re.compile(r"\bEpoch ?(?:\(train\) {1,4})?\[(?P<epoch>\d{1,9})\]\[ {0,9}(?P<row>\d{1,9})/(?P<total>\d{1,9})\]")
_ITER = re.compile(r"\b(?:Iter\(train\) \[ {0,9}|iter: {1,9})(?P<step>\d{1,12})\b")
_FIGURE = re.compile(r"\b(?P<name>time|data_time|loss|total_loss): {1,4}(?P<value>[\d.]{1,20})(?=[\s,]|$)")


def _number(line: str) -> float | None:
    if match := _ITER.search(line):
        return reading(match["step"])
    if match := _EPOCH.search(line):
        return (reading(match["epoch"]) - 1) * reading(match["total"]) + reading(match["row"])
    return None


def _step(line: str) -> Step | None:
    number = _number(line) if " time: " in line and "data_time: " in line else None
    if number is None:
        return None
    figures = {one["name"]: reading(one["value"]) for one in _FIGURE.finditer(line)}
    values = {"step_time_s": figures.get("time", 0.0), "data_wait_s": figures.get("data_time", 0.0)}
    return Step(number, values | {"loss": figures.get("loss", figures.get("total_loss", 0.0))})


_KNOWN = StepFormat(
    "openmmlab",
    "OpenMMLab or Detectron2",
    "lines such as 'Epoch(train) [1][ 50/1000]  time: 0.51  data_time: 0.01'",
    _step,
)
FORMAT = LogFormat(
    "openmmlab",
    "OpenMMLab or Detectron2 output",
    "OpenMMLab",
    marks=("data_time: ",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
