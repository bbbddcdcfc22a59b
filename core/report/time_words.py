"""How long a candidate takes, or how fast it is, as a table says it on paper and in a terminal; days in words."""

from __future__ import annotations

import re
from datetime import date

from core.comparison.result import CandidateResult
from core.units import DASH, days_span, days_text, grouped, plain, span

_DAY = re.compile(r"(?<![\w/-])(?<!\w\.)(20\d\d)-(\d\d)-(\d\d)(?![\w/-]|\.\w)")
"""A day as catalogues write it, unless it is part of an address or of a file's name."""
_SPAN = re.compile(r"(?<![\w/-])(?<!\w\.)(20\d\d)-(0[1-9]|1[0-2]|H[12]|Q[1-4])(?![\w/-]|\.\w)")
"""A month, a half or a quarter of a year, written so."""
_TO = re.compile(r"(?<=20\d\d)\.\.(?=\d)")


def with_days(text: str) -> str:
    """The text with its days, months and quarters as they are written everywhere on paper: ``25 Sep 2026``,
    ``Oct 2025``, ``H1 2026``; a dash from one to another."""
    return _TO.sub(DASH, _SPAN.sub(_span_words, _DAY.sub(_day_words, text)))


def _day_words(found: re.Match[str]) -> str:
    try:
        day = date.fromisoformat(found[0])
    except ValueError:
        return found[0]
    return f"{day.day} {day:%b %Y}"


def _span_words(found: re.Match[str]) -> str:
    year, part = found[1], found[2]
    return f"{date(int(year), int(part), 1):%b} {year}" if part.isdigit() else f"{part} {year}"


def time_words(result: CandidateResult) -> tuple[str, str]:
    """Likely value and range of the days to finish where the work ends, else of tokens or samples per second."""
    if days := result.days_to_finish:
        return days_text(days.likely), days_span(days.low, days.high)
    speed = result.throughput.tokens_per_s
    return speed_text(speed.likely), span(speed_text(speed.low), speed_text(speed.high))


def speed_text(value: float) -> str:
    """Tokens or samples a second: whole from 10 on, two digits below."""
    return grouped(value) if value >= 9.95 else plain(value, 2)
