"""Places and sellers that a profile names must be known: a misspelt one would turn into "nothing fits"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.places.common_names import near
from core.catalogue.places.distance import DEDICATED, user_places
from core.catalogue.places.sale_places import NO_REGION, sale_places
from core.errors import InputError
from core.workload.doubts import Doubt
from core.workload.profile import Profile


def check_places(profile: Profile, catalogue: Catalogue) -> None:
    """Raises InputError for the first place, region name or seller that no table knows, with what may be meant."""
    for field, name, known in _unknown(profile, catalogue):
        raise InputError(
            f"places.{field}", f"'{name}'", f"a name that the catalogue knows, such as {_near(catalogue, name, known)}"
        )


def place_doubts(profile: Profile, catalogue: Catalogue) -> tuple[Doubt, ...]:
    """The same as doubts beside the fields of a form."""
    return tuple(
        Doubt(
            f"places.{field}", f"{name} is not known here and admits nothing. Perhaps {_near(catalogue, name, known)}?"
        )
        for field, name, known in _unknown(profile, catalogue)
    )


def refusal(catalogue: Catalogue, path: str, value: object) -> str:
    """Why an entry cannot be taken, for a field of places at a path of the profile; empty where all names are known."""
    group, _, field = path.rpartition(".")
    known = _names(catalogue).get(field) if group == "places" else None
    names = value if isinstance(value, tuple) else (value,) if value else ()
    wrong = [name for name in map(str, names) if known is not None and not _is_known(field, name, known)]
    return f"{wrong[0]} is not known here; perhaps {_near(catalogue, wrong[0], known or frozenset())}" if wrong else ""


def _is_known(field: str, name: str, known: frozenset[str]) -> bool:
    """Region names are told by their beginnings, all others whole."""
    return any(one.startswith(name) for one in known) if field == "region_prefixes" else name in known


def _unknown(profile: Profile, catalogue: Catalogue) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Field, name and the names known there of each unknown one."""
    places, known = profile.places, _names(catalogue)
    asked: tuple[tuple[str, Iterable[str]], ...] = (
        ("providers", places.providers),
        ("confirmed_sellers", places.confirmed_sellers),
        ("data_provider", filter(None, (places.data_provider,))),
        ("region_places", places.region_places),
        ("user_places", places.user_places),
        ("region_prefixes", places.region_prefixes),
    )
    for field, names in asked:
        yield from ((field, name, known[field]) for name in names if not _is_known(field, name, known[field]))


@per_catalogue
def _names(catalogue: Catalogue) -> dict[str, frozenset[str]]:
    """Names that the fields of places may hold."""
    sellers = {OWN, DEDICATED} | {offer.provider for offer in catalogue.offers}
    sellers |= {host.provider for host in catalogue.hosts} | {region.provider for region in catalogue.regions}
    regions = {offer.region for offer in catalogue.offers} | {region.region for region in catalogue.regions}
    anchors = {region.region for region in catalogue.regions if region.provider == DEDICATED}
    return {
        "providers": frozenset(sellers),
        "confirmed_sellers": frozenset(sellers),
        "data_provider": frozenset(sellers),
        "region_places": frozenset(start for key in sale_places(catalogue) for start in _beginnings(key)),
        "region_prefixes": frozenset(regions).difference(NO_REGION),
        "user_places": frozenset(user_places(catalogue)) | anchors,
    }


def _beginnings(key: str) -> list[str]:
    """``asia``, ``asia/jp`` and ``asia/jp/tokyo`` of the last."""
    parts = key.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _near(catalogue: Catalogue, name: str, known: frozenset[str]) -> str:
    """Names that may be meant; a city of users or a region goes by its country, too."""
    countries = {place.id: place.country for place in user_places(catalogue).values()}
    return near(name, known, countries | {region.region: region.country for region in catalogue.regions})
