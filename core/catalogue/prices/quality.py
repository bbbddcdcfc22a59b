"""How far a price can be trusted: a small closed set of words, each with what it means and how far off it may be.

The shares are ours: taken from the catalogue where it knows two prices of the same thing, and
estimates where it does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.entries import Offer
from core.units import THIN


@dataclass(frozen=True, slots=True)
class Quality:
    """What is known about a price; the true one lies between ``low`` and ``high`` times it, nine times in ten."""

    title: str
    meaning: str
    low: float
    high: float
    is_sellers_own: bool = True
    is_estimate: bool = True
    """True when no pair of prices backs ``low`` and ``high``."""
    warning: str = ""
    """What to tell somebody who would pay it; empty for a price that stands."""


QUALITIES: dict[str, Quality] = {
    "ok": Quality("List price", "Read from the seller's own list, or from a file made of it.", 1.0, 1.0),
    "list price": Quality(
        "List price, sold otherwise", "The seller's list has it, but this size is let as spot or flex start.", 1.0, 1.0
    ),
    "spot moves": Quality(
        "Spot price of a day", "Moves by the hour and from zone to zone.", 0.58, 1.42, is_estimate=False
    ),
    "derived": Quality(
        "Worked out",
        "Worked out from another size, slice or part of the same list.",
        0.95,
        1.05,
        warning="The price was worked out from the seller's own list",
    ),
    "reseller": Quality(
        "Through a broker",
        "Listed by a broker who sells the machines of others.",
        0.95,
        1.1,
        False,
        warning="The price is a broker's, not the seller's own",
    ),
    "marketplace": Quality(
        "Marketplace",
        "Private hosts set it; machines come and go, and few hang together.",
        0.7,
        1.4,
        False,
        warning="The price is set by private hosts on a marketplace",
    ),
    "average": Quality(
        "Average over listings",
        "A mean over what others list for this seller; its own list was lower where both are known.",
        0.5,
        1.0,
        False,
        False,
        warning="The price is an average over listings",
    ),
    "secondary": Quality(
        "Second-hand source",
        "From an article or one person's notes.",
        0.8,
        1.5,
        False,
        warning="The price comes from a second-hand source",
    ),
    "old": Quality(
        "Old list",
        "Read in 2025 or before, and in no newer list.",
        0.55,
        1.35,
        is_estimate=False,
        warning="The price stands only in a list of 2025 or before",
    ),
    "suspect": Quality(
        "Looks wrong",
        "May be of another unit or another way to pay.",
        0.7,
        2.0,
        False,
        warning="The price looks wrong and was kept only for lack of another",
    ),
    "estimate": Quality(
        "Estimate",
        "No source was found; a usual discount or price was taken.",
        0.7,
        1.3,
        False,
        warning="The price is an estimate; no list shows it",
    ),
    "straight-line share of the price": Quality("Share of a purchase", "The server's price over its life.", 1.0, 1.0),
    "entered": Quality("Entered", "As you entered it.", 1.0, 1.0),
}
"""Bases: spot, the zones of 28 spot prices; average, 4 sellers with a list of their own (0.51 to 0.86); old, 11 prices
read again later (0.56 to 1.33)."""


def quality_of(offer: Offer) -> Quality:
    """What its quality word means; any other word than those shipped is one that somebody entered."""
    return QUALITIES.get(offer.quality, QUALITIES["entered"])


def span_words(quality: Quality) -> str:
    """How far off the price may be, in words; empty where it stands as it is."""
    if quality.low == quality.high:
        return ""
    words = f"the one you get may be {100 * quality.low:.0f} to {100 * quality.high:.0f}{THIN}% of it"
    return f"{words}, by our estimate" if quality.is_estimate else words


def is_second_hand(offer: Offer) -> bool:
    """True when the price is not from the seller's own list."""
    return not quality_of(offer).is_sellers_own
