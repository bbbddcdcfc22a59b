"""Meta Lingua: ``step: 10  acc: 0  loss:  2.5  flops: 4.12e+14  wps: 1.23e+04  iter:  1.25  data:  0.001 ...``.

Words a second and FLOP/s are of one GPU.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_LINE = re.compile(r"\bstep: (\d{1,12})\s{1,9}acc: ")
_PAIR = re.compile(r"\b(loss|flops|wps|iter|data): {1,9}([\d.]{1,20}(?:e[-+]?\d{1,3})?)(?=\s|$)")
_POWER = re.compile(r"\bpow: ([\d.]{1,20}) W\b")
_NAMES = {
    "loss": ("loss", 1.0),
    "flops": ("tflops_per_chip", 1e-12),
    "wps": ("tokens_per_s_per_chip", 1.0),
    "iter": ("step_time_s", 1.0),
    "data": ("data_wait_s", 1.0),
}


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "wps:" in line else None
    if match is None:
        return None
    values = {_NAMES[name][0]: _exact(text) * _NAMES[name][1] for name, text in _PAIR.findall(line[match.end() :])}
    if power := _POWER.search(line):
        values["power_w"] = reading(power[1])
    return Step(reading(match[1]), values)


def _exact(text: str) -> float:
    """FLOP/s are beyond what any reading of another kind is."""
    number, _, power = text.partition("e")
    return reading(number) * float(10.0 ** min(reading(power or "0"), 18.0))


_KNOWN = StepFormat(
    "lingua", "Meta Lingua", "lines such as 'step: 10  acc: 0  loss:  2.5 ... wps: 1.23e+04  iter:  1.25'", _step
)
FORMAT = LogFormat(
    "lingua",
    "Meta Lingua output",
    "Meta Lingua",
    marks=("wps:",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
