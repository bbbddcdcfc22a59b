"""``nvidia-smi -q -x``: the report as XML, one document after the other in a loop.

Read tag by tag without an XML parser: no document type, entity or address in it is ever followed. Paths by what is
there, not by the document type: drivers 418 to 595 print ``power_readings`` or ``gpu_power_readings``, a
``power_draw`` or an average and an instant one, throttle or event reasons. A MIG device's memory is not the GPU's.
"""

from __future__ import annotations

import re

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.smi_columns import SLOWDOWNS
from core.logs.machine.smi_report import Path, SmiReport
from core.logs.registry import Finding, LogFormat

_ID = "nvidia-smi-xml"
_TAG = re.compile(r"<(/?)([A-Za-z_]\w{0,80})([^<>]{0,200})>([^<]{0,500})")
_GPU_ID = re.compile(r"id=[\"']([^\"']{1,60})")
_MOST_DEPTH = 30
_POWERS = ("gpu_power_readings", "power_readings")
_PATHS: dict[Path, str] = {
    ("utilization", "gpu_util"): "utilization_pct",
    ("utilization", "memory_util"): "memory_busy_pct",
    ("fb_memory_usage", "used"): "memory_used_gib",
    ("fb_memory_usage", "total"): "memory_total_gib",
    **{(power, f"{kind}power_draw"): "power_w" for power in _POWERS for kind in ("", "average_", "instant_")},
    **{(power, f"{kind}power_limit"): "power_limit_w" for power in _POWERS for kind in ("enforced_", "current_", "")},
    ("temperature", "gpu_temp"): "temperature_c",
    ("temperature", "memory_temp"): "memory_temperature_c",
    ("clocks", "sm_clock"): "sm_clock_mhz",
    ("clocks", "mem_clock"): "memory_clock_mhz",
    **{
        (f"clocks_{word}_reasons", f"clocks_{word}_reason_{flag}"): "throttled_pct"
        for word in ("event", "throttle")
        for flag in SLOWDOWNS
    },
}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._report = SmiReport(self._log, _PATHS)
        self._path: list[str] = []
        self._is_inside = self._is_in_gpu = False

    def take(self, number: int, line: str) -> bool:
        """True for a line of a report."""
        if not self._is_inside and "<nvidia_smi_log" not in line:
            return line.lstrip().startswith(("<?xml", "<!DOCTYPE nvidia_smi_log"))
        for match in _TAG.finditer(line):
            if match[1]:
                self._leave(match[2])
            elif not match[3].endswith("/"):
                self._enter(match[2], match[3], match[4].strip())
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all reports."""
        if self._is_in_gpu:
            self._report.end_gpu()
            self._log.skipped["report cut short"] += 1
        return [self._log.finding("a report of nvidia-smi -q -x without a GPU's readings", "a whole report")]

    def _enter(self, name: str, attributes: str, text: str) -> None:
        if name == "nvidia_smi_log":
            self._report.begin()
            self._path, self._is_inside, self._is_in_gpu = [], True, False
        elif name == "gpu" and not self._path:
            identity = _GPU_ID.search(attributes)
            self._report.gpu(identity[1] if identity else f"gpu {len(self._log.ticks.numbers)}")
            self._is_in_gpu = True
        else:
            if len(self._path) < _MOST_DEPTH:
                self._path.append(name)
            self._note(text)

    def _note(self, text: str) -> None:
        if self._is_in_gpu:
            if self._path == ["product_name"]:
                self._log.note_name(text)
            self._report.value(tuple(self._path), text)
        elif self._path == ["timestamp"]:
            self._report.at(text)
        elif self._path == ["driver_version"]:
            self._log.facts["driver"] = text.partition(" [")[0]
        elif self._path == ["attached_gpus"] and text.isdigit() and len(text) < 6:
            self._log.n_chips = int(text)

    def _leave(self, name: str) -> None:
        if name == "nvidia_smi_log":
            self._is_inside = False
        if name == "gpu" and "gpu" not in self._path:
            self._report.end_gpu()
            self._path, self._is_in_gpu = [], False
        while name in self._path and self._path.pop() != name:
            pass


FORMAT = LogFormat(
    _ID,
    "nvidia-smi -q -x report",
    "nvidia-smi XML",
    marks=("<nvidia_smi_log",),
    reader=_Reader,
)
