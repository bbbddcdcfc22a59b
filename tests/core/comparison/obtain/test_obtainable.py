"""Can it be had: by hand for known sellers, and laws for all offers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import with_owned
from core.comparison.obtain.extents import ANY_SIZE, Extent, extents_of
from core.comparison.obtain.obtainable import STATUSES, Obtainable, obtainable, statuses
from core.comparison.search.options import ALONE, Option, options
from tests.core.own_samples import own_server
from tests.golden import assert_kept

CATALOGUE = load_catalogue()
OPTIONS = options(CATALOGUE)
SIZES = (1, 2, 4, 8, 16, 64, 128, 256, 512, 1024, 2048, 4096, 16384)


def option_of(provider: str, instance: str, way: str = "on_demand", alone: bool = False) -> Option:
    return next(
        one
        for one in OPTIONS
        if (one.offer.provider, one.offer.instance, one.offer.purchase_model) == (provider, instance, way)
        and one.id_tail.endswith(ALONE) == alone
    )


def asked(option: Option, n_chips: int, units: int = 1) -> Obtainable:
    return obtainable(option, CATALOGUE, n_chips, units)


def test_cards_never_become_a_cluster() -> None:
    """An article's price of one MI300X at TensorWave justifies no server, and no 1,024 of them."""
    server, card = option_of("tensorwave", "1x mi300x"), option_of("tensorwave", "1x mi300x", alone=True)
    assert {asked(server, size).status for size in (8, 1024)} == {"on paper"}
    assert "single cards" in asked(server, 8).why and asked(server, 8).is_joined
    assert asked(card, 1).status == "plausible" and not asked(card, 1).is_firm
    assert asked(card, 1).price == "one source"


def test_a_block_is_attested_up_to_its_size() -> None:
    """256 instances of 8: AWS says so of Capacity Blocks, and of nothing else."""
    block, on_demand = option_of("aws", "p5.48xlarge", "capacity_block"), option_of("aws", "p5.48xlarge")
    assert asked(block, 2048).status == "attested" and asked(block, 4096).status == "plausible"
    assert asked(on_demand, 8).status == "attested" and asked(on_demand, 16).status == "plausible"


def test_one_machine_on_self_service_is_attested() -> None:
    option = option_of("lambda", "gpu_8x_h100_sxm5")
    assert asked(option, 8).status == "attested" and asked(option, 8).is_firm
    assert asked(option, 512).status == "plausible" and asked(option, 4096).status == "on paper"
    assert "Larger than" in asked(option, 4096).why and asked(option, 512).wait.days.likely == 14.0


def test_machines_without_a_network_join_nothing_but_serve_side_by_side() -> None:
    """Four cards at Vast.ai are four machines: replicas that fit into one, never a training run on four."""
    option = option_of("vast", "1x rtx5090")
    assert asked(option, 4).status == "on paper" and asked(option, 4, units=4).status == "plausible"
    assert asked(option, 65, units=65).status == "on paper"


def test_as_many_as_in_the_largest_machine_are_attested_apart() -> None:
    """Verda lists machines of eight B200, so eight of one card are there as well; nine are a matter of stock."""
    option = option_of("verda", "1B200.30V")
    assert [asked(option, size, units=size).status for size in (1, 8, 9)] == ["attested", "attested", "plausible"]


@pytest.mark.parametrize(
    ("provider", "instance", "told"),
    [("lambda", "gpu_8x_h100_sxm5", ""), ("lambda", "gpu_1x_h100_sxm5", "No network between machines of Lambda")],
)
def test_only_whole_servers_are_joined(provider: str, instance: str, told: str) -> None:
    """Lambda's fabric joins machines of eight; its single cards are let one by one."""
    assert ("No network between" in asked(option_of(provider, instance), 512).why) is bool(told)


def test_what_can_be_had_of_every_offer_is_kept() -> None:
    """Of each seller's machines by the way to pay: chips attested and plausible, apart and joined."""
    told: dict[str, set[str]] = {}
    for option in OPTIONS:
        offer, known = option.offer, extents_of(option, CATALOGUE)
        name = f"{offer.provider} {known.machine_chips} {offer.accelerator_id} {offer.purchase_model}"
        told.setdefault(name, set()).add(" ".join(map(_sizes, (known.apart, known.joined))))
    assert_kept("extents", {name: sorted(words) for name, words in sorted(told.items())})


def _sizes(extent: Extent) -> str:
    plausible = "any" if extent.plausible == ANY_SIZE else extent.plausible
    return f"{extent.attested}/{plausible}{' estimate' if extent.estimate else ''}"


def test_a_slice_is_attested_and_several_are_plausible() -> None:
    slices = [one for one in OPTIONS if one.accelerator.id == "tpu-v6e" and one.chips_per_host == 4]
    option = next(one for one in slices if one.offer.purchase_model == "on_demand" and one.offer.quality == "ok")
    assert [asked(option, size).status for size in (256, 1024, 16384)] == ["attested", "plausible", "on paper"]


def test_what_the_seller_lets_as_a_reservation_only_is_on_paper() -> None:
    never = asked(option_of("crusoe", "crusoe_A100-80G-sxm4x8"), 8)
    assert never.status == "on paper" and "reservation" in never.why and never.source == "CRUSOE-QUOTA"


def test_spot_in_hundreds_is_on_paper() -> None:
    option = option_of("aws", "p5.48xlarge", "spot")
    assert asked(option, 64).status == "plausible" and asked(option, 128).status == "on paper"


def test_what_you_own_or_typed_is_had() -> None:
    ordered = own_server("to-buy").model_copy(update={"in_house": False})
    book = with_owned(replace(CATALOGUE, servers=(own_server("there"), ordered)))
    told = {one.offer.instance: obtainable(one, book, 64) for one in options(book) if one.offer.provider == "own"}
    assert told["there"].status == "attested" and told["there"].wait.days.likely == 0.0
    assert told["to-buy"].status == "plausible" and told["to-buy"].wait.days.likely > 0.0
    typed = option_of("lambda", "gpu_8x_h100_sxm5").offer.model_copy(update={"id": "typed", "quality": "entered"})
    option = replace(option_of("lambda", "gpu_8x_h100_sxm5"), offer=typed)
    assert asked(option, 4096).status == "attested" and asked(option, 4096).is_firm
    card = replace(option_of("tensorwave", "1x mi300x"), offer=typed.model_copy(update={"id": "card"}))
    assert asked(card, 1024).status == "plausible"


def test_servers_to_buy_are_no_sellers_offers() -> None:
    book = with_owned(replace(CATALOGUE, servers=(own_server("there"),)))
    assert {one.purchase_model for one in book.offers} >= {"owned", "on_demand", "spot"}
    assert book.rented_offers == tuple(one for one in book.offers if one.provider != "own") != ()
    assert {one.provider for one in book.hosts} - {one.provider for one in book.rented_hosts} == {"own"}


@pytest.mark.parametrize(
    ("joined", "told"),
    [
        (True, ["attested", "attested", "plausible"]),
        (None, ["attested", "plausible", "plausible"]),
        (False, ["attested", "on paper", "on paper"]),
    ],
)
@pytest.mark.parametrize("is_card", [False, True])
def test_an_offer_you_entered_is_attested_up_to_the_size_you_entered(
    joined: bool | None, told: list[str], is_card: bool
) -> None:
    option = option_of("tensorwave", "1x mi300x") if is_card else option_of("lambda", "gpu_8x_h100_sxm5")
    update = {"id": f"size {joined} {is_card}", "quality": "entered", "attested_chips": 64, "joined": joined}
    option = replace(option, offer=option.offer.model_copy(update=update))
    assert [asked(option, size).status for size in (1, 64, 65)] == told
    assert asked(option, 64, units=64).status == "attested" and asked(option, 64).source == option.offer.source
    assert asked(option, 64).is_firm == (joined is not False)


@given(st.sampled_from(OPTIONS))
def test_more_chips_are_never_easier_to_have(option: Option) -> None:
    places = [STATUSES.index(asked(option, size).status) for size in SIZES if size >= option.chips_per_host]
    assert places == sorted(places, reverse=True)


@given(st.sampled_from(OPTIONS), st.sampled_from(SIZES))
def test_machines_apart_are_never_harder_to_have_than_joined(option: Option, size: int) -> None:
    joined, apart = (STATUSES.index(asked(option, size, units).status) for units in (1, size))
    assert apart >= joined


@given(st.lists(st.tuples(st.sampled_from(OPTIONS), st.sampled_from(SIZES)), min_size=1, max_size=20))
def test_all_at_once_say_what_each_says(pairs: list[tuple[Option, int]]) -> None:
    told = tuple(option for option, _ in pairs)
    n_chips = np.array([size for _, size in pairs], dtype=np.intp)
    places, proved = statuses(told, CATALOGUE, np.arange(len(told)), n_chips, np.ones(len(told), dtype=np.intp))
    alone = [asked(option, size) for option, size in pairs]
    assert [STATUSES[place] for place in places.tolist()] == [one.status for one in alone]
    assert [bool(p and s) for p, s in zip(proved, places, strict=True)] == [one.is_firm for one in alone]


@given(st.sampled_from(OPTIONS), st.sampled_from(SIZES))
def test_every_answer_has_a_reason_and_known_sources(option: Option, size: int) -> None:
    answer = asked(option, size)
    assert answer.why and answer.source
    assert set(answer.source.split("+")) <= set(CATALOGUE.sources)


def _repriced(offer: Offer, **update: object) -> tuple[Catalogue, Option]:
    changed = offer.model_copy(update=update)
    book = replace(CATALOGUE, offers=tuple(changed if one is offer else one for one in CATALOGUE.offers))
    return book, next(one for one in options(book) if one.offer is changed and not one.borrowed)


@pytest.mark.parametrize(
    ("update", "proof"),
    [
        ({"quality": "ok"}, "first-hand"),
        ({"quality": "spot moves"}, "first-hand"),
        ({"quality": "derived"}, "worked out"),
        ({"quality": "entered"}, "entered"),
        ({"quality": "secondary"}, "one source"),
        ({"quality": "old"}, "one source"),
        ({"quality": "reseller"}, "one source"),
        ({"quality": "estimate"}, "estimate"),
        ({"quality": "ok", "estimate": True}, "estimate"),
    ],
)
def test_how_far_a_price_is_proved(update: dict[str, object], proof: str) -> None:
    book, option = _repriced(option_of("lambda", "gpu_8x_h100_sxm5").offer, **update)
    assert obtainable(option, book, 8).price == proof


@pytest.mark.parametrize(
    ("usd", "source", "read_on", "proof"),
    [
        (1.05, "CLIFF", "2026-08-29", "told twice"),
        (1.05, "CLIFF", "2026-08-28", "one source"),
        (1.05, "CLIFF", "undated", "one source"),
        (1.05, "CLIFF", "2026-05-05", "told twice"),
        (1.05, "CLIFF", "2026-05-04", "one source"),
        (1.2, "CLIFF", "2026-08-29", "one source"),
        (1.0, "", "2026-08-29", "one source"),
    ],
)
def test_a_price_told_twice_is_proved(usd: float, source: str, read_on: str, proof: str) -> None:
    """A second source four weeks later and within a tenth proves it; the same source, another price, a copy of the
    same weeks or a reading of more than 200 days ago does not."""
    offer = option_of("tensorwave", "1x mi300x").offer
    first = offer.model_copy(update={"source": "ZEINS", "as_of": "2026-08-01"})
    second = offer.model_copy(
        update={"id": "second", "instance": "8x mi300x", "source": source or "ZEINS", "as_of": read_on,
                "usd_per_chip_hour": usd * offer.usd_per_chip_hour}
    )  # fmt: skip
    rest = tuple(one for one in CATALOGUE.offers if one is not offer)
    book = replace(CATALOGUE, offers=(*rest, first, second))
    option = next(one for one in options(book) if one.offer is first)
    assert obtainable(option, book, 1).price == proof
