"""Layers over the shipped catalogue: own entries, discounts, negotiated prices, servers that can be bought."""

import pytest

from core.catalogue.checks.consistency import problems
from core.catalogue.entries import OWN, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook, discounted, layered
from tests.core.own_samples import PRIVATE_USD, faster, own_host, own_offer, own_region, own_server, private_book

P5 = "aws_p5.48xlarge_us-east-1_on_demand"


def _by_id(offers: tuple[Offer, ...]) -> dict[str, Offer]:
    return {offer.id: offer for offer in offers}


def test_no_layer_leaves_the_catalogue_itself() -> None:
    assert layered(load_catalogue(), OwnEntries()) is load_catalogue()


def test_own_entries_are_added_and_marked() -> None:
    shipped, host = load_catalogue(), own_host()
    own = OwnEntries(hosts=(host,), offers=(own_offer(host),), servers=(own_server(),), regions=(own_region(),))
    found = layered(shipped, own)
    assert list(problems(found)) == []
    assert found.host_by_instance["dedicated", "8x-h100-hk"].layer == "plan"
    assert _by_id(found.offers)["dedicated_8x-h100-hk_user-hk_on_demand"].layer == "plan"
    assert found.region_by_name["dedicated", "basement"].layer == "plan"
    assert len(found.offers) == len(shipped.offers) + 2
    assert found.sources["offer of a seller"] == "as entered"


def test_a_server_of_ones_own_becomes_an_owned_offer() -> None:
    found = layered(load_catalogue(), OwnEntries(servers=(own_server(),)))
    [offer] = [offer for offer in found.offers if offer.instance == "my-4x-l40s"]
    assert (offer.provider, offer.purchase_model, offer.layer, offer.chips_per_host) == (OWN, "owned", "plan", 4)
    assert found.server_by_instance["my-4x-l40s"].in_house


def test_a_correction_takes_the_place_of_the_shipped_chip() -> None:
    shipped = load_catalogue()
    found = layered(shipped, OwnEntries(accelerators=(faster(shipped),)))
    chip = found.accelerator_by_id["h100-sxm"]
    assert (chip.bf16_tflops, chip.memory_gb, chip.layer) == (2 * 989, 160, "plan")
    assert [one.id for one in found.accelerators] == [one.id for one in shipped.accelerators]


def test_the_largest_discount_that_holds_is_taken() -> None:
    offer = _by_id(load_catalogue().offers)[P5]
    discounts = [
        Discount(provider="aws", percent=10),
        Discount(provider="aws", percent=25, accelerator_id="h100-sxm"),
        Discount(provider="aws", percent=60, purchase_model="spot"),
        Discount(provider="gcp", percent=90),
    ]
    found = discounted(offer, discounts)
    assert found.usd_per_host_hour == pytest.approx(55.04 * 0.75)
    assert found.usd_per_chip_hour == pytest.approx(6.88 * 0.75)
    assert found.layer == "book" and "25 %" in found.note
    assert discounted(offer, discounts[2:]) is offer


def test_a_discount_touches_its_provider_alone() -> None:
    shipped = load_catalogue()
    found = _by_id(layered(shipped, OwnEntries(), PriceBook(discounts=(Discount(provider="gcp", percent=20),))).offers)
    for offer in shipped.offers:
        share = found[offer.id].usd_per_chip_hour / offer.usd_per_chip_hour
        assert share == pytest.approx(0.8 if offer.provider == "gcp" else 1.0), offer.id


def test_a_negotiated_price_goes_before_a_discount_and_the_plans_before_both() -> None:
    shipped = load_catalogue()
    book = private_book(shipped)
    book = book.model_copy(update={"discounts": (Discount(provider="aws", percent=50),)})
    found = _by_id(layered(shipped, OwnEntries(), book).offers)[P5]
    assert (found.usd_per_host_hour, found.layer) == (PRIVATE_USD, "book")
    mine = _by_id(shipped.offers)[P5].model_copy(update={"usd_per_host_hour": 8.0, "usd_per_chip_hour": 1.0})
    found = _by_id(layered(shipped, OwnEntries(offers=(mine,)), book).offers)[P5]
    assert (found.usd_per_host_hour, found.layer) == (8.0, "plan")


def test_shipped_entries_stay_as_they_were() -> None:
    shipped = load_catalogue()
    before = shipped.offers
    layered(shipped, OwnEntries(accelerators=(faster(shipped),)), private_book(shipped))
    assert shipped.offers is before
    assert all(offer.layer == "catalogue" for offer in before)
