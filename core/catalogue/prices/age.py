"""How old a price is on a day, as it is told and flagged everywhere: dated and fresh, dated and old, or undated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from core.catalogue.entries import STAND_IN, Layer, Offer
from core.catalogue.prices.dates import OLD_PRICE_DAYS, UNDATED, as_of_date, as_of_words
from core.ranges import ESTIMATE
from core.units import counted, price_text


@dataclass(frozen=True, slots=True)
class PriceAge:
    """When a price was read, and after how many days it counts as old. An undated one is not taken for fresh.

    ``read`` is the earliest day, and ``days`` the most days, that the source's words ``as_of`` allow.
    """

    as_of: str
    read: date | None
    days: int | None
    old_after_days: int

    @property
    def is_undated(self) -> bool:
        """True when nothing says when the price was read."""
        return self.read is None

    @property
    def is_old(self) -> bool:
        """True for a dated price past the limit."""
        return self.days is not None and self.days > self.old_after_days

    @property
    def needs_confirming(self) -> bool:
        """Old or undated."""
        return self.is_old or self.is_undated

    @property
    def day_words(self) -> str:
        """``14 Oct 2026``, ``H1 2026`` where no more is known, or ``undated``."""
        return as_of_words(self.as_of)

    @property
    def flag(self) -> str:
        """``over 90 days old``, ``undated``, or nothing for a fresh price."""
        if self.is_undated:
            return UNDATED
        return f"over {counted(self.old_after_days, 'day')} old" if self.is_old else ""


def price_age(offer: Offer, today: date, old_price_days: int = OLD_PRICE_DAYS) -> PriceAge:
    """The age of an offer's price. A price read later than ``today`` counts as fresh."""
    read = as_of_date(offer)
    return PriceAge(offer.as_of, read, None if read is None else (today - read).days, old_price_days)


OWN_WORDS: dict[Layer, str] = {"catalogue": "", "plan": "own price", "book": "price book", STAND_IN: "stand-in"}
"""The badge of a price that nobody else finds in the catalogue: typed in the plan, or of the price book, of which
discounts are a part."""


def price_badge(offer: Offer) -> str:
    """``own price``, ``price book``, or nothing for a shipped price; it stands wherever the price counts."""
    return OWN_WORDS[offer.layer]


def price_marks(offer: Offer, age: PriceAge) -> tuple[str, ...]:
    """What must stand beside a price: whose it is, its flag, and whether it is an estimate."""
    return tuple(mark for mark in (price_badge(offer), age.flag, ESTIMATE if offer.estimate else "") if mark)


def price_words(offer: Offer, usd_today: float | None = None) -> str:
    """A price with its day, what it is today where that differs, and the mark of an estimate.

    ``$2.49 per chip hour, read 14 Oct 2026, $3.02 today, estimate``.
    """
    words = as_of_words(offer.as_of)
    told = [f"{price_text(offer.usd_per_chip_hour)} per chip hour", words if words == UNDATED else f"read {words}"]
    marks = (mark for mark in (price_badge(offer), ESTIMATE if offer.estimate else "") if mark)
    return ", ".join([*told, *today_words(offer, usd_today), *marks])


def today_words(offer: Offer, usd_today: float | None) -> tuple[str, ...]:
    """``$3.02 today`` for a price that is not the listed one any more, else nothing."""
    return () if usd_today in (None, offer.usd_per_chip_hour) else (f"{price_text(usd_today or 0.0)} today",)


def price_line(offer: Offer, today: date, old_price_days: int = OLD_PRICE_DAYS, usd_today: float | None = None) -> str:
    """As :func:`price_words`, with the flag of an old price: ``..., over 90 days old``."""
    age = price_age(offer, today, old_price_days)
    words = price_words(offer, usd_today)
    return f"{words}, {age.flag}" if age.is_old else words


def n_undated(offers: Iterable[Offer]) -> int:
    """How many of the prices carry no date."""
    return sum(as_of_date(offer) is None for offer in offers)
