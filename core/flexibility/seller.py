"""F10: what the seller stands for: availability promised, least term, largest cluster, regions to move to."""

from __future__ import annotations

import math

from core.amounts import Amount, Counted, Sentence, Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.details.source_names import cited
from core.catalogue.entries import CLASS_WORDS, OWN, Seller
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.places.sale_places import NO_REGION
from core.catalogue.providers import provider_name
from core.catalogue.sellers.papers import is_sourced
from core.flexibility.criterion import Criterion, Finding, Subject, sure
from core.flexibility.elasticity import large_score
from core.flexibility.suppliers import supplier_score
from core.ranges import Range

MOST_NINES = 3
"""Nines of a promise of availability from which it scores 1: 99.9 % (our proposal)."""

TERM_SCALE_DAYS = 90.0
"""Days of the least term at which its score has fallen to 37 % (our proposal)."""

UNKNOWN = Range(0.0, 0.0, 1.0)
"""Of a fact that nobody tells: it may be anything and counts as the worst, so that silence never scores."""

FIELDS = {
    "sla_monthly_pct": "Availability promised",
    "min_cluster_days": "Least term",
    "largest_cluster_chips": "Largest cluster",
}
UNITS = {"min_cluster_days": "day", "largest_cluster_chips": "chip"}


def seller_value(subject: Subject) -> Range:
    """Mean of four scores: promise, least term, largest cluster, regions of the chip.

    A fact from memory counts as likely, and as unknown at the low end. Own hardware has no seller: its owner sets the
    term and the size, promises nothing to himself and has one place.
    """
    if _is_own(subject):
        scores = [sure(0.0), sure(1.0), sure(1.0), sure(supplier_score(1))]
    else:
        scores = [*(_scored(_seller(subject), name) for name in FIELDS), sure(supplier_score(regions(subject)))]
    ends = zip(*((one.low, one.likely, one.high) for one in scores), strict=True)
    return Range(*(sum(end) / len(scores) for end in ends))


def seller_finding(subject: Subject) -> Finding:
    """See :func:`seller_value`."""
    seller, name = _seller(subject), provider_name(subject.offer.provider)
    kind = CLASS_WORDS[seller.seller_class] if seller else CLASS_WORDS["own"] if _is_own(subject) else "unknown"
    told = cited(f"{seller.source}, {seller.as_of}", subject.catalogue.sources) if seller else "no entry"
    return Finding(
        value=seller_value(subject),
        inputs=(
            ("Class", kind),
            *((words, _told(seller, field)) for field, words in FIELDS.items()),
            ("Regions with the chip", str(regions(subject))),
        ),
        evidence="Nobody but you" if _is_own(subject) else f"{name}, {kind}",
        source=f"{told}; facts not read there are from memory",
        estimate=seller is None or not any(is_sourced(seller, field) for field in FIELDS),
    )


def _seller(subject: Subject) -> Seller | None:
    return subject.catalogue.seller_by_provider.get(subject.offer.provider)


def _is_own(subject: Subject) -> bool:
    return subject.offer.provider == OWN


def _scored(seller: Seller | None, field: str) -> Range:
    value = getattr(seller, field) if seller else None
    if seller is None or value is None:
        return UNKNOWN
    score = _score(field, float(value))
    return sure(score) if is_sourced(seller, field) else Range(0.0, score, 1.0)


def _score(field: str, value: float) -> float:
    match field:
        case "sla_monthly_pct":
            return promise_score(value)
        case "min_cluster_days":
            return term_score(value)
    return large_score(max(1, round(value)))


def _told(seller: Seller | None, field: str) -> Text:
    value = getattr(seller, field) if seller else None
    if seller is None or value is None:
        return "unknown"
    told = Amount(value, "%", 6) if field == "sla_monthly_pct" else Counted(value, UNITS[field])
    return told if is_sourced(seller, field) else Sentence("{}, from memory", told)


def promise_score(pct: float) -> float:
    """``nines / 3`` of a promise of availability, nines = -log10(1 - share): 99.9 % and more score 1."""
    return min(1.0, -math.log10(max(1.0 - pct / 100, 1e-9)) / MOST_NINES)


def term_score(days: float) -> float:
    """``exp(-days / 90)``: 1 without a least term."""
    return math.exp(-days / TERM_SCALE_DAYS)


def regions(subject: Subject) -> int:
    """Regions in which the seller has the chip; those that no offer names do not count."""
    return len(_regions(subject.catalogue).get((subject.offer.provider, subject.accelerator.id), ()))


@per_catalogue
def _regions(catalogue: Catalogue) -> dict[tuple[str, str], set[str]]:
    named: dict[tuple[str, str], set[str]] = {}
    for offer in catalogue.offers:
        if offer.region not in NO_REGION:
            named.setdefault((offer.provider, offer.accelerator_id), set()).add(offer.region)
    return named


CRITERION = Criterion(
    "F10",
    "Seller",
    "mean of promise, least term, largest cluster, regions",
    4,
    8,
    seller_value,
    seller_finding,
    depends_on="seller",
)
