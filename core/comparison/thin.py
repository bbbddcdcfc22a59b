"""Keeps the list of rejected candidates readable: one of each kind, with the number it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.comparison.result import CandidateResult
from core.units import grouped


def thinned(rejected: Sequence[CandidateResult]) -> list[CandidateResult]:
    """The nearest of the rejected per chip, seller, purchase model and first reason, which says how many there are.

    Nearest means fewest limits missed, then cheapest. The order of the groups is that of their first member.
    """
    groups: dict[tuple[str, str, str, str], list[CandidateResult]] = {}
    for result in rejected:
        offer = result.candidate.offer
        key = (offer.accelerator_id, offer.provider, offer.purchase_model, result.reasons[0].code)
        groups.setdefault(key, []).append(result)
    return [_representative(group) for group in groups.values()]


def _representative(group: Sequence[CandidateResult]) -> CandidateResult:
    nearest = min(group, key=lambda r: (not r.throughput.fits, len(r.reasons), r.cost.total.likely, r.id))
    n_offers = len({result.candidate.offer.id for result in group})
    if n_offers == 1:
        return nearest
    first, *others = nearest.reasons
    counted = f"{first.text.rstrip('.')} ({grouped(n_offers)} offers)."
    return replace(nearest, reasons=(replace(first, text=counted), *others))
