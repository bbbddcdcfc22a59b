"""llm.c: ``step 10/19560 | loss 3.1 (+0.10z)| norm 0.5 (-0.2z)| ... | 350.00 ms | 48.5% bf16 MFU | 1498000 tok/s``.

Its table of settings stands above; its Python twin prints ``(350.00 ms | 1498000 tok/s)``. Tokens are of all GPUs.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.record import Series
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines
from core.logs.training.steps import Facts, StepTable, per_chip

_STEP = re.compile(
    r"\bstep\s{1,9}(\d{1,12})/\d{1,12}\s?[|:].{0,20}?loss ([-+]?[\d.naif]{1,20})\b.{0,150}?"
    r"([\d.]{1,20}) ms\b.{0,60}?\b([\d.]{1,20}) tok/s"
)
_MFU = re.compile(r"([\d.]{1,10})% \w{2,8} MFU")
_SETTING = re.compile(
    r"^\|\s(device|num_processes|sequence length T|num_parameters)\s{1,40}\|\s([^|]{1,60}?)\s{1,60}\|"
)
_NAMES = {"num_processes": "n_accelerators", "sequence length T": "sequence_length", "num_parameters": "n_parameters"}


def _step(line: str) -> Step | None:
    match = _STEP.search(line) if " tok/s" in line else None
    if match is None:
        return None
    values = {"loss": reading(match[2]), "step_time_s": reading(match[3]) / 1000, "tokens_per_s": reading(match[4])}
    if mfu := _MFU.search(line):
        values["mfu_pct"] = reading(mfu[1])
    return Step(reading(match[1]), values)


def _facts(line: str) -> Facts:
    match = _SETTING.match(line) if line.startswith("| ") else None
    if match is None:
        return {}
    return {"accelerator": match[2]} if match[1] == "device" else {_NAMES[match[1]]: reading(match[2])}


def _derived(table: StepTable) -> dict[str, Series]:
    return {"tokens_per_s_per_chip": per_chip(table.columns["tokens_per_s"], table.facts)}


_KNOWN = StepFormat(
    "llm-c",
    "llm.c",
    "lines such as 'step 10/100 | loss 3.1 | ... | 350.00 ms | ... | 1498000 tok/s'",
    _step,
    _facts,
    _derived,
)
FORMAT = LogFormat(
    "llm-c",
    "llm.c output",
    "llm.c",
    marks=(" tok/s",),
    begins=lambda line: _step(line) is not None,
    reader=lambda file_name: StepLines(file_name, _KNOWN),
)
