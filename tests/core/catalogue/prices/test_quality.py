"""Words for how far a price can be trusted: a closed set, and shares that the catalogue itself shows."""

import re
from statistics import quantiles

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.prices.quality import QUALITIES, is_second_hand, quality_of, span_words
from core.units import THIN


def test_every_shipped_price_uses_a_word_of_the_set() -> None:
    assert {offer.quality for offer in load_catalogue().offers} <= QUALITIES.keys()


def test_every_word_has_a_meaning_and_a_span_around_the_price_or_below_it() -> None:
    for word, quality in QUALITIES.items():
        assert quality.meaning.endswith(".") and quality.title, word
        assert 0 < quality.low <= 1 <= quality.high, word


def test_words_tell_how_far_off_a_price_may_be() -> None:
    assert span_words(QUALITIES["ok"]) == ""
    assert span_words(QUALITIES["average"]) == f"the one you get may be 50 to 100{THIN}% of it"
    assert span_words(QUALITIES["secondary"]) == f"the one you get may be 80 to 150{THIN}% of it, by our estimate"
    assert all(span_words(quality) for quality in QUALITIES.values() if quality.warning)


def test_estimates_are_marked_as_such() -> None:
    for offer in load_catalogue().offers:
        assert offer.estimate or offer.quality != "estimate", offer.id


def test_spot_prices_span_what_their_zones_do() -> None:
    low, high = [], []
    for offer in load_catalogue().offers:
        if zones := re.search(r"Median of \d+ zones, ([\d.]+) to ([\d.]+)", offer.note):
            low.append(float(zones[1]) / offer.usd_per_host_hour)
            high.append(float(zones[2]) / offer.usd_per_host_hour)
    assert len(low) >= 20
    spot = QUALITIES["spot moves"]
    assert (spot.low, spot.high) == pytest.approx((quantiles(low, n=10)[0], quantiles(high, n=10)[-1]), abs=0.01)


def test_averages_lie_above_the_sellers_own_list() -> None:
    catalogue = load_catalogue()
    shares = [
        own.usd_per_chip_hour / mean.usd_per_chip_hour
        for mean in catalogue.offers
        for own in catalogue.offers_by_accelerator[mean.accelerator_id]
        if mean.quality == "average" and own.quality == "ok" and own.purchase_model == "on_demand"
        if own.provider == mean.provider
    ]
    assert shares
    assert QUALITIES["average"].low <= min(shares) and max(shares) <= QUALITIES["average"].high


def test_second_hand_and_marketplace_prices_are_told_from_lists() -> None:
    by_id = {offer.id: offer for offer in load_catalogue().offers}
    assert is_second_hand(by_id["tensorwave_1x-mi300x_any_on_demand"])
    assert quality_of(by_id["runpod_1x-h100-sxm-community_any_on_demand"]).title == "Marketplace"
    assert not is_second_hand(by_id["aws_p5.48xlarge_us-east-1_on_demand"])
    assert (
        quality_of(by_id["aws_p5.48xlarge_us-east-1_on_demand"].model_copy(update={"quality": "contract"})).title
        == "Entered"
    )


def test_which_words_are_no_seller_s_own_and_which_rest_on_pairs_of_prices() -> None:
    others = {"reseller", "marketplace", "average", "secondary", "suspect", "estimate"}
    assert {word for word, quality in QUALITIES.items() if not quality.is_sellers_own} == others
    assert {word for word, quality in QUALITIES.items() if not quality.is_estimate} == {"spot moves", "average", "old"}
