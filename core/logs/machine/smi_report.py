"""Reports of ``nvidia-smi -q``, as text or XML: readings of each GPU, told by their path in the report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.units import cell_reading
from core.logs.timestamps import seconds_of_ctime

Path = tuple[str, ...]

_THROTTLED = "throttled_pct"


@dataclass
class SmiReport:
    """Takes values of one report after another. Of a quantity with several paths the first that is known counts.

    ``paths`` lead from a GPU to its readings, in the order in which they are preferred.
    """

    log: MachineLog
    paths: Mapping[Path, str]
    _time_s: float = math.nan
    _chip: str = ""
    _known: dict[Path, float] = field(default_factory=dict)
    _order: dict[str, list[Path]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, quantity in self.paths.items():
            self._order.setdefault(quantity, []).append(path)

    def begin(self) -> None:
        """Another report."""
        self.end_gpu()
        self.log.ticks.end_tick()
        self._time_s = math.nan

    def at(self, stamp: str) -> None:
        """The time of the report."""
        seconds = seconds_of_ctime(stamp)
        self._time_s = math.nan if seconds is None else seconds
        self.log.note_start(stamp)

    def gpu(self, chip: str) -> None:
        """What follows is of this GPU."""
        self.end_gpu()
        self._chip = chip

    def value(self, path: Path, text: str) -> None:
        """A value of the GPU."""
        quantity = self.paths.get(path)
        if quantity is None or not self._chip:
            return
        if quantity != _THROTTLED:
            self._known[path] = cell_reading(quantity, text, "")
        elif text in ("Active", "Not Active"):
            self._known[path] = 100.0 if text == "Active" else 0.0

    def end_gpu(self) -> None:
        """Nothing more follows of this GPU."""
        if self._chip:
            values = {quantity: self._of(quantity, paths) for quantity, paths in self._order.items()}
            self.log.ticks.add(self._chip, values, self._time_s)
        self._chip, self._known = "", {}

    def _of(self, quantity: str, paths: list[Path]) -> float:
        known = [value for path in paths if not math.isnan(value := self._known.get(path, math.nan))]
        return (max(known) if quantity == _THROTTLED else known[0]) if known else math.nan
