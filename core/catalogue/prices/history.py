"""What a host cost on a day that is past: the price history, and the offers as its newest points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from math import isclose
from typing import TypeVar

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer, PricePoint
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.prices.dates import parse_as_of
from core.workload.profile import PurchaseModel

__all__ = ["ANY_REGION", "PricePoint", "holds_on", "overlapping", "price_on", "price_points", "stale_reason"]

ANY_REGION = "any"

Key = tuple[str, str, PurchaseModel]
"""Seller, host and way to pay."""

R = TypeVar("R", PricePoint, Offer)

SAME_PRICE = 2e-3
"""Relative: lists round per chip and per host to a tenth of a cent or so."""


def price_on(
    catalogue: Catalogue,
    provider: str,
    instance: str,
    day: date,
    region: str = ANY_REGION,
    purchase_model: PurchaseModel = "on_demand",
) -> PricePoint | None:
    """The price that held on ``day``, USD per host and hour; None when no source says.

    Without a region the first one of the table that has an answer counts: it is the provider's home region.
    """
    points = price_points(catalogue, provider, instance, purchase_model)
    for name in dict.fromkeys([region] if region != ANY_REGION else [point.region for point in points]):
        holding = [point for point in points if point.region in (name, ANY_REGION) and holds_on(point, day)]
        if holding:
            return max(holding, key=lambda point: (point.region == name, point.valid_from or date.min))
    return None


def price_points(
    catalogue: Catalogue, provider: str, instance: str, purchase_model: PurchaseModel = "on_demand"
) -> tuple[PricePoint, ...]:
    """Every known price of a host, oldest first within a region: the history, then offers that are newer than it."""
    key = provider, instance, purchase_model
    return _points(_told(catalogue).get(key, ()), _offered(catalogue).get(key, ()))


def _points(told: Sequence[PricePoint], offers: Iterable[Offer]) -> tuple[PricePoint, ...]:
    fresh = [point for offer in offers if (point := _point_of(offer)) and not _is_told(point, told)]
    order = {region: place for place, region in reversed(list(enumerate(p.region for p in (*told, *fresh))))}
    return tuple(sorted((*told, *fresh), key=lambda p: (order[p.region], p.valid_from or date.min)))


def holds_on(point: PricePoint, day: date) -> bool:
    """True when the price held on that day."""
    return (point.valid_from or date.min) <= day <= (point.valid_until or date.max)


def overlapping(point: PricePoint, catalogue: Catalogue) -> list[PricePoint]:
    """Other points of the same series that begin no later and hold when this one begins."""
    start = point.valid_from or date.min
    return [
        other
        for other in _of_series(catalogue)[_series(point)]
        if other is not point and (other.valid_from or date.min) <= start <= (other.valid_until or date.max)
    ]


def stale_reason(offer: Offer, catalogue: Catalogue) -> str | None:
    """Why an offer's price is one of the past: it equals an outdated price of its host, and not the present one.

    None for any other price. Only shipped prices count as present ones. A host without a history in the offer's own
    region is held against that of the others.
    """
    key = offer.provider, offer.instance, offer.purchase_model
    if key not in _told(catalogue):
        return None
    points = _points(_told(catalogue)[key], [o for o in _offered(catalogue).get(key, ()) if o.layer == "catalogue"])
    here = [point for point in points if point.region in (offer.region, ANY_REGION)] or list(points)
    now = [point.usd_per_host_hour for point in here if point.valid_until is None]
    past = [point for point in points if point.valid_until and _is_price(offer, point.usd_per_host_hour)]
    if not past or any(_is_price(offer, usd) for usd in now):
        return None
    words = f"{past[-1].usd_per_host_hour:g} USD per host and hour was the price until {past[-1].valid_until}"
    return f"{words}; it is {now[0]:g} now" if now else words


def _is_price(offer: Offer, usd_per_host_hour: float) -> bool:
    return isclose(offer.usd_per_host_hour, usd_per_host_hour, rel_tol=SAME_PRICE)


def _series(point: PricePoint) -> tuple[str | None, ...]:
    """What is one price over time: a host at a place and way to pay, or the medians of a chip in one source."""
    host = point.provider, point.instance, point.region, point.purchase_model
    return host if point.seller_class is None else (*host, point.accelerator_id, point.seller_class, point.source)


@per_catalogue
def _of_series(catalogue: Catalogue) -> dict[tuple[str | None, ...], list[PricePoint]]:
    by_series: dict[tuple[str | None, ...], list[PricePoint]] = defaultdict(list)
    for point in catalogue.price_history:
        by_series[_series(point)].append(point)
    return by_series


@per_catalogue
def _told(catalogue: Catalogue) -> dict[Key, tuple[PricePoint, ...]]:
    return _by_host(point for point in catalogue.price_history if point.seller_class is None)


@per_catalogue
def _offered(catalogue: Catalogue) -> dict[Key, tuple[Offer, ...]]:
    return _by_host(catalogue.offers)


def _by_host(rows: Iterable[R]) -> dict[Key, tuple[R, ...]]:
    by_key: dict[Key, list[R]] = defaultdict(list)
    for row in rows:
        by_key[row.provider, row.instance, row.purchase_model].append(row)
    return {key: tuple(mine) for key, mine in by_key.items()}


def _is_told(point: PricePoint, told: Iterable[PricePoint]) -> bool:
    """True when the history already has the open end of that place, so that the offer adds nothing."""
    return any(one.region == point.region and one.valid_until is None for one in told)


def _point_of(offer: Offer) -> PricePoint | None:
    """An offer as the price since the day on which it was read; None for one without a date."""
    read = parse_as_of(offer.as_of)
    if read is None:
        return None
    return PricePoint(
        provider=offer.provider,
        instance=offer.instance,
        accelerator_id=offer.accelerator_id,
        n_chips=offer.chips_per_host,
        region=offer.region,
        purchase_model=offer.purchase_model,
        valid_from=read,
        valid_until=None,
        usd_per_host_hour=offer.usd_per_host_hour,
        source=offer.source,
        as_of=offer.as_of,
        estimate=offer.estimate,
        note=offer.note,
        layer=offer.layer,
    )
