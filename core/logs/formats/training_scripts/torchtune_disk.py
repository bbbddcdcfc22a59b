"""torchtune's log file: ``Step 1 | loss:2.5 lr:2e-05 tokens_per_second_per_gpu:1500.5 peak_memory_reserved:45.5``."""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.speed_names import speeds_of
from core.logs.training.step_lines import Step, StepFormat, StepLines

_LINE = re.compile(r"(?:^|\s)Step (\d{1,12}) \| (?=\S{1,80}:)")
_PAIR = re.compile(r"([A-Za-z_][\w/]{0,80}):([-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)(?=\s|$)")
_MEMORY = ("peak_memory_reserved", "peak_memory_alloc", "peak_memory_active")


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "Step " in line and " | " in line else None
    if match is None:
        return None
    pairs = dict(_PAIR.findall(line[match.end() :]))
    memory = next((reading(pairs[name]) for name in _MEMORY if name in pairs), 0.0)
    values = speeds_of(pairs) | ({"memory_used_gib": memory} if memory > 0 else {})
    return Step(reading(match[1]), values) if values.keys() - {"loss", "memory_used_gib"} else None


_KNOWN = StepFormat(
    "torchtune-disk", "torchtune", "lines such as 'Step 1 | loss:2.5 tokens_per_second_per_gpu:1500.5'", _step
)
FORMAT = LogFormat(
    "torchtune-disk",
    "torchtune log file",
    "torchtune",
    marks=(" | ",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
