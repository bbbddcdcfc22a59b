"""``nvidia-smi --query-compute-apps`` and ``--query-accounted-apps`` as CSV: memory of each process of each GPU.

Paths hold blanks and, since nothing is quoted, perhaps commas: cells are counted from both ends. Accounted rows are
averages over a process's whole life; those of no time at all still run and say nothing of utilisation.
"""

from __future__ import annotations

import math

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.processes import ProcessTicks
from core.logs.machine.smi_columns import parted_name
from core.logs.machine.units import cell_reading
from core.logs.quantities import reading
from core.logs.record import Quantity
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of

_ID = "nvidia-smi-query-compute-apps"
_GPUS = ("gpu_uuid", "gpu_bus_id", "gpu_name")
_MEMORY = ("used_gpu_memory", "used_memory", "max_memory_usage")
_SHARES = {"gpu_utilization": "utilization_pct", "mem_utilization": "memory_busy_pct", "gpu_util": "utilization_pct"}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._processes = ProcessTicks(self._log.ticks)
        self._names: list[str] = []
        self._units: list[str] = []
        self._n_rows = 0
        self._shares: dict[str, tuple[int, float, float, float]] = {}

    def take(self, number: int, line: str) -> bool:
        """True for a header or a row."""
        if _begins(line):
            parts = [parted_name(cell) for cell in line.split(",")]
            self._names, self._units = [name for name, _ in parts], [unit for _, unit in parts]
        elif not self._names or line.count(",") < 1 or not self._take_row(line):
            return False
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all rows."""
        self._processes.flush()
        for quantity, (n, total, weight, most) in self._shares.items():
            self._log.totals[quantity] = Quantity("%", n, total / weight, max=most)
        return [self._log.finding(self._found(), "at least one process with the memory that it uses")]

    def _found(self) -> str:
        """What there is in place of a reading. Accounting lists processes only while its mode is on."""
        if self._n_rows:
            return "processes whose memory is not known"
        if "max_memory_usage" in self._names or "mem_utilization" in self._names:
            return "a header without a process: accounting was off, or none has run since it is on"
        return "a header without a process: none was running"

    def _take_row(self, line: str) -> bool:
        cells = self._cells(line)
        named = dict(zip(self._names, cells, strict=False))
        if not named.get("pid", "?").isdigit():
            return False
        if len(cells) != len(self._names):
            self._log.skipped["row cut short"] += 1
            return True
        self._n_rows += 1
        stamp = seconds_of(named.get("timestamp", ""))
        self._log.note_start(named.get("timestamp", ""))
        self._log.note_name(named.get("gpu_name", ""))
        gpu = next((named[name] for name in _GPUS if name in named), "0")
        self._processes.add(gpu, named["pid"], {"process_memory_gib": self._memory_gib(cells)}, _or_unknown(stamp))
        self._note_shares(named)
        return True

    def _memory_gib(self, cells: list[str]) -> float:
        """Of the process; a highest memory of 0, which accounting prints where it knows none, is unknown."""
        for name, unit, cell in zip(self._names, self._units, cells, strict=True):
            if name in _MEMORY:
                value = cell_reading("process_memory_gib", cell, unit or "MiB")
                return value if value or name != "max_memory_usage" else math.nan
        return math.nan

    def _note_shares(self, named: dict[str, str]) -> None:
        """Of a process that is over, weighted with the time that it took."""
        time_ms = reading(named.get("time", "").removesuffix("ms").strip())
        for name, quantity in _SHARES.items():
            share = cell_reading(quantity, named.get(name, ""), "%")
            if time_ms > 0 and not math.isnan(share):
                n, total, weight, most = self._shares.get(quantity, (0, 0.0, 0.0, 0.0))
                self._shares[quantity] = n + 1, total + share * time_ms, weight + time_ms, max(most, share)

    def _cells(self, line: str) -> list[str]:
        cells = [cell.strip() for cell in line.split(",")]
        if "process_name" not in self._names or len(cells) <= len(self._names):
            return cells
        place = self._names.index("process_name")
        n_after = len(self._names) - place - 1
        end = len(cells) - n_after
        return [*cells[:place], ", ".join(cells[place:end]), *cells[end:]]


def _or_unknown(seconds: float | None) -> float:
    return math.nan if seconds is None else seconds


def _begins(line: str) -> bool:
    names = {parted_name(cell)[0] for cell in line.split(",")} if "," in line else set()
    return "pid" in names and bool(names & {*_MEMORY, *_SHARES, "process_name"})


FORMAT = LogFormat(
    _ID,
    "nvidia-smi list of processes",
    "nvidia-smi processes",
    marks=("pid",),
    begins=_begins,
    reader=_Reader,
)
