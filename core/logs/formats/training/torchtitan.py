"""torchtitan's step lines: ``step: 10  loss: 10.2  memory: 44.84GiB(47.19%)  tps: 5,615  tflops: 325.20  mfu: 32.88%``.

``tps`` (``wps`` until 2024) and ``tflops`` are per device. All ranks may print the same step; the first one holds the
compilation. Step times follow from the stamps.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.quantities import grouped_reading, reading
from core.logs.record import Series
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.steps import Facts, Runs, StepTable, chip_count, size
from core.logs.training.storage import note_storage

_STEP = re.compile(r"\bstep: {1,12}(?P<step>\d{1,12})\s{1,8}(?:loss|[\w ]{1,30}loss): {1,12}(?P<loss>[\w.+-]{1,30})\s")
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[,.](\d{1,6})")
_FIELD = re.compile(
    r"\b(?P<name>memory|tps|wps|tflops|mfu|data_loading\(%\)|end_to_end\(s\)): {1,12}(?P<value>[\d.,]{1,30})"
)
_MESH = re.compile(r"device mesh with \[.{0,200}?\], \[([\d, ]{1,60})\]")
_BATCH = re.compile(
    r"local batch size:? (\d{1,9})(?:,? global batch size:? (\d{1,9}))?(?:.{0,80}?sequence length:? (\d{1,9}))?"
)
_CHIP = re.compile(r"(?:GPU|CUDA|XPU|HPU) capacity: (.{2,60}?) ?\(\d{1,3}\) with")
_MODEL = re.compile(r"\bModel (\S{1,40} \S{1,40}) size: ([\d,]{1,30}) total parameters")
_NAMES = {"memory": "memory_used_gib", "tps": "tokens_per_s_per_chip", "wps": "tokens_per_s_per_chip",
          "tflops": "tflops_per_chip", "mfu": "mfu_pct"}  # fmt: skip


class _Reader:
    """Steps of all ranks; what several say of one step is averaged."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "torchtitan", 1, _derived)

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        match = _STEP.search(line) if "step:" in line else None
        values = {} if match is None else {_NAMES[name]: value for name, value in _fields(line) if name in _NAMES}
        if match is None or not values:
            self._runs.note(_facts(line))
            note_storage(self._runs, line)
            return False
        if "tokens_per_s_per_chip" not in values:
            self._runs.skip(number, "step line cut short")
            return True
        stamp = _STAMP.search(line[: match.start()])
        words = f"{stamp[1]}.{stamp[2]}" if stamp else ""
        self._runs.add(number, reading(match["step"]), values | {"loss": reading(match["loss"])}, words)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as 'step: 10  loss: 10.2  memory: 44.84GiB(47.19%)  tps: 5,615'")


def _fields(line: str) -> list[tuple[str, float]]:
    return [(one["name"], grouped_reading(one["value"])) for one in _FIELD.finditer(line)]


def _facts(line: str) -> Facts:
    facts = settings_in(line) | {"n_parameters": parameters_in(line)}
    if "mesh" in line and (match := _MESH.search(line)):
        facts["n_accelerators"] = math.prod(reading(one) for one in match[1].split(","))
    if "batch size" in line and (match := _BATCH.search(line)):
        names = ("micro_batch", "global_batch", "sequence_length")
        facts |= {name: float(value) for name, value in zip(names, match.groups(), strict=True) if value}
    if "capacity:" in line and (match := _CHIP.search(line)):
        facts["accelerator"] = match[1]
    if "total parameters" in line and (match := _MODEL.search(line)):
        facts |= {"model": match[1], "n_parameters": grouped_reading(match[2])}
    return facts


def _derived(table: StepTable) -> dict[str, Series]:
    """Step time from the stamps of following steps, else from the tokens of a step; tokens/s of all devices."""
    rate = table.columns["tokens_per_s_per_chip"]
    tokens = size(table.facts, "global_batch") * size(table.facts, "sequence_length")
    total = rate * (chip_count(table.facts) or math.nan)
    steps, seconds = np.diff(table.step), np.diff(table.at_s)
    by_stamp = np.where((steps > 0) & (seconds > 0), seconds / np.where(steps > 0, steps, 1.0), np.nan)
    measured = np.concatenate((np.full(1, np.nan), by_stamp))
    return {"step_time_s": np.where(np.isnan(measured), tokens / total, measured), "tokens_per_s": total}


FORMAT = LogFormat(
    "torchtitan",
    "torchtitan output",
    "torchtitan",
    marks=("tps:", "wps:"),
    begins=lambda line: bool(_STEP.search(line)),
    reader=_Reader,
)
