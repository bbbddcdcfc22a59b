"""What a host cost on a day that is past: the price history, and the offers as its newest points."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer, PricePoint
from core.catalogue.prices import parse_as_of
from core.workload.profile import PurchaseModel

__all__ = ["ANY_REGION", "PricePoint", "price_on", "price_points"]

ANY_REGION = "any"


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
        found = [point for point in points if point.region in (name, ANY_REGION) and holds_on(point, day)]
        if found:
            return max(found, key=lambda point: (point.region == name, point.valid_from or date.min))
    return None


def price_points(
    catalogue: Catalogue, provider: str, instance: str, purchase_model: PurchaseModel = "on_demand"
) -> tuple[PricePoint, ...]:
    """Every known price of a host, oldest first within a region: the history, then offers that are newer than it."""
    told = [point for point in catalogue.price_history if _is_of(point, provider, instance, purchase_model)]
    offers = [offer for offer in catalogue.offers if _is_of(offer, provider, instance, purchase_model)]
    fresh = [point for offer in offers if (point := _point_of(offer)) and not _is_told(point, told)]
    order = {region: place for place, region in reversed(list(enumerate(p.region for p in (*told, *fresh))))}
    return tuple(sorted((*told, *fresh), key=lambda p: (order[p.region], p.valid_from or date.min)))


def holds_on(point: PricePoint, day: date) -> bool:
    """True when the price held on that day."""
    return (point.valid_from or date.min) <= day <= (point.valid_until or date.max)


def _is_of(row: PricePoint | Offer, provider: str, instance: str, purchase_model: PurchaseModel) -> bool:
    return (row.provider, row.instance, row.purchase_model) == (provider, instance, purchase_model)


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
