"""Places and sellers that a profile names must be known: a misspelt one would turn into "nothing fits"."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN
from core.catalogue.places.distance import DEDICATED, user_place, user_places
from core.catalogue.places.sale_places import sale_places
from core.errors import InputError
from core.workload.profile import Profile

_EXAMPLES = 3


def check_places(profile: Profile, catalogue: Catalogue) -> None:
    """Raises InputError for the first place, region name or seller that no table knows, with what may be meant."""
    places = profile.places
    sellers = {OWN, DEDICATED} | {offer.provider for offer in catalogue.offers}
    sellers |= {host.provider for host in catalogue.hosts} | {region.provider for region in catalogue.regions}
    regions = {offer.region for offer in catalogue.offers} | {region.region for region in catalogue.regions}
    keys = {start for key in sale_places(catalogue) for start in _beginnings(key)}
    for field, names, known in (
        ("providers", places.providers, sellers),
        ("data_provider", filter(None, (places.data_provider,)), sellers),
        ("region_places", places.region_places, keys),
        ("user_places", _unknown_users(profile, catalogue), set(user_places(catalogue))),
    ):
        for name in names:
            if name not in known:
                raise _refused(field, name, known)
    for start in places.region_prefixes:
        if not any(region.startswith(start) for region in regions):
            raise _refused("region_prefixes", start, regions)


def _beginnings(key: str) -> list[str]:
    """``asia``, ``asia/jp`` and ``asia/jp/tokyo`` of the last."""
    parts = key.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _unknown_users(profile: Profile, catalogue: Catalogue) -> list[str]:
    """Places of users that are neither cities, nor places of one's own, nor anchors."""
    unknown = []
    for place in profile.places.user_places:
        try:
            user_place(catalogue, place)
        except InputError:
            unknown.append(place)
    return unknown


def _refused(field: str, name: str, known: Collection[str]) -> InputError:
    """The nearest spellings, else a few names of those known."""
    near = get_close_matches(name, sorted(known), n=_EXAMPLES, cutoff=0.6) or sorted(known)[:_EXAMPLES]
    return InputError(f"places.{field}", f"'{name}'", f"a name that the catalogue knows, such as {', '.join(near)}")
