"""Progress bars of Lightning (``Epoch 0:  20%|..| 20/100 [00:20<01:20, 1.00it/s, v_num=0, ...]``) and of torchtune
(``1|20|Loss: 2.1:  20%|..| 20/100 [00:20<01:20, 1.00s/it]``), and of the training scripts of Diffusers
(``Steps:   9%|..| 9/1000 [00:36<54:09, 4.09s/it, step_loss=0.1]``). Lightning's other bar has no brackets:
``Epoch 0/9 ━━━━╸    140/1000 0:00:35 • 0:03:35 4.00it/s v_num: 3.000 train_loss: 2.310``.

A bar says how long an iteration takes, and whatever speeds its program hangs on it. NeMo's bars are NeMo's own.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.bars import BAR, pace_s
from core.logs.training.run_settings import parameters_in, settings_in
from core.logs.training.speed_names import speeds_of
from core.logs.training.steps import Runs, by_batch

_LIGHTNING = re.compile(r"\bEpoch (?P<epoch>\d{1,9}):\s{1,9}\d{1,3}%")
_TORCHTUNE = re.compile(r"(?:^|\s)(?P<epoch>\d{1,9})\|(?P<step>\d{1,12})\|Loss: (?P<loss>[\w.+-]{1,30}?):")
_PAIR = re.compile(r"(?P<name>[A-Za-z_][\w/]{0,60})=(?P<value>[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)(?=[\s,\]]|$)")
_DIFFUSERS = re.compile(r"^Steps:\s{1,9}\d{1,3}%")
_RICH = re.compile(r"\bEpoch (?P<epoch>\d{1,9})/\d{1,9}\s{1,9}[━╸╺ ]{5,300}\s")
_RICH_BAR = re.compile(
    r"(?P<row>\d{1,12})/(?P<total>\d{1,12}) (?P<elapsed>[\d:]{4,12}) • [\d:-]{4,12}"
    r" {1,4}(?P<pace>[\d.]{1,12})(?P<unit>it/s|s/it)"
)
_RICH_PAIR = re.compile(r"(?P<name>[A-Za-z_][\w/]{0,60}): (?P<value>[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)(?=\s|$)")
_NEMO = ("train_step_timing in s", "reduced_train_loss")


_FRAMEWORKS = {_TORCHTUNE: "torchtune", _DIFFUSERS: "Diffusers"}


class _Reader:
    """A bar a line: redraws within a line leave the last one. The number of steps of all epochs before is added."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "", 1, by_batch)

    def take(self, number: int, line: str) -> bool:
        """True for a bar."""
        known = _match(line)
        if known is None:
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
            return False
        head, bar = known
        pairs = _RICH_PAIR if head.re is _RICH else _PAIR
        values = speeds_of({one["name"]: one["value"] for one in pairs.finditer(line[bar.start() :])})
        values.setdefault("step_time_s", pace_s(bar))
        step = _step(head, bar)
        if head.re is _TORCHTUNE:
            values |= {"loss": reading(head["loss"])}
        self._runs.note({"framework": _FRAMEWORKS.get(head.re, "Lightning")})
        self._runs.add(number, step, values)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        return self._runs.finish("bars such as 'Epoch 0:  20%|##  | 20/100 [00:20<01:20,  1.00it/s]'")


def _match(line: str) -> tuple[re.Match[str], re.Match[str]] | None:
    if "it]" not in line and "it/s" not in line and "s/it" not in line:
        return None
    if any(mark in line for mark in _NEMO):
        return None
    head = _LIGHTNING.search(line) or _TORCHTUNE.search(line) or _DIFFUSERS.search(line) or _RICH.search(line)
    bar = (_RICH_BAR if head.re is _RICH else BAR).search(line, head.end() - 1) if head else None
    return (head, bar) if head and bar else None


def _step(head: re.Match[str], bar: re.Match[str]) -> float:
    if head.re is _TORCHTUNE:
        return reading(head["step"])
    if head.re is _DIFFUSERS:
        return reading(bar["row"])
    total = reading(bar["total"])
    return reading(bar["row"]) + (reading(head["epoch"]) * total if total > 0 else 0.0)


FORMAT = LogFormat(
    "training-bar",
    "Progress bar of Lightning, torchtune or Diffusers",
    "Lightning or torchtune",
    marks=("it/s", "s/it"),
    begins=lambda line: _match(line) is not None,
    reader=_Reader,
)
