"""Who sells, and where: what can be chosen when an offer is typed."""

from __future__ import annotations

from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Host, Region
from core.catalogue.places.distance import DEDICATED, cities
from core.catalogue.places.sale_places import ANY, place_name
from core.catalogue.providers import provider_name
from core.units import counted

NOT_SAID = "Not said"
CITY = "city:"
"""Begins the choice of a city that has no region yet; one is made for it."""


def provider_names(catalogue: Catalogue) -> dict[str, str]:
    """Sellers by id with their names, without hardware of one's own."""
    ids = {host.provider for host in catalogue.rented_hosts} | {offer.provider for offer in catalogue.offers}
    named = {one: provider_name(one) for one in ids - {OWN}}
    return dict(sorted(named.items(), key=lambda item: item[1].lower()))


def provider_id(catalogue: Catalogue, typed: str) -> str:
    """The id of the seller that was typed; a new seller keeps the words as they are."""
    words = " ".join(typed.split())
    known = provider_names(catalogue)
    return next((one for one, name in known.items() if words.lower() in (one.lower(), name.lower())), words)


def hosts_of(catalogue: Catalogue, provider: str) -> dict[str, Host]:
    """Hosts that a seller is known to let, by name."""
    return {host.instance: host for host in catalogue.rented_hosts if host.provider == provider}


def seller_words(catalogue: Catalogue, typed: str) -> str:
    """Whether the seller that is typed is known, and how many hosts of it are; empty while nothing is typed."""
    if not typed.strip():
        return ""
    number = len(hosts_of(catalogue, provider_id(catalogue, typed)))
    return f"Known, with {counted(number, 'host')}" if number else "New to the catalogue"


def place_choices(catalogue: Catalogue, provider: str) -> dict[str, str]:
    """Where an offer can be: the seller's regions, the anchors for servers of one's own, and every city known."""
    regions = [region for region in catalogue.regions if region.provider == provider]
    own = [region for region in catalogue.regions if region.layer != "catalogue" and region not in regions]
    anchors = [
        region for region in catalogue.regions if region.provider == DEDICATED and region not in (*regions, *own)
    ]
    listed = {region.region: f"{place_name(region)} ({region.region})" for region in regions}
    named = {region.region: region.place or region.region for region in (*anchors, *own)}
    taken = set(named.values())
    rest = {f"{CITY}{city.id}": city.name for city in cities().values() if city.name not in taken}
    return {ANY: NOT_SAID, **listed, **named, **dict(sorted(rest.items(), key=lambda item: item[1]))}


def region_name(choice: str) -> str:
    """Name of the region that a choice of place stands for."""
    return f"user-{choice.removeprefix(CITY)}" if choice.startswith(CITY) else choice


def region_of_city(choice: str, today: date) -> Region | None:
    """The region to add for a city that has none yet; None for any other choice."""
    if not choice.startswith(CITY):
        return None
    city = cities()[choice.removeprefix(CITY)]
    return Region(
        provider=DEDICATED,
        region=region_name(choice),
        place=city.name,
        country=city.country,
        latitude_deg=city.latitude_deg,
        longitude_deg=city.longitude_deg,
        carbon_g_per_kwh=None,
        pue=None,
        accelerator_ids=(),
        source=city.source,
        as_of=city.as_of,
        estimate=city.estimate,
        note=f"Added on {today.isoformat()} for an offer of your own.",
        origin="added",
    )
