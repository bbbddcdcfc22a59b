"""How old a price is. Lists say so in many ways; the earliest date that their words allow is taken."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from core.catalogue.entries import Offer
from core.units import DASH, date_text

_WHEN = re.compile(
    r"(?<!\d)((?:19|20)\d\d)"
    r"(?:-(?:(?P<month>0[1-9]|1[0-2])(?!\d)(?:-(?P<day>\d\d)(?!\d)|/(?P<or_month>0[1-9]|1[0-2])(?!\d))?"
    r"|H(?P<half>[12])|Q(?P<quarter>[1-4])|(?P<until>(?:19|20)\d\d)(?!\d)))?"
    r"(?P<older> or older)?"
)

UNDATED = "undated"

OLD_PRICE_DAYS = 90
"""Prices older than this are flagged wherever they count."""


@lru_cache(maxsize=4096)
def parse_as_of(text: str) -> date | None:
    """Words for a date -> the earliest day they can mean, None when they name none.

    ``2026-10-13`` is that day, ``2026-10/11 (undated v9)`` the first of October, ``2026-H2`` the first of July,
    ``2024-2025`` the first of 2024, ``undated v8`` unknown. A day that is not in the calendar counts as unknown.
    """
    match = _WHEN.search(text)
    if not match:
        return None
    try:
        return date(int(match[1]), _month(match), int(match["day"] or 1))
    except ValueError:
        return None


def last_day(text: str) -> date | None:
    """The latest day that words for a date can mean, None when they name none: ``2026-10`` the last of October."""
    match, read = _WHEN.search(text), parse_as_of(text)
    if match is None or read is None or match["day"]:
        return read
    span = 6 if match["half"] else 3 if match["quarter"] else 1 if match["month"] else 12
    month = int(match["or_month"] or read.month + span - 1)
    year = int(match["until"] or read.year)
    return date(year, month, monthrange(year, month)[1])


def is_to_come(day: date | None, catalogue_date: str, today: date | None = None) -> bool:
    """True for a day after today, which can be that of no price that was read.

    A day on is let through, as it may be tomorrow elsewhere already; a clock that stands before the day of the
    catalogue is not believed.
    """
    latest = max(today or date.today(), parse_as_of(catalogue_date) or date.min)
    return day is not None and (day - latest).days > 1


@lru_cache(maxsize=4096)
def as_of_words(text: str) -> str:
    """A date as people write it, as exact as the source is and never more.

    ``14 Oct 2026``, ``Oct 2026``, ``Oct/Nov 2026``, ``H1 2026``, ``Q2 2026``, ``2024–2025``, ``Mar 2025 or older``,
    ``2026``, ``undated``.
    """
    match, read = _WHEN.search(text), parse_as_of(text)
    if match is None or read is None:
        return UNDATED
    return f"{_span_words(match, read)}{match['older'] or ''}"


@lru_cache(maxsize=4096)
def names_month(text: str) -> bool:
    """True where the words name a day or one month, and no longer time."""
    match = _WHEN.search(text)
    return match is not None and match["month"] is not None and match["or_month"] is None and match["older"] is None


def is_exact(text: str) -> bool:
    """True where the words name a day."""
    match = _WHEN.search(text)
    return match is not None and match["day"] is not None


def is_or_older(text: str) -> bool:
    """True where the words name only the latest time."""
    match = _WHEN.search(text)
    return match is not None and match["older"] is not None


def _span_words(match: re.Match[str], read: date) -> str:
    if match["day"]:
        return date_text(read)
    if match["or_month"]:
        return f"{read:%b}/{date(read.year, int(match['or_month']), 1):%b %Y}"
    if match["month"]:
        return f"{read:%b %Y}"
    if part := match["half"] or match["quarter"]:
        return f"{'H' if match['half'] else 'Q'}{part} {read.year}"
    return f"{read.year}{DASH}{match['until']}" if match["until"] else str(read.year)


def as_of_date(offer: Offer) -> date | None:
    """Earliest day on which the offer's price can have been read; None when it carries no date."""
    return parse_as_of(offer.as_of)


def age_days(offer: Offer, today: date) -> int | None:
    """Days since the price was read, at most; None when it carries no date."""
    read = as_of_date(offer)
    return None if read is None else (today - read).days


def oldest(offers: Iterable[Offer]) -> Offer | None:
    """The offer whose dated price is oldest; None when none is dated."""
    dated = [(read, offer) for offer in offers if (read := as_of_date(offer))]
    return min(dated, key=lambda pair: (pair[0], pair[1].id))[1] if dated else None


def _month(match: re.Match[str]) -> int:
    if match["half"]:
        return 6 * int(match["half"]) - 5
    if match["quarter"]:
        return 3 * int(match["quarter"]) - 2
    return int(match["month"] or 1)
