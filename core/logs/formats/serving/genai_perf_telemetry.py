"""GenAI-Perf's tables of what the chips did meanwhile: a title with the unit, then a row a chip.

Its energy is what a chip counted since its driver was loaded, not that of the test: it is left out.
"""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.quantities import SHARED
from core.logs.record import LogRecord, Quantity, Refused
from core.logs.registry import Finding, LogFormat
from core.logs.serving.box_table import cells_between_bars
from core.logs.serving.figures import number_of
from core.logs.serving.labels import figure
from core.units import GIB

_PER_GB = 1e9 / GIB
_TITLES = {
    "gpu power usage (w)": ("power_w", 1.0), "gpu power limit (w)": ("power_limit_w", 1.0),
    "gpu memory used (gb)": ("memory_used_gib", _PER_GB), "total gpu memory (gb)": ("memory_total_gib", _PER_GB),
    "gpu memory total (gb)": ("memory_total_gib", _PER_GB), "gpu utilization (%)": ("utilization_pct", 1.0),
    "sm utilization (%)": ("sm_active_pct", 1.0), "gpu temperature (°c)": ("temperature_c", 1.0),
    "gpu sm clock (mhz)": ("sm_clock_mhz", 1.0), "gpu memory clock (mhz)": ("memory_clock_mhz", 1.0),
}  # fmt: skip
_TITLE = re.compile(r"(?:NVIDIA )?(?:GenAI-Perf|AIPerf) \| (?:Power|Memory|Utilization|Temperature|GPU Telemetry)")
_MOST_CHIPS = 10_000


class _Reader:
    """The tables of one file, which tell of the same chips."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._first_line = self._n_lines = 0
        self._now: tuple[str, float] | None = None
        self._stats: list[str] = []
        self._values: dict[str, dict[str, dict[str, float]]] = {}

    def take(self, number: int, line: str) -> bool:
        """True for a title, a header or a row of a chip."""
        if _TITLE.search(line):
            self._first_line = self._first_line or number
            return True
        cells = [cell for cell in cells_between_bars(line) if cell]
        if not cells:
            return False
        self._n_lines += 1
        if len(cells) == 1:
            self._now, self._stats = _TITLES.get(cells[0].lower()), []
            return self._now is not None
        if cells[0] == "GPU Index":
            self._stats = [figure(cell) for cell in cells[1:]]
            return True
        return self._chip(cells)

    def finish(self) -> list[Finding]:
        """One record of all tables."""
        if not self._values:
            return [Refused(FORMAT.id, self._first_line, "tables without a figure", "a row for at least one chip")]
        chips = tuple(dict.fromkeys(chip for table in self._values.values() for chip in table))
        record = LogRecord(
            file=self._file_name,
            format=FORMAT.id,
            n_lines=self._n_lines,
            skipped={},
            accelerator=None,
            accelerator_id=None,
            n_accelerators=len(chips),
            start=None,
            time_s=np.zeros(0),
            series={},
            quantities={name: _quantity(name, table) for name, table in self._values.items()},
            first_line=self._first_line,
        )
        return [record]

    def _chip(self, cells: list[str]) -> bool:
        if self._now is None or not cells[0].isdecimal() or len(cells) != len(self._stats) + 1:
            return False
        name, factor = self._now
        known = {stat: number_of(cell) * factor for stat, cell in zip(self._stats, cells[1:], strict=True) if stat}
        given = {stat: value for stat, value in known.items() if not math.isnan(value)}
        table = self._values.setdefault(name, {}) if given else {}
        if given and len(table) < _MOST_CHIPS:
            table.setdefault(cells[0][:20], given)
        return True


def _quantity(name: str, table: dict[str, dict[str, float]]) -> Quantity:
    """The mean over the chips and the highest of any; percentiles only where there is one chip."""
    means = [row["mean"] for row in table.values() if "mean" in row]
    highest = [row["max"] for row in table.values() if "max" in row]
    mean = sum(means) / len(means) if means else math.nan
    single = next(iter(table.values())) if len(table) == 1 else {}
    rest = {stat: single[stat] for stat in ("p50", "p90", "p99") if stat in single}
    return Quantity(SHARED[name].unit, len(table), mean, max=max(highest, default=math.nan), **rest)


FORMAT = LogFormat(
    "genai-perf-telemetry",
    "GenAI-Perf GPU telemetry tables",
    "GenAI-Perf telemetry",
    marks=("GenAI-Perf | ", "AIPerf | "),
    begins=lambda line: bool(_TITLE.search(line)),
    reader=_Reader,
)
