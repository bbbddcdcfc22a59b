"""Prices from a list that hold together but may be of another unit, another way to pay, or not known at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isclose

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.units_guard import FAR_BELOW_KNOWN, suspicions
from core.catalogue.entries import Offer
from core.catalogue.price_lists.price_list import Flag
from core.catalogue.prices.dates import as_of_date, as_of_words, is_to_come
from core.catalogue.prices.history import stale_reason

SPOT_AS_ON_DEMAND = "the spot price is the same as on demand; the list may not know it"

TO_COME = "a day to come"


def price_flags(offers: Sequence[Offer], catalogue: Catalogue) -> tuple[Flag, ...]:
    """Offers whose price should be looked at: the rules of the unit guard, and those for lists.

    For lists: spot equal to on demand, on demand below three quarters of the provider's cheapest price known for the
    same chip where the place itself is new, prices known to be of the past, and those of a day to come.
    """
    guarded = [Flag(one.offer_id, one.reason, one.rule) for one in suspicions(offers, catalogue.offers)]
    return (
        *guarded,
        *_spot_as_on_demand(offers),
        *_far_below_elsewhere(offers, catalogue),
        *_past(offers, catalogue),
        *_to_come(offers, catalogue),
    )


def suspect(offers: Sequence[Offer], flags: Sequence[Flag]) -> tuple[Offer, ...]:
    """The offers, those flagged marked as suspect so that every screen says so."""
    ids = {flag.offer_id for flag in flags}
    return tuple(one.model_copy(update={"quality": "suspect"}) if one.id in ids else one for one in offers)


def _spot_as_on_demand(offers: Sequence[Offer]) -> Iterator[Flag]:
    on_demand = {_place(one): one.usd_per_host_hour for one in offers if one.purchase_model == "on_demand"}
    for one in offers:
        usual = on_demand.get(_place(one))
        if one.purchase_model == "spot" and usual is not None and isclose(one.usd_per_host_hour, usual):
            yield Flag(one.id, SPOT_AS_ON_DEMAND)


def _far_below_elsewhere(offers: Sequence[Offer], catalogue: Catalogue) -> Iterator[Flag]:
    on_demand = [one for one in catalogue.offers if one.purchase_model == "on_demand"]
    known, places = _cheapest(on_demand), {_place(one) for one in on_demand}
    for one in offers:
        if one.purchase_model != "on_demand" or _place(one) in places:
            continue
        cheapest = known.get((one.provider, one.accelerator_id))
        if cheapest is not None and one.usd_per_chip_hour < FAR_BELOW_KNOWN * cheapest:
            share = one.usd_per_chip_hour / cheapest
            words = f"{share:.0%} of the cheapest known of this provider elsewhere; another way to pay?"
            yield Flag(one.id, words, "far below the provider's other places")


def _past(offers: Sequence[Offer], catalogue: Catalogue) -> Iterator[Flag]:
    """Prices known to hold no more; only few hosts have a history."""
    told = {(point.provider, point.instance) for point in catalogue.price_history}
    for one in offers:
        reason = stale_reason(one, catalogue) if (one.provider, one.instance) in told else None
        if reason:
            yield Flag(one.id, reason, "price of the past")


def _to_come(offers: Sequence[Offer], catalogue: Catalogue) -> Iterator[Flag]:
    for one in offers:
        if is_to_come(as_of_date(one), catalogue.date):
            yield Flag(one.id, f"of {as_of_words(one.as_of)}, {TO_COME}", TO_COME)


def _cheapest(offers: Sequence[Offer]) -> Mapping[tuple[str, str], float]:
    """Lowest price per chip by provider and chip."""
    lowest: dict[tuple[str, str], float] = {}
    for one in offers:
        key = one.provider, one.accelerator_id
        lowest[key] = min(lowest.get(key, one.usd_per_chip_hour), one.usd_per_chip_hour)
    return lowest


def _place(offer: Offer) -> tuple[str, str, str]:
    return offer.provider, offer.instance, offer.region
