"""How prices moved: medians by month of each chip, class of sellers and way to pay, one series a source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.catalogue.entries import PricePoint, SellerClass
from core.months import month_number, month_of
from core.workload.profile import PurchaseModel

FEWEST_SELLERS = 2
"""Whose prices make a median of a class."""

ANY = "any"

Key = tuple[str, SellerClass, PurchaseModel]
"""Chip, class of the sellers and way to pay."""


@dataclass(frozen=True, slots=True)
class PriceSeries:
    """Median prices by month in one source, USD per chip and hour; months count from the year 0.

    ``provider`` is the only one whose list it is, or ``any``.
    """

    source: str
    provider: str
    usd: Mapping[int, float]

    @property
    def last_month(self) -> int:
        """The newest month told."""
        return max(self.usd)

    def change_since(self, month: int) -> float:
        """The newest median over that of a month that the series has."""
        return self.usd[self.last_month] / self.usd[month]


def series_by_key(points: Iterable[PricePoint]) -> dict[Key, tuple[PriceSeries, ...]]:
    """The medians of a price history as series.

    Its prices of single hosts are left aside, and months in which a single seller stands for a class: he may move
    alone.
    """
    months: defaultdict[Key, defaultdict[tuple[str, str], dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for point in points:
        tells = point.provider != ANY or (point.n or 0) >= FEWEST_SELLERS
        if point.seller_class and point.valid_from and tells:
            key = point.accelerator_id, point.seller_class, point.purchase_model
            months[key][point.source, point.provider][month_number(month_of(point.valid_from))] = (
                point.usd_per_host_hour
            )
    return {key: tuple(PriceSeries(*whose, usd) for whose, usd in own.items()) for key, own in months.items()}
