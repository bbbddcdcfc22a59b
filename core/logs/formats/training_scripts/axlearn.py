"""AXLearn: ``gpt_trainer process   0 step      100] Average step time: 2.45 seconds``, of the hundred steps before.

Each process prints its own line; equal steps are one.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_LINE = re.compile(
    r"(?:\bstep {1,12}(?P<step>\d{1,12})\] )?\bAverage step time: (?P<seconds>[\d.]{1,40}(?:e-?\d{1,3})?) seconds"
)


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "Average step time:" in line else None
    if match is None:
        return None
    return Step(reading(match["step"]) if match["step"] else math.nan, {"step_time_s": reading(match["seconds"])})


_KNOWN = StepFormat("axlearn", "AXLearn", "lines such as 'step      100] Average step time: 2.45 seconds'", _step)
FORMAT = LogFormat(
    "axlearn",
    "AXLearn output",
    "AXLearn",
    marks=("Average step time:",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
