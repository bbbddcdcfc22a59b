"""Rows of what an engine prints of itself now and then: rates and requests, with the moment of each."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.logs.facts import stated
from core.logs.quantities import SHARED
from core.logs.record import LogRecord, Series, Subject, summarise_all
from core.logs.serving.figures import ENGINE
from core.logs.timestamps import seconds_of

_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?")
_SHORT_STAMP = re.compile(r"(?<!\d)(\d\d-\d\d) (\d\d:\d\d:\d\d)(?!\d)")
_YEAR = 2000
"""Of stamps that have none: only gaps are used, and it has a 29 February."""

_HALF_A_YEAR_S, _YEAR_S = 183 * 86_400.0, 366 * 86_400.0
_SUMMED = ("input_tokens_per_s", "output_tokens_per_s", "running_requests", "waiting_requests")
MOST_ROWS = 5_000_000


class EngineRows:
    """One engine's or several engines' rows. Rates of several engines of one moment add up; shares are averaged."""

    def __init__(self, names: Sequence[str]) -> None:
        self.first_line = 0
        self.start: str | None = None
        self.skipped: Counter[str] = Counter()
        self._columns = {name: array("d") for name in names}
        self._time_s, self._engine = array("d"), array("l")
        self._engines: dict[str, int] = {}
        self._has_times = True

    def __len__(self) -> int:
        return len(self._time_s)

    def add(self, number: int, line: str, engine: str, values: Mapping[str, float]) -> None:
        """One row; one without any known value is skipped."""
        if all(math.isnan(value) for value in values.values()) or len(self) >= MOST_ROWS:
            self.skipped["line without a figure" if len(self) < MOST_ROWS else "beyond what is kept"] += 1
            return
        self.first_line = self.first_line or number
        moment = self._moment(line)
        self._has_times = self._has_times and not math.isnan(moment)
        self._time_s.append(moment)
        self._engine.append(self._engines.setdefault(engine, len(self._engines)) if len(self._engines) < 10_000 else 0)
        for name, column in self._columns.items():
            column.append(values.get(name, math.nan))

    def record(self, file: str, format_id: str, facts: Mapping[str, str | float]) -> LogRecord:
        """The record; without a chart where a row has no stamp. Call it only where there are rows."""
        tick = _ticks(self._engine) if len(self._engines) > 1 else np.arange(len(self), dtype=np.int64)
        n_ticks = int(tick[-1]) + 1
        series = {
            name: _per_tick(np.array(column), tick, n_ticks, name in _SUMMED) for name, column in self._columns.items()
        }
        known = {name: values for name, values in series.items() if not np.isnan(values).all()}
        time_s = _unwrapped(np.array(self._time_s))
        times = _per_tick(time_s, tick, n_ticks, False) if self._has_times else np.zeros(0)
        return LogRecord(
            file=file,
            format=format_id,
            n_lines=len(self),
            skipped=dict(self.skipped),
            accelerator=None,
            accelerator_id=None,
            n_accelerators=None,
            start=self.start,
            time_s=np.maximum.accumulate(times - times[0]) if len(times) else times,
            series=known if len(times) else {},
            quantities=summarise_all(known, {**SHARED, **ENGINE}),
            subject=Subject.SERVING,
            first_line=self.first_line,
            facts=stated(facts),
        )

    def _moment(self, line: str) -> float:
        head = line[:200]
        if match := _STAMP.search(head):
            text = f"{match[1]} {match[2]}.{(match[3] or '0').ljust(6, '0')}"
        elif match := _SHORT_STAMP.search(head):
            text = f"{_YEAR}-{match[1]} {match[2]}"
        else:
            return math.nan
        self.start = self.start or match[0]
        seconds = seconds_of(text)
        return math.nan if seconds is None else seconds


def _unwrapped(time_s: Series) -> Series:
    """Stamps without a year begin anew in January."""
    falls = np.diff(time_s, prepend=time_s[:1]) < -_HALF_A_YEAR_S
    unwrapped: Series = time_s + _YEAR_S * np.cumsum(falls)
    return unwrapped


def _ticks(engines: Sequence[int]) -> NDArray[np.int64]:
    """The tick of each row: an engine that comes again begins the next."""
    seen: set[int] = set()
    tick, numbers = 0, array("q")
    for engine in engines:
        if engine in seen:
            tick += 1
            seen.clear()
        seen.add(engine)
        numbers.append(tick)
    return np.array(numbers, dtype=np.int64)


def _per_tick(values: Series, tick: NDArray[np.int64], n_ticks: int, is_summed: bool) -> Series:
    """Sum or mean of the known values of each tick; NaN where none is known, or to a sum one engine's is missing."""
    if n_ticks == len(values):
        return values
    known = ~np.isnan(values)
    count = np.bincount(tick[known], minlength=n_ticks)
    total = np.bincount(tick[known], weights=values[known], minlength=n_ticks)
    result = np.full(n_ticks, np.nan)
    enough = count >= (count.max(initial=1) if is_summed else 1)
    result[enough] = total[enough] / (1 if is_summed else count[enough])
    return result
