"""LLaMA-Factory's ``trainer_log.jsonl``: ``{"current_steps": 10, "elapsed_time": "0:01:00", "throughput": 4100.5}``.

A line each few steps. Seconds a step follow from the time between two lines. ``throughput`` is tokens of all
chips since the run began.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.logs.quantities import reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.training.bars import clock_s
from core.logs.training.steps import Runs, by_clock

_EXAMPLE = "lines with current_steps and elapsed_time"


def _fits(value: Any) -> bool:
    return isinstance(value, dict) and "current_steps" in value and isinstance(value.get("elapsed_time"), str)


def _figure(value: Any) -> float:
    return reading(str(value)) if isinstance(value, int | float) else math.nan


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    runs = Runs(file_name, FORMAT.id, "LLaMA-Factory", 1, by_clock)
    for one in documents:
        values = {"loss": _figure(one.value.get("loss")), "tokens_per_s": _figure(one.value.get("throughput"))}
        runs.add(one.line, _figure(one.value["current_steps"]), values, at_s=clock_s(one.value["elapsed_time"]))
    return runs.finish(_EXAMPLE)


FORMAT = LogFormat("llama-factory", "LLaMA-Factory trainer log", "LLaMA-Factory", fits=_fits, documents=_read)
