"""Offers from placed quotes: prices that cannot be meant left out, zones of a region made one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low

from core.breath import unhurried
from core.catalogue.checks.units_guard import MOST_USD_PER_CHIP_HOUR, is_placeholder
from core.catalogue.entries import Offer
from core.catalogue.price_lists.changes import offer_id
from core.catalogue.price_lists.hosts import Origin, Placed
from core.catalogue.price_lists.price_list import Flag, Skipped
from core.catalogue.price_lists.quote import NO_PRICE
from core.catalogue.prices.history import ANY_REGION
from core.workload.profile import PurchaseModel

PLACEHOLDER = "a figure that the list writes where it knows no price"
IMPLAUSIBLE = f"a price above {MOST_USD_PER_CHIP_HOUR:g} USD per accelerator and hour"

_SAME_PER_CHIP = 0.02
"""Relative: slices of all sizes cost the same per chip, up to rounding."""

MARKETPLACES = frozenset({"vast", "akash", "primeintellect", "hyperbolic"})
BROKERS = frozenset({"shadeform", "fluidstack"})


@dataclass(frozen=True, slots=True)
class Price:
    """A price of one host and hour in USD, from one quote."""

    placed: Placed
    paid: PurchaseModel
    usd_per_host_hour: float


@dataclass(frozen=True, slots=True)
class ListedOffer:
    """An offer, the rows that it is made of, and what to look at."""

    offer: Offer
    rows: tuple[int, ...]
    flags: tuple[Flag, ...]


def usable(placed: Placed) -> tuple[tuple[Price, ...], tuple[Skipped, ...]]:
    """Prices of a quote that can be meant, and the others with the reason."""
    prices, odd = [], list(placed.quote.left_out)
    for paid, usd in placed.quote.usd.items():
        reason = _refusal(placed.host.accelerator_id, usd, placed.n_chips)
        if reason:
            odd.append(Skipped(placed.quote.rows[0], f"{placed.quote.what}, {usd:g} USD", reason))
        else:
            prices.append(Price(placed, paid, usd * placed.host.n_chips / placed.n_chips))
    return tuple(prices), tuple(odd)


def why_none(odd: Sequence[Skipped], placed: Placed) -> Skipped:
    """The reason to leave out a quote without a usable price."""
    return odd[0] if odd else Skipped(placed.quote.rows[0], placed.quote.what, NO_PRICE)


def offers(prices: Iterable[Price], origin: Origin) -> tuple[ListedOffer, ...]:
    """One offer for each host, region and way to pay."""
    groups: dict[str, list[Price]] = {}
    for price in unhurried(prices):
        groups.setdefault(_id(price), []).append(price)
    return tuple(_made(key, group, origin) for key, group in unhurried(groups.items()))


def _id(price: Price) -> str:
    host = price.placed.host
    return offer_id(host.provider, host.instance, _region(price), price.paid)


def _region(price: Price) -> str:
    return price.placed.quote.region or ANY_REGION


def _refusal(chip: str, usd: float, n_chips: int) -> str:
    if is_placeholder(chip, usd):
        return PLACEHOLDER
    return IMPLAUSIBLE if usd > MOST_USD_PER_CHIP_HOUR * n_chips else ""


def _made(key: str, group: Sequence[Price], origin: Origin) -> ListedOffer:
    """The price in the middle of those of the zones, each zone by its smallest slice.

    The middle, since the cheapest zone is often the one without free machines; the lower of two, so that it is a price
    which some zone asks.
    """
    paid = group[0].paid
    smallest = min(one.placed.n_chips for one in group)
    counted = [one for one in group if one.placed.n_chips == smallest]
    usd = median_low([one.usd_per_host_hour for one in counted])
    offer = _offer(key, group[0], usd, _note(counted), origin)
    told = [doubt for one in group for doubt in one.placed.doubts]
    of_price = [doubt for one in group for doubt in one.placed.quote.doubts if paid == "on_demand"]
    flags = dict.fromkeys((*told, *of_price, *_twice(counted), *_slices(group)))
    rows = tuple(dict.fromkeys(row for one in group for row in one.placed.quote.rows))
    return ListedOffer(offer, rows, tuple(Flag(offer.id, flag) for flag in flags))


def _note(group: Sequence[Price]) -> str:
    zones = len({one.placed.quote.zone for one in group})
    low, high = min(one.usd_per_host_hour for one in group), max(one.usd_per_host_hour for one in group)
    if low == high:
        return f"The same in {zones} zones." if zones > 1 else ""
    return f"The middle of {len(group)} prices, {low:.5g} to {high:.5g} USD: the cheapest zone may be full."


def _twice(group: Sequence[Price]) -> Iterable[str]:
    """A zone with several prices of one machine."""
    asked: dict[str, set[float]] = {}
    for one in group:
        asked.setdefault(one.placed.quote.zone, set()).add(one.usd_per_host_hour)
    if any(len(prices) > 1 for zone, prices in asked.items() if zone):
        yield "the list has several prices for the same zone"


def _slices(group: Sequence[Price]) -> Iterable[str]:
    """Larger slices that cost otherwise per chip in the same zone."""
    first: dict[str, Price] = {}
    for one in sorted(group, key=lambda price: price.placed.n_chips):
        base = first.setdefault(one.placed.quote.zone, one)
        if (
            one.placed.n_chips > base.placed.n_chips
            and abs(one.usd_per_host_hour / base.usd_per_host_hour - 1) > _SAME_PER_CHIP
        ):
            yield "larger slices cost otherwise per chip"
            return


def _offer(key: str, first: Price, usd: float, note: str, origin: Origin) -> Offer:
    host = first.placed.host
    return Offer(
        id=key,
        provider=host.provider,
        instance=host.instance,
        accelerator_id=host.accelerator_id,
        chips_per_host=host.n_chips,
        region=_region(first),
        purchase_model=first.paid,
        usd_per_chip_hour=usd / host.n_chips,
        usd_per_host_hour=usd,
        quality=_quality(host.provider, first.paid),
        source=origin.source,
        as_of=origin.as_of,
        estimate=False,
        origin="added",
        note=note,
    )


def _quality(provider: str, paid: PurchaseModel) -> str:
    if provider in MARKETPLACES:
        return "marketplace"
    if provider in BROKERS:
        return "reseller"
    return "spot moves" if paid == "spot" else "ok"
