"""Is a price the seller's own, or told twice? Only such a price carries a pick."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import STAND_IN, Offer
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.prices.dates import age_days, as_of_date
from core.catalogue.prices.quality import QUALITIES, quality_of
from core.catalogue.todays_prices import day_of

PriceProof = Literal["entered", "stand-in", "first-hand", "worked out", "told twice", "one source", "estimate"]

PROOF_WORDS: dict[PriceProof, str] = {
    "entered": "Price as you entered it",
    "stand-in": "A public price stands in for the private one",
    "first-hand": "Price from the seller's own list",
    "worked out": "Price worked out from the seller's own list",
    "told twice": "Price told by two sources, weeks apart from each other",
    "one source": "Price told by one source that is not the seller's present list",
    "estimate": "Price is an estimate",
}

PROVED: tuple[PriceProof, ...] = ("entered", "stand-in", "first-hand", "worked out", "told twice")

SAME_PRICE = 0.1
"""Two sources tell the same price when it differs by no more than this share (our limit)."""

DAYS_APART = 28
"""Two readings within fewer days are as good as one: a page that one copied, the other copied too (our limit)."""

STILL_TOLD_DAYS = 200
"""A reading older than this when the catalogue was made tells nothing of its day (our limit). Without it a doubtful
price became a proved one by growing older, away from the other that was read on the same day."""

_SHAKY = ("old", "suspect", "secondary", "average", "reseller", "marketplace")


def price_proof(offer: Offer, catalogue: Catalogue) -> PriceProof:
    """How far a price is proved; what stands in for a proved one is as good."""
    proof = _listed_proof(offer, catalogue)
    return "stand-in" if offer.layer == STAND_IN and proof in PROVED else proof


def _listed_proof(offer: Offer, catalogue: Catalogue) -> PriceProof:
    """An estimate is never proved, a list of the seller's own is, any other when told twice."""
    quality = quality_of(offer)
    if offer.estimate or offer.quality == "estimate":
        return "estimate"
    if quality is QUALITIES["entered"]:
        return "entered"
    if quality.is_sellers_own and offer.quality not in _SHAKY:
        return "worked out" if quality is QUALITIES["derived"] else "first-hand"
    return "told twice" if _is_told_twice(offer, catalogue) else "one source"


def _is_told_twice(offer: Offer, catalogue: Catalogue) -> bool:
    own, others = set(offer.source.split("+")), _still_told(catalogue)[_key(offer)]
    if offer.quality == "suspect" or offer not in others:
        return False
    return any(
        own.isdisjoint(other.source.split("+"))
        and not other.estimate
        and _days_apart(offer, other) >= DAYS_APART
        and abs(other.usd_per_chip_hour - offer.usd_per_chip_hour) <= SAME_PRICE * offer.usd_per_chip_hour
        for other in others
    )


def _days_apart(one: Offer, other: Offer) -> int:
    """Days between two readings; 0 where one is not dated: both may have copied the same page on the same day."""
    days = as_of_date(one), as_of_date(other)
    return abs((days[0] - days[1]).days) if days[0] and days[1] else 0


def _key(offer: Offer) -> tuple[str, str, str, str]:
    return offer.provider, offer.accelerator_id, offer.region, offer.purchase_model


@per_catalogue
def _still_told(catalogue: Catalogue) -> defaultdict[tuple[str, str, str, str], list[Offer]]:
    """Offers of one seller, chip, region and way to pay, without those that are not dated or were read long ago."""
    told: defaultdict[tuple[str, str, str, str], list[Offer]] = defaultdict(list)
    for offer in catalogue.offers:
        age = age_days(offer, day_of(catalogue))
        if age is not None and age <= STILL_TOLD_DAYS:
            told[_key(offer)].append(offer)
    return told
