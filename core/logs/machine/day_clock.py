"""Times of day without a date, as tools print them in long runs: midnight is passed forwards."""

from __future__ import annotations

import math

from core.constants import SECONDS_PER_DAY
from core.logs.timestamps import seconds_of


class DayClock:
    """Seconds of stamps in turn; the first day is 1970-01-01 where no date is printed."""

    def __init__(self) -> None:
        self._n_days = 0
        self._last_s = -math.inf

    def seconds(self, time: str, date: str = "") -> float:
        """Of ``09:30:05`` and a date like ``20261114``, if there is one; NaN for anything else."""
        if date:
            seconds = (
                seconds_of(f"{date} {time}")
                if len(date) == 10
                else seconds_of(f"{date[:4]}-{date[4:6]}-{date[6:]} {time}")
            )
            return math.nan if seconds is None else seconds
        seconds = seconds_of(f"1970-01-01 {time}")
        if seconds is None:
            return math.nan
        if seconds < self._last_s - SECONDS_PER_DAY / 2:
            self._n_days += 1
        self._last_s = seconds
        return seconds + self._n_days * SECONDS_PER_DAY
