"""A table read by a mapping: one record, ticks of all chips, streamed."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.constants import SECONDS_PER_DAY
from core.errors import InputError
from core.logs.accelerator_names import recognise
from core.logs.machine.possible import Possible, most_power_w
from core.logs.mapping.cells import cells_of, moment, number
from core.logs.mapping.head import header_names
from core.logs.mapping.model import CHIP, CHIP_NAME, TIME, MappedColumn, TableMapping, checked
from core.logs.mapping.units import TIME_OF_DAY, units_of
from core.logs.record import Grid, LogRecord, Series, Subject, summarise_all
from core.logs.text import log_lines
from core.reading.pace import too_many

FORMAT_ID = "table"
MOST_READINGS = 20_000_000
"""Numbers kept of one file, 8 bytes each."""

_SERVING = {"ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms", "requests_per_s", "output_tokens_per_s",
            "input_tokens_per_s", "total_tokens_per_s", "output_tokens_per_s_per_chip"}  # fmt: skip
_TRAINING = {"step_time_s", "loss", "tokens_per_s_per_chip", "tokens_per_s", "samples_per_s_per_chip", "mfu_pct",
             "tflops_per_chip", "train_runtime_s", "data_wait_s"}  # fmt: skip
_MOST_CHIPS = 100_000
_MOST_GRID = 20_000_000
_MOST_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class _Place:
    """A column of readings: where it stands, what it measures, its factor, and its chip ("" where the row tells it)."""

    at: int
    quantity: str
    factor: float
    chip: str


@dataclass
class _Rows:
    """Readings of a file, column by column; ``readings`` in the order of the places."""

    time_s: array[float] = field(default_factory=lambda: array("d"))
    chip: array[int] = field(default_factory=lambda: array("l"))
    chips: dict[str, int] = field(default_factory=dict)
    readings: list[array[float]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    name: str | None = None
    start: str | None = None


def read_mapped(path: Path, mapping: TableMapping) -> LogRecord:
    """The record of a table. Raises InputError for a fault of the mapping, columns that are not there, no reading."""
    checked(mapping, path.name)
    reader = _Reader(path.name, mapping)
    for line in log_lines(path):
        reader.take(line)
    return reader.record()


class _Reader:
    def __init__(self, file: str, mapping: TableMapping) -> None:
        self._file, self._mapping = file, mapping
        self._header: tuple[str, ...] = ()
        self._header_line = ""
        self._where: dict[str, int] = {}
        self._places: list[_Place] = []
        self._rows = _Rows()
        self._n_lines = 0

    def take(self, line: str) -> None:
        self._n_lines += 1
        if not line.strip():
            return
        if line == self._header_line:
            self._rows.skipped["header again"] += 1
        elif self._header:
            self._keep(cells_of(line, self._mapping.delimiter))
        elif self._mapping.fits(names := header_names(line, self._mapping.delimiter)):
            self._begin(line, names)
        else:
            self._rows.skipped["before the header"] += 1

    def _begin(self, line: str, names: tuple[str, ...]) -> None:
        self._header, self._header_line = names, line
        self._where = {name: at for at, name in enumerate(names)}
        self._places = [place for name in self._mapping.quantities for place in self._places_of(name)]
        self._rows.readings = [array("d") for _ in self._places]

    def _places_of(self, quantity: str) -> list[_Place]:
        columns = self._mapping.of(quantity)
        return [
            _Place(self._where[one.name], quantity, units_of(quantity)[one.unit], one.name if len(columns) > 1 else "")
            for one in columns
        ]

    def _keep(self, cells: list[str]) -> None:
        rows, mapping = self._rows, self._mapping
        if len(cells) != len(self._header):
            is_short = len(cells) < len(self._header)
            rows.skipped["row cut short" if is_short else "row with too many cells"] += 1
            return
        time_s = self._time(cells)
        values = [number(cells[place.at], mapping.decimal) * place.factor for place in self._places]
        if math.isnan(time_s) or all(math.isnan(value) for value in values):
            reason = "time stamp not understood" if math.isnan(time_s) else "row without a reading"
            rows.skipped[reason] += 1
            return
        self._note_first(cells)
        rows.time_s.append(time_s)
        rows.chip.append(self._chip(cells))
        for column, value in zip(rows.readings, values, strict=True):
            column.append(value)
        if len(rows.time_s) * (len(values) + 2) > MOST_READINGS:
            raise too_many(self._file, MOST_READINGS, "readings")

    def _time(self, cells: list[str]) -> float:
        """Seconds of a row; its place where no column says when."""
        stamp = self._one(TIME)
        if stamp is None:
            return float(len(self._rows.time_s))
        return moment(cells[self._where[stamp.name]], stamp.unit, self._mapping.decimal)

    def _chip(self, cells: list[str]) -> int:
        chips, column = self._rows.chips, self._one(CHIP)
        if column is None:
            return 0
        key = cells[self._where[column.name]].strip()[:_MOST_NAME_CHARS]
        if key not in chips and len(chips) >= _MOST_CHIPS:
            raise too_many(self._file, _MOST_CHIPS, "chips")
        return chips.setdefault(key, len(chips))

    def _note_first(self, cells: list[str]) -> None:
        rows, name, stamp = self._rows, self._one(CHIP_NAME), self._one(TIME)
        if rows.name is None and name is not None:
            rows.name = cells[self._where[name.name]].strip()[:_MOST_NAME_CHARS] or None
        if rows.start is None and stamp is not None:
            rows.start = cells[self._where[stamp.name]].strip()[:_MOST_NAME_CHARS]

    def _one(self, role: str) -> MappedColumn | None:
        return next(iter(self._mapping.of(role)), None)

    def record(self) -> LogRecord:
        """Everything that was taken. Raises InputError where that is nothing."""
        rows = self._rows
        if not rows.chip:
            found = "no row with a reading" if self._header else "no line with the names of the columns"
            raise InputError(self._file, found, f"a table with the columns {_named(self._mapping)}")
        possible = Possible(most_power_w([rows.name or ""]))
        gathered = _gathered(self._places, rows, _possible(possible, self._places, rows), self._of_day)
        values = {name: long.values for name, long in gathered.columns.items()}
        time_s = self._times(gathered)
        has_time = len(time_s) > 0
        quantities = summarise_all(values)
        if not quantities:
            raise InputError(self._file, "; ".join(possible.reasons), "readings that a chip can have")
        return LogRecord(
            file=self._file,
            format=FORMAT_ID,
            n_lines=self._n_lines,
            skipped={**rows.skipped, **possible.reasons},
            accelerator=rows.name,
            accelerator_id=recognise(rows.name),
            n_accelerators=len(gathered.chips) or None,
            start=rows.start,
            time_s=time_s,
            series=gathered.series if has_time else {},
            quantities=quantities,
            subject=_subject(self._mapping),
            chips=gathered.chips if has_time else (),
            by_chip=gathered.by_chip() if has_time else {},
        )

    @property
    def _of_day(self) -> bool:
        return any(column.unit == TIME_OF_DAY for column in self._mapping.of(TIME))

    def _times(self, gathered: _Gathered) -> Series:
        """Seconds of the ticks from the first: stamps, the gap that was given, or steps one after the other."""
        if self._mapping.of(TIME):
            return gathered.time_s - float(gathered.time_s[0])
        if self._mapping.seconds_a_row:
            return np.linspace(0.0, (gathered.n_ticks - 1) * self._mapping.seconds_a_row, gathered.n_ticks)
        steps = gathered.series.get("step_time_s")
        times: Series = np.zeros(0) if steps is None else np.cumsum(np.nan_to_num(steps))
        return times


@dataclass(frozen=True, slots=True)
class _Long:
    """All readings of one quantity, each with its tick and its chip."""

    values: Series
    tick: NDArray[np.int64]
    chip: NDArray[np.int64]


@dataclass(frozen=True)
class _Gathered:
    """Readings by tick. ``time_s`` holds the mean moment of each tick, in order."""

    n_ticks: int
    time_s: Series
    chips: tuple[str, ...]
    columns: dict[str, _Long]

    @cached_property
    def series(self) -> dict[str, Series]:
        """Mean over the chips, a tick at a time; NaN where none is known."""
        return {name: _mean_by(long.tick, long.values, self.n_ticks) for name, long in self.columns.items()}

    def by_chip(self) -> dict[str, Grid]:
        """Each quantity as (ticks, chips); nothing where chips are not told apart, or too many for their ticks."""
        if not self.chips or self.n_ticks * len(self.chips) * len(self.columns) > _MOST_GRID:
            return {}
        return {name: self._grid(long) for name, long in self.columns.items()}

    def _grid(self, long: _Long) -> Grid:
        grid = np.full((self.n_ticks, len(self.chips)), np.nan, dtype=np.float32)
        grid[long.tick, long.chip] = long.values
        return grid


def _possible(possible: Possible, places: list[_Place], rows: _Rows) -> list[Series]:
    """The readings of each place without what is impossible. Columns of one chip are looked at together."""
    readings = [np.array(values) for values in rows.readings]
    for chip in dict.fromkeys(place.chip for place in places):
        own = {place.quantity: at for at, place in enumerate(places) if place.chip == chip}
        kept = possible.of({quantity: readings[at] for quantity, at in own.items()})
        for quantity, at in own.items():
            readings[at] = kept[quantity]
    return readings


def _gathered(places: list[_Place], rows: _Rows, readings: list[Series], is_of_day: bool) -> _Gathered:
    time_s, chip = np.array(rows.time_s), np.array(rows.chip, dtype=np.int64)
    if is_of_day:
        time_s = time_s + SECONDS_PER_DAY * np.cumsum(np.diff(time_s, prepend=time_s[:1]) < -SECONDS_PER_DAY / 2)
    tick, n_ticks = _ticks(time_s, chip, len(rows.chips))
    wide = {place.chip: number for number, place in enumerate(one for one in places if one.chip)}
    columns: dict[str, list[_Long]] = {}
    for place, values in zip(places, readings, strict=True):
        of_chip = np.full(len(chip), wide[place.chip]) if place.chip else chip
        columns.setdefault(place.quantity, []).append(_Long(values, tick, of_chip))
    chips = tuple(wide) or tuple(rows.chips)
    return _Gathered(
        n_ticks, _mean_by(tick, time_s, n_ticks), chips, {name: _joined(parts) for name, parts in columns.items()}
    )


def _ticks(time_s: Series, chip: NDArray[np.int64], n_chips: int) -> tuple[NDArray[np.int64], int]:
    """The tick of each row, in order of time. Rows of one moment are a tick; where the moments of chips differ a
    little, a chip that comes again begins the next one."""
    moments, of_moment = np.unique(time_s, return_inverse=True)
    if n_chips > 1 and len(moments) * 2 <= len(time_s):
        return of_moment.astype(np.int64), len(moments)
    tick = np.array(_rounds(chip.tolist())) if n_chips > 1 else np.arange(len(time_s))
    n_ticks = int(tick[-1]) + 1
    order = np.argsort(_mean_by(tick, time_s, n_ticks), kind="stable")
    place = np.empty(n_ticks, dtype=np.int64)
    place[order] = np.arange(n_ticks)
    return place[tick], n_ticks


def _rounds(chips: list[int]) -> list[int]:
    seen: set[int] = set()
    tick, numbers = 0, []
    for chip in chips:
        if chip in seen:
            tick += 1
            seen.clear()
        seen.add(chip)
        numbers.append(tick)
    return numbers


def _joined(parts: list[_Long]) -> _Long:
    if len(parts) == 1:
        return parts[0]
    values, ticks, chips = zip(*((one.values, one.tick, one.chip) for one in parts), strict=True)
    return _Long(np.concatenate(values), np.concatenate(ticks), np.concatenate(chips))


def _mean_by(tick: NDArray[np.int64], values: Series, n_ticks: int) -> Series:
    known = ~np.isnan(values)
    count = np.bincount(tick[known], minlength=n_ticks)
    total = np.bincount(tick[known], weights=values[known], minlength=n_ticks)
    mean = np.full(n_ticks, np.nan)
    mean[count > 0] = total[count > 0] / count[count > 0]
    return mean


def _subject(mapping: TableMapping) -> Subject:
    """What the table is about, by its quantities."""
    measured = set(mapping.quantities)
    return Subject.SERVING if measured & _SERVING else Subject.TRAINING if measured & _TRAINING else Subject.MACHINE


def _named(mapping: TableMapping) -> str:
    names = [column.name[:40] for column in mapping.columns if column.meaning in mapping.quantities]
    return ", ".join(names[:5])
