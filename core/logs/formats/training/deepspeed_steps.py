"""DeepSpeed's timer: ``epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=25.6, CurrSamplesPerSec=25.7``.

Samples are those of all processes. Seen since 0.3 (``0/10, SamplesPerSec=25.6``). Where the program that runs on
DeepSpeed prints steps or losses of its own between these, it is the run's log, and this timer adds none.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.record import Series
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import Ranks, parameters_in, settings_in
from core.logs.training.steps import Runs, StepTable, by_batch, by_clock

_STEP = re.compile(
    r"(?:global_step=(?P<step>\d{1,12})|\b\d{1,9}/(?P<old>\d{1,12})), (?:RunningAvgSamplesPerSec=[\d.e+-]{1,30}, )?"
    r"(?:CurrSamplesPerSec|SamplesPerSec)=(?P<rate>[\d.e+-]{1,30})"
)
_STAMP = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{1,6})\]")
_MEMORY = re.compile(r"MaxMemAllocated=([\d.]{1,20}) ?GB")
_OTHERS = ("elapsed time per iteration (ms)", "{'loss':", "train_runtime")


class _Reader:
    """Steps; rank 0 prints them alone."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "DeepSpeed", 1, _derived)
        self._ranks = Ranks()
        self._has_begun = self._other_began = self._has_other = False

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        match = _STEP.search(line) if "SamplesPerSec=" in line else None
        if match is None:
            self._other_began = self._other_began or (self._has_begun and any(mark in line for mark in _OTHERS))
            self._runs.note(settings_in(line) | {"n_parameters": parameters_in(line)})
            self._ranks.take(line)
            return False
        self._has_begun, self._has_other = True, self._has_other or self._other_began
        stamp, memory = _STAMP.search(line[: match.start()]), _MEMORY.search(line, match.end())
        values = {"samples_per_s": reading(match["rate"])}
        if memory:
            values["memory_used_gib"] = reading(memory[1])
        words = f"{stamp[1]}.{stamp[2]}" if stamp else ""
        self._runs.add(number, reading(match["step"] or match["old"]), values, words)
        return True

    def finish(self) -> list[Finding]:
        """A record a run; none where another program prints the same run."""
        self._runs.note(self._ranks.facts)
        return (
            [] if self._has_other else self._runs.finish("lines such as '... global_step=10, CurrSamplesPerSec=25.7'")
        )


def _derived(table: StepTable) -> dict[str, Series]:
    """Tokens by the batch that is stated, seconds a step by the stamps."""
    return {**by_batch(table), **by_clock(table)}


FORMAT = LogFormat(
    "deepspeed-steps",
    "DeepSpeed step timer",
    "DeepSpeed",
    marks=("SamplesPerSec=",),
    begins=lambda line: bool(_STEP.search(line)),
    reader=_Reader,
)
