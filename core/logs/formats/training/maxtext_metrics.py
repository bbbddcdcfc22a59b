"""MaxText's metrics file: one JSON object a step, with ``perf/step_time_seconds`` among others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.logs.quantities import reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.training.steps import Runs

_NAMES = {
    "perf/step_time_seconds": "step_time_s",
    "perf/per_device_tflops_per_sec": "tflops_per_chip",
    "perf/per_device_tokens_per_sec": "tokens_per_s_per_chip",
    "learning/loss": "loss",
}


def _fits(value: Any) -> bool:
    return isinstance(value, dict) and "perf/step_time_seconds" in value


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    runs = Runs(file_name, FORMAT.id, "MaxText", 3)
    for one in documents:
        values = {ours: reading(str(one.value.get(name, math.nan))) for name, ours in _NAMES.items()}
        runs.add(one.line, reading(str(one.value.get("step", math.nan))), values)
    return runs.finish("a number as perf/step_time_seconds")


FORMAT = LogFormat("maxtext-metrics", "MaxText metrics file", "MaxText metrics", fits=_fits, documents=_read)
