"""``nvidia-smi pmon``: one row a process and tick; added up to the GPUs that the processes run on.

Commands hold blanks and come last. With MIG, and on Windows, no reading is ever known.
"""

from __future__ import annotations

import math

from core.logs.machine.day_clock import DayClock
from core.logs.machine.machine_log import MachineLog
from core.logs.machine.monitor_columns import MonitorColumns, header_columns, is_cell, stamp_of
from core.logs.machine.processes import ProcessTicks
from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat

_ID = "nvidia-smi-pmon"
_COLUMNS = {
    "sm": ("utilization_pct", 1.0),
    "mem": ("memory_busy_pct", 1.0),
    "fb": ("process_memory_gib", 1 / 1024),
}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._processes = ProcessTicks(self._log.ticks)
        self._columns = MonitorColumns(_begins, self._take_row)
        self._clock = DayClock()
        self._n_rows = self._n_processes = 0

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        is_used = self._columns.take(line)
        if is_used:
            self._log.use(number)
        return is_used

    def finish(self) -> list[Finding]:
        """One record of all rows."""
        self._processes.flush()
        return [self._log.finding(self._what_is_missing(), "at least one process whose share of the GPU is known")]

    def _what_is_missing(self) -> str:
        if not self._n_rows:
            return "a header of nvidia-smi pmon without a whole row"
        return "processes without a single reading" if self._n_processes else "GPUs on which no process was running"

    def _take_row(self, cells: list[str]) -> bool:
        n_before = (
            self._columns.names.index("command") if "command" in self._columns.names else len(self._columns.names)
        )
        named = dict(zip(self._columns.names, cells[:n_before], strict=False))
        if not named.get("gpu", "?").isdigit() or not is_cell(named.get("pid", "?")):
            return False
        if len(cells) < n_before:
            self._log.skipped["row cut short"] += 1
            return True
        self._n_rows += 1
        self._n_processes += named["pid"] != "-"
        time, date = stamp_of(self._columns.names, cells)
        if time:
            self._log.note_start(f"{date} {time}".strip())
        values = {ours: reading(named[name]) * factor for name, (ours, factor) in _COLUMNS.items() if name in named}
        seconds = self._clock.seconds(time, date) if time else math.nan
        self._processes.add(named["gpu"], named["pid"], values, seconds)
        return True


def _begins(line: str) -> bool:
    return "pid" in header_columns(line)


FORMAT = LogFormat(_ID, "nvidia-smi pmon", "nvidia-smi pmon", marks=("pid",), begins=_begins, reader=_Reader)
