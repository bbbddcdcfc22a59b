"""A reader for formats that print one whole step a line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.logs.quantities import grouped_reading
from core.logs.registry import Finding
from core.logs.training.run_settings import Ranks, parameters_in, settings_in
from core.logs.training.steps import Derived, Facts, Runs, by_batch

_SCALES = {"K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12, "": 1.0}


@dataclass(frozen=True, slots=True)
class Step:
    """What one line says of a step: its number (NaN where not printed), its readings, its stamp or its seconds."""

    number: float
    values: Mapping[str, float]
    stamp: str = ""
    at_s: float = math.nan


@dataclass(frozen=True)
class StepFormat:
    """How a program prints steps: ``step`` gives that of a line, None of any other; ``facts`` those of other lines."""

    id: str
    framework: str
    example: str
    step: Callable[[str], Step | None]
    facts: Callable[[str], Facts] = lambda line: {}
    derived: Derived = by_batch


class StepLines:
    """Steps of the runs of a file, and the settings between them."""

    def __init__(self, file_name: str, known: StepFormat) -> None:
        self._known = known
        self._runs = Runs(file_name, known.id, known.framework, 1, known.derived)
        self._ranks = Ranks()

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        step = self._known.step(line)
        if step is None:
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)} | self._known.facts(line))
            self._ranks.take(line)
            return False
        self._runs.add(number, step.number, step.values, step.stamp, step.at_s)
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        self._runs.note(self._ranks.facts)
        return self._runs.finish(self._known.example)


def scaled(text: str) -> float:
    """``4.19M``, ``32.8K`` or ``12,345`` as a number; NaN for any other text."""
    bare = text.strip()
    sign = bare[-1:] if bare[-1:] in _SCALES else ""
    return grouped_reading(bare.removesuffix(sign)) * _SCALES[sign]
