"""Columns of ``nvidia-smi --query-gpu``: which of them say what, from a header or, without one, from the units."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.logs.machine.units import cell_reading, factor_to_ours
from core.logs.timestamps import seconds_of_line

# Column of the log -> our quantity and the unit where neither the header nor the cell has one. Renamed columns of older
# and newer drivers, and what wrappers call them, share a quantity: the first that is known wins.
_QUANTITIES: Mapping[str, tuple[str, str]] = {
    "utilization.gpu": ("utilization_pct", "%"),
    "utilization.memory": ("memory_busy_pct", "%"),
    "memory.used": ("memory_used_gib", "MiB"),
    "memory.total": ("memory_total_gib", "MiB"),
    "power.draw": ("power_w", "W"),
    "power.draw.instant": ("power_w", "W"),
    "power.draw.average": ("power_w", "W"),
    "power.limit": ("power_limit_w", "W"),
    "enforced.power.limit": ("power_limit_w", "W"),
    "temperature.gpu": ("temperature_c", "C"),
    "temperature.memory": ("memory_temperature_c", "C"),
    "clocks.sm": ("sm_clock_mhz", "MHz"),
    "clocks.current.sm": ("sm_clock_mhz", "MHz"),
    "clocks.gr": ("sm_clock_mhz", "MHz"),
    "clocks.current.graphics": ("sm_clock_mhz", "MHz"),
    "clocks.mem": ("memory_clock_mhz", "MHz"),
    "clocks.current.memory": ("memory_clock_mhz", "MHz"),
}
_MASKS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
SLOWDOWNS = ("sw_power_cap", "hw_slowdown", "sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown")
_THROTTLING = 0x4 | 0x8 | 0x20 | 0x40 | 0x80
"""Bits of the mask: software power cap, hardware slowdown, both thermal ones, power brake; idle clocks are none."""

_KEYS = ("uuid", "pci.bus_id", "index", "gpu", "hostname")
_STAMPS = ("timestamp", "time", "datetime", "epoch", "unix_time", "unix_timestamp", "ts")
_OTHERS = {"name", "driver_version", "pstate", "fan.speed", "memory.free", "serial", *_KEYS, *_STAMPS, *_MASKS}
_PROCESSES = {"pid", "process_name", "process.name", "used_memory", "used_gpu_memory"}
_ALIASES = {
    "index_gpu": "index", "gpu_index": "index", "gpu_id": "index", "gpu_name": "name", "gpu_uuid": "uuid",
    "pci_bus_id": "pci.bus_id", "gpu_bus_id": "pci.bus_id", "gpu_bus_id.": "pci.bus_id",
    "gpu_utilization": "utilization.gpu", "utilization_gpu": "utilization.gpu", "gpu_util": "utilization.gpu",
    "gpu_memory_utilization": "utilization.memory", "utilization_memory": "utilization.memory",
    "gpu_memory_used": "memory.used", "memory_used": "memory.used",
    "gpu_memory_total": "memory.total", "memory_total": "memory.total",
    "power_draw": "power.draw", "gpu_power_draw": "power.draw", "power_limit": "power.limit",
    "host": "hostname", "node": "hostname",
    "gpu_memory_used_mib": "memory.used", "memory_used_mib": "memory.used", "mem_used_mib": "memory.used",
    "memory_total_mib": "memory.total", "mem_total_mib": "memory.total", "power_draw_w": "power.draw",
    "utilization_gpu_pct": "utilization.gpu", "gpu_util_pct": "utilization.gpu", "temperature_gpu_c": "temperature.gpu",
    "utilization.aip": "utilization.gpu", "temperature.aip": "temperature.gpu",
    "temperature_gpu": "temperature.gpu", "gpu_temperature": "temperature.gpu", "clocks_sm": "clocks.sm",
}  # fmt: skip
_UNKNOWN_CELL = re.compile(r"^(\[.{0,80}\]?|N/A|-|ERR!|Unknown Error|)$")
_ROW = re.compile(r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}\s*,")
_BRACKETED = re.compile(r"\[([^\]]{8,60})\][\s,:]{1,8}([^\s=][^=]{0,4000} (?:%|MiB|W)[^=]{0,4000})")
_BUS = re.compile(r"^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$")
_MOST_COLUMNS_OF_SIZES = 3
_MAKERS = ("NVIDIA", "Tesla", "GeForce", "Quadro", "GRID")


@dataclass(frozen=True)
class Column:
    """One column of a quantity; ``unit`` is of its bare numbers. Masks and flags become 0 or 100 %."""

    quantity: str
    place: int
    unit: str = ""
    is_mask: bool = False

    def reading(self, cell: str) -> float:
        """What a cell says; NaN for ``[N/A]`` and every other text, which are unknown and never 0."""
        if self.is_mask:
            return _mask_reading(cell)
        return cell_reading(self.quantity, cell, self.unit)

    def factor(self, unit: str) -> float:
        """From a number with this unit, or with none, to ours."""
        return factor_to_ours(self.quantity, unit or self.unit)


@dataclass(frozen=True)
class Schema:
    """Where the wanted columns stand in the rows that follow a header."""

    n_columns: int
    stamp: int | None
    name: int | None
    driver: int | None
    keys: tuple[tuple[str, int], ...]
    columns: tuple[Column, ...]


def separator_of(line: str) -> str:
    """What parts the cells where another program wrote the table: ``;``, a tab, ``"`` for quoted ones, or ``,``."""
    return next((sign for sign in (";", "\t") if sign in line), '"' if line.startswith('"') else ",")


def with_commas(line: str, separator: str) -> str:
    """The line as nvidia-smi prints it; where ``;`` parts the cells, a comma is a decimal point."""
    if separator == ",":
        return line
    bare = line.replace('"', "")
    if separator == ";":
        return bare.replace(",", ".").replace(";", ",")
    return bare.replace("\t", ",") if separator == "\t" else bare


def is_header(line: str) -> bool:
    """True for a line that names columns, at least one of them of a GPU's reading."""
    if ":" in line or not ("," in line or line.rstrip().endswith("]")):
        return False
    names = column_names(line)
    if names[0][:1].isdigit() or names_processes(line):
        return False
    return bool(_known(names)) and ("[" in line or len({*_known(names), *_OTHERS.intersection(names)}) > 1)


def names_processes(line: str) -> bool:
    """True for a header of a list of processes, whose rows are of another format."""
    return "," in line and bool(_PROCESSES & {parted_name(cell)[0].lower() for cell in line.split(",")})


def names_no_reading(line: str) -> bool:
    """True for a header that only says which GPU and when: ``timestamp, index, name``."""
    names = column_names(line)
    return len(_OTHERS.intersection(names)) > 1 and not _known(names)


def is_bare_row(line: str) -> bool:
    """True for a row that begins with nvidia-smi's own time stamp, as they follow one another without a header."""
    return bool(_ROW.match(line))


def bracketed(line: str) -> tuple[str, str] | None:
    """The stamp, as nvidia-smi prints it, and the rest of a row such as ``[2025-03-07 23:40:00] 0, 93 %``."""
    match = _BRACKETED.match(line)
    seconds = seconds_of_line(match[1]) if match else None
    if match is None or seconds is None:
        return None
    return f"{datetime.fromtimestamp(seconds, UTC):%Y/%m/%d %H:%M:%S.%f}"[:-3], match[2]


def column_names(line: str) -> list[str]:
    """The columns of a header, units cut off, names of wrappers and older drivers as newer ones call them."""
    names = [parted_name(cell)[0] for cell in line.split(",")]
    return [_ALIASES.get(name.lower(), name) for name in names]


def schema_of(header: str) -> Schema:
    """The columns that a header announces."""
    names = column_names(header)
    units = [parted_name(cell)[1] for cell in header.split(",")]
    where = {name: place for place, name in reversed(list(enumerate(names)))}
    columns = [
        Column(quantity, where[name], units[where[name]] or unit)
        for name, (quantity, unit) in _QUANTITIES.items()
        if name in where
    ]
    return Schema(
        len(names),
        next((where[name] for name in _STAMPS if name in where), None),
        where.get("name"),
        where.get("driver_version"),
        tuple((key, where[key]) for key in _KEYS if key in where),
        (*columns, *_throttling(where)),
    )


def guessed_schema(rows: Sequence[Sequence[str]]) -> Schema | None:
    """What the columns of rows without a header are, as far as units and looks can tell; None where they cannot."""
    columns = [[row[place].strip() for row in rows] for place in range(len(rows[0]))]
    percents, watts, sizes, clocks = (_places(columns, unit) for unit in ("%", "W", "MiB", "MHz"))
    guessed = [Column("utilization_pct", percents[0], "%")] if percents else []
    guessed += [Column("memory_busy_pct", percents[1], "%")] if len(percents) > 1 else []
    guessed += [Column("power_w", watts[0], "W")] if watts else []
    guessed += [Column("power_limit_w", watts[1], "W")] if len(watts) > 1 and len(set(columns[watts[1]])) == 1 else []
    guessed += _sizes(columns, sizes)
    guessed += [Column("sm_clock_mhz", clocks[0], "MHz")] if clocks else []
    first = [column[0] for column in columns] if len(columns) > 1 else []
    has_only_sizes = not (percents or watts) and len(columns) > _MOST_COLUMNS_OF_SIZES
    if not guessed or not first or has_only_sizes:  # a process and its memory look the same
        return None
    names = [place for place, cell in enumerate(first) if cell.startswith(_MAKERS)]
    keys = [("uuid", place) for place, cell in enumerate(first) if cell.startswith("GPU-")]
    keys += [("pci.bus_id", place) for place, cell in enumerate(first) if _BUS.match(cell)]
    keys += [("index", 1)] if first[1].isdigit() and int(first[1][:6]) < 64 else []
    return Schema(len(columns), 0, names[0] if names else None, None, tuple(keys), tuple(guessed))


def says_unknown(cell: str) -> bool:
    """True for what nvidia-smi prints where it knows nothing."""
    return bool(_UNKNOWN_CELL.match(cell.strip()))


def _known(names: Sequence[str]) -> set[str]:
    return _QUANTITIES.keys() & set(names)


def parted_name(cell: str) -> tuple[str, str]:
    """A column and its unit: ``power.draw [W]`` -> ``power.draw`` and ``W``."""
    name = cell.strip()
    begin = name.find("[", name.rfind("]", 0, -1) + 1) if name.endswith("]") else -1
    return (name[:begin].rstrip(), name[begin + 1 : -1].strip()) if begin >= 0 else (name, "")


def _throttling(where: Mapping[str, int]) -> list[Column]:
    masks = [where[name] for name in _MASKS if name in where][:1]
    told = (name for name in where if name.startswith("clocks_") and name.rpartition(".")[2] in SLOWDOWNS)
    flags = [where[name] for name in told]
    return [Column("throttled_pct", place, is_mask=True) for place in masks or flags]


def _mask_reading(cell: str) -> float:
    """100 % where a reason of power or heat is active, from a mask in hexadecimal or from ``Active``."""
    text = cell.strip()
    if text in ("Active", "Not Active"):
        return 100.0 if text == "Active" else 0.0
    try:
        return 100.0 if int(text[:20], 16) & _THROTTLING else 0.0
    except ValueError:
        return math.nan


def _places(columns: Sequence[Sequence[str]], unit: str) -> list[int]:
    return [place for place, column in enumerate(columns) if any(cell.endswith(f" {unit}") for cell in column)]


def _sizes(columns: Sequence[Sequence[str]], places: Sequence[int]) -> list[Column]:
    """Used and total memory of one or two columns of sizes; three or more cannot be told apart."""
    if len(places) == 1:
        return [Column("memory_used_gib", places[0], "MiB")]
    if len(places) != 2:
        return []
    one, other = ([cell_reading("memory_used_gib", cell, "MiB") for cell in columns[place]] for place in places)
    is_total = all(a >= b for a, b in zip(one, other, strict=True)) and len(set(one)) == 1
    is_other_total = all(b >= a for a, b in zip(one, other, strict=True)) and len(set(other)) == 1
    if is_total == is_other_total:
        return []
    total, used = places if is_total else (places[1], places[0])
    return [Column("memory_total_gib", total, "MiB"), Column("memory_used_gib", used, "MiB")]
