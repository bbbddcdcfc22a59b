"""Meters of scripts that train on images, the last value and the mean.

PyTorch's example prints ``Epoch: [0][ 10/5005] Time 0.30 ( 0.35) Data 0.01 ( 0.02)``, timm
``Train: 0 [ 50/1251 ( 4%)] ... Time: 0.300s, 3413.33/s (0.350s, 2925.71/s)``.

timm's samples a second are those of all GPUs.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_NUMBER = r"\s{0,12}([\d.]{1,20})"
_TORCH = re.compile(
    rf"Epoch: \[(\d{{1,9}})\]\[\s{{0,12}}(\d{{1,12}})/(\d{{1,12}})\]\s.{{0,80}}?\bTime{_NUMBER} \({_NUMBER}\)"
    rf"(?:\s+Data{_NUMBER} \()?"
)
_TIMM = re.compile(
    rf"Train: (\d{{1,9}}) \[\s{{0,12}}(\d{{1,12}})/(\d{{1,12}})\s.{{0,200}}?"
    rf"\bTime: ([\d.]{{1,20}})s,{_NUMBER}/s\s{{1,4}}\("
)


def _step(line: str) -> Step | None:
    if "Time" not in line:
        return None
    if match := _TORCH.search(line):
        values = {"step_time_s": reading(match[4])} | ({"data_wait_s": reading(match[6])} if match[6] else {})
    elif match := _TIMM.search(line):
        values = {"step_time_s": reading(match[4]), "samples_per_s": reading(match[5])}
    else:
        return None
    return Step(reading(match[1]) * reading(match[3]) + reading(match[2]), values)


_KNOWN = StepFormat(
    "average-meters", "PyTorch", "lines such as 'Epoch: [0][ 10/5005] Time 0.300 ( 0.350) Data 0.010 ( 0.020)'", _step
)
FORMAT = LogFormat(
    "average-meters",
    "PyTorch example or timm output",
    "PyTorch example or timm",
    marks=("Epoch: [", "Train: "),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
