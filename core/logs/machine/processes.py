"""Readings of single processes added up to readings of the GPUs that they run on, tick by tick."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.logs.machine.ticks import ChipTicks

_MOST_PROCESSES = 100_000
_WHOLE_PCT = 100.0


@dataclass
class ProcessTicks:
    """A process that repeats, or another time, begins a tick. Shares of a GPU are added up; of memory the largest
    process counts."""

    ticks: ChipTicks
    _seen: set[tuple[str, str]] = field(default_factory=set)
    _gpus: dict[str, dict[str, float]] = field(default_factory=dict)
    _time_s: float = math.nan

    def add(self, gpu: str, process: str, values: Mapping[str, float], time_s: float = math.nan) -> None:
        """What one row says of a process."""
        is_later = bool(self._seen) and time_s != self._time_s and not math.isnan(time_s)
        if (gpu, process) in self._seen or is_later or len(self._seen) >= _MOST_PROCESSES:
            self.flush()
        self._seen.add((gpu, process))
        self._time_s = time_s
        known = self._gpus.setdefault(gpu, {})
        for name, value in values.items():
            before = known.get(name, math.nan)
            is_share = name != "process_memory_gib"
            together = _shares(before, value) if is_share else max(before, value)
            known[name] = value if math.isnan(before) else before if math.isnan(value) else together

    def flush(self) -> None:
        """The tick is over."""
        for gpu, values in self._gpus.items():
            self.ticks.add(gpu, values, self._time_s)
        self.ticks.end_tick()
        self._seen, self._gpus = set(), {}


def _shares(one: float, other: float) -> float:
    """Shares of a GPU together, which were not read at the same moment; one that is impossible stays so."""
    return max(one, other, min(one + other, _WHOLE_PCT))
