"""The parts of a log that count: a window without what is cut from it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.logs.record import LogRecord, Series

Span = tuple[float, float]
"""Start and end in seconds on the log's own clock."""

Parts = tuple[Span, ...]
"""Spans in order that do not overlap."""

Mask = NDArray[np.bool_]


def without(window_s: Span, cuts_s: Iterable[Span]) -> Parts:
    """What is left of a window when spans are cut from it; the window itself where it has no length."""
    left: list[Span] = [window_s]
    for start, end in cuts_s:
        pieces = [piece for a, b in left for piece in ((a, min(b, start)), (max(a, end), b))]
        left = [(a, b) for a, b in pieces if b > a]
    return tuple(left)


def seconds_in(parts: Parts) -> float:
    """How long the parts last together."""
    return float(sum(end - start for start, end in parts))


def spans_of(record: LogRecord) -> tuple[Series, Series]:
    """Start and end in seconds of what each reading stands for, each shape (ticks,).

    A step is printed when it ends and stands for the time since the one before; any other reading stands for the time
    until the next one, the last for none.
    """
    time_s = record.time_s
    steps = record.series.get("step_time_s")
    if steps is None or not len(time_s):
        return time_s, np.append(time_s[1:], time_s[-1:])
    first_s = steps[0] if steps[0] > 0 else 0.0
    return np.concatenate(([time_s[0] - first_s], time_s[:-1])), time_s


def whole_of(record: LogRecord) -> Span:
    """From where the first reading begins to where the last one ends; nothing without readings."""
    starts, ends = spans_of(record)
    return (float(starts[0]), float(ends[-1])) if len(starts) else (0.0, 0.0)


def chosen(record: LogRecord, parts: Parts) -> Mask:
    """Which readings lie in the parts: those of which the middle of their time does."""
    starts, ends = spans_of(record)
    middle = (starts + ends) / 2.0
    mask = np.zeros(len(middle), dtype=np.bool_)
    for start, end in parts:
        mask |= (middle >= start) & (middle <= end)
    return mask


def inside(record: LogRecord, name: str, parts: Parts) -> Series:
    """The known values of one quantity within the parts."""
    if name not in record.series:
        return np.array([], dtype=np.float64)
    values = record.series[name][chosen(record, parts)]
    return values[~np.isnan(values)]


def seconds_of_readings(record: LogRecord, parts: Parts) -> Series:
    """Seconds within the parts that each reading stands for, shape (ticks,)."""
    starts, ends = spans_of(record)
    weights = np.zeros(len(starts))
    for start, end in parts:
        weights += np.clip(np.minimum(ends, end) - np.maximum(starts, start), 0.0, None)
    return weights


def mean_over_time(record: LogRecord, values: Series, parts: Parts) -> float:
    """Mean over time of the known values in the parts (readings come at uneven steps); NaN when nothing is known.

    Each counts for the time that it stands for; where none passes, all count alike.
    """
    known = ~np.isnan(values)
    weights = seconds_of_readings(record, parts)
    if (total := weights[known].sum()) > 0:
        return float((values[known] * weights[known]).sum() / total)
    alone = values[known & chosen(record, parts)]
    return float(alone.mean()) if len(alone) else float("nan")
