"""Values that fields are filled with from the catalogue: sellers, places and regions, the usual ones first."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN
from core.catalogue.places.distance import user_places
from core.catalogue.places.sale_places import place_name, sale_places
from core.catalogue.providers import provider_name
from core.catalogue.sellers.papers import kind_of_seller
from core.workload.profile import SELLER_WORDS
from gui.forms.multi_choice_editor import GroupedChoices

_USUAL_SALES = ("asia", "europe", "north-america", "asia/jp/tokyo", "asia/sg/singapore", "europe/de/frankfurt")
_USUAL_USERS = ("hong-kong", "tokyo", "los-angeles", "singapore", "london", "new-york")
_USUAL = ("gcp", "aws", "azure", "oci", "coreweave", "lambda")


def known_values(catalogue: Catalogue) -> dict[str, dict[str, str]]:
    """Values that the catalogue knows, by field name: providers and places, the usual ones first.

    ``regions of gcp`` are those of one provider, by place.
    """
    sellers = {offer.provider for offer in catalogue.offers}
    ordered = [name for name in _USUAL if name in sellers] + sorted(sellers - set(_USUAL))
    providers = {name: provider_name(name) for name in ordered}
    places = {"region_places": _sale_places(catalogue), "user_places": _user_places(catalogue)}
    named = {"providers": providers, "data_provider": providers, "confirmed_sellers": _by_kind(catalogue, providers)}
    return {**named, **places, **_regions(catalogue)}


def _by_kind(catalogue: Catalogue, providers: dict[str, str]) -> GroupedChoices:
    """Sellers by kind; own hardware needs nobody's word."""
    named = {one: words for one, words in providers.items() if one != OWN}
    kinds = {one: SELLER_WORDS.get(kind_of_seller(catalogue, one) or "", "Others") for one in named}
    return GroupedChoices(named, kinds, "Nobody yet")


def _sale_places(catalogue: Catalogue) -> GroupedChoices:
    """Continents and places in which chips are sold."""
    places = sale_places(catalogue)
    areas = {key.split("/")[0]: place.continent for key, place in places.items()}
    words = {key: f"All of {name}" for key, name in areas.items()} | {key: place.name for key, place in places.items()}
    groups = areas | {key: place.continent for key, place in places.items()}
    return GroupedChoices(_first(words, _USUAL_SALES), groups)


def _user_places(catalogue: Catalogue) -> GroupedChoices:
    places = user_places(catalogue)
    words = {key: place.name for key, place in places.items()}
    own = {key: place.continent if place.layer == "catalogue" else "Your own" for key, place in places.items()}
    return GroupedChoices(_first(words, _USUAL_USERS), own, "Not said")


def _regions(catalogue: Catalogue) -> dict[str, dict[str, str]]:
    """Regions of each provider as ``Tokyo (asia-northeast1)``."""
    regions: dict[str, dict[str, str]] = {}
    for region in sorted(catalogue.regions, key=lambda one: (place_name(one), one.region)):
        regions.setdefault(f"regions of {region.provider}", {})[region.region] = (
            f"{place_name(region)} ({region.region})"
        )
    return regions


def _first(words: dict[str, str], usual: Sequence[str]) -> dict[str, str]:
    return {key: words[key] for key in usual if key in words} | words
