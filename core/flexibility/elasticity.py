"""F8: how small one can start, how far it grows, how soon it is there, how soon it can be given back."""

from __future__ import annotations

import math

from core.amounts import Amount, Counted
from core.catalogue.catalogue import Catalogue
from core.catalogue.per_catalogue import per_catalogue
from core.flexibility.criterion import Criterion, Finding, Subject, sure
from core.ranges import Range
from core.units import counted, grouped

SMALL_SCALE = 256
"""Chips of the smallest unit from which starting small scores 0 (our proposal)."""

LARGE_SCALE = 4096
"""Chips of one joined system from which growing scores 1 (our proposal)."""

WAIT_SCALE_DAYS = 7.0
"""Days of waiting at which the score has fallen to 37 % (our proposal)."""

GIVING_BACK = {
    "on_demand": 1.0,
    "spot": 1.0,
    "flex_start": 0.8,
    "capacity_block": 0.5,
    "dedicated_monthly": 0.4,
    "commit_1y": 0.1,
    "commit_3y": 0.0,
    "owned": 0.0,
}
"""How freely chips are given back under a way to pay (our proposal)."""


def elastic_value(subject: Subject) -> Range:
    """Mean of four scores: smallest unit, largest joined system, days of waiting, giving back.

    How large a cluster a seller can join is known for TPU slices only; elsewhere it spans from one host to the
    largest, which is the interval.
    """
    smallest, largest = smallest_unit(subject), largest_unit(subject)
    scores = (
        sure(small_score(smallest)),
        sure(large_score(largest)) if largest else Range(large_score(subject.offer.chips_per_host), 0.8, 1.0),
        wait_score(subject.waiting_days),
        sure(GIVING_BACK[subject.offer.purchase_model]),
    )
    triples = [(one.low, one.likely, one.high) for one in scores]
    return Range(*(sum(ends) / len(scores) for ends in zip(*triples, strict=True)))


def elasticity(subject: Subject) -> Finding:
    """See :func:`elastic_value`."""
    smallest, largest = smallest_unit(subject), largest_unit(subject)
    return Finding(
        value=elastic_value(subject),
        inputs=(
            ("Smallest unit", _chips(smallest)),
            ("Largest joined system", _chips(largest) if largest else "unknown"),
            ("Waiting", Counted(subject.waiting_days.likely, "day", digits=2)),
            ("Giving back", Amount(GIVING_BACK[subject.offer.purchase_model], digits=2)),
        ),
        evidence=f"From {grouped(smallest)} to {counted(largest, 'chip')} in one slice"
        if largest
        else f"From {counted(smallest, 'chip')} on; largest cluster unknown",
        source=f"hosts and slices of the catalogue, {subject.catalogue.date}; waiting is our estimate",
        estimate=True,
    )


def _chips(count: int) -> Counted:
    return Counted(count, "chip")


def smallest_unit(subject: Subject) -> int:
    """Chips of the smallest host that the provider sells with this chip."""
    sold = _smallest_hosts(subject.catalogue).get((subject.accelerator.id, subject.offer.provider))
    return subject.offer.chips_per_host if sold is None else sold


@per_catalogue
def _smallest_hosts(catalogue: Catalogue) -> dict[tuple[str, str], int]:
    """Chips of the smallest host by chip and provider."""
    smallest: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        key = (offer.accelerator_id, offer.provider)
        smallest[key] = min(smallest.get(key, offer.chips_per_host), offer.chips_per_host)
    return smallest


def largest_unit(subject: Subject) -> int | None:
    """Chips of the largest slice; None where no slice is known."""
    slices = subject.catalogue.slices_by_accelerator.get(subject.accelerator.id)
    return slices[-1].n_chips if slices else None


def small_score(n_chips: int) -> float:
    """``1 - log2(n) / log2(256)``, not below 0."""
    return max(0.0, 1.0 - math.log2(n_chips) / math.log2(SMALL_SCALE))


def large_score(n_chips: int) -> float:
    """``log2(n) / log2(4096)``, not above 1."""
    return min(1.0, math.log2(n_chips) / math.log2(LARGE_SCALE))


def wait_score(days: Range) -> Range:
    """``exp(-days / 7)``; the interval follows the span of the days."""
    low, likely, high = (math.exp(-one / WAIT_SCALE_DAYS) for one in (days.high, days.likely, days.low))
    return Range(low, likely, high)


CRITERION = Criterion(
    "F8",
    "Elasticity",
    "mean of smallest, largest, waiting, giving back",
    6,
    10,
    elastic_value,
    elasticity,
    depends_on="terms",
)
