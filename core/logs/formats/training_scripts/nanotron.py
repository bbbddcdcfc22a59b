"""nanotron: ``iteration: 10 / 1000 | consumed_tokens: 4.19M | elapsed_time_per_iteration_ms: 2.05K | ...``.

Newer ones print ``time_per_iteration_ms``. Numbers are shortened to three digits with K, M and B.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines, scaled

_LINE = re.compile(r"\biteration: (\d{1,12}) / \d{1,12} \| ")
_PAIR = re.compile(r"([a-z_]{1,60}): ([-+\d.,e]{1,30}[KMBGT]?)(?=\s\||\s{0,4}$)")
_NAMES = {
    "elapsed_time_per_iteration_ms": ("step_time_s", 1e-3),
    "time_per_iteration_ms": ("step_time_s", 1e-3),
    "tokens_per_sec": ("tokens_per_s", 1.0),
    "tokens_per_sec_per_gpu": ("tokens_per_s_per_chip", 1.0),
    "model_tflops_per_gpu": ("tflops_per_chip", 1.0),
    "lm_loss": ("loss", 1.0),
}


def _step(line: str) -> Step | None:
    match = _LINE.search(line) if "time_per_iteration_ms" in line else None
    if match is None:
        return None
    values = {_NAMES[name][0]: scaled(text) * _NAMES[name][1] for name, text in _PAIR.findall(line) if name in _NAMES}
    return Step(reading(match[1]), values)


_KNOWN = StepFormat(
    "nanotron", "nanotron", "lines such as 'iteration: 10 / 1000 | ... | time_per_iteration_ms: 2.05K'", _step
)
FORMAT = LogFormat(
    "nanotron",
    "nanotron output",
    "nanotron",
    marks=("time_per_iteration_ms",),
    begins=lambda line: bool(_LINE.search(line)),
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
