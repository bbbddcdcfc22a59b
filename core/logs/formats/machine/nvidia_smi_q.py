"""``nvidia-smi -q``: an indented report of ``key : value`` lines, one after the other in a loop.

Values are told by their path, since ``Used`` and ``Memory`` stand in many sections. Names of drivers 375 to 610: power
readings became GPU power readings with an average and an instantaneous draw, throttle reasons became event reasons.
"""

from __future__ import annotations

import re

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.smi_report import Path, SmiReport
from core.logs.registry import Finding, LogFormat

_ID = "nvidia-smi-q"
_GPU = re.compile(r"^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f.]{2,5})\s*$")
_POWERS = ("gpu power readings", "power readings")
_REASONS = ("clocks event reasons", "clocks throttle reasons")
_PATHS: dict[Path, str] = {
    ("utilization", "gpu"): "utilization_pct",
    ("utilization", "memory"): "memory_busy_pct",
    ("fb memory usage", "used"): "memory_used_gib",
    ("fb memory usage", "total"): "memory_total_gib",
    **{(p, n): "power_w" for p in _POWERS for n in ("power draw", "average power draw", "instantaneous power draw")},
    **{
        (power, name): "power_limit_w"
        for power in _POWERS
        for name in ("enforced power limit", "current power limit", "power limit")
    },
    ("temperature", "gpu current temp"): "temperature_c",
    ("temperature", "memory current temp"): "memory_temperature_c",
    ("clocks", "sm"): "sm_clock_mhz",
    ("clocks", "memory"): "memory_clock_mhz",
    **{
        (reasons, *names): "throttled_pct"
        for reasons in _REASONS
        for names in (
            ("sw power cap",),
            ("hw slowdown",),
            ("sw thermal slowdown",),
            ("hw slowdown", "hw thermal slowdown"),
            ("hw slowdown", "hw power brake slowdown"),
        )
    },
}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._report = SmiReport(self._log, _PATHS)
        self._path: list[tuple[int, str]] = []
        self._is_inside = False

    def take(self, number: int, line: str) -> bool:
        """True for a line of a report."""
        if _begins(line):
            self._report.begin()
            self._is_inside = True
        elif not self._is_inside or not line.strip():
            return False
        elif match := _GPU.match(line):
            self._report.gpu(match[1])
            self._path = []
        elif not self._take_line(line):
            self._is_inside = False
            self._report.end_gpu()
            return False
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all reports."""
        self._report.end_gpu()
        return [self._log.finding("a report of nvidia-smi -q without a GPU's readings", "a whole report")]

    def _take_line(self, line: str) -> bool:
        key, colon, text = line.partition(" : ")
        indent, name = len(key) - len(key.lstrip()), key.strip().lower()
        text = text.strip()
        if not indent:
            return bool(colon) and self._take_fact(name, text)
        while self._path and self._path[-1][0] >= indent:
            self._path.pop()
        self._path.append((indent, name))
        if name == "product name":
            self._log.note_name(text)
        self._report.value(tuple(one for _, one in self._path), text)
        return True

    def _take_fact(self, name: str, text: str) -> bool:
        if name == "timestamp":
            self._report.at(text)
        elif name == "driver version":
            self._log.facts["driver"] = text.partition(" [")[0]
        elif name == "attached gpus" and text.isdigit() and len(text) < 6:
            self._log.n_chips = int(text)
        return True


def _begins(line: str) -> bool:
    return line.startswith("====") and "NVSMI LOG" in line


FORMAT = LogFormat(
    _ID, "nvidia-smi -q report", "nvidia-smi report", marks=("NVSMI LOG",), begins=_begins, reader=_Reader
)
