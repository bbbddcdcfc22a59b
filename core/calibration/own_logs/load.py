"""How evenly a server was used: its mean load beside that of its busiest hour, and how long it had nothing to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.calibration.own_logs.parts import spans_of
from core.calibration.own_logs.stretches import Stage, stretches
from core.constants import HOURS_PER_DAY, SECONDS_PER_HOUR
from core.logs.record import LogRecord, Subject

LEAST_H = HOURS_PER_DAY
"""Hours below which a log has not seen a busiest hour of a day."""

_NEARLY = 0.99
"""The last reading of a day's log stands for no time."""

_WRITTEN = "output_tokens_per_s"


@dataclass(frozen=True, slots=True)
class Load:
    """``mean_pct``: tokens written a second on average, of those in the busiest hour. ``idle_pct`` of the time nothing
    was asked. Both over ``hours``."""

    mean_pct: float
    idle_pct: float
    hours: float

    @property
    def lasts(self) -> bool:
        """Whether the log is long enough to tell the load of a day."""
        return self.hours >= _NEARLY * LEAST_H


def load_of(record: LogRecord) -> Load | None:
    """The load of a server's log over time; None where it tells none."""
    if record.subject is not Subject.SERVING or _WRITTEN not in record.series or len(record.time_s) < 2:
        return None
    starts, ends = spans_of(record)
    values = record.series[_WRITTEN]
    seconds = np.where(np.isnan(values), 0.0, ends - starts)
    tokens = np.nan_to_num(values) * seconds
    hour = ((starts + ends) / 2.0 - starts[0]) // SECONDS_PER_HOUR
    place = hour.astype(np.int64)
    of_hour_s, of_hour = np.bincount(place, seconds), np.bincount(place, tokens)
    whole = of_hour_s >= min(SECONDS_PER_HOUR / 2.0, float(seconds.sum()))  # an hour that is hardly seen is no busiest
    if not whole.any() or not tokens.sum() > 0:
        return None
    busiest = float((of_hour[whole] / of_hour_s[whole]).max())
    stages = stretches(record)
    idle_s = sum(one.seconds for one in stages if one.stage is Stage.IDLE)
    total_s = sum(one.seconds for one in stages)
    mean = float(tokens.sum() / seconds.sum())
    return Load(100.0 * mean / busiest, 100.0 * idle_s / total_s, float(seconds.sum()) / SECONDS_PER_HOUR)
