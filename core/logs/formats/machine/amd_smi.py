"""``amd-smi metric`` and ``amd-smi monitor``: CSV, indented text, tables and JSON.

CSV cells such as ``[0, 0]`` are not quoted, so that a row has more commas than its header; they are joined again. With
``-w`` a column of seconds since 1970 comes first. Names of ROCm 5.7 to 7.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.logs.machine.amd_keys import AMD_KEYS, amd_key, amd_readings
from core.logs.machine.machine_log import MachineLog
from core.logs.quantities import reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of

_ID = "amd-smi"
_GPU = re.compile(r"^\s{0,8}GPU: (\d{1,4})\s*$")
_LIST = re.compile(r"\[[^\[\]]{0,2000}\]")
_TABLE = re.compile(r"^\s{0,12}(?:TIMESTAMP\s+)?GPU\s+(?:XCP\s+)?POWER\s")
_UNITS = {"W", "°C", "C", "%", "MHz", "MB", "GB", "MiB", "GiB", "V", "mV"}
_MOST_DEPTH = 8
_MOST_KEYS = 2000


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._names: list[str] = []
        self._columns: list[str] = []
        self._chip = ""
        self._path: list[tuple[int, str]] = []
        self._values: dict[str, str] = {}

    def take(self, number: int, line: str) -> bool:
        """True for a header, a row, or a line of a GPU's report."""
        if _is_csv_header(line):
            self._names = _csv_names(line)
        elif match := _GPU.match(line):
            self._end_gpu()
            self._chip = match[1]
        elif _TABLE.match(line):
            self._columns = line.lower().split()
        elif not self._take_row(line) and not self._take_line(line) and not self._take_table_row(line):
            return False
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of everything."""
        self._end_gpu()
        return [self._log.finding("names of amd-smi without a whole row of readings", "readings of a GPU below them")]

    def _take_row(self, line: str) -> bool:
        if not self._names or "," not in line or not line[:1].isdigit():
            return False
        cells = [cell.strip() for cell in _LIST.sub(lambda match: match[0].replace(",", ";"), line).split(",")]
        if len(cells) != len(self._names):
            is_short = len(cells) < len(self._names)
            self._log.skipped["row cut short" if is_short else "row with too many cells"] += 1
            return True
        named = dict(zip(self._names, cells, strict=True))
        self._add(named.get("gpu", "0"), named, named.get("timestamp", ""))
        return True

    def _take_line(self, line: str) -> bool:
        """A line ``KEY: value`` of a GPU's report, or one that goes on with a list."""
        if not self._chip or not line.startswith(" "):
            return False
        key, colon, text = line.partition(":")
        if not colon:
            return True
        indent = len(key) - len(key.lstrip())
        while self._path and self._path[-1][0] >= indent:
            self._path.pop()
        if len(self._path) < _MOST_DEPTH:
            self._path.append((indent, key.strip().lower()))
        if text.strip() and len(self._values) < _MOST_KEYS:
            self._values.setdefault(amd_key(name for _, name in self._path), text.strip())
        return True

    def _take_table_row(self, line: str) -> bool:
        if not self._columns or not line.lstrip()[:1].isdigit():
            return False
        cells = _with_units(line.split())
        if len(cells) != len(self._columns):
            self._log.skipped["row cut short"] += 1
            return True
        named = dict(zip(self._columns, cells, strict=True))
        if named["gpu"].isdigit():
            self._add(
                named["gpu"],
                named,
                named.get("timestamp", ""),
            )
        return True

    def _end_gpu(self) -> None:
        if self._chip and self._values:
            self._add(self._chip, self._values, self._values.get("timestamp", ""))
        self._chip, self._path, self._values = "", [], {}

    def _add(self, chip: str, values: Mapping[str, str], stamp: str) -> None:
        self._log.note_start(stamp)
        self._log.ticks.add(chip, amd_readings(values), _seconds(stamp))


def _with_units(words: Sequence[str]) -> list[str]:
    """Words of a row as its cells: a unit belongs to the number before it."""
    cells: list[str] = []
    for word in words:
        if word in _UNITS and cells:
            cells[-1] += f" {word}"
        else:
            cells.append(word)
    return cells


def _csv_names(header: str) -> list[str]:
    """Names of the columns: ``gfx`` and ``mem`` of a monitor are shares, ``mem`` of a metric is a temperature."""
    names = [name.strip().lower() for name in header.split(",")]
    if "power_usage" in names:
        return [f"{name}%" if name in ("gfx", "mem") else name for name in names]
    return ["mem_temperature" if name == "mem" else name for name in names]


def _seconds(stamp: str) -> float:
    """Seconds since 1970, printed so or as a date; NaN where there is none."""
    seconds = reading(stamp)
    if math.isnan(seconds):
        moment = seconds_of(stamp)
        return math.nan if moment is None else moment
    return seconds


def _is_csv_header(line: str) -> bool:
    if "," not in line or not line.startswith(("gpu,", "timestamp,gpu,", "timestamp, gpu,")):
        return False
    return bool(AMD_KEYS.keys() & set(_csv_names(line)))


def _begins(line: str) -> bool:
    return _is_csv_header(line) or bool(_GPU.match(line)) or bool(_TABLE.match(line))


def _gpus(value: Any) -> list[Mapping[str, Any]]:
    gpus = value.get("gpu_data") if isinstance(value, Mapping) else value
    if not isinstance(gpus, Sequence) or isinstance(gpus, str):
        return []
    return [gpu for gpu in gpus if isinstance(gpu, Mapping) and "gpu" in gpu and {"usage", "power"} & gpu.keys()]


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Keys and texts; a pair of ``value`` and ``unit`` is one text."""
    if isinstance(value, Mapping) and "value" in value:
        yield amd_key(path), f"{value['value']} {value.get('unit', '')}".strip()
    elif isinstance(value, Mapping) and len(path) < _MOST_DEPTH:
        for name, inner in value.items():
            yield from _leaves(inner, (*path, str(name).lower()))
    elif isinstance(value, str | int | float) and path:
        yield amd_key(path), str(value)


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    log = MachineLog(file_name, _ID)
    for document in documents:
        log.use(document.line)
        log.ticks.end_tick()
        for gpu in _gpus(document.value):
            stamp = str(gpu.get("timestamp") or document.stamp)
            log.note_start(stamp)
            log.ticks.add(str(gpu["gpu"]), amd_readings(dict(_leaves(gpu))), _seconds(stamp))
    return [log.finding("GPUs without a reading", "their usage, power or memory")]


FORMAT = LogFormat(
    _ID,
    "amd-smi metric or monitor",
    "amd-smi",
    marks=("gpu,", "GPU"),
    begins=_begins,
    reader=_Reader,
    fits=lambda value: bool(_gpus(value)),
    documents=_read,
)
