"""When a log began, by the stamp that it prints first: with a time zone, in local time, or without a year."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from core.logs.timestamps import seconds_of, seconds_of_ctime, seconds_of_number

_YEARLESS = re.compile(r"^(\d\d)-(\d\d) (\d\d:\d\d:\d\d)$")
_PACKED = re.compile(r"^(\d{4})(\d\d)(\d\d)[ -](\d\d):?(\d\d):?(\d\d)$")
_ZONED = re.compile(r"\d(?:Z|[+-]\d\d:?\d\d)$")
_LEAP_YEAR = 2000


class ClockKind(StrEnum):
    """What a stamp tells."""

    ZONED = "with its time zone"
    LOCAL = "without a time zone"
    YEARLESS = "without a year and a time zone"


@dataclass(frozen=True, slots=True)
class Clock:
    """``at_s``: seconds since 1970 of the stamp, read as UTC where it has no zone, in 2000 where it has no year."""

    at_s: float
    kind: ClockKind

    @property
    def has_zone(self) -> bool:
        """True where the moment itself is known."""
        return self.kind is ClockKind.ZONED


def clock_of(stamp: str | None) -> Clock | None:
    """The clock of a stamp as readers keep it (``LogRecord.start``); None for a text that is none."""
    text = (stamp or "").strip().replace(",", ".")
    if match := _YEARLESS.match(text):
        seconds = seconds_of(f"{_LEAP_YEAR}-{match[1]}-{match[2]} {match[3]}")
        return None if seconds is None else Clock(seconds, ClockKind.YEARLESS)
    if match := _PACKED.match(text):
        text = f"{match[1]}-{match[2]}-{match[3]} {match[4]}:{match[5]}:{match[6]}"
    elif (seconds := seconds_of_number(text)) is not None:
        return Clock(seconds, ClockKind.ZONED)
    seconds = seconds_of(text)
    seconds = seconds_of_ctime(text) if seconds is None else seconds
    if seconds is None:
        return None
    return Clock(seconds, ClockKind.ZONED if _ZONED.search(text) else ClockKind.LOCAL)


def in_the_years_of(clock: Clock, other: Clock) -> Clock:
    """The clock in the year that brings it closest to the other, where it prints none and the other does."""
    if clock.kind is not ClockKind.YEARLESS or other.kind is ClockKind.YEARLESS:
        return clock
    year = datetime.fromtimestamp(other.at_s, UTC).year
    moments = [_in_year(clock.at_s, one) for one in (year - 1, year, year + 1)]
    return replace(clock, at_s=min(moments, key=lambda moment: abs(moment - other.at_s)))


def _in_year(at_s: float, year: int) -> float:
    """The same day and time of another year; 28 February where there is no 29th."""
    moment = datetime.fromtimestamp(at_s, UTC)
    day = min(moment.day, 28) if (moment.month, moment.day) == (2, 29) else moment.day
    return moment.replace(year=year, day=day).timestamp()
