"""C18 log timeline: what a log saw over time, one row a quantity, with what counts of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.calibration.own_logs.bands import Band, band_of
from core.calibration.own_logs.parts import Parts, chosen, inside, mean_over_time
from core.logs.record import LogRecord, Series
from core.logs.registry import quantity_kinds
from core.units import plain, span

MOST_ROWS = 4
_STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0)


@dataclass(frozen=True, slots=True)
class TimeScale:
    """The unit that suits a log's length."""

    seconds: float
    title: str
    unit: str


@dataclass(frozen=True)
class LogRow:
    """One quantity over time: the median chip and the band of all, the axis up to ``top``, figures of what counts."""

    name: str
    title: str
    time_s: Series
    band: Band
    top: float
    lines: tuple[str, ...]

    @property
    def summary(self) -> str:
        """In words, for a screen reader."""
        return f"{self.title}: {', '.join(self.lines)}"


def time_scale(duration_s: float) -> TimeScale:
    """Seconds, minutes or hours since the start of the log."""
    if duration_s > 5 * 3600:
        return TimeScale(3600.0, "Hours since the start of the log", "h")
    if duration_s > 300:
        return TimeScale(60.0, "Minutes since the start of the log", "min")
    return TimeScale(1.0, "Seconds since the start of the log", "s")


def shown_quantities(record: LogRecord) -> list[str]:
    """The quantities worth a row, four at most: use, memory and power from the top, throughput last."""
    kinds = quantity_kinds()
    ours = (name for name in record.series if name in kinds and kinds[name].turn)  # a newer version may know more
    charted = sorted(ours, key=lambda name: kinds[name].turn)
    known = [name for name in charted if np.isfinite(record.series[name]).any()][:MOST_ROWS]
    return sorted(known, key=lambda name: (kinds[name].turn == 1, kinds[name].turn))


def timeline_rows(record: LogRecord, parts: Parts, kept_bands: Mapping[str, Band] | None = None) -> list[LogRow]:
    """One row a quantity, top to bottom; ``kept_bands`` are those of a log that was thinned."""
    bands = kept_bands or {}
    return [_row(record, name, parts, bands.get(name) or band_of(record, name)) for name in shown_quantities(record)]


def _row(record: LogRecord, name: str, parts: Parts, band: Band) -> LogRow:
    kind = quantity_kinds()[name]
    title = f"{kind.title}, {kind.unit}" if kind.unit and "/s" not in kind.unit else kind.title
    return LogRow(name, title, record.time_s, band, _top(record, name, parts, band), _lines(record, name, parts))


def _top(record: LogRecord, name: str, parts: Parts, band: Band) -> float:
    """The highest reading that counts, so that a spike at the start does not flatten the rest; then a round value,
    whose half is round too: it stands at the axis.
    """
    steady = band.high[chosen(record, parts)]
    high = steady if np.isfinite(steady).any() else band.high
    value = float(np.nanmax(high))
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value / 2.0))
    return 2.0 * next(step * power for step in _STEPS if step * power >= value / 2.0)


def _lines(record: LogRecord, name: str, parts: Parts) -> tuple[str, ...]:
    """What is printed beside the row: mean or peak of what counts, and what sets it in relation."""
    values = inside(record, name, parts)
    if not len(values):
        return ("no reading in the window",)
    kind = quantity_kinds()[name]
    first = f"mean {plain(mean_over_time(record, record.series[name], parts))}"
    if name == "memory_used_gib":
        first = f"peak {plain(record.quantities[name].max)}"
    if kind.limit in record.quantities:
        return first, kind.limit_words.format(plain(record.quantities[kind.limit].p50))
    return first, _relation(record, name, parts)


def _relation(record: LogRecord, name: str, parts: Parts) -> str:
    """The chip that shows least, where chips are told apart; else what most readings lie between."""
    grid = record.by_chip.get(name)
    if grid is not None and grid.shape[1] == len(record.chips) > 1:
        means = [mean_over_time(record, grid[:, chip].astype(np.float64), parts) for chip in range(grid.shape[1])]
        if np.isfinite(means).any():
            least = int(np.nanargmin(means))
            return f"chip {record.chips[least]} lowest, {plain(means[least])}"
    low, high = np.percentile(inside(record, name, parts), (5, 95))
    return f"90 %: {span(plain(float(low)), plain(float(high)))}"
