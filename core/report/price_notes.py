"""How prices are told in a report: with their date, flagged when old, marked when estimated."""

from __future__ import annotations

from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.prices.age import price_age, price_badge, price_marks
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.plan.plan import Plan
from core.ranges import ESTIMATE
from core.report.blocks import Cell


def price_note(offer: Offer, today: date, old_price_days: int = OLD_PRICE_DAYS) -> str:
    """The date with what a reader must know about it, short: ``14 Oct 2026``, ``1 Jan 2025, price book, old``."""
    age = price_age(offer, today, old_price_days)
    marks = [age.day_words, price_badge(offer), "old" if age.is_old else "", ESTIMATE if offer.estimate else ""]
    return ", ".join(mark for mark in marks if mark)


def price_cell(offer: Offer, today: date, old_price_days: int) -> Cell:
    """The date with its marks below, in the colour of a warning where the price should be confirmed."""
    age = price_age(offer, today, old_price_days)
    marks = [mark for mark in price_marks(offer, age) if mark != age.day_words]
    return Cell(age.day_words, ", ".join(marks), below=True, tone="warn" if age.needs_confirming else "")


def missing_book(plan: Plan, catalogue: Catalogue) -> str:
    """What to say where the plan was saved with a price book and no price of one counts; empty otherwise.

    A masked catalogue has stand-ins for private prices, and does not tell whose they were.
    """
    is_missing = plan.uses_price_book and plan.had_price_book and not catalogue.is_masked
    if not is_missing or any(offer.layer == "book" for offer in catalogue.offers):
        return ""
    names = ", ".join(one.name for one in plan.profiles)
    told = "This plan was saved with a price book, and no price of one counts here"
    return f"{told}: every cost, rank, chance and pick of {names} lacks it."
