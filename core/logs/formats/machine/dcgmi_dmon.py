"""``dcgmi dmon``: one row a GPU and tick, with the fields that nvidia-smi has not: tensor pipes, DRAM, NVLink.

Fractions from 0 to 1 for what the profiler measures, percents for GPUTL and MCUTL, bytes a second for links. No time
stamps: a tick counts as a second, which is what dcgmi waits.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.machine_log import PARTS_ALONE, MachineLog
from core.logs.quantities import reading
from core.logs.record import Refused
from core.logs.registry import Finding, LogFormat

_ID = "dcgmi-dmon"
# Field -> our quantity and factor, in the order in which they are preferred.
_FIELDS = {
    "GPUTL": ("utilization_pct", 1.0),
    "GRACT": ("utilization_pct", 100.0),
    "SMACT": ("sm_active_pct", 100.0),
    "TENSO": ("tensor_active_pct", 100.0),
    "DRAMA": ("memory_busy_pct", 100.0),
    "MCUTL": ("memory_busy_pct", 1.0),
    "POWER": ("power_w", 1.0),
    "PMLMT": ("power_limit_w", 1.0),
    "TMPTR": ("temperature_c", 1.0),
    "MMTMP": ("memory_temperature_c", 1.0),
    "SMCLK": ("sm_clock_mhz", 1.0),
    "MMCLK": ("memory_clock_mhz", 1.0),
    "FBUSD": ("memory_used_gib", 1 / 1024),
    "FBTTL": ("memory_total_gib", 1 / 1024),
    "PCIRX": ("host_in_gb_per_s", 1e-9),
    "PCITX": ("host_out_gb_per_s", 1e-9),
    "NVLRX": ("link_in_gb_per_s", 1e-9),
    "NVLTX": ("link_out_gb_per_s", 1e-9),
}
_OF_A_PART = "row of a part of a GPU or of something else"
_HEADER = re.compile(r"^#\s?Entity\s+[A-Z]")
_ROW = re.compile(r"^(GPU|GPU-I|GPU-CI|Switch|Link|Host|CPU|Core)\s+(\d[\d/]{0,9})(?:\s+(.*))?$")


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._fields: list[str] = []

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        if _HEADER.match(line):
            self._fields = line.replace("#", " ").split()[1:]
        elif match := _ROW.match(line.strip()) if self._fields else None:
            self._take_row(match[1], match[2], (match[3] or "").split())
        elif not self._fields or line.split()[:1] not in (["ID"], ["Id"]):
            return False
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all rows."""
        if self._log.skipped[_OF_A_PART] and not self._log.ticks.n_rows:
            return [Refused(_ID, max(self._log.first_line, 1), *PARTS_ALONE)]
        return [self._log.finding("a header of dcgmi dmon without a whole row", "rows of readings below it")]

    def _take_row(self, entity: str, chip: str, cells: list[str]) -> None:
        if entity != "GPU":
            self._log.skipped[_OF_A_PART] += 1
        elif len(cells) != len(self._fields):
            is_short = len(cells) < len(self._fields)
            self._log.skipped["row cut short" if is_short else "row with too many cells"] += 1
        else:
            named = dict(zip(self._fields, cells, strict=True))
            values: dict[str, float] = {}
            for name, (quantity, factor) in _FIELDS.items():
                if name in named and math.isnan(values.get(quantity, math.nan)):
                    values[quantity] = reading(named[name]) * factor
            self._log.ticks.add(chip, values)


FORMAT = LogFormat(
    _ID,
    "dcgmi dmon",
    "dcgmi dmon",
    marks=("Entity",),
    begins=lambda line: bool(_HEADER.match(line)),
    reader=_Reader,
)
