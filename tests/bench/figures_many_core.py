"""Speed of one evaluation over a catalogue of 5,000 offers."""

from __future__ import annotations

import statistics

from figures_core import median_ms
from many_offers import many_offers

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook, layered
from core.comparison.evaluate import evaluate
from core.workload.library import load_profiles


def _by_profile_ms() -> list[float]:
    """Median time of each shipped profile."""
    catalogue = many_offers(load_catalogue())
    return [median_ms(lambda p=profile: evaluate(p, catalogue), 5) for profile in load_profiles().values()]


def offers_5000_eval_ms() -> float:
    """The typical shipped profile against 5,000 offers: every candidate judged, ranked and defended."""
    return statistics.median(_by_profile_ms())


def offers_5000_eval_worst_ms() -> float:
    """The same for the slowest of the shipped profiles."""
    return max(_by_profile_ms())


def offers_5000_layers_ms() -> float:
    """A price book with a discount, and servers of one's own, laid over 5,000 offers."""
    catalogue = many_offers(load_catalogue())
    provider, day = catalogue.offers[0].provider, "2026-11-01"
    book = PriceBook(discounts=(Discount(provider=provider, percent=20, source="bench", as_of=day),))
    return median_ms(lambda: layered(catalogue, OwnEntries(), book), 9)


FIGURES = {
    "offers_5000_eval_ms": (offers_5000_eval_ms, "ms"),
    "offers_5000_eval_worst_ms": (offers_5000_eval_worst_ms, "ms"),
    "offers_5000_layers_ms": (offers_5000_layers_ms, "ms"),
}
