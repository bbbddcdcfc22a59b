"""Public prices in the place of private ones."""

from __future__ import annotations

from statistics import median

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, STAND_IN, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.catalogue.own.stand_ins import LEAST_SPREAD, PRIVATE_SOURCE, RUNG, StandIns, public_usd
from tests.core.own_samples import PRIVATE_WORDS, faster, own_host, own_offer, own_region, own_server, private_book

HOST = own_host(provider="Harbour Racks", instance="Quayside box")
OWNED = OwnEntries(
    hosts=(HOST,), offers=(own_offer(HOST, "any", 9.99),), servers=(own_server(),), regions=(own_region(),)
)


@pytest.fixture(scope="module")
def whole() -> StandIns:
    shipped = load_catalogue()
    return StandIns(layered(shipped, OWNED, private_book(shipped)), shipped)


def private(catalogue: Catalogue) -> list[Offer]:
    return [offer for offer in catalogue.offers if offer.layer != "catalogue"]


def test_they_are_needed_where_a_price_is_private(whole: StandIns) -> None:
    assert whole.is_needed
    assert not StandIns(whole.shipped, whole.shipped).is_needed
    chip_alone = layered(whole.shipped, OwnEntries(accelerators=(faster(whole.shipped),)))
    assert not StandIns(chip_alone, whole.shipped).is_needed
    assert not whole.catalogue.is_masked
    assert whole.laid({}).is_masked


def test_no_private_price_source_note_or_name_is_left(whole: StandIns) -> None:
    laid = whole.laid({})
    entries = [*laid.offers, *laid.servers, *laid.hosts, *laid.regions, *laid.accelerators]
    text = "\n".join([*(one.model_dump_json() for one in entries), *laid.sources, *laid.sources.values()]).lower()
    for secret in (*PRIVATE_WORDS, "harbour", "quayside", "my-4x-l40s", "invoice", "offer of a seller"):
        assert secret.lower() not in text, secret
    assert {one.source for one in entries if one.layer != "catalogue"} == {PRIVATE_SOURCE}
    assert PRIVATE_SOURCE in laid.sources


def test_what_is_shipped_stays_and_nothing_is_lost(whole: StandIns) -> None:
    laid = whole.laid({})
    kept = [offer for offer in whole.catalogue.offers if offer.layer == "catalogue"]
    assert [offer for offer in laid.offers if offer.layer == "catalogue"] == kept
    assert len(private(laid)) == len(private(whole.catalogue))
    assert {offer.layer for offer in private(laid)} == {STAND_IN}
    assert len({offer.id for offer in laid.offers}) == len(laid.offers)


def test_a_listed_offer_stands_at_its_list_price_and_any_other_in_the_middle(whole: StandIns) -> None:
    laid = {offer.id: offer for offer in whole.laid({}).offers}
    listed = {offer.id: offer.usd_per_chip_hour for offer in whole.shipped.offers}
    corrected = [offer for offer in private(whole.catalogue) if offer.id in listed and offer.provider != OWN]
    assert corrected
    for offer in corrected:
        assert laid[offer.id].usd_per_chip_hour == pytest.approx(listed[offer.id], rel=5e-3)
    [new] = [offer for offer in laid.values() if offer.provider == "Private seller 1"]
    sellers: dict[str, list[float]] = {}
    for offer in whole.shipped.offers:
        if (offer.accelerator_id, offer.purchase_model) == ("h100-sxm", "on_demand"):
            sellers.setdefault(offer.provider, []).append(offer.usd_per_chip_hour)
    assert new.usd_per_chip_hour == pytest.approx(median(map(median, sellers.values())), rel=5e-3)
    assert new.usd_per_host_hour == new.usd_per_chip_hour * new.chips_per_host
    assert new.instance == "Private machine 1"


@pytest.mark.parametrize("rungs", [-3, 1, 4])
def test_a_rung_moves_all_of_one_seller_chip_and_way_to_pay(whole: StandIns, rungs: int) -> None:
    group = ("Private seller 1", "h100-sxm", "on_demand")
    for before, after in zip(whole.laid({}).offers, whole.laid({group: rungs}).offers, strict=True):
        is_moved = (after.provider, after.accelerator_id, after.purchase_model) == group
        factor = RUNG**rungs if is_moved else 1.0
        assert after.usd_per_chip_hour == pytest.approx(before.usd_per_chip_hour * factor, rel=6e-3)


def test_a_server_stands_at_what_such_a_one_costs_and_what_is_paid_stays_paid(whole: StandIns) -> None:
    [server] = [one for one in whole.laid({}).servers if one.layer == STAND_IN]
    assert (server.instance, server.typical_usd > 0) == ("Private machine 2", True)
    assert server.low_usd < server.typical_usd < server.high_usd
    [moved] = [one for one in whole.laid({(OWN, "l40s", "owned"): 2}).servers if one.layer == STAND_IN]
    assert moved.typical_usd == pytest.approx(server.typical_usd * RUNG**2, rel=6e-3)
    paid = own_server().model_copy(update={"low_usd": 0.0, "typical_usd": 0.0, "high_usd": 0.0})
    held = own_offer(own_host(), "any", 0.0)
    free = layered(whole.shipped, OwnEntries(hosts=(own_host(),), offers=(held,), servers=(paid,)))
    laid = StandIns(free, whole.shipped).laid({})
    assert {offer.usd_per_chip_hour for offer in private(laid)} == {0.0}


def test_prices_of_the_public_alone_make_a_stand_in(whole: StandIns) -> None:
    """Two private prices, one stand-in."""
    dearer = OWNED.model_copy(update={"offers": (own_offer(HOST, "any", 77.0),)})
    other = StandIns(layered(whole.shipped, dearer, private_book(whole.shipped)), whole.shipped)
    assert other.laid({}).offers == whole.laid({}).offers


def test_a_chip_that_nobody_lists_costs_what_its_memory_does_elsewhere(whole: StandIns) -> None:
    shipped = whole.shipped
    chip = faster(shipped).model_copy(update={"id": "mine", "memory_gb": 100.0})
    catalogue = layered(shipped, OwnEntries(accelerators=(chip,)))
    offer = own_offer(own_host(chip="mine"))
    double = layered(shipped, OwnEntries(accelerators=(chip.model_copy(update={"memory_gb": 200.0}),)))
    assert public_usd(shipped, offer, double) == pytest.approx(2 * public_usd(shipped, offer, catalogue))


def test_the_spread_is_that_of_the_middle_half_of_sellers(whole: StandIns) -> None:
    assert whole.spread(("x", "h100-sxm", "on_demand")) > LEAST_SPREAD
    assert whole.spread(("x", "h100-sxm", "dedicated_monthly")) == LEAST_SPREAD
