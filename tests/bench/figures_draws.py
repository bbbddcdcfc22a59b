"""Speed of the draws over all candidates that meet the limits, slowest shipped profile."""

from __future__ import annotations

import numpy as np
from figures_core import median_ms
from many_offers import many_offers

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.chance.cautious import cautious
from core.comparison.chance.errors import N_DRAWS
from core.comparison.chance.goodness import Best, Yardstick, shares
from core.comparison.judge.assemble import Judged, judge
from core.comparison.rank.standings import standings
from core.comparison.shortlisting import search
from core.throughput.correction import NO_CORRECTIONS
from core.workload.library import load_profiles

MANY = 5_000
FEW = 300


def _most_feasible(catalogue: Catalogue) -> Judged:
    """The profile that most candidates fit."""
    judged = []
    for profile in load_profiles().values():
        worth = search(profile, catalogue, NO_CORRECTIONS)
        judged.append(judge(profile, catalogue, worth.screened, worth.shortlisted, worth.efforts))
    return max(judged, key=lambda one: int(one.columns.feasible.sum()))


def _all_drawn_ms(catalogue: Catalogue, most: int | None = None) -> float:
    """All draws of all candidates, or of the first so many, as if each were shown."""
    judged = _most_feasible(catalogue)
    rows = np.flatnonzero(judged.columns.feasible)[:most]
    if most is not None and len(rows) < most:
        raise ValueError(f"Only {len(rows)} candidates fit")
    yardstick = Yardstick(Best(float(judged.bills.likely_usd[rows].min()), 1.0), 1.0, shares(judged.profile.weights))
    return median_ms(lambda: cautious(judged, yardstick, rows, N_DRAWS), times=5)


def draws_10000_ms() -> float:
    """10,000 draws over all candidates of a profile."""
    return _all_drawn_ms(load_catalogue())


def draws_10000_x_300_ms() -> float:
    """10,000 draws over 300 candidates."""
    return _all_drawn_ms(load_catalogue(), FEW)


def draws_10000_5000_offers_ms() -> float:
    """The same with 5,000 offers."""
    return _all_drawn_ms(many_offers(load_catalogue(), MANY))


def ranking_5000_offers_ms() -> float:
    """Everything that an edit does with draws, with 5,000 offers: screened, contested, ranked."""
    judged = _most_feasible(many_offers(load_catalogue(), MANY))
    return median_ms(lambda: standings(judged.profile, judged), times=5)


FIGURES = {
    "draws_10000_ms": (draws_10000_ms, "ms"),
    "draws_10000_x_300_ms": (draws_10000_x_300_ms, "ms"),
    "draws_10000_5000_offers_ms": (draws_10000_5000_offers_ms, "ms"),
    "ranking_5000_offers_ms": (ranking_5000_offers_ms, "ms"),
}
