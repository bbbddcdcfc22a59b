"""Keeps the list of rejected candidates readable: one of each kind, with the number it stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.comparison.assemble import Judged
from core.comparison.shelf import Index, first_of_groups, paired


@dataclass(frozen=True)
class Thinned:
    """The rejected candidates that are shown, nearest first, and how many offers each stands for, shapes (n,)."""

    rows: Index
    n_offers: Index


def thinned(judged: Judged, rejected: Index, id_rank: Index) -> Thinned:
    """The nearest of the rejected per chip, seller, purchase model and first reason.

    Nearest means fewest limits missed, then cheapest, those that run before those that do not; ``id_rank`` decides
    between equals. The list as a whole stands in the same order.
    """
    if not len(rejected):
        return Thinned(rejected, rejected)
    group = paired(judged.kept.seller_of[rejected], judged.first_reasons[rejected])
    nearness = (
        ~judged.kept.fits[rejected],
        judged.n_reasons[rejected],
        judged.bills.likely_usd[rejected],
        id_rank[rejected],
    )
    rows, _ = first_of_groups(group, *nearness)
    order = rows[np.lexsort(tuple(key[rows] for key in reversed(nearness)))]
    n_offers = _offers_of_groups(group, judged.kept.option_of[rejected])
    return Thinned(rejected[order], n_offers[group[order]])


def _offers_of_groups(group: Index, option_of: Index) -> Index:
    """How many different offers each group holds, shape (n groups,)."""
    firsts = np.unique(paired(group, option_of), return_index=True)[1]
    return np.bincount(group[firsts])
