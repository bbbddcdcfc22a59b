"""What a candidate costs, in the one period in which it is told (a run as a whole, a service by the month), and when
its work is done."""

from __future__ import annotations

from core.amounts import USD, Amount, Sentence, Text
from core.catalogue.entries import OWN, Offer
from core.cost.bill.types import Cost
from core.ranges import Range
from core.units import OVER_A_CENTURY, counted, date_text, day_after
from core.workload.profile import PURCHASE_WORDS, Profile

REGRET_DIGITS = 2
"""Digits of a mean regret, which draws tell no better."""


def cost_told(profile: Profile, cost: Cost) -> Range:
    """USD of a month where the work serves for months, else of all of it."""
    return cost.total if profile.job.months_in_service is None else cost.per_month


def cost_words(profile: Profile, cost: Cost) -> Text:
    """The same in words: ``$796 k``, ``$15.9 k a month``."""
    amount = Amount(cost_told(profile, cost).likely, USD)
    return amount if profile.job.months_in_service is None else Sentence("{} a month", amount)


def paid_words(offer: Offer) -> str:
    """How chips are paid: ``on demand``; those that the user has reserved are billed by use, and called reserved."""
    return "reserved" if is_reserved(offer) else PURCHASE_WORDS[offer.purchase_model]


def is_reserved(offer: Offer) -> bool:
    """True for chips that a seller holds for the user."""
    return offer.held_chips is not None and offer.provider != OWN


def over_term(profile: Profile) -> str:
    """What stands behind an amount of the whole term: `` over 12 months``; nothing behind that of a run."""
    months = profile.job.months_in_service
    return "" if months is None else f" over {counted(months, 'month', digits=3)}"


def done_words(profile: Profile, days: float) -> str:
    """When the work is done: ``done by 6 Jan 2027``, ``done in over a century``."""
    last = day_after(profile.limits.start_date, days)
    return f"done by {date_text(last)}" if last else f"done in {OVER_A_CENTURY}"
