"""Time stamps as logs print them -> seconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_CTIME = re.compile(
    r"(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d)"
    r"(?: ([AP]M))?(?: (?:[A-Z]{2,5}|[+-]\d{2,4}))? (\d{4})"
)
_MOST_STAMP_CHARS = 60

_DATE = re.compile(r"\b(?:\d{1,2} [A-Z][a-z]{2} \d{4}|\d{4}-\d\d-\d\d)\b.{0,12}?\d{1,2}:\d\d:\d\d")
_SHEET = re.compile(r"(\d{1,2})([./])(\d{1,2})[./](\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,6})?))?(?: ?([AP]M))?")
_MONTHS = 12
_FIRST_S, _LAST_S = 1e9, 4.1e9


def seconds_of(stamp: str) -> float | None:
    """Seconds since 1970 of ``2025/03/07 23:40:00.123`` or an ISO stamp; None when it is neither.

    A stamp without a zone is read as UTC: only differences within one file are used.
    """
    try:
        moment = datetime.fromisoformat(stamp.replace("/", "-", 2))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def seconds_of_number(stamp: str) -> float | None:
    """Seconds since 1970 of a stamp that counts them, or milliseconds, such as ``1741082400`` and ``1741082400123``.

    None for any other number, and outside 2001 to 2100: a stamp that is none of those counts something else.
    """
    try:
        number = float(stamp)
    except ValueError:
        return None
    seconds = number if number < _LAST_S else number / 1000
    return seconds if _FIRST_S <= seconds < _LAST_S else None


def seconds_of_sheet(stamp: str) -> float | None:
    """Seconds since 1970 of a stamp as spreadsheets write it: ``07.03.2025 23:40:05`` or ``3/7/2025 11:40:05 PM``.

    Between slashes the day comes second where AM or PM is told or it is above 12, first where only that is a date;
    None where both are.
    """
    match = _SHEET.fullmatch(stamp)
    if match is None:
        return None
    first, second, year, hour, minute, seconds = (float(part or 0) for part in match.group(1, 3, 4, 5, 6, 7))
    if match[2] == "/" and not match[8] and first <= _MONTHS and second <= _MONTHS and first != second:
        return None
    day, month = (second, first) if match[2] == "/" and (match[8] or second > _MONTHS) else (first, second)
    if match[8]:
        hour = hour % 12 + 12 * (match[8] == "PM")
    try:
        midnight = datetime(int(year), int(month), int(day), tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return midnight + 3600 * hour + 60 * minute + seconds


def seconds_of_line(line: str) -> float | None:
    """Seconds since 1970 of a line that is a stamp and nothing else, as loops print one before each reading."""
    text = line.strip()
    if not text[:1].isalnum() or ":" not in text or len(text) > _MOST_STAMP_CHARS:
        return None
    return seconds_of_ctime(text) if _CTIME.fullmatch(text) else seconds_of(text)


def has_date(text: str) -> bool:
    """Whether a text is a date with a time of day, as the command ``date`` prints it in one language or another."""
    return seconds_of_ctime(text) is not None or bool(_DATE.search(text))


def seconds_of_ctime(text: str) -> float | None:
    """Seconds since 1970 of the first stamp like ``Tue Jul 14 08:12:53 2026`` in a text; None without one.

    ``date`` prints a zone before the year, which is not counted: only differences within one file are used.
    """
    match = _CTIME.search(text)
    if not match:
        return None
    month, day, time, half, year = match.groups()
    try:
        if half:
            moment = datetime.strptime(f"{month} {day} {time} {half} {year}", "%b %d %I:%M:%S %p %Y")
        else:
            moment = datetime.strptime(f"{month} {day} {time} {year}", "%b %d %H:%M:%S %Y")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC).timestamp()
