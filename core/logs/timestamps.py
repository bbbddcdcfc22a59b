"""Time stamps as logs print them -> seconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_CTIME = re.compile(r"(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})")


def seconds_of(stamp: str) -> float | None:
    """Seconds since 1970 of ``2025/03/07 23:40:00.123`` or an ISO stamp; None when it is neither.

    A stamp without a zone is read as UTC: only differences within one file are used.
    """
    try:
        moment = datetime.fromisoformat(stamp.replace("/", "-", 2))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def seconds_of_ctime(text: str) -> float | None:
    """Seconds since 1970 of the first stamp like ``Tue Jul 14 08:12:53 2026`` in a text; None without one."""
    match = _CTIME.search(text)
    if not match:
        return None
    try:
        moment = datetime.strptime(" ".join(match.groups()), "%b %d %H:%M:%S %Y")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC).timestamp()
