"""Time stamps as logs print them -> seconds."""

from __future__ import annotations

from datetime import UTC, datetime


def seconds_of(stamp: str) -> float | None:
    """Seconds since 1970 of ``2025/03/07 23:40:00.123`` or an ISO stamp; None when it is neither.

    A stamp without a zone is read as UTC: only differences within one file are used.
    """
    try:
        moment = datetime.fromisoformat(stamp.replace("/", "-", 2))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
