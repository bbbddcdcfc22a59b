"""``nvidia-smi --query-gpu=... --format=csv``: one row a GPU and tick, units in the header, the cells, or neither."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.logs.accelerator_names import recognise
from core.logs.quantities import reading
from core.logs.record import LogRecord, Refused, Series, summarise_all
from core.logs.registry import Finding, LogFormat
from core.logs.text import log_lines
from core.logs.timestamps import seconds_of
from core.reading.pace import too_many

_MOST_GPUS = 100_000
_MOST_HEADERS = 1000
_MOST_NAME_CHARS = 200
_MIB_PER_GIB = 1024.0

# Column of the log -> our name and the factor to our unit. Renamed columns of older and newer drivers share a name.
_QUANTITIES: dict[str, tuple[str, float]] = {
    "utilization.gpu": ("utilization_pct", 1.0),
    "memory.used": ("memory_used_gib", 1.0 / _MIB_PER_GIB),
    "memory.total": ("memory_total_gib", 1.0 / _MIB_PER_GIB),
    "power.draw": ("power_w", 1.0),
    "power.draw.instant": ("power_w", 1.0),
    "power.draw.average": ("power_w", 1.0),
    "power.limit": ("power_limit_w", 1.0),
    "temperature.gpu": ("temperature_c", 1.0),
    "clocks.sm": ("sm_clock_mhz", 1.0),
    "clocks.current.sm": ("sm_clock_mhz", 1.0),
}
_KEYS = ("uuid", "pci.bus_id", "index")
_KNOWN = {"timestamp", "name", *_KEYS, *_QUANTITIES}


@dataclass(frozen=True)
class _Schema:
    """Where the wanted columns stand in the rows that follow a header."""

    n_columns: int
    stamp: int | None
    name: int | None
    keys: tuple[int, ...]
    quantities: tuple[tuple[str, int, float], ...]


@dataclass
class _Segment:
    """Rows under one header, column by column."""

    schema: _Schema
    columns: list[array[float]]
    n_rows: int = 0


@dataclass
class _Rows:
    """All rows of the file: a header with other columns starts a new segment."""

    segments: list[_Segment] = field(default_factory=list)
    time_s: array[float] = field(default_factory=lambda: array("d"))
    gpu: array[int] = field(default_factory=lambda: array("l"))
    gpu_numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    name: str | None = None
    start: str | None = None

    def begin(self, schema: _Schema) -> None:
        """Starts a segment unless the header only repeats."""
        if not self.segments or self.segments[-1].schema != schema:
            self.segments.append(_Segment(schema, [array("d") for _ in schema.quantities]))


def _columns(line: str) -> list[str]:
    return [_without_unit(cell.strip()) for cell in line.split(",")]


def _without_unit(cell: str) -> str:
    """``power.draw [W]`` -> ``power.draw``."""
    begin = cell.find("[", cell.rfind("]", 0, -1) + 1) if cell.endswith("]") else -1
    return cell[:begin].rstrip() if begin >= 0 else cell


def _is_header(line: str) -> bool:
    columns = _columns(line)
    return len(columns) > 1 and not columns[0][:1].isdigit() and len(_KNOWN.intersection(columns)) > 1


def _begins(line: str) -> bool:
    return _is_header(line) and bool(_QUANTITIES.keys() & set(_columns(line)))


def _schema(line: str) -> _Schema:
    columns = _columns(line)
    where = {name: column for column, name in enumerate(columns)}
    quantities: dict[str, tuple[str, int, float]] = {}
    for name, (ours, factor) in _QUANTITIES.items():  # the first name of a quantity that is there wins
        if name in where:
            quantities.setdefault(ours, (ours, where[name], factor))
    return _Schema(
        n_columns=len(columns),
        stamp=where.get("timestamp"),
        name=where.get("name"),
        keys=tuple(where[key] for key in _KEYS if key in where),
        quantities=tuple(quantities.values()),
    )


def _read(path: Path) -> list[Finding]:
    file_name = path.name
    rows, n_lines = _Rows(), 0
    for line in log_lines(path):
        n_lines += 1
        if not line.strip():
            continue
        if not line[0].isdigit() and _is_header(line):
            rows.begin(_schema(line))
            if len(rows.segments) > _MOST_HEADERS:
                raise too_many(file_name, _MOST_HEADERS, "headers, each with other columns")
        elif not rows.segments:
            rows.skipped["before the header"] += 1
        else:
            _keep_row(line.split(","), rows.segments[-1], rows)
            if len(rows.gpu_numbers) > _MOST_GPUS:
                raise too_many(file_name, _MOST_GPUS, "GPUs")
    if not rows.time_s:
        return [Refused(FORMAT.id, 1, "a header without a whole row", "at least one row of readings")]
    return [_record(file_name, n_lines, rows)]


def _keep_row(cells: list[str], segment: _Segment, rows: _Rows) -> None:
    schema = segment.schema
    if len(cells) != schema.n_columns:
        rows.skipped["row cut short" if len(cells) < schema.n_columns else "row with too many cells"] += 1
        return
    time_s = float(len(rows.time_s)) if schema.stamp is None else seconds_of(cells[schema.stamp].strip())
    if time_s is None:
        rows.skipped["time stamp not understood"] += 1
        return
    _note_first(cells, schema, rows)
    rows.time_s.append(time_s)
    key = tuple([cells[column] for column in schema.keys])
    rows.gpu.append(rows.gpu_numbers.setdefault(key, len(rows.gpu_numbers)))
    segment.n_rows += 1
    for values, (_, column, factor) in zip(segment.columns, schema.quantities, strict=True):
        values.append(_number(cells[column]) * factor)


def _note_first(cells: list[str], schema: _Schema, rows: _Rows) -> None:
    if rows.start is None and schema.stamp is not None:
        rows.start = cells[schema.stamp].strip()[:_MOST_NAME_CHARS]
    if rows.name is None and schema.name is not None:
        rows.name = cells[schema.name].strip()[:_MOST_NAME_CHARS]


def _number(cell: str) -> float:
    """The cell's number; NaN for ``[N/A]`` and every other text, which are unknown and never 0."""
    words = cell.split(None, 1)
    return reading(words[0]) if words else math.nan


def _record(file_name: str, n_lines: int, rows: _Rows) -> LogRecord:
    tick = _ticks(rows.gpu)
    columns = _joined(rows.segments)
    time_s = _mean_per_tick(np.array(rows.time_s), tick)
    order = np.argsort(time_s, kind="stable")
    series = {name: _mean_per_tick(column, tick)[order] for name, column in columns.items()}
    return LogRecord(
        file=file_name,
        format=FORMAT.id,
        n_lines=n_lines,
        skipped=dict(rows.skipped),
        accelerator=rows.name,
        accelerator_id=recognise(rows.name),
        n_accelerators=len(rows.gpu_numbers),
        start=rows.start,
        time_s=time_s[order] - time_s[order[0]],
        series=series,
        quantities=summarise_all(columns),
    )


def _joined(segments: list[_Segment]) -> dict[str, Series]:
    """Each quantity over the whole file; NaN where a segment does not have it."""
    pieces: dict[str, list[Series]] = {}
    names = {name for segment in segments for name, _, _ in segment.schema.quantities}
    for segment in segments:
        own = {name: np.array(v) for (name, _, _), v in zip(segment.schema.quantities, segment.columns, strict=True)}
        for name in names:
            pieces.setdefault(name, []).append(own.get(name, np.full(segment.n_rows, np.nan)))
    return {name: np.concatenate(pieces[name]) for name in sorted(names)}


def _ticks(gpus: array[int]) -> NDArray[np.int64]:
    """Tick number of each row: GPUs of one tick carry slightly different stamps, so a repeated GPU starts the next."""
    seen: set[int] = set()
    tick, numbers = 0, array("l")
    for gpu in gpus:
        if gpu in seen:
            tick += 1
            seen.clear()
        seen.add(gpu)
        numbers.append(tick)
    return np.array(numbers, dtype=np.int64)


def _mean_per_tick(values: Series, tick: NDArray[np.int64]) -> Series:
    """Mean of the known values of each tick; NaN where none is known."""
    known = ~np.isnan(values)
    n_ticks = int(tick[-1]) + 1
    total = np.bincount(tick[known], weights=values[known], minlength=n_ticks)
    count = np.bincount(tick[known], minlength=n_ticks)
    mean = np.full(n_ticks, np.nan)
    mean[count > 0] = total[count > 0] / count[count > 0]
    return mean


FORMAT = LogFormat(
    "nvidia-smi-csv",
    "nvidia-smi --query-gpu CSV",
    "nvidia-smi query",
    marks=tuple(_QUANTITIES),
    begins=_begins,
    bulk=_read,
)
