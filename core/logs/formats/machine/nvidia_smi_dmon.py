"""``nvidia-smi dmon``: one row a GPU and tick under a header of two lines that repeats.

Columns by name, as drivers 375 to 610 print them (``temp`` became ``gtemp`` and ``mtemp``; ``-o T`` and ``-o D`` put
time and date first; ``--gpm-metrics`` adds what the multiprocessors and matrix units do). Without a time stamp a tick
counts as a second, which is what dmon waits.
"""

from __future__ import annotations

import math

from core.logs.machine.day_clock import DayClock
from core.logs.machine.machine_log import MachineLog
from core.logs.machine.monitor_columns import MonitorColumns, header_columns, is_cell, stamp_of
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat

_ID = "nvidia-smi-dmon"
# fb and bar1 are printed as "MB" and are MiB.
_COLUMNS = {
    "pwr": ("power_w", 1.0),
    "gtemp": ("temperature_c", 1.0),
    "temp": ("temperature_c", 1.0),
    "mtemp": ("memory_temperature_c", 1.0),
    "sm": ("utilization_pct", 1.0),
    "mem": ("memory_busy_pct", 1.0),
    "mclk": ("memory_clock_mhz", 1.0),
    "pclk": ("sm_clock_mhz", 1.0),
    "fb": ("memory_used_gib", 1 / 1024),
    "rxpci": ("host_in_gb_per_s", 1e-3),
    "txpci": ("host_out_gb_per_s", 1e-3),
    "pviol": ("throttled_pct", 1.0),
    "tviol": ("throttled_pct", 100.0),
    "smutil": ("sm_active_pct", 1.0),
    "mmaact": ("tensor_active_pct", 1.0),
    "dram": ("memory_busy_pct", 1.0),
}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._columns = MonitorColumns(_begins, self._take_row)
        self._clock = DayClock()

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        is_used = self._columns.take(line)
        if is_used:
            self._log.use(number)
        return is_used

    def finish(self) -> list[Finding]:
        """One record of all rows."""
        return [self._log.finding("a header of nvidia-smi dmon without a whole row", "rows of readings below it")]

    def _take_row(self, cells: list[str]) -> bool:
        if not cells or not all(is_cell(cell) for cell in cells):
            return False
        if len(cells) != len(self._columns.names):
            is_short = len(cells) < len(self._columns.names)
            self._log.skipped["row cut short" if is_short else "row with too many cells"] += 1
            return True
        time, date = stamp_of(self._columns.names, cells)
        if time:
            self._log.note_start(f"{date} {time}".strip())
        values: dict[str, float] = {}
        for name, cell in zip(self._columns.names, cells, strict=True):
            if name in _COLUMNS:
                quantity, factor = _COLUMNS[name]
                value, known = reading(cell) * factor, values.get(quantity, math.nan)
                values[quantity] = value if math.isnan(known) else known if math.isnan(value) else max(known, value)
        seconds = self._clock.seconds(time, date) if time else math.nan
        self._log.ticks.add(cells[self._columns.names.index("gpu")], values, seconds)
        return True


def _begins(line: str) -> bool:
    columns = set(header_columns(line))
    return "pid" not in columns and bool(_COLUMNS.keys() & columns)


FORMAT = LogFormat(_ID, "nvidia-smi dmon", "nvidia-smi dmon", marks=("gpu",), begins=_begins, reader=_Reader)
