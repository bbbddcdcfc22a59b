"""nanoGPT and the programs that grew from it: ``iter 100: loss 3.1, time 135.00ms, mfu 42.50%``.

nanochat and its forerunner print ``step 100/2000 | loss: 3.1 | dt: 480.00ms | tok/sec: 1,092,000 | mfu: 47.5``, the
speed-run ``step:100/1750 train_time:10000ms step_avg:100.00ms``. Tokens are those of all GPUs. A time of nanoGPT that
holds an evaluation stands below the evaluation's line; a share of the peak of -100 % is not known yet.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import grouped_reading, reading
from core.logs.record import Series
from core.logs.registry import LogFormat
from core.logs.training.step_lines import Step, StepFormat, StepLines
from core.logs.training.steps import Facts, StepTable, by_clock, per_chip, size

_NUMBER = r"([-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?)"
_ITER = re.compile(rf"\biter (\d{{1,12}}): loss {_NUMBER}, time {_NUMBER}ms(?:, mfu {_NUMBER}%)?")
_PIPED = re.compile(r"\bstep\s{1,9}(\d{1,12})(?:/\d{1,12})?[^|]{0,30}\|.{0,200}?\bdt: ([\d.]{1,20}) ?ms\b")
_FIELD = re.compile(rf"\b(loss|tok/sec|(?:bf16_)?mfu)(?:uracy)?: {_NUMBER}")
_RACE = re.compile(r"\bstep:(\d{1,12})/\d{1,12} .{0,100}?train_time:([\d.]{1,20})(ms|s)\b")
_TOKENS = re.compile(
    r"(?:tokens per iteration will be|[Tt]otal (?:desired )?batch size)\s?(?:in tokens)?: ?=?>?\s?([\d,]{1,20})"
)
_EVALUATION = re.compile(r"\bstep \d{1,12}: train loss ")
_EXAMPLE = "lines such as 'iter 100: loss 3.1, time 135.00ms, mfu 42.50%'"
_NAMES = {"loss": "loss", "tok/sec": "tokens_per_s", "mfu": "mfu_pct", "bf16_mfu": "mfu_pct"}


class _Reader(StepLines):
    """Steps; the one after an evaluation holds the evaluation too."""

    def __init__(self, file_name: str) -> None:
        super().__init__(file_name, _KNOWN)
        self._holds_evaluation = False

    def take(self, number: int, line: str) -> bool:
        """True for a step and for an evaluation."""
        if "train loss" in line and _EVALUATION.search(line):
            self._holds_evaluation = True
            return True
        if self._holds_evaluation and _ITER.search(line):
            self._holds_evaluation = False
            self._runs.skip(number, "step that holds an evaluation")
            return True
        return super().take(number, line)


def _step(line: str) -> Step | None:
    if "iter " in line and (match := _ITER.search(line)):
        loss, time_ms, mfu_pct = (_number(match[place]) for place in (2, 3, 4))
        return Step(reading(match[1]), {"loss": loss, "step_time_s": time_ms / 1000, "mfu_pct": mfu_pct})
    if "dt: " in line and (match := _PIPED.search(line)):
        fields = {_NAMES[name]: _number(value) for name, value in _FIELD.findall(line)}
        return Step(reading(match[1]), fields | {"step_time_s": reading(match[2]) / 1000})
    if "train_time:" in line and (match := _RACE.search(line)):
        seconds = reading(match[2]) / (1000 if match[3] == "ms" else 1)
        return Step(reading(match[1]), {"step_time_s": math.nan}, at_s=seconds)
    return None


def _number(text: str | None) -> float:
    return grouped_reading(text or "")


def _facts(line: str) -> Facts:
    match = _TOKENS.search(line) if "batch size" in line or "tokens per iteration" in line else None
    return {"tokens_a_step": grouped_reading(match[1])} if match else {}


def _derived(table: StepTable) -> dict[str, Series]:
    """Seconds a step by the race's clock, tokens by those of a step; what is printed wins."""
    times = by_clock(table)
    printed = table.columns.get("tokens_per_s")
    tokens = size(table.facts, "tokens_a_step") / times["step_time_s"] if printed is None else printed
    return {**times, "tokens_per_s": tokens, "tokens_per_s_per_chip": per_chip(tokens, table.facts)}


_KNOWN = StepFormat("nanogpt", "nanoGPT", _EXAMPLE, _step, _facts, _derived)
FORMAT = LogFormat(
    "nanogpt",
    "nanoGPT or nanochat output",
    "nanoGPT",
    marks=(": loss ", " dt: ", "train_time:"),
    begins=lambda line: _step(line) is not None,
    reader=_Reader,
)
