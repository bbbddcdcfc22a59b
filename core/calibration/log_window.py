"""The steady window of a log: without start-up, compilation and the tail."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.logs.record import LogRecord, Series

_BUSY_SHARE = 0.5
_STEADY_RATIO = 1.5


def steady_window(record: LogRecord) -> tuple[float, float]:
    """Start and end in seconds of the part that shows the job at work.

    With step times: from the first to the last step within a factor of 1.5 of the median step. Compilation takes
    longer, and the step after it is often timed before the device has finished.
    With utilisation: from the first to the last reading at half of the 90th percentile or more, so that stalls
    inside the run, such as checkpoints, stay in and count. Otherwise the whole log.
    """
    if "step_time_s" in record.series:
        relative = record.series["step_time_s"] / np.nanmedian(record.series["step_time_s"])
        steady = (relative <= _STEADY_RATIO) & (relative >= 1.0 / _STEADY_RATIO)
        return _from_first_to_last(record.time_s, _without_first(steady))
    if "utilization_pct" in record.series:
        busy = record.series["utilization_pct"]
        if np.isfinite(busy).any():
            return _from_first_to_last(record.time_s, busy >= _BUSY_SHARE * np.nanpercentile(busy, 90))
    return float(record.time_s[0]), float(record.time_s[-1])


def inside(record: LogRecord, name: str, window_s: tuple[float, float]) -> Series:
    """The known values of one quantity within the window."""
    if name not in record.series:
        return np.array([], dtype=np.float64)
    chosen = (record.time_s >= window_s[0]) & (record.time_s <= window_s[1])
    values = record.series[name][chosen]
    return values[~np.isnan(values)]


def time_weighted_mean(record: LogRecord, name: str, window_s: tuple[float, float]) -> float:
    """Mean over time of a quantity in the window (readings come at uneven steps); NaN when nothing is known.

    Each reading counts for the time until the next one.
    """
    chosen = (record.time_s >= window_s[0]) & (record.time_s <= window_s[1]) & ~np.isnan(record.series[name])
    time_s, values = record.time_s[chosen], record.series[name][chosen]
    if len(values) < 2 or time_s[-1] <= time_s[0]:
        return float(values.mean()) if len(values) else float("nan")
    return float(np.average(values[:-1], weights=np.diff(time_s)))


def _without_first(steady: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The first step compiles or is timed before the device finished: it never counts unless it is alone."""
    if len(steady) > 1:
        steady = steady.copy()
        steady[0] = False
    return steady


def _from_first_to_last(time_s: Series, chosen: NDArray[np.bool_]) -> tuple[float, float]:
    where = np.flatnonzero(chosen)
    if not len(where):
        return float(time_s[0]), float(time_s[-1])
    return float(time_s[where[0]]), float(time_s[where[-1]])
