"""MaxText's distillation trainer: ``step 3 | step_time=4.1s | TFLOPs/s/device: 210.5 (student=.., teacher=..)``.

The form is that of the trainer's change of 2026; student and teacher run on the same chips, so their sum counts.
"""

from __future__ import annotations

import re

from core.logs.quantities import grouped_reading, reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.steps import Runs

_STEP = re.compile(
    r"\bstep:? (?P<step>\d{1,12}) \| .{0,200}?\bstep_time[=:] ?(?P<seconds>[\d.]{1,20})(?P<unit>ms|s)\b"
    r"(?:.{0,200}?TFLOPs?/s/device: ?(?P<tflops>[\d.,]{1,20}))?"
    r"(?:.{0,200}?[Tt]okens/s/device: ?(?P<tokens>[\d.,]{1,20}))?"
    r"(?:.{0,200}?\bloss[=:] ?(?P<loss>[\d.]{1,20}))?"
)


class _Reader:
    """Steps of the runs of a file."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "MaxText", 3)

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        match = _STEP.search(line) if "step_time" in line else None
        if match is None:
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
            return False
        values = {
            "step_time_s": reading(match["seconds"]) / (1000.0 if match["unit"] == "ms" else 1.0),
            "tflops_per_chip": _number(match["tflops"]),
            "tokens_per_s_per_chip": _number(match["tokens"]),
            "loss": _number(match["loss"]),
        }
        self._runs.add(number, reading(match["step"]), values)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as 'step 3 | step_time=4.1s | TFLOPs/s/device: 210'")


def _number(text: str | None) -> float:
    return grouped_reading(text or "")


FORMAT = LogFormat(
    "maxtext-distillation",
    "MaxText distillation output",
    "MaxText distillation",
    marks=("step_time=", "step_time:"),
    begins=lambda line: "TFLOP" in line and bool(_STEP.search(line)),
    reader=_Reader,
)
