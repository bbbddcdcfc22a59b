"""Prometheus text of the DCGM exporter, of nvidia_gpu_exporter, the older nvidia_gpu_prometheus_exporter and AMD's.

One scrape is one instant, without a time unless samples end with one in ms; a file may hold several. So may the JSON
that Prometheus answers a query with, which has a time for each value. A GPU is told by whichever labels there are.
Samples of a part of a GPU (MIG) are left out; a list of fields to collect has no samples.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.machine.machine_log import PARTS_ALONE, MachineLog
from core.logs.machine.ticks import MOST_CHIPS
from core.logs.quantities import reading
from core.logs.record import Refused
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of_number
from core.units import GIB

_ID = "prometheus-gpu"
_SAMPLE = re.compile(
    r"^(?:amd_(?=gpu_))?((?:DCGM_FI|dcgm|nvidia_smi|nvidia_gpu|gpu)_\w{1,80})\{([^{}]{0,2000})\}\s+(\S{1,40})(?:\s+(\d{10,16}))?\s*$"
)
_LABEL = re.compile(r"(\w{1,60})=\"([^\"]{0,300})\"")
_FIELD_LIST = re.compile(r"^DCGM_FI_\w{1,80}\s*,\s*(?:gauge|counter|label)\b")
_TYPE = re.compile(r"^# TYPE (\w{1,100}) counter")
_CHIP_LABELS = ("Hostname", "instance", "gpu", "index", "minor_number", "gpu_id", "UUID", "uuid", "device")
_NAME_LABELS = ("modelName", "name", "card_model", "card_series")
_OF_AMD = {
    "gpu_gfx_activity": ("utilization_pct", 1.0),
    "gpu_umc_activity": ("memory_busy_pct", 1.0),
    "gpu_used_vram": ("memory_used_gib", 1 / 1024),
    "gpu_total_vram": ("memory_total_gib", 1 / 1024),
    "gpu_package_power": ("power_w", 1.0),
    "gpu_average_package_power": ("power_w", 1.0),
    "gpu_junction_temperature": ("temperature_c", 1.0),
    "gpu_edge_temperature": ("temperature_c", 1.0),
    "gpu_memory_temperature": ("memory_temperature_c", 1.0),
}
"""Of AMD's device metrics exporter; its MB are MiB."""

# Metric -> our quantity and factor, in the order in which they are preferred.
_METRICS = {
    "DCGM_FI_DEV_GPU_UTIL": ("utilization_pct", 1.0),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": ("utilization_pct", 100.0),
    "nvidia_smi_utilization_gpu_ratio": ("utilization_pct", 100.0),
    "nvidia_gpu_duty_cycle": ("utilization_pct", 1.0),
    "dcgm_gpu_utilization": ("utilization_pct", 1.0),
    "DCGM_FI_PROF_DRAM_ACTIVE": ("memory_busy_pct", 100.0),
    "DCGM_FI_DEV_MEM_COPY_UTIL": ("memory_busy_pct", 1.0),
    "nvidia_smi_utilization_memory_ratio": ("memory_busy_pct", 100.0),
    "DCGM_FI_PROF_SM_ACTIVE": ("sm_active_pct", 100.0),
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": ("tensor_active_pct", 100.0),
    "DCGM_FI_DEV_FB_USED": ("memory_used_gib", 1 / 1024),
    "nvidia_smi_memory_used_bytes": ("memory_used_gib", 1 / GIB),
    "nvidia_gpu_memory_used_bytes": ("memory_used_gib", 1 / GIB),
    "dcgm_fb_used": ("memory_used_gib", 1 / 1024),
    "DCGM_FI_DEV_FB_TOTAL": ("memory_total_gib", 1 / 1024),
    "nvidia_smi_memory_total_bytes": ("memory_total_gib", 1 / GIB),
    "nvidia_gpu_memory_total_bytes": ("memory_total_gib", 1 / GIB),
    "DCGM_FI_DEV_POWER_USAGE": ("power_w", 1.0),
    "dcgm_power_usage": ("power_w", 1.0),
    "nvidia_smi_power_draw_watts": ("power_w", 1.0),
    "nvidia_smi_power_draw_instant_watts": ("power_w", 1.0),
    "nvidia_gpu_power_usage_milliwatts": ("power_w", 1e-3),
    "DCGM_FI_DEV_ENFORCED_POWER_LIMIT": ("power_limit_w", 1.0),
    "DCGM_FI_DEV_POWER_MGMT_LIMIT": ("power_limit_w", 1.0),
    "nvidia_smi_enforced_power_limit_watts": ("power_limit_w", 1.0),
    "nvidia_smi_power_limit_watts": ("power_limit_w", 1.0),
    "DCGM_FI_DEV_GPU_TEMP": ("temperature_c", 1.0),
    "dcgm_gpu_temp": ("temperature_c", 1.0),
    "nvidia_smi_temperature_gpu": ("temperature_c", 1.0),
    "nvidia_gpu_temperature_celsius": ("temperature_c", 1.0),
    "DCGM_FI_DEV_MEMORY_TEMP": ("memory_temperature_c", 1.0),
    "nvidia_smi_temperature_memory": ("memory_temperature_c", 1.0),
    "DCGM_FI_DEV_SM_CLOCK": ("sm_clock_mhz", 1.0),
    "nvidia_smi_clocks_current_sm_clock_hz": ("sm_clock_mhz", 1e-6),
    "DCGM_FI_DEV_MEM_CLOCK": ("memory_clock_mhz", 1.0),
    "nvidia_smi_clocks_current_memory_clock_hz": ("memory_clock_mhz", 1e-6),
    "DCGM_FI_PROF_PCIE_RX_BYTES": ("host_in_gb_per_s", 1e-9),
    "DCGM_FI_PROF_PCIE_TX_BYTES": ("host_out_gb_per_s", 1e-9),
    "DCGM_FI_PROF_NVLINK_RX_BYTES": ("link_in_gb_per_s", 1e-9),
    "DCGM_FI_PROF_NVLINK_TX_BYTES": ("link_out_gb_per_s", 1e-9),
    **_OF_AMD,
    **{
        f"nvidia_smi_clocks_{word}_reasons_{flag}": ("throttled_pct", 100.0)
        for word in ("event", "throttle")
        for flag in ("sw_power_cap", "hw_slowdown", "sw_thermal_slowdown", "hw_thermal_slowdown")
    },
}
_FREE = {"DCGM_FI_DEV_FB_FREE": "DCGM_FI_DEV_FB_USED", "dcgm_fb_free": "dcgm_fb_used"}
"""Metric of free memory, MiB -> of used memory: their sum is what there is, where no metric says so."""

_OF_A_PART = "sample of a part of a GPU"
_TURN = {metric: turn for turn, metric in enumerate(_METRICS)}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._counters: set[str] = set()
        self._scrape: dict[str, dict[str, float]] = {}
        self._time_s = math.nan
        self._n_fields = 0

    def take(self, number: int, line: str) -> bool:
        """True for a sample, and for the help and type of one."""
        if line.startswith("#"):
            if (match := _TYPE.match(line)) and len(self._counters) < 1000:
                self._counters.add(match[1])
            return line.startswith(("# HELP ", "# TYPE "))
        if _FIELD_LIST.match(line):
            self._n_fields += 1
        elif match := _SAMPLE.match(line):
            self._take_sample(match)
        else:
            return line.startswith(("nvidia_smi_", "nvidia_gpu_", "DCGM_FI_"))
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all scrapes."""
        self._flush()
        if self._n_fields and not self._log.ticks.n_rows:
            return [
                Refused(
                    _ID,
                    max(self._log.first_line, 1),
                    "a list of fields to collect, without a reading",
                    "the text that the exporter answers with",
                )
            ]
        if self._log.skipped[_OF_A_PART] and not self._log.ticks.n_rows:
            return [Refused(_ID, max(self._log.first_line, 1), *PARTS_ALONE)]
        return [self._log.finding("metrics of no GPU's readings", "utilisation, memory or power of a GPU")]

    def take_answer(self, number: int, series: Sequence[tuple[Mapping[str, str], Mapping[float, str]]]) -> None:
        """The series of an answer to a query, instant by instant: labels, and values by their seconds."""
        self._log.use(number)
        for time_s in sorted({time_s for _, values in series for time_s in values}):
            self._flush()
            for labels, values in series:
                if time_s in values:
                    self._keep(labels["__name__"], labels, values[time_s])
            self._time_s = time_s
            self._log.note_start(f"{time_s:.3f}")
        self._flush()

    def _take_sample(self, match: re.Match[str]) -> None:
        self._keep(match[1], dict(_LABEL.findall(match[2])), match[3])
        if match[4]:
            self._time_s = reading(match[4]) / 1000
            self._log.note_start(match[4])

    def _keep(self, metric: str, labels: Mapping[str, str], value: str) -> None:
        for name in _NAME_LABELS:
            if labels.get(name) and metric in ("nvidia_smi_gpu_info", *_METRICS):
                self._log.note_name(labels[name])
        if (metric not in _METRICS and metric not in _FREE) or metric in self._counters:
            return
        if "GPU_I_ID" in labels:
            self._log.skipped[_OF_A_PART] += 1
            return
        chip = " ".join(labels[name] for name in _CHIP_LABELS if labels.get(name))
        known = self._scrape.setdefault(chip, {})
        if metric in known or len(self._scrape) > MOST_CHIPS:
            self._flush()
            known = self._scrape.setdefault(chip, {})
        known[metric] = reading(value)

    def _flush(self) -> None:
        for chip, known in self._scrape.items():
            values: dict[str, float] = {}
            for metric in sorted(known.keys() & _TURN.keys(), key=_TURN.__getitem__):
                quantity, factor = _METRICS[metric]
                before, value = values.get(quantity, math.nan), known[metric] * factor
                is_worse = quantity == "throttled_pct" and value > before
                values[quantity] = value if math.isnan(before) or is_worse else before
            for free, used in _FREE.items():
                if free in known and math.isnan(values.get("memory_total_gib", math.nan)):
                    values["memory_total_gib"] = (known[free] + known.get(used, math.nan)) / 1024
            self._log.ticks.add(chip, values, self._time_s)
        self._log.ticks.end_tick()
        self._scrape, self._time_s = {}, math.nan


def _answer(value: Any) -> list[tuple[Mapping[str, str], Mapping[float, str]]]:
    """The series of a JSON answer whose metrics are of GPUs; none of any other value."""
    data = value.get("data") if isinstance(value, dict) else None
    listed = data.get("result") if isinstance(data, dict) else None
    series = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    known = [(_texts(one.get("metric")), one) for one in series]
    return [(labels, _points(one)) for labels, one in known if labels.get("__name__") in {*_METRICS, *_FREE}]


def _texts(labels: Any) -> dict[str, str]:
    return {str(name): str(text) for name, text in labels.items()} if isinstance(labels, dict) else {}


def _points(series: Mapping[str, Any]) -> dict[float, str]:
    """``values`` of a range, ``value`` of an instant: pairs of seconds and a number as text."""
    pairs = series.get("values") if isinstance(series.get("values"), list) else [series.get("value")]
    whole = [one for one in pairs or () if isinstance(one, list) and len(one) == 2]
    stamps = [(seconds_of_number(str(pair[0])), str(pair[1])) for pair in whole]
    return {seconds: text for seconds, text in stamps if seconds is not None}


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    reader = _Reader(file_name)
    for document in documents:
        reader.take_answer(document.line, _answer(document.value))
    return reader.finish()


def _begins(line: str) -> bool:
    sample = _SAMPLE.match(line)
    is_ours = sample is not None and (not sample[1].startswith("gpu_") or sample[1] in _OF_AMD)
    return is_ours or bool(_FIELD_LIST.match(line))


FORMAT = LogFormat(
    _ID,
    "Prometheus text or JSON of a GPU exporter",
    "GPU exporter",
    marks=("DCGM_FI_", "dcgm_", "nvidia_smi_", "nvidia_gpu_", "gpu_"),
    begins=_begins,
    reader=_Reader,
    fits=lambda value: bool(_answer(value)),
    documents=_read,
)
