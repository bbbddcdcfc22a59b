"""Cells of a table -> numbers and moments; NaN for whatever is neither, which is unknown and never 0."""

from __future__ import annotations

import csv
import math
import re
from datetime import datetime
from typing import Literal

from core.logs.mapping.units import DATE_AND_TIME, TIME_OF_DAY, TIME_UNITS
from core.logs.quantities import reading
from core.logs.timestamps import seconds_of

Decimal = Literal[".", ","]
WITH_UNIT = re.compile(r"\s{0,9}([-+]?[\d.,'’_]{1,40}(?:[eE][-+]?\d{1,4})?)\s{0,3}([%°A-Za-z/µ]{0,20})\s{0,9}")
"""A number and the unit behind it."""

_MOST_MOMENT = 1e20
"""Nanoseconds since 1970 are 1.8e18."""

_ZONE_WORDS = re.compile(r"\s*\([^()]{0,60}\)\s*$")
_FORMS = (
    "%a %b %d %Y %H:%M:%S GMT%z",
    "%a %b %d %H:%M:%S %Y",
    "%d/%b/%Y:%H:%M:%S %z",
    "%m/%d/%Y %H:%M:%S.%f",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y%m%d %H:%M:%S",
    "%Y%m%d-%H%M%S",
    "%Y/%m/%d %H:%M",
)


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line, quotes off; an empty list where it is no row."""
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def number(cell: str, decimal: Decimal = ".") -> float:
    """``1,024.5 MiB`` -> 1024.5, with a decimal comma ``1.024,5`` too; NaN for any other text."""
    match = WITH_UNIT.fullmatch(cell)
    if not match:
        return math.nan
    groups = ",'’_" if decimal == "." else ".'’_"
    text = match[1].translate({ord(sign): None for sign in groups})
    return reading(text.replace(",", ".") if decimal == "," else text)


def moment(cell: str, unit: str, decimal: Decimal = ".") -> float:
    """Seconds from any fixed moment; NaN for what is no time in that unit."""
    if unit == DATE_AND_TIME:
        return _date(cell.strip())
    if unit == TIME_OF_DAY:
        return _time_of_day(cell.strip())
    try:
        value = float(cell.replace(",", ".") if decimal == "," else cell) * TIME_UNITS[unit]
    except ValueError:
        return math.nan
    return value if abs(value) < _MOST_MOMENT else math.nan


def _date(text: str) -> float:
    seconds = seconds_of(text)
    if seconds is not None:
        return seconds
    text = _ZONE_WORDS.sub("", text[:120])
    for form in _FORMS:
        try:
            return seconds_of(datetime.strptime(text, form).isoformat()) or math.nan
        except (ValueError, OverflowError):
            continue
    return math.nan


def _time_of_day(text: str) -> float:
    parts = [reading(part) for part in text.split(":")]
    if not 2 <= len(parts) <= 3 or not all(0 <= part < 60 for part in parts[1:]) or not 0 <= parts[0] < 1000:
        return math.nan
    return sum(part * weight for part, weight in zip(parts, (3600.0, 60.0, 1.0), strict=False))
