"""The speed that a log tells, in tokens/s of all its chips."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.calibration.own_logs.parts import Parts, inside, mean_over_time
from core.logs.record import LogRecord, Quantity, Series, Subject
from core.units import counted, plain

PER_CHIP, OF_ALL = "per chip", "of all chips"

_TRAINED = (("tokens_per_s_per_chip", PER_CHIP), ("tokens_per_s", OF_ALL))
_WRITTEN = (("output_tokens_per_s", OF_ALL), ("output_tokens_per_s_per_chip", PER_CHIP))

_RUNNING = "running_requests"

FEWEST_READINGS = 6
"""From which on the last third is held out."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a log says of speed within the parts that count.

    ``tokens_per_s`` is of all chips, None when the log has no throughput; then ``busy_share`` (0..1) is what it can
    say. ``first`` and ``last`` are the same figure of the first two thirds and of the last third, None where a log has
    too few readings to part them. ``scatter`` is the relative half width of the middle 80 % of the readings.
    """

    tokens_per_s: float | None
    busy_share: float | None
    how: str
    first: float | None = None
    last: float | None = None
    scatter: float = 0.0

    @property
    def drift(self) -> float:
        """How far the last third lies from the rest, as a logarithm; 0 where they are not parted."""
        return abs(math.log(self.last / self.first)) if self.first and self.last else 0.0


def has_speed(record: LogRecord, parts: Parts) -> bool:
    """True where the log itself tells tokens/s in the parts."""
    return _speeds(record, parts, 1) is not None


def measured(record: LogRecord, parts: Parts, n_chips: int, typed_tokens_per_s: float | None) -> Measurement | None:
    """A typed total of tokens/s wins over the log; else its tokens/s; else the share of time in which a kernel ran.

    None when the parts hold none of these.
    """
    if typed_tokens_per_s:
        return Measurement(typed_tokens_per_s, None, "tokens/s typed for this window")
    speeds = _speeds(record, parts, n_chips)
    if speeds is not None:
        return _of_speeds(speeds, n_chips, "step_time_s" in record.series)
    if "utilization_pct" not in record.series:
        return None
    busy_pct = mean_over_time(record, record.series["utilization_pct"], parts)
    if math.isnan(busy_pct):
        return None
    how = f"a kernel ran {plain(busy_pct)} % of the time; speed while busy taken as predicted"
    first, last = _thirds(inside(record, "utilization_pct", parts) / 100.0, np.mean)
    return Measurement(None, busy_pct / 100.0, how, first, last)


def at_its_load(record: LogRecord, parts: Parts) -> LogRecord:
    """A server's log with the requests that it answered at once, on average of the time that counts, as its fact.

    Where few ask, a server writes little: that says nothing of what its chips can do with many.
    """
    if record.subject is not Subject.SERVING or _RUNNING not in record.series or "concurrency" in record.facts:
        return record
    running = record.series[_RUNNING]
    at_once = mean_over_time(record, np.where(running > 0, running, np.nan), parts)
    return replace(record, facts={**record.facts, "concurrency": at_once}) if at_once > 0 else record


def counted_tokens(record: LogRecord) -> float | None:
    """Tokens of a step, where the log states sequences and their length."""
    sequences, length = record.facts.get("global_batch"), record.facts.get("sequence_length")
    if isinstance(sequences, int | float) and isinstance(length, int | float):
        return float(sequences * length)
    return None


def _speeds(record: LogRecord, parts: Parts, n_chips: int) -> Series | None:
    """Tokens/s of all chips, reading by reading or a single one; None where the log gives none."""
    names = _WRITTEN if record.subject is Subject.SERVING else _TRAINED
    for name, of in names:
        values = _known(record, name, parts)
        if len(values):
            return values * n_chips if of == PER_CHIP else values
    if record.subject is Subject.SERVING:
        return _of_requests(record)
    by_step = _of_steps(record, parts)
    return _of_samples(record, parts) if by_step is None else by_step


def _of_steps(record: LogRecord, parts: Parts) -> Series | None:
    tokens, steps_s = counted_tokens(record), _known(record, "step_time_s", parts)
    return tokens / steps_s if tokens and len(steps_s) else None


def _of_samples(record: LogRecord, parts: Parts) -> Series | None:
    length, rates = record.facts.get("sequence_length"), _known(record, "samples_per_s", parts)
    return rates * length if isinstance(length, int | float) and length > 0 and len(rates) else None


def _known(record: LogRecord, name: str, parts: Parts) -> Series:
    """Readings above 0 in the parts, or the one total of a log without readings over time."""
    values, total = inside(record, name, parts), record.quantities.get(name)
    if not len(values) and total and not len(record.time_s):
        values = np.array([_middle(total)])
    return values[values > 0]


def _of_requests(record: LogRecord) -> Series | None:
    """``concurrency / time per output token``, where a server's test prints no rate."""
    at_once, tpot = record.facts.get("concurrency"), record.quantities.get("tpot_ms")
    if not isinstance(at_once, int | float) or tpot is None or not _middle(tpot) > 0:
        return None
    return np.array([at_once * 1e3 / _middle(tpot)])


def _middle(quantity: Quantity) -> float:
    return quantity.p50 if math.isfinite(quantity.p50) else quantity.mean


def _of_speeds(speeds: Series, n_chips: int, has_steps: bool) -> Measurement:
    middle = float(np.median(speeds))
    count = f"median of {counted(len(speeds), 'step')}" if has_steps else "median of what is kept"
    count = "the log's own total" if len(speeds) == 1 else count
    how = f"{count}, {plain(middle / n_chips)} tokens/s per chip"
    first, last = _thirds(speeds, np.median)
    low, high = np.percentile(speeds, (10, 90))
    return Measurement(middle, None, how, first, last, float((high - low) / (2 * middle)))


def _thirds(values: Series, figure: Callable[[Series], np.floating[Any]]) -> tuple[float | None, float | None]:
    """A figure of the first two thirds of readings, and of the last third, which is held out."""
    if len(values) < FEWEST_READINGS:
        return None, None
    cut = len(values) - len(values) // 3
    first, last = float(figure(values[:cut])), float(figure(values[cut:]))
    return (first, last) if first > 0 and last > 0 else (None, None)
