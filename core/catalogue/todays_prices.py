"""What each offer of a catalogue costs today, with its range: the one place that knows; everything else asks it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import exp, hypot, log

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.prices.dates import oldest, parse_as_of
from core.catalogue.prices.quality import Quality, quality_of
from core.catalogue.prices.today import PriceHistory, PriceToday, drift, price_today
from core.catalogue.prices.trend import series_by_key
from core.catalogue.sellers.waits import seller_class
from core.ranges import Range


@dataclass(frozen=True, slots=True)
class TodaysPrice:
    """Today's price over the listed one, ``factor``; how far off that may be, ``low`` and ``high`` over it, by age and
    by how the price is known; how it is known, and the id of the source of the medians behind it.
    """

    factor: float
    low: float
    high: float
    basis: str
    source: str = ""

    def of(self, offer: Offer) -> Range:
        """USD per chip and hour today."""
        likely = self.factor * offer.usd_per_chip_hour
        return Range(self.low * likely, likely, self.high * likely)

    @property
    def is_moved(self) -> bool:
        """True where today's price is not the listed one."""
        return self.factor != 1.0


AS_LISTED = TodaysPrice(1.0, 1.0, 1.0, "As listed")
"""Of options that were put together by hand."""


def todays_price(catalogue: Catalogue, offer: Offer) -> TodaysPrice:
    """The price of an offer on the day of the catalogue; equal for all that age alike, so asked once of them."""
    return _of_its_own(catalogue).get(id(offer)) or _todays_price(catalogue, offer)


@per_catalogue
def _of_its_own(catalogue: Catalogue) -> dict[int, TodaysPrice]:
    """The prices of a catalogue's offers by themselves as objects, which live as long as it does."""
    return {id(offer): _todays_price(catalogue, offer) for offer in catalogue.offers}


def _todays_price(catalogue: Catalogue, offer: Offer) -> TodaysPrice:
    known = _known(catalogue)
    key = (
        offer.provider, offer.accelerator_id, offer.purchase_model, offer.source, offer.as_of, offer.layer,
        offer.quality,
    )  # fmt: skip
    if key not in known:
        aged = price_today(offer, seller_class(catalogue, offer.provider), price_history(catalogue), day_of(catalogue))
        known[key] = _with_quality(aged, quality_of(offer))
    return known[key]


def day_of(catalogue: Catalogue) -> date:
    """The day on which prices of a catalogue hold: its own, never that of the clock."""
    return date.fromisoformat(catalogue.date)


@per_catalogue
def price_history(catalogue: Catalogue) -> PriceHistory:
    """What ages the prices of a catalogue."""
    first = oldest(offer for offer in catalogue.offers if offer.layer == "catalogue")
    since = parse_as_of(first.as_of) if first else None
    spreads, series = drift(catalogue.price_spread), series_by_key(catalogue.price_history)
    return PriceHistory(series, spreads, since or day_of(catalogue))


@per_catalogue
def _known(_: Catalogue) -> dict[tuple[str, ...], TodaysPrice]:
    return {}


def _with_quality(aged: PriceToday, quality: Quality) -> TodaysPrice:
    """Age and quality are apart from each other: the root of the sum of squares of their logs, at either end, beyond
    what prices of its kind did meanwhile."""
    down, up = (hypot(aged.log_age, log(share)) for share in (min(quality.low, 1.0), max(quality.high, 1.0)))
    low, high = aged.least / aged.factor * exp(-down), aged.most / aged.factor * exp(up)
    return TodaysPrice(aged.factor, low, high, aged.basis, aged.source)
