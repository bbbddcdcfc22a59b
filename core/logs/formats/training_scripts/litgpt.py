"""LitGPT: ``Epoch 1 | iter 4 step 1 | loss train: 2.5, val: n/a | iter time: 250.00 ms (step) remaining ...``.

The time is that of one iteration; a step takes as many as have been made for each, told by the lines that end one.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_LINE = re.compile(
    r"\biter (\d{1,12}) step (\d{1,12})\s?[|:] ?loss(?: train)?:? ([-+]?[\d.naif]{1,20}),.{0,80}?"
    r"\biter time: ([\d.]{1,20}) ?ms( \((?:optimizer\.)?step\))?"
)


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "iter time:" in line else None
    if match is None:
        return None
    iteration, step = reading(match[1]), reading(match[2])
    seconds = reading(match[4]) / 1000 * iteration / step if match[5] and step > 0 else math.nan
    return Step(step, {"loss": reading(match[3]), "step_time_s": seconds})


_KNOWN = StepFormat(
    "litgpt", "LitGPT", "lines such as 'iter 4 step 1 | loss train: 2.5, ... iter time: 250.00 ms (step)'", _step
)
FORMAT = LogFormat(
    "litgpt",
    "LitGPT output",
    "LitGPT",
    marks=("iter time:",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
