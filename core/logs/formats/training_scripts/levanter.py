"""Levanter: ``Progress on:train 2.99kit/10.0kit rate:1.8it/s remaining:1:04:12 elapsed:27:20 postfix:loss=2.82``."""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.bars import clock_s
from core.logs.training.step_lines import Step, StepFormat, StepLines, scaled

_LINE = re.compile(
    r"Progress on:train (?P<step>[\d.]{1,12}[kMG]?)it/[\d.]{1,12}[kMG]?it rate:(?P<pace>[\d.]{1,12})(?P<unit>it/s|s/it)"
    r".{0,60}?elapsed:(?P<elapsed>[\d:]{4,12})(?:.{0,40}?loss=(?P<loss>[\d.]{1,20}))?"
)


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "Progress on:train" in line else None
    pace = reading(match["pace"]) if match else math.nan
    if match is None or not pace > 0:
        return None
    values = {"step_time_s": pace if match["unit"] == "s/it" else 1.0 / pace, "loss": reading(match["loss"] or "")}
    return Step(scaled(match["step"].upper()), values, at_s=clock_s(match["elapsed"]))


_KNOWN = StepFormat("levanter", "Levanter", "lines such as 'Progress on:train 80it/10.0kit rate:1.8it/s'", _step)
FORMAT = LogFormat(
    "levanter",
    "Levanter output",
    "Levanter",
    marks=("Progress on:train",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
