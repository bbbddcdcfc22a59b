"""Places of sale: one name for several sellers, what each has, and the nearest to users."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.places.distance import cities
from core.catalogue.places.sale_places import (
    OfferedChip,
    _cheaper,
    chips_of,
    is_within,
    nearest_places,
    place_key,
    sale_places,
)

TOKYO = "asia/jp/tokyo"


@pytest.fixture
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return load_catalogue()


def test_regions_of_several_sellers_share_one_name(catalogue: Catalogue) -> None:
    found = {(region.provider, region.region) for region in sale_places(catalogue)[TOKYO].regions}
    assert {("gcp", "asia-northeast1"), ("aws", "ap-northeast-1"), ("azure", "japaneast")} <= found
    assert sale_places(catalogue)["south-america/br/sao-paulo"].name == "São Paulo"


def test_every_region_has_a_place_and_every_place_a_continent(catalogue: Catalogue) -> None:
    places = sale_places(catalogue)
    assert sum(len(place.regions) for place in places.values()) == len(catalogue.regions)
    assert {place.continent for place in places.values()} <= {city.continent for city in cities().values()}
    assert all(place_key(region) == key for key, place in places.items() for region in place.regions)


def offered_in(catalogue: Catalogue, key: str) -> tuple[OfferedChip, ...]:
    return chips_of(catalogue, sale_places(catalogue)[key].regions)


def test_a_wider_area_holds_its_places(catalogue: Catalogue) -> None:
    assert is_within(catalogue, "gcp", "asia-northeast1", ("asia",))
    assert is_within(catalogue, "gcp", "asia-northeast1", ("asia/jp",))
    assert is_within(catalogue, "gcp", "asia-northeast1", ("europe", TOKYO))
    assert not is_within(catalogue, "gcp", "asia-northeast1", ("asia/j", "europe"))
    assert not is_within(catalogue, "nobody", "nowhere", ("asia",))


def test_tokyo_offers_what_the_table_says_cheapest_first(catalogue: Catalogue) -> None:
    """The page on the catalogue: v5e, v6e, A100, H100 and B200 in Tokyo."""
    found = {chip.accelerator_id: chip for chip in offered_in(catalogue, TOKYO)}
    assert {"tpu-v5e", "tpu-v6e", "a100-sxm-40", "h100-sxm", "b200-sxm"} <= set(found)
    priced = [chip.usd_per_chip_hour for chip in found.values() if chip.usd_per_chip_hour is not None]
    assert priced == sorted(priced)
    regions = {(r.provider, r.region) for r in sale_places(catalogue)[TOKYO].regions}
    for model, offer in found["h100-sxm"].cheapest.items():
        own = [
            o.usd_per_chip_hour
            for o in catalogue.offers
            if (o.provider, o.region) in regions and o.purchase_model == model and o.accelerator_id == "h100-sxm"
        ]
        assert offer.usd_per_chip_hour == min(own)


def test_hong_kong_sells_no_training_chip_and_is_served_from_its_neighbours(catalogue: Catalogue) -> None:
    assert [chip.accelerator_id for chip in offered_in(catalogue, "asia/hk/hong-kong")] == ["t4"]
    near = nearest_places(catalogue, cities()["hong-kong"])
    assert {"Taiwan", "Singapore", "Tokyo"} <= {one.place.name for one in near}
    assert [one.km for one in near] == sorted(one.km for one in near)
    assert all(chip.cheapest for one in near for chip in one.chips)


def test_an_own_offer_at_an_anchor_is_offered_there(catalogue: Catalogue) -> None:
    offer = catalogue.offers[0].model_copy(
        update={"id": "mine", "provider": "my-hoster", "region": "user-hk", "layer": "plan"}
    )
    wider = replace(catalogue, offers=(*catalogue.offers, offer))
    assert offer.accelerator_id in [chip.accelerator_id for chip in offered_in(wider, "asia/hk/hong-kong")]
    assert nearest_places(wider, cities()["hong-kong"])[0].place.name == "Hong Kong"


def test_announced_chips_are_not_offered(catalogue: Catalogue) -> None:
    announced = {chip.id for chip in catalogue.accelerators if chip.announced}
    sold = {chip.accelerator_id for key in sale_places(catalogue) for chip in offered_in(catalogue, key)}
    assert announced
    assert not announced & sold


@pytest.mark.parametrize(
    ("usd", "read_on", "wins"),
    [(1.9, "2020-01-01", True), (2.1, "2030-01-01", False), (2.0, "2026-06-02", True), (2.0, "2026-06-01", False),
     (2.0, "2026-05-31", False), (2.0, "", False)],
)  # fmt: skip
def test_the_lower_price_wins_and_of_equal_ones_the_one_read_last(
    catalogue: Catalogue, usd: float, read_on: str, wins: bool
) -> None:
    dated = {"usd_per_chip_hour": 2.0, "as_of": "2026-06-01"}
    known = catalogue.offers[0].model_copy(update=dated)
    assert _cheaper(known.model_copy(update={"usd_per_chip_hour": usd, "as_of": read_on}), known) is wins
    undated = known.model_copy(update={"as_of": ""})
    assert _cheaper(known, undated) and not _cheaper(undated, undated)
