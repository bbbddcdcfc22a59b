"""Chips, cores, hosts and slices are told apart; prices that cannot be meant are refused or flagged by rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.checks.units_guard import (
    is_placeholder,
    known_prices,
    name_contradiction,
    read_tpu_name,
    suspicions,
)
from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import sound_layers
from core.catalogue.own.layers import OwnEntries
from core.errors import InputError
from tests.core.own_samples import own_host, own_offer


@pytest.mark.parametrize(
    ("name", "chip", "n_chips"),
    [
        ("tpu-v5litepod-8", "tpu-v5e", 8),
        ("v5e-256", "tpu-v5e", 256),
        ("tpu-v6e-8", "tpu-v6e", 8),
        ("v2-8", "tpu-v2", 4),
        ("tpu-v3-32", "tpu-v3", 16),
        ("v4-8", "tpu-v4", 4),
        ("v5p-12288", "tpu-v5p", 6144),
        ("tpu7x-8", "tpu7x", 4),
        ("ct6e-standard-4t", "tpu-v6e", 4),
        ("ct5p-hightpu-4t", "tpu-v5p", 4),
        ("tpu7x-standard-4t", "tpu7x", 4),
        ("CT5LP-HighTPU-8t", "tpu-v5e", 8),
    ],
)
def test_name_counts_chips_or_cores_by_generation(name: str, chip: str, n_chips: int) -> None:
    found = read_tpu_name(name)
    assert found is not None
    assert (found.accelerator_id, found.n_chips) == (chip, n_chips)


@pytest.mark.parametrize("name", ["p5.48xlarge", "v100", "v7-8", "tpu-v6e", "", "8x-h100"])
def test_other_names_are_no_tpus(name: str) -> None:
    assert read_tpu_name(name) is None


@pytest.mark.parametrize("name", ["v4-7", "tpu-v3-0", "v5p-1"])
def test_half_a_chip_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="two cores a chip"):
        read_tpu_name(name)


def test_names_agree_with_every_shipped_slice_and_host() -> None:
    catalogue = load_catalogue()
    for shape in catalogue.slices:
        found = read_tpu_name(shape.slice_name)
        assert found and (found.accelerator_id, found.n_chips) == (shape.accelerator_id, shape.n_chips), (
            shape.slice_name
        )
    for host in catalogue.hosts:
        found = read_tpu_name(host.instance)
        assert not found or (found.accelerator_id, found.n_chips) == (host.accelerator_id, host.n_chips), host.instance


@pytest.mark.parametrize(
    ("instance", "chip", "n_chips", "words"),
    [
        ("v4-8", "tpu-v4", 8, "v4-8 is 4 chips, not 8; the number in its name counts cores, two a chip"),
        ("v5p-16", "tpu-v5p", 16, "is 8 chips, not 16; the number in its name counts cores"),
        ("v6e-8", "tpu-v6e", 4, "v6e-8 is 8 chips, not 4; the number in its name counts chips"),
        ("ct6e-standard-4t", "tpu-v6e", 1, "is 4 chips, not 1; the number in its name counts chips"),
        ("v6e-8", "tpu-v5e", 8, "v6e-8 names tpu-v6e, not tpu-v5e"),
        ("v3-7", "tpu-v3", 7, "v3-7 names 7 cores: two cores make a chip"),
    ],
)
def test_cores_taken_for_chips_are_refused(instance: str, chip: str, n_chips: int, words: str) -> None:
    """As an offer, and as a host."""
    host = own_host("gcp", instance, chip, n_chips)
    [found] = [one for one in suspicions([own_offer(host)]) if one.rule == "cores for chips"]
    assert found.is_refused
    assert words in found.reason
    _, told = sound_layers(load_catalogue(), OwnEntries(hosts=(host,)))
    assert [error.where for error in told] == [f"own host {instance} at GCP, n_chips"]


@pytest.mark.parametrize(
    ("instance", "chip", "n_chips"), [("v4-8", "tpu-v4", 4), ("v6e-8", "tpu-v6e", 8), ("x", "l4", 3)]
)
def test_names_that_fit_are_not_refused(instance: str, chip: str, n_chips: int) -> None:
    assert name_contradiction(instance, chip, n_chips) is None


@given(st.integers(1, 4000))
def test_a_placeholder_is_one_in_every_multiple(n_chips: int) -> None:
    assert is_placeholder("tpu-v6e", 700.0 * n_chips)
    assert not is_placeholder("tpu-v6e", 2.7 * n_chips + 0.5) or (2.7 * n_chips + 0.5) >= 700
    assert not is_placeholder("tpu-v5p", 700.0 * n_chips)


def _offer(offer_id: str, **changes: Any) -> Offer:
    found = next(offer for offer in load_catalogue().offers if offer.id == offer_id)
    if "usd_per_chip_hour" in changes and "usd_per_host_hour" not in changes:
        changes["usd_per_host_hour"] = changes["usd_per_chip_hour"] * found.chips_per_host
    return found.model_copy(update={"source": "file:prices.csv", **changes})


P5, P5_SPOT = "aws_p5.48xlarge_us-east-1_on_demand", "aws_p5.48xlarge_us-east-1_spot"
V6E = "gcp_ct6e-standard-4t_us-east5_on_demand"


@pytest.mark.parametrize(
    ("offer", "rule", "is_refused", "words"),
    [
        (_offer(V6E, usd_per_chip_hour=700.0), "placeholder", True, "where it knows no price"),
        (_offer(V6E, usd_per_chip_hour=175.0, usd_per_host_hour=700.0), "placeholder", True, "700 USD"),
        (_offer(P5, usd_per_chip_hour=0.0), "implausible", True, "above 0"),
        (_offer(P5, usd_per_chip_hour=440.32), "implausible", True, "at most 200"),
        (_offer(P5, usd_per_chip_hour=55.04, usd_per_host_hour=55.04), "inconsistent", True, "8 chips at 55.04"),
        (_offer(P5, usd_per_chip_hour=55.04), "host price for a chip?", False, "of a whole host"),
        (_offer(P5, usd_per_chip_hour=0.86), "chip price for a host?", False, "of one chip"),
        (_offer(P5_SPOT, usd_per_chip_hour=7.0), "spot above on demand", False, "above on demand 6.88"),
        (_offer(P5, usd_per_chip_hour=5.0), "far below known", False, "73% of the price known"),
    ],
)
def test_each_rule_is_named_with_its_reason(offer: Offer, rule: str, is_refused: bool, words: str) -> None:
    found = {one.rule: one for one in suspicions([offer], load_catalogue().offers)}
    assert rule in found
    assert found[rule].is_refused is is_refused
    assert found[rule].offer_id == offer.id
    assert words in found[rule].reason


def test_a_refused_price_is_not_flagged_besides() -> None:
    found = suspicions([_offer(P5, usd_per_chip_hour=440.32)], load_catalogue().offers)
    assert [one.rule for one in found] == ["implausible"]


def test_plausible_prices_raise_no_doubt() -> None:
    assert suspicions([_offer(P5, usd_per_chip_hour=6.5), _offer(P5_SPOT)], load_catalogue().offers) == ()


def test_shipped_prices_raise_no_doubt() -> None:
    assert suspicions(load_catalogue().offers) == ()


def test_few_prices_make_no_median() -> None:
    known = known_prices(load_catalogue().offers)
    assert known.lowest["h100-sxm", "on_demand"] == 1.25, "the lowest live offer of a marketplace"
    assert 2 < known.median["h100-sxm", "on_demand"] < 12.5
    assert ("tpu7x", "commit_1y") not in known.median


def test_a_new_sellers_low_price_is_no_chip_price_unless_nobody_comes_near() -> None:
    """H100 starts at 2.29 USD: eight of them for 16 are cheap, eight for 4 are one."""
    shipped = load_catalogue().offers
    host = own_host()
    assert suspicions([own_offer(host, usd_per_host_hour=16.0)], shipped) == ()
    [found] = suspicions([own_offer(host, usd_per_host_hour=4.0)], shipped)
    assert found.rule == "chip price for a host?"


def test_sizes_of_one_seller_and_place_are_held_against_each_other() -> None:
    """TPU spot prices differ five times between places, and not between sizes of one place."""
    shipped = load_catalogue().offers
    spot = [
        o for o in shipped if o.accelerator_id == "tpu-v6e" and o.purchase_model == "spot" and o.chips_per_host == 4
    ]
    cheapest = min(spot, key=lambda offer: offer.usd_per_chip_hour)
    assert suspicions([cheapest], shipped) == ()
    fourth = cheapest.usd_per_chip_hour / 4
    changed = cheapest.model_copy(update={"usd_per_chip_hour": fourth, "usd_per_host_hour": 4 * fourth})
    assert [one.rule for one in suspicions([changed], shipped)] == ["chip price for a host?"]


@pytest.mark.parametrize(("usd_per_chip", "is_flagged"), [(0.37, True), (0.38, False), (1.0, False)])
def test_a_host_far_below_the_seller_s_others_at_its_place_looks_like_one_chip(
    usd_per_chip: float, is_flagged: bool
) -> None:
    """The others cost $2 a chip; below 1.5 / 8 of that, $0.375, a host costs as one chip and a half."""
    others = [own_offer(own_host(instance=name), usd_per_host_hour=16.0) for name in ("one", "two")]
    cheap = own_offer(own_host(instance="cheap"), usd_per_host_hour=8 * usd_per_chip)
    elsewhere = own_offer(own_host(instance="far"), region="elsewhere", usd_per_host_hour=1600.0)
    found = {one.offer_id: one.rule for one in suspicions([*others, cheap, elsewhere])}
    assert found.get(cheap.id) == ("chip price for a host?" if is_flagged else None)
