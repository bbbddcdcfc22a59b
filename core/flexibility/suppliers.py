"""F1: how many independent sellers have the chip."""

from __future__ import annotations

import math

from core.catalogue.catalogue import Catalogue
from core.flexibility.criterion import Criterion, Finding, Subject, sure

ENOUGH_SELLERS = 8
"""Nine sellers and more count as fully free (our proposal)."""


def suppliers(subject: Subject) -> Finding:
    """``min(1, log2(1 + n) / log2(9))`` with n sellers of the chip among the providers allowed."""
    n = len(sellers(subject.catalogue, subject.accelerator.id, subject.profile.places.providers))
    return Finding(
        value=sure(supplier_score(n)),
        inputs=(("Sellers in the catalogue", str(n)),),
        evidence=f"{n} seller{'s' if n != 1 else ''} with a price in the catalogue",
        source=f"offers of the catalogue, {subject.catalogue.date}",
        estimate=False,
    )


def supplier_score(n_sellers: int) -> float:
    """The score of a number of sellers: 0 for none, 1 from eight on; rises less and less."""
    return min(1.0, math.log2(1 + n_sellers) / math.log2(1 + ENOUGH_SELLERS))


def sellers(catalogue: Catalogue, accelerator_id: str, allowed: tuple[str, ...]) -> frozenset[str]:
    """Providers that sell the chip, among those allowed (none chosen allows all)."""
    found = {offer.provider for offer in catalogue.offers_by_accelerator.get(accelerator_id, ())}
    return frozenset(found & set(allowed) if allowed else found)


CRITERION = Criterion("F1", "Suppliers", "min(1, log2(1 + sellers) / log2(9))", 10, 18, suppliers)
