"""What belongs to an entry: what software runs on a chip, who sells it and at what price, where it can be had."""

from __future__ import annotations

from collections.abc import Iterable

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Accelerator, FormatKind, FormatUse, FrameworkSupport, Offer, Region, Server
from core.catalogue.formats import CAUTION, support_of
from core.catalogue.places.distance import DEDICATED
from core.catalogue.prices.newest import counting_offers, newer_price
from core.workload.jobs.base import PRECISION_WORDS


def support(catalogue: Catalogue, framework: str, accelerator: Accelerator) -> FrameworkSupport | None:
    """How a framework or library runs on a chip; a row for the chip goes before that for its family.

    None means unknown, which is not the same as support ``none``.
    """
    rows = catalogue.support_by_framework
    return rows.get((framework, accelerator.id)) or rows.get((framework, accelerator.family))


def rented(catalogue: Catalogue, accelerator_id: str) -> tuple[Offer, ...]:
    """Offers of a chip for rent that no newer one stands in for, cheapest a chip first."""
    offers = (offer for offer in catalogue.offers_by_accelerator.get(accelerator_id, ()) if offer.provider != OWN)
    counting = (offer for offer in offers if newer_price(offer, catalogue) is None)
    return tuple(sorted(counting, key=lambda offer: offer.usd_per_chip_hour))


def cheapest_on_demand(offers: Iterable[Offer]) -> float | None:
    """USD of a chip for one hour at the cheapest of some offers that anybody can take and give back; None without. What
    a chip costs "from" wherever that is told: spot, terms and blocks come with a price of their own."""
    return min((offer.usd_per_chip_hour for offer in offers if offer.purchase_model == "on_demand"), default=None)


def by_seller(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """The cheapest of each seller, chip and way to pay, cheapest first; USD per chip and hour decide."""
    best: dict[tuple[str, str, str], Offer] = {}
    for offer in sorted(offers, key=lambda one: one.usd_per_chip_hour):
        best.setdefault((offer.provider, offer.accelerator_id, offer.purchase_model), offer)
    return tuple(best.values())


def offers_at(catalogue: Catalogue, region: Region) -> tuple[Offer, ...]:
    """What a region lets, cheapest a chip first."""
    key = (region.provider, region.region)
    offers = (offer for offer in counting_offers(catalogue) if (offer.provider, offer.region) == key)
    return tuple(sorted(offers, key=lambda offer: offer.usd_per_chip_hour))


def offers_of_host(catalogue: Catalogue, provider: str, instance: str) -> tuple[Offer, ...]:
    """Prices of a host, cheapest first."""
    offers = (offer for offer in catalogue.offers if (offer.provider, offer.instance) == (provider, instance))
    return tuple(sorted(offers, key=lambda offer: offer.usd_per_host_hour))


def software_on(catalogue: Catalogue, chip: Accelerator) -> tuple[FrameworkSupport, ...]:
    """What is known to run, or not to run, on a chip; a row for the chip goes before that for its family."""
    names = dict.fromkeys(row.framework for row in catalogue.frameworks)
    return tuple(row for name in names if (row := support(catalogue, name, chip)) is not None)


def formats_on(chip: Accelerator, use: FormatUse, software: str) -> dict[FormatKind, tuple[tuple[str, bool], ...]]:
    """Formats of the forms by how they run on a chip, the most dependable way first; each with whether it is sure."""
    supports = {name: support_of(chip, name, use, software) for name in PRECISION_WORDS}
    return {
        kind: tuple((PRECISION_WORDS[name], not one.is_estimate) for name, one in supports.items() if one.kind == kind)
        for kind in reversed(CAUTION)
    }


def places_of(catalogue: Catalogue, accelerator_id: str) -> dict[str, tuple[str, ...]]:
    """Regions in which a chip is said to be or has a price, by seller. Places for own machines are left out."""
    regions: dict[str, set[str]] = {}
    for region in catalogue.regions:
        if accelerator_id in region.accelerator_ids and region.provider != DEDICATED:
            regions.setdefault(region.provider, set()).add(region.region)
    for offer in rented(catalogue, accelerator_id):
        regions.setdefault(offer.provider, set()).update({offer.region} - {"any"})
    return {provider: tuple(sorted(regions[provider])) for provider in sorted(regions)}


def servers_of(catalogue: Catalogue, accelerator_id: str) -> tuple[Server, ...]:
    """Servers with a chip that can be bought."""
    return tuple(server for server in catalogue.servers if server.accelerator_id == accelerator_id)
