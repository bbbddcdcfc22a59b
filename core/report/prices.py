"""How prices are told in a report: with their date, flagged when old, marked when estimated."""

from __future__ import annotations

from datetime import date

from core.catalogue.entries import Offer
from core.catalogue.prices import OLD_PRICE_DAYS, age_days, as_of_date


def is_old(offer: Offer, today: date) -> bool:
    """True when the price is over 90 days old, or carries no date at all."""
    age = age_days(offer, today)
    return age is None or age > OLD_PRICE_DAYS


def price_date_text(offer: Offer) -> str:
    """The date of a price as read: ``14 Oct 2026``, ``undated`` when it names none."""
    read = as_of_date(offer)
    return f"{read.day} {read:%b %Y}" if read else "undated"


def price_note(offer: Offer, today: date) -> str:
    """The date with what a reader must know about it: ``14 Oct 2026``, ``1 Jan 2025, old, estimate``."""
    notes = [price_date_text(offer), "old" if is_old(offer, today) else "", "estimate" if offer.estimate else ""]
    return ", ".join(note for note in notes if note)
