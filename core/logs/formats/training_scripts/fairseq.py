"""fairseq: ``epoch 001: 100 / 1000 loss=9.1, wps=45000.5, ups=2.5, wpb=18000, num_updates=100, ...``.

Words a second are those of all GPUs, updates a second are steps.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines

_PAIR = re.compile(r"\b(loss|wps|ups|num_updates)=([\d.]{1,30})(?=,|\s|$)")


def _step(line: str) -> Step | None:
    pairs = dict(_PAIR.findall(line)) if "wps=" in line and "ups=" in line else {}
    updates_per_s = reading(pairs.get("ups", ""))
    if not updates_per_s > 0 or "num_updates" not in pairs:
        return None
    values = {"loss": reading(pairs.get("loss", "")), "tokens_per_s": reading(pairs.get("wps", ""))}
    return Step(reading(pairs["num_updates"]), values | {"step_time_s": 1.0 / updates_per_s})


_KNOWN = StepFormat("fairseq", "fairseq", "lines such as 'loss=9.1, wps=45000, ups=2.5, num_updates=100'", _step)
FORMAT = LogFormat(
    "fairseq",
    "fairseq output",
    "fairseq",
    marks=("wps=",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
