"""MaxText's and MaxDiffusion's standard output: one ``completed step`` line an optimiser step.

Seen in outputs of 2023 (``TFLOP/s``, no tokens) to 2026 (``TFLOP/s/device``, further losses); sizes in "GB" are of
2^30 bytes, as the program divides by 1024 three times.
"""

from __future__ import annotations

import re

from core.logs.quantities import SHARED, QuantityKind, grouped_reading, reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.steps import Runs
from core.logs.training.storage import note_storage

OWN = {"compiled_memory_gib": QuantityKind("GiB", "Memory that the compiler estimates")}

_MARK = "completed step:"
_STEP = re.compile(r"completed step: (?P<step>\d{1,12}), ?seconds: ")
_FIELD = re.compile(
    r"(?<![A-Za-z_/])(?P<name>[A-Za-z_/]{1,40}): (?P<value>[-+]?[\d.,]{1,40}(?:e[-+]?\d{1,4})?|nan|inf)(?=[,\s\"\\]|$)",
    re.IGNORECASE,
)
_DEVICES = re.compile(r"number of devices\D{0,3}(\d{1,6})(?!\d)|num_devices\D{0,3}(\d{1,6})(?!\d)", re.IGNORECASE)
_CHIP = re.compile(
    r"TPU ?(?:v\d\w{0,20}(?: lite)?|7x)|NVIDIA (?:GB|GH|[ABHLV])\d{1,3}[\w .-]{0,30}|Instinct MI\d{3}\w?", re.IGNORECASE
)
_MODEL = re.compile(r"Running Model: ([\w.-]{1,80})")
_COMPILED_MEMORY = re.compile(r"Total (?:estimated )?memory size: ([\d.]{1,20}) GB")
_MEMORY = re.compile(r"Using \(GB\) ([\d.]{1,20}) / ([\d.]{1,20}) ")
_NAMES = {
    "seconds": "step_time_s",
    "tflop/s": "tflops_per_chip",
    "tflop/s/device": "tflops_per_chip",
    "tokens/s/device": "tokens_per_s_per_chip",
    "loss": "loss",
}
_N_START_UP = 3
"""Compilation is in the first step; the next ones end before their work does."""


class _Reader:
    """Steps of the runs of a file, and what the lines around them say of the machine."""

    def __init__(self, file_name: str) -> None:
        self._names: set[str] = set()  # of the first step: one with fewer is cut short
        self._runs = Runs(file_name, FORMAT.id, "MaxText", _N_START_UP, kinds={**SHARED, **OWN})

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        match = _STEP.search(line) if _MARK in line else None
        if match is None:
            _note(line, self._runs)
            return False
        values = {_NAMES[name]: value for name, value in _fields(line[match.start() :]) if name in _NAMES}
        if _is_sound(values) and self._names <= values.keys():
            self._names = self._names or set(values)
            self._runs.add(number, reading(match["step"]), values)
        else:
            self._runs.skip(number, "step line without seconds or tokens/s")
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as 'completed step: 12, seconds: 5.4, ...'")


def _is_sound(values: dict[str, float]) -> bool:
    """True with a time and a speed that is no garbled number; older programs print no tokens."""
    has_speed = len(values) > 1 and values.get("step_time_s", 0.0) > 0
    return has_speed and values.get("tokens_per_s_per_chip", 0.0) >= 0


def _fields(line: str) -> list[tuple[str, float]]:
    """Names and numbers, thousands parted by commas; NaN where a number is garbled."""
    return [(match["name"].lower(), grouped_reading(match["value"])) for match in _FIELD.finditer(line)]


def _note(line: str, runs: Runs) -> None:
    runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
    note_storage(runs, line)
    if "Running Model: " in line and (match := _MODEL.search(line)):
        runs.note({"model": match[1]})
    if "axdiffusion" in line.lower():
        runs.note({"framework": "MaxDiffusion"})
    if "evices" in line and (match := _DEVICES.search(line)):
        runs.note({"n_accelerators": float(match[1] or match[2])})
    if ("TPU" in line or "NVIDIA" in line or "Instinct" in line) and (match := _CHIP.search(line)):
        runs.note({"accelerator": match[0].strip()})
    if "memory size" in line and (match := _COMPILED_MEMORY.search(line)):
        runs.total("compiled_memory_gib", reading(match[1]))
    elif "Using (GB)" in line and (match := _MEMORY.search(line)):
        runs.total("memory_total_gib", reading(match[2]))


FORMAT = LogFormat(
    "maxtext",
    "MaxText output",
    "MaxText output",
    marks=(_MARK,),
    begins=lambda line: bool(_STEP.search(line)),
    reader=_Reader,
    quantities=OWN,
)
