"""InternLM: ``tflops=189.3 step=3 loss=9.2 tgs (tokens/gpu/second)=4244.9 ... num_consumed_tokens=131072 ...``.

Pairs parted by blanks or, in the first versions, by commas. Tokens and TFLOP/s are a chip's; no time of a step is
printed, and the stamps that the lines begin with tell it.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines
from core.logs.training.steps import by_clock

_PAIR = re.compile(
    r"\b(?P<name>tflops|step|loss|tgs \(tokens/gpu/second\))=(?P<value>[-+]?[\d.]{1,40}(?:e[-+]?\d{1,3})?)"
)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:[,.](\d{1,6}))?")
_MARK = "tgs (tokens/gpu/second)="


def _step(line: str) -> Step | None:
    pairs = {one["name"]: reading(one["value"]) for one in _PAIR.finditer(line)} if _MARK in line else {}
    if not {"step", _MARK[:-1]} <= pairs.keys():
        return None
    stamp = _STAMP.search(line)
    values = {
        "tokens_per_s_per_chip": pairs[_MARK[:-1]],
        "tflops_per_chip": pairs.get("tflops", 0.0),
        "loss": pairs.get("loss", 0.0),
    }
    return Step(pairs["step"], values, f"{stamp[1]}.{stamp[2] or 0}" if stamp else "")


_KNOWN = StepFormat(
    "internlm", "InternLM", "lines such as 'tflops=189.3 step=3 loss=9.2 tgs (tokens/gpu/second)=4244.9'", _step,
    derived=by_clock,
)  # fmt: skip
FORMAT = LogFormat(
    "internlm",
    "InternLM output",
    "InternLM",
    marks=(_MARK,),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
