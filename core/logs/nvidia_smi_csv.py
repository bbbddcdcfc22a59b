"""``nvidia-smi --query-gpu=... --format=csv``: one row a GPU and tick, units in the header, the cells, or neither."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import InputError
from core.logs.accelerator_names import recognise
from core.logs.record import LogRecord, Series, summarise_all
from core.logs.registry import LogFormat
from core.logs.stamps import seconds_of

_UNIT = re.compile(r"\s*\[[^\]]*\]$")
_NUMBER = re.compile(r"^[-+]?\d+(?:\.\d+)?")
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


@dataclass
class _Schema:
    """Where the wanted columns stand in the rows that follow a header."""

    n_columns: int
    stamp: int | None
    name: int | None
    keys: tuple[int, ...]
    quantities: tuple[tuple[str, int, float], ...]


@dataclass
class _Rows:
    """Columns gathered row by row."""

    time_s: list[float] = field(default_factory=list)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    values: list[dict[str, float]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    name: str | None = None
    start: str | None = None


def _columns(line: str) -> list[str]:
    return [_UNIT.sub("", cell.strip()) for cell in line.split(",")]


def _is_header(line: str) -> bool:
    columns = _columns(line)
    return len(columns) > 1 and not columns[0][:1].isdigit() and len(_KNOWN.intersection(columns)) > 1


def _matches(head: Sequence[str]) -> bool:
    headers = (_columns(line) for line in head if _is_header(line))
    return any(_QUANTITIES.keys() & set(columns) for columns in headers)


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


def _read(file_name: str, lines: Iterable[str]) -> LogRecord:
    rows, schema, n_lines = _Rows(), None, 0
    for line in lines:
        n_lines += 1
        if not line.strip():
            continue
        if not line[0].isdigit() and _is_header(line):
            schema = _schema(line)
        elif schema is None:
            rows.skipped["before the header"] += 1
        else:
            _keep_row(line, schema, rows)
    if not rows.time_s:
        raise InputError(file_name, "a header without a whole row", "at least one row of readings")
    return _record(file_name, n_lines, rows)


def _keep_row(line: str, schema: _Schema, rows: _Rows) -> None:
    cells = line.split(",")
    if len(cells) != schema.n_columns:
        rows.skipped["row cut short" if len(cells) < schema.n_columns else "row with too many cells"] += 1
        return
    time_s = float(len(rows.time_s)) if schema.stamp is None else seconds_of(cells[schema.stamp].strip())
    if time_s is None:
        rows.skipped["time stamp not understood"] += 1
        return
    rows.start = rows.start or (cells[schema.stamp].strip() if schema.stamp is not None else None)
    rows.name = rows.name or (cells[schema.name].strip() if schema.name is not None else None)
    rows.time_s.append(time_s)
    rows.keys.append(tuple(cells[key].strip() for key in schema.keys))
    rows.values.append({name: _number(cells[column]) * factor for name, column, factor in schema.quantities})


def _number(cell: str) -> float:
    """The cell's number; NaN for ``[N/A]`` and every other text, which are unknown and never 0."""
    match = _NUMBER.match(cell.strip())
    return float(match[0]) if match else float("nan")


def _record(file_name: str, n_lines: int, rows: _Rows) -> LogRecord:
    tick = _ticks(rows.keys)
    names = sorted({name for row in rows.values for name in row})
    columns = {name: np.array([row.get(name, np.nan) for row in rows.values]) for name in names}
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
        n_accelerators=len(set(rows.keys)),
        start=rows.start,
        time_s=time_s[order] - time_s[order[0]],
        series=series,
        quantities=summarise_all(columns),
    )


def _ticks(keys: list[tuple[str, ...]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Tick number of each row: GPUs of one tick carry slightly different stamps, so a repeated GPU starts the next."""
    seen: set[tuple[str, ...]] = set()
    tick, numbers = 0, []
    for key in keys:
        if key in seen:
            tick += 1
            seen.clear()
        seen.add(key)
        numbers.append(tick)
    return np.array(numbers, dtype=np.int64)


def _mean_per_tick(values: Series, tick: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Series:
    """Mean of the known values of each tick; NaN where none is known."""
    known = ~np.isnan(values)
    n_ticks = int(tick[-1]) + 1
    total = np.bincount(tick[known], weights=values[known], minlength=n_ticks)
    count = np.bincount(tick[known], minlength=n_ticks)
    return np.divide(total, count, out=np.full(n_ticks, np.nan), where=count > 0)


FORMAT = LogFormat("nvidia-smi-csv", "nvidia-smi --query-gpu CSV", _matches, _read)
