"""What a log says of how chips were used: busy, powered, filled, apart from each other, throttled; and what was paid
for and not used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.calibration.own_logs.bands import band_of
from core.calibration.own_logs.parts import Parts, Span, mean_over_time, seconds_of_readings, whole_of
from core.calibration.own_logs.stretches import Stage, Stretch, window_of
from core.constants import SECONDS_PER_HOUR
from core.logs.record import Grid, LogRecord, Series

W_PER_KW = 1000.0

WORK_OF_CHIPS = ("tokens_per_s_per_chip", "power_w", "utilization_pct")
"""By which a chip that does less than others is told, best first: chips that wait for each other show the same use."""

LEAST_LESS = 0.01
"""A chip this close to the median is no straggler."""

THROTTLED_PCT = 50.0
"""Share of a reading's time from which it counts as throttled."""


@dataclass(frozen=True, slots=True)
class OfChip:
    """A figure of one chip, by its name in the log."""

    chip: str
    value: float


@dataclass(frozen=True, slots=True)
class Throttled:
    """When a chip was slowed by power or heat."""

    chip: str
    spans_s: Parts

    @property
    def seconds(self) -> float:
        """All spans together."""
        return sum(end - start for start, end in self.spans_s)


@dataclass(frozen=True, slots=True)
class Use:
    """How chips were used in the parts of a log that count; None for what the log does not hold.

    ``duty_pct``: mean utilisation over time, with the lowest and the highest of any chip. ``energy_kwh`` is of all
    chips in the window, ``whole_energy_kwh`` of the whole log. ``straggler``: the chip that did least, and what share
    less than the median chip.
    """

    duty_pct: float | None
    duty_span_pct: Span | None
    energy_kwh: float | None
    whole_energy_kwh: float | None
    power_w: float | None
    memory_peak: OfChip | None
    memory_total_gib: float | None
    straggler: OfChip | None
    throttled: tuple[Throttled, ...]

    @property
    def memory_spare_gib(self) -> float | None:
        """What the fullest chip had left."""
        if self.memory_peak is None or self.memory_total_gib is None:
            return None
        return self.memory_total_gib - self.memory_peak.value


def use_of(record: LogRecord, parts: Parts, n_chips: int) -> Use:
    """The use of chips in the parts; ``n_chips`` are those whose power the log's mean stands for."""
    duties = _means_by_chip(record, "utilization_pct", parts)
    return Use(
        duty_pct=_mean(record, "utilization_pct", parts),
        duty_span_pct=(min(d.value for d in duties), max(d.value for d in duties)) if len(duties) > 1 else None,
        energy_kwh=_energy_kwh(record, parts, n_chips),
        whole_energy_kwh=_energy_kwh(record, (whole_of(record),), n_chips),
        power_w=_mean(record, "power_w", parts),
        memory_peak=_memory_peak(record),
        memory_total_gib=record.quantities["memory_total_gib"].max if "memory_total_gib" in record.quantities else None,
        straggler=_straggler(record, parts),
        throttled=_throttled(record),
    )


def _mean(record: LogRecord, name: str, parts: Parts) -> float | None:
    if name not in record.series:
        return None
    mean = mean_over_time(record, record.series[name], parts)
    return None if np.isnan(mean) else mean


def _energy_kwh(record: LogRecord, parts: Parts, n_chips: int) -> float | None:
    """``sum(P_t dt) n_chips``; a reading that is unknown counts as the mean of the others."""
    power_w = _mean(record, "power_w", parts)
    hours = float(seconds_of_readings(record, parts).sum()) / SECONDS_PER_HOUR
    return power_w * hours * n_chips / W_PER_KW if power_w is not None and hours > 0 else None


def _means_by_chip(record: LogRecord, name: str, parts: Parts) -> list[OfChip]:
    grid = record.by_chip.get(name)
    if grid is None:
        return []
    columns = (np.asarray(grid[:, chip], dtype=np.float64) for chip in range(grid.shape[1]))
    means = (mean_over_time(record, column, parts) for column in columns)
    return [OfChip(chip, mean) for chip, mean in zip(record.chips, means, strict=False) if not np.isnan(mean)]


def _memory_peak(record: LogRecord) -> OfChip | None:
    """The highest reading of the whole log, and the chip that showed it."""
    if "memory_used_gib" not in record.quantities:
        return None
    peak = record.quantities["memory_used_gib"].max
    grid = record.by_chip.get("memory_used_gib")
    chip = ""
    if grid is not None and np.isfinite(grid).any() and grid.shape[1] == len(record.chips) > 1:
        chip = record.chips[int(np.nanargmax(grid)) % grid.shape[1]]
    return None if np.isnan(peak) else OfChip(chip, peak)


def _straggler(record: LogRecord, parts: Parts) -> OfChip | None:
    """The chip that did least of what tells it best, where that is noticeably less than the median chip did."""
    for name in WORK_OF_CHIPS:
        means = _means_by_chip(record, name, parts)
        if len(means) > 1:
            usual = float(np.median([one.value for one in means]))
            least = min(means, key=lambda one: one.value)
            less = 1.0 - least.value / usual if usual > 0 else 0.0
            return OfChip(least.chip, less) if less >= LEAST_LESS else None
    return None


def _throttled(record: LogRecord) -> tuple[Throttled, ...]:
    grid = record.by_chip.get("throttled_pct")
    if grid is None:
        band = band_of(record, "throttled_pct").high if "throttled_pct" in record.series else record.time_s[:0]
        spans = _spans(record, band)
        return (Throttled("", spans),) if spans else ()
    found = (Throttled(chip, _spans(record, grid[:, i])) for i, chip in enumerate(record.chips))
    return tuple(one for one in found if one.spans_s)


def _spans(record: LogRecord, throttled_pct: Series | Grid) -> Parts:
    ticks = np.flatnonzero(throttled_pct >= THROTTLED_PCT)
    if not len(ticks):
        return ()
    runs = np.split(ticks, np.flatnonzero(np.diff(ticks) > 1) + 1)
    last = len(record.time_s) - 1
    return tuple((float(record.time_s[run[0]]), float(record.time_s[min(run[-1] + 1, last)])) for run in runs)


@dataclass(frozen=True, slots=True)
class Unused:
    """Time that was paid for and not used, by what it went to; ``usd`` is None where the plan has no price."""

    words: str
    seconds: float
    chip_hours: float
    usd: float | None


@dataclass(frozen=True, slots=True)
class Bill:
    """Of a whole log: what was not used, row by row, and what all of it cost."""

    rows: tuple[Unused, ...]
    unused: Unused
    whole: Unused


_WORDS = {
    Stage.WARM_UP: "Warm-up",
    Stage.STALL: "Stalls",
    Stage.CHECKPOINT: "Checkpoints",
    Stage.IDLE: "Idle",
    Stage.STEADY: "Cut by you",
}


def bill_of(stages: Sequence[Stretch], n_chips: int, usd_per_chip_hour: float | None) -> Bill:
    """What the whole log cost, and which part of it went to what does not count.

    ``hours = seconds / 3600 n_chips``; ``usd = hours price``. The rows add up to ``unused``.
    """
    seconds = {stage: sum(one.seconds for one in stages if one.stage is stage and not one.is_kept) for stage in _WORDS}
    words = _WORDS | ({Stage.IDLE: "Idle at the end"} if _idles_only_at_the_end(stages) else {})

    def priced(name: str, spent_s: float) -> Unused:
        hours = spent_s / SECONDS_PER_HOUR * n_chips
        return Unused(name, spent_s, hours, None if usd_per_chip_hour is None else hours * usd_per_chip_hour)

    rows = tuple(priced(words[stage], spent_s) for stage, spent_s in seconds.items() if spent_s > 0)
    unused = priced("Not used", sum(one.seconds for one in rows))
    return Bill(rows, unused, priced("The whole log", sum(one.seconds for one in stages)))


def _idles_only_at_the_end(stages: Sequence[Stretch]) -> bool:
    end_s = window_of(stages)[0][1]
    return all(one.start_s >= end_s for one in stages if one.stage is Stage.IDLE)


def in_steps(values: Sequence[float], step: float) -> tuple[list[int], int]:
    """Values as whole numbers of ``step``, and their sum, so that rows as printed add up to the total as printed."""
    whole = [round(value / step) for value in values]
    return whole, sum(whole)
