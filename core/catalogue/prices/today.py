"""A price of some day brought to today: by how medians of its kind moved since, with a band that widens with age.

The band holds the listed price itself: a seller need not have followed the others. Its ends take the highest and the
lowest of all series since the day of the price, so that an older price is never the surer one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt
from statistics import fmean

from core.catalogue.entries import OWN, STAND_IN, Offer, PriceSpread, SellerClass
from core.catalogue.prices.dates import as_of_date, as_of_words, is_or_older, names_month
from core.catalogue.prices.trend import ANY, Key, PriceSeries
from core.constants import DAYS_PER_YEAR, MONTHS_PER_YEAR
from core.months import month_number, month_of, numbered_month
from core.workload.profile import PurchaseModel

NEAR_MONTHS = 2
"""A month that a series lacks is stood in for by one so much earlier at most."""

LIKE: dict[SellerClass, SellerClass] = {"ai_cloud_large": "ai_cloud", "marketplace": "community"}
"""Classes whose sellers the history counts among those of another."""


@dataclass(frozen=True, slots=True)
class PriceToday:
    """Today's price over the listed one, ``factor``; the ``least`` and ``most`` that it may have moved meanwhile; how
    far it may lie off that besides by age, as a log; how that is known, and the id of the source of the medians.
    """

    factor: float
    least: float
    most: float
    log_age: float
    basis: str
    source: str = ""


@dataclass(frozen=True)
class PriceHistory:
    """What ages prices: medians by month, how far they drift, and the oldest day that any price bears."""

    series: Mapping[Key, Sequence[PriceSeries]]
    log_per_root_year: Mapping[PurchaseModel, float]
    oldest: date


AS_ENTERED = PriceToday(1.0, 1.0, 1.0, 0.0, "As entered")
STOOD_IN = PriceToday(1.0, 1.0, 1.0, 0.0, "A public price stands in for a private one")
OF_THE_SERVER = PriceToday(1.0, 1.0, 1.0, 0.0, "Worked out from the price of the server")


def drift(rows: Sequence[PriceSpread]) -> dict[PurchaseModel, float]:
    """Log spread after a year by way to pay: the mean over all lags of ``log_spread / sqrt(years)``."""
    by_way: dict[PurchaseModel, list[float]] = {}
    for row in rows:
        by_way.setdefault(row.purchase_model, []).append(row.log_spread / sqrt(row.lag_months / MONTHS_PER_YEAR))
    return {way: fmean(values) for way, values in by_way.items()}


def price_today(offer: Offer, sellers: SellerClass, history: PriceHistory, today: date) -> PriceToday:
    """A price on ``today``, the day of the catalogue.

    ``factor = median(newest month) / median(month of the price)`` of one series: the same chip, class of sellers, way
    to pay and source. Where none reaches, or the price bears no month, the factor is 1 and the band widens alone:
    ``exp(+-drift x sqrt(years))``, the drift after a year. A price without a date may be as old as its words
    allow, or as the oldest of all.
    """
    if offer.layer == STAND_IN:
        return STOOD_IN
    if offer.provider == OWN:
        return OF_THE_SERVER
    if offer.layer != "catalogue":
        return AS_ENTERED
    read = _earliest(offer, history)
    series = [one for one in _series_of(offer, sellers, history) if one.provider in (ANY, offer.provider)]
    chosen = _chosen(offer, series, month_number(month_of(read))) if names_month(offer.as_of) else None
    factor = chosen.change_since(_base(chosen, month_number(month_of(read)))) if chosen else 1.0
    least, most = _envelope(series, month_number(month_of(read)))
    log_age = _drift_of(offer, history) * sqrt(max((today - read).days, 0) / DAYS_PER_YEAR)
    source = chosen.source if chosen else ""
    return PriceToday(factor, least, most, log_age, _words(offer, chosen, read), source)


def _earliest(offer: Offer, history: PriceHistory) -> date:
    read = as_of_date(offer)
    return history.oldest if read is None or is_or_older(offer.as_of) else read


def _series_of(offer: Offer, sellers: SellerClass, history: PriceHistory) -> Sequence[PriceSeries]:
    return history.series.get((offer.accelerator_id, LIKE.get(sellers, sellers), offer.purchase_model), ())


def _drift_of(offer: Offer, history: PriceHistory) -> float:
    drifts = history.log_per_root_year
    return drifts.get(offer.purchase_model, drifts.get("on_demand", 0.0))


def _chosen(offer: Offer, series: Sequence[PriceSeries], month: int) -> PriceSeries | None:
    """The series that tells the month of the price and lasts longest, the price's own source before others."""
    own = offer.source.split("+")
    telling = [one for one in series if _months_told(one, month)]
    return max(telling, key=lambda one: (one.last_month, one.source in own, len(one.usd)), default=None)


def _base(series: PriceSeries, month: int) -> int:
    return max(_months_told(series, month))


def _months_told(series: PriceSeries, month: int) -> list[int]:
    return [told for told in range(month - NEAR_MONTHS, month + 1) if told in series.usd]


def _envelope(series: Sequence[PriceSeries], month: int) -> tuple[float, float]:
    """Lowest and highest change of all series to their newest month, since any month from ``month`` on; 1 is in it."""
    changes = [one.change_since(told) for one in series for told in one.usd if told >= month - NEAR_MONTHS]
    return min([1.0, *changes]), max([1.0, *changes])


def _words(offer: Offer, chosen: PriceSeries | None, read: date) -> str:
    if chosen is None and names_month(offer.as_of):
        return "No history of this chip, way to pay and kind of seller since then; the range widens with age"
    if chosen is None:
        return f"No day told ({as_of_words(offer.as_of)}); the range is that of a price of {read:%b %Y}"
    since, last = _base(chosen, month_number(month_of(read))), _month_words(chosen.last_month)
    if since == chosen.last_month:
        return f"No newer median of its kind than that of {last}; the range widens with age"
    return f"By medians of its kind from {_month_words(since)} to {last}"


def _month_words(month: int) -> str:
    return f"{date(*numbered_month(month), 1):%b %Y}"
