"""Regions of one seller that are equal to the work are one candidate; those that are not stay apart."""

from collections import Counter
from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import candidate_json
from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.search.option_set import option_set_of
from core.comparison.search.screen import Screened, screen
from core.workload.library import load_profiles
from core.workload.profile import Places, Profile

AWS_P5 = "aws", "p5.48xlarge", "on_demand"
US_PRICE = ("us-east-1", "us-east-2", "us-west-2")
PROFILES = load_profiles()
RUN = PROFILES["llama3-8b-pretraining"].model_copy(update={"places": Places()})
CHAT = PROFILES["chat-serving-8b"]


def _screened(profile: Profile, catalogue: Catalogue | None = None) -> Screened:
    shipped = catalogue or load_catalogue()
    return screen(profile, shipped, option_set_of(shipped))[0]


def _p5(screened: Screened) -> dict[str, tuple[str, ...]]:
    """Regions for which each admitted p5 option stands, by its own."""
    return {
        option.offer.region: option.regions
        for option, reasons in zip(screened.options, screened.reasons, strict=True)
        if not reasons and (option.offer.provider, option.offer.instance, option.offer.purchase_model) == AWS_P5
    }


def _merged(results: ResultSet) -> CandidateResult:
    of_p5 = (r for r in results.results if r.candidate.offer.instance == "p5.48xlarge")
    return next(r for r in of_p5 if r.candidate.regions and r.candidate.offer.purchase_model == "on_demand")


def test_regions_of_one_price_are_one_option_and_others_stay() -> None:
    found = _p5(_screened(RUN))
    assert sorted(found["us-east-1"]) == sorted(US_PRICE)
    assert found["eu-north-1"] == () and "us-east-2" not in found and "us-west-2" not in found
    asked = [offer for offer in load_catalogue().offers if (offer.provider, offer.instance) == AWS_P5[:2]]
    prices = Counter(offer.usd_per_chip_hour for offer in asked if offer.purchase_model == "on_demand")
    assert len(found) == len(prices) < prices.total()


def test_no_region_is_lost_and_each_is_told_once() -> None:
    screened = _screened(RUN)
    n_admitted = sum(not reasons for reasons in screened.reasons)
    told = [
        (option.offer.provider, option.offer.instance, option.offer.purchase_model, option.chips_per_host, region)
        for option in screened.options[:n_admitted]
        for region in option.regions or (option.offer.region,)
    ]
    whole = option_set_of(load_catalogue()).options
    ways = RUN.places.purchase_models
    assert len(told) == len(set(told))
    assert n_admitted < len(told) <= sum(option.offer.purchase_model in ways for option in whole)


def test_another_price_in_a_region_takes_it_out() -> None:
    shipped = load_catalogue()
    dear = tuple(
        one.model_copy(update={"usd_per_chip_hour": 7.0, "usd_per_host_hour": 56.0})
        if one.id == "aws_p5.48xlarge_us-east-2_on_demand"
        else one
        for one in shipped.offers
    )
    found = _p5(_screened(RUN, replace(shipped, offers=dear)))
    assert sorted(found["us-east-1"]) == ["us-east-1", "us-west-2"] and found["us-east-2"] == ()


def test_a_price_of_ones_own_stays_apart() -> None:
    shipped = load_catalogue()
    own = tuple(
        one.model_copy(update={"layer": "plan"}) if one.id == "aws_p5.48xlarge_us-west-2_on_demand" else one
        for one in shipped.offers
    )
    found = _p5(_screened(RUN, replace(shipped, offers=own)))
    assert sorted(found["us-east-1"]) == ["us-east-1", "us-east-2"] and found["us-west-2"] == ()


def test_users_whose_way_differs_keep_regions_apart() -> None:
    places = CHAT.places.model_copy(update={"user_places": ("tokyo",), "providers": ("aws",)})
    with_users = CHAT.model_copy(update={"places": places})
    without = CHAT.model_copy(update={"places": places.model_copy(update={"user_places": ()})})
    assert {"us-east-1", "us-east-2", "us-west-2"} <= _p5(_screened(with_users)).keys()
    assert "us-east-2" not in _p5(_screened(without))


def test_the_region_of_the_data_stays_apart() -> None:
    data = RUN.model_copy(update={"places": RUN.places.model_copy(update={"data_region": "us-west-2"})})
    found = _p5(_screened(data))
    assert found["us-west-2"] == () and sorted(found["us-east-1"]) == ["us-east-1", "us-east-2"]


def test_only_regions_that_are_allowed_count() -> None:
    limited = RUN.model_copy(update={"places": RUN.places.model_copy(update={"region_prefixes": ("us-east",)})})
    assert sorted(_p5(_screened(limited))["us-east-1"]) == ["us-east-1", "us-east-2"]


@pytest.fixture(scope="module")
def results() -> ResultSet:
    return evaluate(RUN, load_catalogue())


def test_the_place_says_of_how_many_regions_and_lists_them(results: ResultSet) -> None:
    one = _merged(results)
    assert one.candidate.place == "AWS any of 3 regions, on demand"
    assert one.candidate.region_lines == ("Regions at this price: us-east-1, us-east-2, us-west-2",)
    told = candidate_json(one, RUN.job)
    assert (told["region"], sorted(told["regions"])) == ("us-east-1", sorted(US_PRICE))
    single = next(r for r in results.results if not r.candidate.regions)
    assert candidate_json(single, RUN.job)["regions"] == [single.candidate.offer.region]
    assert single.candidate.region_lines == ()


def test_columns_and_other_counts_of_chips_know_the_regions(results: ResultSet) -> None:
    one = _merged(results)
    row = results.row_of[one.id]
    assert results.columns.regions[row] == one.candidate.regions
    assert all(point.candidate.regions == one.candidate.regions for point in count_curve(results, one).points)


def test_the_price_of_today_is_told_beside_the_listed_one(results: ResultSet) -> None:
    for result in (results.results[0], _merged(results), results.results[-1]):
        price = candidate_json(result, RUN.job)["price"]
        candidate = result.candidate
        assert price["usd_per_chip_hour"] == candidate.offer.usd_per_chip_hour
        assert price["usd_per_chip_hour_today"] == pytest.approx(candidate.usd_per_chip_hour, rel=1e-5)
        low, high = price["usd_per_chip_hour_today_low"], price["usd_per_chip_hour_today_high"]
        assert low <= price["usd_per_chip_hour_today"] <= high
        assert price["price_basis"] == candidate.price.basis
