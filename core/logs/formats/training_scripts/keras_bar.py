"""Keras' bar at the end of an epoch: ``100/100 [=====] - 20s 200ms/step - loss: 2.5``, as drawn in any letters."""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_LINE = re.compile(r"(?:^|\s)(\d{1,12})/(\d{1,12}) .{1,80}? \d{1,6}m?s (\d{1,9})(us|ms|s)/step(?=\s|$)")
_LOSS = re.compile(r" loss: ([\d.]{1,20}(?:e[-+]?\d{1,3})?)")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_UNKNOWN = float("nan")


def _step(line: str) -> Step | None:
    """The mean over an epoch that has ended; a bar that is still growing says nothing of its own."""
    match = _LINE.search(line) if "s/step" in line else None
    if match is None or match[1] != match[2]:
        return None
    loss = _LOSS.search(line, match.end())
    values = {"step_time_s": reading(match[3]) * _SECONDS[match[4]]}
    return Step(_UNKNOWN, values | ({"loss": reading(loss[1])} if loss else {}))


_KNOWN = StepFormat("keras-bar", "Keras", "bars such as '100/100 [=====] - 20s 200ms/step - loss: 2.5'", _step)
FORMAT = LogFormat(
    "keras-bar",
    "Keras progress bar",
    "Keras",
    marks=("s/step",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
