"""Distances, ways there and back, and where users can be said to be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Region
from core.catalogue.loading import load_catalogue
from core.catalogue.places.distance import (
    cities,
    distance_km,
    nearest_city,
    region_of,
    round_trip_ms,
    route_of,
    route_to_users,
    user_place,
    user_places,
)
from core.errors import InputError
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Owning, Places, Profile


@pytest.fixture
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return load_catalogue()


@pytest.mark.parametrize(
    ("one", "other", "km"),
    [
        ("new-york", "london", 5570),
        ("hong-kong", "tokyo", 2890),
        ("hong-kong", "singapore", 2590),
        ("los-angeles", "tokyo", 8815),
        ("sydney", "santiago", 11340),
    ],
)
def test_distances_between_cities_are_those_of_the_globe(one: str, other: str, km: float) -> None:
    found = distance_km(cities()[one], cities()[other])
    assert found == pytest.approx(km, rel=0.01)
    assert distance_km(cities()[other], cities()[one]) == pytest.approx(found)


def test_a_quarter_of_the_equator_is_a_quarter_of_the_globe() -> None:
    corner = cities()["tokyo"].model_copy(update={"latitude_deg": 0.0, "longitude_deg": 0.0})
    ahead = corner.model_copy(update={"longitude_deg": 90.0})
    assert distance_km(corner, ahead) == pytest.approx(6371.0 * 3.141592653589793 / 2)


def test_the_way_over_the_atlantic_worked_by_hand() -> None:
    """5 570 km take light 2 x 5570 / 204.2 = 54.5 ms; routes are 1.2, 1.6, 2.2 as long, equipment adds 1, 3, 10 ms."""
    found = round_trip_ms(cities()["new-york"], cities()["london"])
    assert found is not None
    assert found.low == pytest.approx(54.5 * 1.2 + 1, abs=0.3)
    assert found.likely == pytest.approx(54.5 * 1.6 + 3, abs=0.3)
    assert found.high == pytest.approx(54.5 * 2.2 + 10, abs=0.5)


def test_a_published_round_trip_lies_in_the_range() -> None:
    """73 to 85 ms between New York and London, by seller (Hathora, "Cloud latency shootout")."""
    found = round_trip_ms(cities()["new-york"], cities()["london"])
    assert found is not None
    assert found.low <= 73 < 85 <= found.high


def test_the_mean_counts_places_alike_and_the_farthest_is_named(catalogue: Catalogue) -> None:
    route = route_to_users(catalogue, "gcp", "asia-northeast1", ("hong-kong", "tokyo"))
    far = route_to_users(catalogue, "gcp", "asia-northeast1", ("hong-kong",))
    near = route_to_users(catalogue, "gcp", "asia-northeast1", ("tokyo",))
    assert route is not None
    assert far is not None
    assert near is not None
    assert route.mean_ms.likely == pytest.approx((far.mean_ms.likely + near.mean_ms.likely) / 2)
    assert route.farthest_ms == far.mean_ms
    assert route.farthest == "Hong Kong"
    assert route.ms("p50") == route.mean_ms
    assert route.ms("p99") == route.farthest_ms


def test_without_users_there_is_no_way(catalogue: Catalogue) -> None:
    assert route_to_users(catalogue, "gcp", "asia-northeast1", ()) is None


@pytest.mark.parametrize("region", ["any", "global", "", "moon-1"])
@pytest.mark.parametrize("users", [("tokyo",), ("tokyo", "london")])
def test_an_unknown_place_is_the_farthest_of_its_seller(
    catalogue: Catalogue, region: str, users: tuple[str, ...]
) -> None:
    unknown = route_to_users(catalogue, "gcp", region, users)
    assert unknown is not None and unknown.assumed
    own = [one.region for one in catalogue.regions if one.provider == "gcp" and one.latitude_deg is not None]
    ways = [way for one in own if (way := route_to_users(catalogue, "gcp", one, users)) is not None]
    for name in ("mean_ms", "farthest_ms"):
        trips = [getattr(way, name) for way in ways]
        assert getattr(unknown, name).high == max(trip.high for trip in trips) > 100
        assert getattr(unknown, name).likely == max(trip.likely for trip in trips)
        assert getattr(unknown, name).low == min(trip.low for trip in trips) > 0
    assert not any(way.assumed for way in ways)


def test_a_seller_of_whom_no_place_is_known_is_as_far_as_any(catalogue: Catalogue) -> None:
    nobody, known = (route_to_users(catalogue, one, "any", ("tokyo",)) for one in ("my-hoster", "gcp"))
    assert nobody is not None and known is not None
    assert nobody.mean_ms.high >= known.mean_ms.high


def test_own_servers_are_at_the_site_that_was_named(catalogue: Catalogue) -> None:
    server = next(offer for offer in catalogue.offers if offer.provider == "own")
    places = Places(user_places=("hong-kong",), purchase_models=("owned",))
    ways = {
        site: route_of(Profile(job=OnlineServing(), places=places, owning=Owning(site=site)), catalogue, server)
        for site in ("hk", "jp", "us-california", "any")
    }
    likely = [way.mean_ms.likely for way in ways.values() if way is not None]
    assert likely == sorted(likely) and len(likely) == 4
    assert likely[0] == pytest.approx(3.0)
    assert [bool(way and way.assumed) for way in ways.values()] == [False, False, False, True]


def test_anchors_stand_for_places_of_own_offers_of_any_seller(catalogue: Catalogue) -> None:
    for anchor, city in (("user-hk", "Hong Kong"), ("user-tyo", "Tokyo"), ("user-lax", "Los Angeles")):
        region = region_of(catalogue, "my-hoster", anchor)
        assert region is not None
        assert region.place == city
        assert user_place(catalogue, anchor).name == city
        route = route_to_users(catalogue, "my-hoster", anchor, (anchor,))
        assert route is not None
        assert route.mean_ms.likely == pytest.approx(3.0)


def test_a_place_of_ones_own_counts_as_a_place_of_users_and_of_offers(catalogue: Catalogue) -> None:
    own = Region(
        provider="own", region="osaka-lab", place="Osaka lab", country="JP", latitude_deg=34.7, longitude_deg=135.5,
        carbon_g_per_kwh=None, pue=None, accelerator_ids=(), source="as entered", as_of="2026-11-21", estimate=False,
        layer="plan",
    )  # fmt: skip
    wider = replace(catalogue, regions=(*catalogue.regions, own))
    assert user_places(wider)["osaka-lab"].name == "Osaka lab"
    assert region_of(wider, "anyone", "osaka-lab") == own
    assert "osaka-lab" not in user_places(catalogue)


def test_an_unknown_place_is_named_with_what_was_expected(catalogue: Catalogue) -> None:
    with pytest.raises(InputError, match="atlantis"):
        route_to_users(catalogue, "gcp", "us-central1", ("atlantis",))


def test_every_city_has_a_source_and_a_mark_where_it_is_from_memory(catalogue: Catalogue) -> None:
    assert len(cities()) >= 40
    for city in cities().values():
        assert city.source in catalogue.sources
        assert city.estimate == (city.source == "GUESS")
        assert nearest_city(city) == city
