"""F1: how many independent sellers have the chip."""

from __future__ import annotations

import math

from core.catalogue.catalogue import Catalogue
from core.catalogue.places.sale_places import NO_REGION
from core.catalogue.sellers.papers import kind_of_seller
from core.flexibility.criterion import Criterion, Finding, Subject
from core.ranges import Range
from core.units import counted

ENOUGH_SELLERS = 8
"""Nine sellers and more count as fully free (our proposal)."""


def supplier_value(subject: Subject) -> Range:
    """``min(1, log2(1 + n) / log2(9))`` with n sellers of the chip among those and the regions allowed.

    A price that names no region counts as outside them, and as within at the high end of the interval.
    """
    most, least = _most_and_least(subject)
    return Range(supplier_score(least), supplier_score(least), supplier_score(most))


def _most_and_least(subject: Subject) -> tuple[int, int]:
    places, chip = subject.profile.places, subject.accelerator.id
    most = sellers(subject.catalogue, chip, places.providers, places.region_prefixes)
    least = most
    if places.region_prefixes:
        least = sellers(subject.catalogue, chip, places.providers, places.region_prefixes, any_region=False)
    return len(_allowed(subject, most)), len(_allowed(subject, least))


def _allowed(subject: Subject, providers: frozenset[str]) -> list[str]:
    """Those of the kinds that may sell."""
    kinds = subject.profile.places.seller_classes
    return [one for one in providers if not kinds or kind_of_seller(subject.catalogue, one) in kinds]


def suppliers(subject: Subject) -> Finding:
    """See :func:`supplier_value`."""
    most, least = _most_and_least(subject)
    return Finding(
        value=supplier_value(subject),
        inputs=(("Sellers in the catalogue", str(most)),)
        + ((("of them with a region stated", str(least)),) if least < most else ()),
        evidence=f"{counted(least, 'seller')} with a price in the catalogue",
        source=f"offers of the catalogue, {subject.catalogue.date}",
        estimate=False,
    )


def supplier_score(n_sellers: int) -> float:
    """The score of a number of sellers: 0 for none, 1 from eight on; rises less and less."""
    return min(1.0, math.log2(1 + n_sellers) / math.log2(1 + ENOUGH_SELLERS))


def sellers(
    catalogue: Catalogue,
    accelerator_id: str,
    allowed: tuple[str, ...],
    region_prefixes: tuple[str, ...] = (),
    any_region: bool = True,
) -> frozenset[str]:
    """Providers that sell the chip, among those allowed (none chosen allows all) and in the regions allowed.

    ``any_region`` counts prices that name no region.
    """
    return frozenset(
        offer.provider
        for offer in catalogue.offers_by_accelerator.get(accelerator_id, ())
        if (not allowed or offer.provider in allowed)
        and (not region_prefixes or _is_there(offer.region, region_prefixes, any_region))
    )


def _is_there(region: str, prefixes: tuple[str, ...], any_region: bool) -> bool:
    return any_region if region in NO_REGION else region.startswith(prefixes)


CRITERION = Criterion("F1", "Suppliers", "min(1, log2(1 + sellers) / log2(9))", 10, 18, supplier_value, suppliers)
