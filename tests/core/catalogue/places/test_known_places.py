"""A misspelt place or seller is refused where it is entered, with the spelling that may be meant."""

from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.places.known_places import check_places, place_doubts
from core.catalogue.places.sale_places import NO_REGION
from core.errors import InputError
from core.workload.library import load_profiles
from core.workload.profile import Places, Profile


@pytest.mark.parametrize(
    ("places", "field", "near"),
    [
        ({"providers": ("gcp", "awss")}, "providers", "aws"),
        ({"data_provider": "azuer"}, "data_provider", "azure"),
        ({"region_places": ("asia/jp/tokio",)}, "region_places", "asia/jp/tokyo"),
        ({"region_places": ("europ",)}, "region_places", "europe"),
        ({"region_prefixes": ("us-", "antarctica-")}, "region_prefixes", "-"),
        ({"user_places": ("atlantis",)}, "user_places", ""),
    ],
)
def test_an_unknown_name_is_refused_with_one_that_is_known(places: dict[str, Any], field: str, near: str) -> None:
    with pytest.raises(InputError) as refused:
        check_places(Profile(places=Places(**places)), load_catalogue())
    assert refused.value.where == f"places.{field}"
    assert near in refused.value.expected


def test_doubts_stand_beside_their_fields() -> None:
    asked = Profile(places=Places(region_prefixes=("antarctica-",), providers=("awss",)))
    told = {doubt.path: doubt.text for doubt in place_doubts(asked, load_catalogue())}
    assert set(told) == {"places.region_prefixes", "places.providers"}
    assert "awss" in told["places.providers"] and "aws" in told["places.providers"].split("Perhaps")[1]
    assert place_doubts(Profile(), load_catalogue()) == ()


def test_what_the_catalogue_knows_passes() -> None:
    for profile in load_profiles().values():
        check_places(profile, load_catalogue())
    known = Places(
        providers=("aws", "own", "dedicated"), region_places=("asia", "asia/jp", "asia/jp/tokyo"),
        region_prefixes=("us-", "europe-west4"), data_provider="gcp",
    )  # fmt: skip
    check_places(Profile(places=known), load_catalogue())


def test_a_region_is_known_by_its_offers_or_by_its_row_alone() -> None:
    catalogue = load_catalogue()
    sold, listed = (
        {one.region for one in rows}.difference(NO_REGION) for rows in (catalogue.offers, catalogue.regions)
    )
    assert sold - listed and listed - sold, "else one of the two would do"
    for region in (min(sold - listed), min(listed - sold)):
        check_places(Profile(places=Places(region_prefixes=(region,))), catalogue)
