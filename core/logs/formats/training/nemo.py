"""NeMo's progress bars and NeMo 2's lines, which print ``train_step_timing in s``.

Seen in outputs of NeMo 1.x (a Lightning bar with ``reduced_train_loss=``; the oldest with ``41.36s/it`` only) and of
NeMo 2 (``Training epoch 0, iteration 120/149 | ... | train_step_timing in s: 0.03146``).
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.bars import BAR, clock_s, pace_s
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.speed_names import speeds_of
from core.logs.training.steps import Runs, by_batch
from core.logs.training.storage import note_storage

_ITERATION = re.compile(r"Training epoch \d{1,9}, iteration (?P<row>\d{1,12})/\d{1,12} ?\|")
_PAIR = re.compile(
    r"(?P<name>[A-Za-z_][\w /]{0,60}?)\s?(?:=|: )\s?(?P<value>[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)(?=[\s,|\]]|$)"
)
_MARKS = ("train_step_timing in s", "reduced_train_loss")
_DEVICES = re.compile(r"MEMBER: \d{1,8}/(\d{1,8})\b")


class _Reader:
    """Redraws of a bar and lines of steps."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "NeMo", 1, by_batch)

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        match = _match(line)
        if match is None:
            note_storage(self._runs, line)
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
            if "MEMBER" in line and (member := _DEVICES.search(line)):
                self._runs.note({"n_accelerators": reading(member[1])})
            return False
        pairs = {one["name"].strip(): one["value"] for one in _PAIR.finditer(line[match.start() :])}
        values = speeds_of(pairs)
        at_s = math.nan
        if match.re is BAR:
            values.setdefault("step_time_s", pace_s(match))
            at_s = clock_s(match["elapsed"])
        if not values.keys() - {"loss"}:
            self._runs.skip(number, "step without its time")
            return True
        self._runs.note({"global_batch": reading(pairs.get("global_batch_size", ""))})
        self._runs.add(number, reading(pairs.get("global_step", match["row"])), values, at_s=at_s)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("lines such as '... global_step=10, train_step_timing in s=0.615'")


def _match(line: str) -> re.Match[str] | None:
    if not any(mark in line for mark in _MARKS):
        return None
    return _ITERATION.search(line) or BAR.search(line)


FORMAT = LogFormat(
    "nemo",
    "NeMo output",
    "NeMo",
    marks=_MARKS,
    begins=lambda line: _match(line) is not None,
    reader=_Reader,
)
