"""Places in which chips are sold: regions of several sellers under one human name, what each has, and the nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer, Region
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.places.common_names import spelt
from core.catalogue.places.distance import Located, cities, distance_km, nearest_city, region_of, round_trip_ms
from core.catalogue.prices.dates import as_of_date
from core.catalogue.prices.newest import counting_offers
from core.ranges import Range

ANY = "any"
NO_REGION = ("", ANY, "global")
"""What offers name as their region that do not say where they run."""

ANYWHERE = "Elsewhere"
_SPELT = {"N. Virginia": "Northern Virginia", "N. California": "Northern California", "Sao Paulo State": "São Paulo"}


@dataclass(frozen=True, slots=True)
class SalePlace:
    """A town or area with the regions in it. ``key`` is ``asia/jp/tokyo``; a beginning of it names a wider area."""

    key: str
    name: str
    continent: str
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class OfferedChip:
    """A chip that can be had at a place: the cheapest offer under each way to pay; none where only its name is known
    to be on the list of the region."""

    accelerator_id: str
    cheapest: dict[str, Offer]

    @property
    def usd_per_chip_hour(self) -> float | None:
        """The lowest price of all; None without an offer."""
        return min((offer.usd_per_chip_hour for offer in self.cheapest.values()), default=None)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A place of sale seen from somewhere: how far, how long there and back, and what it offers."""

    place: SalePlace
    km: float
    round_trip_ms: Range
    chips: tuple[OfferedChip, ...]


def place_name(region: Region) -> str:
    """The place as people call it: ``Tokyo`` for ``Tokyo, Saitama``, ``Finland`` for ``Finland (Mantsala)``."""
    name = re.split(r"[,(]", region.place)[0].strip()
    return _SPELT.get(name, name) or region.region


def place_key(region: Region) -> str:
    """``asia/jp/tokyo``: continent, country and place in plain letters, alike for all sellers there."""
    return "/".join(spelt(word) or "-" for word in (_continent(region), region.country, place_name(region)))


@per_catalogue
def sale_places(catalogue: Catalogue) -> dict[str, SalePlace]:
    """Every place of the regions table by its key, by continent and name."""
    regions: dict[str, list[Region]] = {}
    for region in catalogue.regions:
        regions.setdefault(place_key(region), []).append(region)
    order = {continent: number for number, continent in enumerate(continents())}
    made = [SalePlace(key, place_name(own[0]), _continent(own[0]), tuple(own)) for key, own in
            regions.items()]  # fmt: skip
    made.sort(key=lambda place: (order.get(place.continent, len(order)), place.name))
    return {place.key: place for place in made}


def continents() -> tuple[str, ...]:
    """Names of the continents, in the order of the table of cities."""
    return tuple(dict.fromkeys(city.continent for city in cities().values()))


def is_within(catalogue: Catalogue, provider: str, region: str, wanted: Sequence[str]) -> bool:
    """True where the region lies in one of the places (keys of :class:`SalePlace`, or beginnings of them).

    False as well where nobody says where the region lies.
    """
    key = _key(catalogue, provider, region)
    return any(key == one or key.startswith(f"{one}/") for one in wanted)


def is_placed(catalogue: Catalogue, provider: str, region: str) -> bool:
    """True where a table says where the region lies."""
    return bool(_key(catalogue, provider, region))


def _key(catalogue: Catalogue, provider: str, region: str) -> str:
    """The key of a region's place, empty where nobody says where it lies."""
    key = _keys(catalogue).get((provider, region))
    if key is None:
        place = region_of(catalogue, provider, region)
        key = _keys(catalogue)[provider, region] = place_key(place) if place else ""
    return key


def chips_of(catalogue: Catalogue, regions: Iterable[Region]) -> tuple[OfferedChip, ...]:
    """Chips to be had in some regions, cheapest first; those without a price at the end, announced ones left out."""
    by_chip: dict[str, dict[str, Offer]] = {}
    for region in regions:
        for chip_id in region.accelerator_ids:
            by_chip.setdefault(chip_id, {})
        for offer in _offers_by_region(catalogue).get((region.provider, region.region), ()):
            own = by_chip.setdefault(offer.accelerator_id, {})
            known = own.get(offer.purchase_model)
            if known is None or _cheaper(offer, known):
                own[offer.purchase_model] = offer
    chips = [OfferedChip(chip, own) for chip, own in by_chip.items() if not catalogue.accelerator_by_id[chip].announced]
    return tuple(sorted(chips, key=_by_price))


def nearest_places(catalogue: Catalogue, point: Located, most: int = 6) -> tuple[Neighbour, ...]:
    """Places with at least one offer, nearest first. Empty where the point has no coordinates."""
    neighbours = []
    for place in sale_places(catalogue).values():
        km, trip = distance_km(point, place.regions[0]), round_trip_ms(point, place.regions[0])
        chips = tuple(chip for chip in chips_of(catalogue, place.regions) if chip.cheapest) if km is not None else ()
        if km is not None and trip is not None and chips:
            neighbours.append(Neighbour(place, km, trip, chips))
    return tuple(sorted(neighbours, key=lambda one: (one.km, one.place.key))[:most])


def _continent(region: Region) -> str:
    city = nearest_city(region)
    at_home = next((one.continent for one in cities().values() if one.country == region.country), ANYWHERE)
    return city.continent if city else at_home


def _cheaper(offer: Offer, known: Offer) -> bool:
    """The lower price wins; of equal ones the one read last."""
    if offer.usd_per_chip_hour != known.usd_per_chip_hour:
        return offer.usd_per_chip_hour < known.usd_per_chip_hour
    one, other = as_of_date(offer), as_of_date(known)
    return one is not None and (other is None or one > other)


def _by_price(chip: OfferedChip) -> tuple[bool, float, str]:
    price = chip.usd_per_chip_hour
    return price is None, price or 0.0, chip.accelerator_id


@per_catalogue
def _keys(_: Catalogue) -> dict[tuple[str, str], str]:
    """Keys looked up before, empty for a region whose place is not known."""
    return {}


@per_catalogue
def _offers_by_region(catalogue: Catalogue) -> dict[tuple[str, str], tuple[Offer, ...]]:
    """Offers by the seller and name of the row of the regions table that they belong to."""
    offers_of: dict[tuple[str, str], list[Offer]] = {}
    for offer in counting_offers(catalogue):
        region = region_of(catalogue, offer.provider, offer.region) if offer.region != ANY else None
        if region is not None:
            offers_of.setdefault((region.provider, region.region), []).append(offer)
    return {key: tuple(offers) for key, offers in offers_of.items()}
