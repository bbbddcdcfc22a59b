"""Where users and machines are, how far apart, and how long an answer is on its way between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Entry, Offer, Region
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.tables import read_entries
from core.errors import InputError
from core.paths import resources
from core.ranges import Range
from core.workload.profile import Profile

EARTH_RADIUS_KM = 6371.0
"""Mean radius; the flattening is neglected, which changes distances by at most 0.6 %."""

LIGHT_IN_FIBRE_KM_PER_MS = 299.792458 / 1.468
"""Speed of light over the group index of single-mode fibre (ITU-T G.652) at 1550 nm: 204 km a millisecond."""

ROUTE_FACTOR = Range(1.2, 1.6, 2.2)
"""Length of a cable route over the great circle (our estimate; long sea cables lie near the low end)."""

EQUIPMENT_MS = Range(1.0, 3.0, 10.0)
"""Routers and the access line, there and back (our estimate)."""

DEDICATED = "dedicated"
"""Provider of the anchor places in which users enter servers of their own."""

_SITES = {
    "us": ("US",), "de": ("DE",), "nordics": ("DK", "FI", "NO", "SE"), "jp": ("JP",), "hk": ("HK",), "sg": ("SG",),
}  # fmt: skip
_SITE_CITIES = {"us-california": ("los-angeles", "san-francisco")}
"""Where own servers stand, by the sites that a profile can name."""

_OWN_PLACE = "user-"
_ANCHORS = {"user-hk": "Hong Kong", "user-tyo": "Tokyo", "user-lax": "Los Angeles"}


class Located(Protocol):
    """Anything with coordinates in degrees, north and east positive."""

    @property
    def latitude_deg(self) -> float | None:
        """North of the equator."""

    @property
    def longitude_deg(self) -> float | None:
        """East of Greenwich."""


class UserPlace(Entry):
    """A city in which users may sit."""

    id: str
    name: str
    country: str
    continent: str
    latitude_deg: float
    longitude_deg: float


@dataclass(frozen=True, slots=True)
class RouteToUsers:
    """Round trip in ms between one region and the places of users: the mean of them, and the farthest by name.

    ``assumed`` names the place that is counted where an offer does not say where it runs; empty where it does.
    """

    mean_ms: Range
    farthest_ms: Range
    farthest: str
    assumed: str = ""

    def ms(self, percentile: str) -> Range:
        """What half of the requests take, ``p50`` (the mean place), or nearly all (the farthest place)."""
        return self.mean_ms if percentile == "p50" else self.farthest_ms


def distance_km(a: Located, b: Located) -> float | None:
    """Great-circle distance by the haversine formula; None where coordinates are not known.

    ``d = 2 R asin sqrt(sin²(Δφ/2) + cos φ₁ cos φ₂ sin²(Δλ/2))`` with latitudes φ and longitudes λ (Sinnott, "Virtues
    of the haversine", Sky and Telescope 68, 1984).
    """
    if a.latitude_deg is None or b.latitude_deg is None or a.longitude_deg is None or b.longitude_deg is None:
        return None
    north_a, north_b = math.radians(a.latitude_deg), math.radians(b.latitude_deg)
    half_north, half_east = (north_b - north_a) / 2, math.radians(b.longitude_deg - a.longitude_deg) / 2
    square = math.sin(half_north) ** 2 + math.cos(north_a) * math.cos(north_b) * math.sin(half_east) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(square, 1.0)))


def round_trip_ms(a: Located, b: Located) -> Range | None:
    """Time there and back over fibre: ``2 d x route factor / speed in fibre + equipment``, an estimate.

    None where coordinates are not known. A connection that stands already is assumed: opening one takes further trips.
    """
    km = distance_km(a, b)
    if km is None:
        return None
    straight_ms = 2 * km / LIGHT_IN_FIBRE_KM_PER_MS
    ends = (getattr(ROUTE_FACTOR, end) * straight_ms + getattr(EQUIPMENT_MS, end) for end in ("low", "likely", "high"))
    return Range(*ends)


@lru_cache(maxsize=1)
def cities() -> dict[str, UserPlace]:
    """The shipped cities by id."""
    rows = read_entries(resources() / "catalogue" / "user_places.csv", UserPlace)
    return {row.id: row for row in rows}


def user_places(catalogue: Catalogue) -> dict[str, UserPlace]:
    """Where users can be said to be: the cities, and places of the user's own by the name of their region."""
    own = [region for region in catalogue.regions if region.layer != "catalogue"]
    return cities() | {region.region: _as_place(region) for region in own if region.latitude_deg is not None}


def user_place(catalogue: Catalogue, place_id: str) -> UserPlace:
    """One of :func:`user_places`, or an anchor such as ``user-hk``. Raises InputError for an unknown id."""
    anchor = catalogue.region_by_name.get((DEDICATED, place_id))
    place = user_places(catalogue).get(place_id) or (_as_place(anchor) if anchor else None)
    if place is None:
        raise InputError(
            "places.user_places", f"'{place_id}'", f"ids of cities such as {', '.join(list(cities())[:3])}"
        )
    return place


def region_of(catalogue: Catalogue, provider: str, region: str) -> Region | None:
    """The region by its seller and name, else an anchor or a place of one's own of that name; None where unknown."""
    return catalogue.region_by_name.get((provider, region)) or _named_regions(catalogue).get(region)


def region_words(region: str) -> str:
    """A region as it is told: the city of a place of one's own, else its name as the seller writes it."""
    city = cities().get(region.removeprefix(_OWN_PLACE)) if region.startswith(_OWN_PLACE) else None
    return _ANCHORS.get(region) or (city.name if city else region)


def route_to_users(catalogue: Catalogue, provider: str, region: str, place_ids: Sequence[str]) -> RouteToUsers | None:
    """The way between a region and the places of users; None without users.

    The mean counts every place alike. A region that no table knows counts as the seller's farthest, or the farthest
    of all where none of his is known: what is not said never shortens the way. Raises InputError for an unknown place.
    """
    if not place_ids:
        return None
    known, key = _ways(catalogue), (provider, region, *place_ids)
    if key not in known:
        place = region_of(catalogue, provider, region)
        known[key] = _way(catalogue, place, place_ids) or _unplaced_way(catalogue, provider, place_ids)
    return known[key]


def route_of(profile: Profile, catalogue: Catalogue, offer: Offer) -> RouteToUsers | None:
    """The way between an offer and the users that a workload answers; None unless it serves users whose places are
    known."""
    if not profile.job.answers_users:
        return None
    if offer.provider == OWN and profile.places.user_places and region_of(catalogue, OWN, offer.region) is None:
        return _own_way(catalogue, profile.owning.site, profile.places.user_places)
    return route_to_users(catalogue, offer.provider, offer.region, profile.places.user_places)


def nearest_city(point: Located) -> UserPlace | None:
    """The shipped city closest to a point; None where its coordinates are not known."""
    distances = [(km, city.id) for city in cities().values() if (km := distance_km(point, city)) is not None]
    return cities()[min(distances)[1]] if distances else None


def _way(catalogue: Catalogue, region: Located | None, place_ids: Sequence[str]) -> RouteToUsers | None:
    places = [user_place(catalogue, one) for one in place_ids]
    trips = [round_trip_ms(region, place) for place in places] if region else []
    known = [trip for trip in trips if trip is not None]
    if len(known) < len(places):
        return None
    farthest, name = max(zip(known, (place.name for place in places), strict=True), key=lambda pair: pair[0].likely)
    sums = [sum(getattr(trip, end) for trip in known) / len(known) for end in ("low", "likely", "high")]
    return RouteToUsers(Range(*sums), farthest, name)


def _own_way(catalogue: Catalogue, site: str, place_ids: Sequence[str]) -> RouteToUsers | None:
    """From own servers, by the site that the user named for them: a country or so; anywhere until one is named."""
    known, key = _ways(catalogue), (OWN, site, *place_ids)
    if key not in known:
        countries, names = _SITES.get(site, ()), _SITE_CITIES.get(site, ())
        there = [city for city in cities().values() if city.id in names or city.country in countries]
        way = _farthest_way(catalogue, [(city, city.name) for city in there or cities().values()], place_ids)
        known[key] = replace(way, assumed="") if way and there else way
    return known[key]


def _unplaced_way(catalogue: Catalogue, provider: str, place_ids: Sequence[str]) -> RouteToUsers | None:
    """From a place that nobody tells: the regions that a seller is known to have, else all that are known."""
    named = [(region, region.place or region.region, region.provider) for region in catalogue.regions]
    own = [(region, name) for region, name, seller in named if seller == provider]
    everywhere = [(region, name) for region, name, _ in named]
    return _farthest_way(catalogue, own, place_ids) or _farthest_way(catalogue, everywhere, place_ids)


def _farthest_way(
    catalogue: Catalogue, places: Sequence[tuple[Located, str]], place_ids: Sequence[str]
) -> RouteToUsers | None:
    """Likely and high end as from the farthest of some places, low end as from the nearest; None without any."""
    ways = [(way, name) for place, name in places if (way := _way(catalogue, place, place_ids)) is not None]
    if not ways:
        return None
    far, name = max(ways, key=lambda pair: pair[0].mean_ms.likely)
    mean_ms, farthest_ms = (_cautious([getattr(way, trip) for way, _ in ways]) for trip in ("mean_ms", "farthest_ms"))
    return RouteToUsers(mean_ms, farthest_ms, far.farthest, name)


def _cautious(trips: Sequence[Range]) -> Range:
    lows, likelies, highs = zip(*((trip.low, trip.likely, trip.high) for trip in trips), strict=True)
    return Range(min(lows), max(likelies), max(highs))


def _as_place(region: Region) -> UserPlace:
    city = nearest_city(region)
    return UserPlace(
        id=region.region,
        name=region.place or region.region,
        country=region.country,
        continent=city.continent if city else "",
        latitude_deg=region.latitude_deg or 0.0,
        longitude_deg=region.longitude_deg or 0.0,
        source=region.source,
        as_of=region.as_of,
        estimate=region.estimate,
        layer=region.layer,
    )


@per_catalogue
def _named_regions(catalogue: Catalogue) -> dict[str, Region]:
    """Regions that a name alone stands for: anchors, and the user's own."""
    return {r.region: r for r in catalogue.regions if r.provider == DEDICATED or r.layer != "catalogue"}


@per_catalogue
def _ways(_: Catalogue) -> dict[tuple[str, ...], RouteToUsers | None]:
    """Ways worked out before, filled as they are asked for."""
    return {}
