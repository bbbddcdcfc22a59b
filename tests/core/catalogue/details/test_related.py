"""What belongs to an entry: sellers and prices, software, places, servers to buy."""

from dataclasses import replace

from core.catalogue.details.related import (
    by_seller,
    formats_on,
    offers_at,
    offers_of_host,
    places_of,
    rented,
    servers_of,
    software_on,
)
from core.catalogue.entries import OWN
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import with_owned
from core.catalogue.places.distance import DEDICATED
from core.workload.jobs.base import PRECISION_WORDS

CATALOGUE = load_catalogue()
H100 = CATALOGUE.accelerator_by_id["h100-sxm"]


def test_rented_offers_are_cheapest_first_and_hold_no_owned_server() -> None:
    with_servers = with_owned(CATALOGUE)
    assert any(o.provider == OWN for o in with_servers.offers_by_accelerator["h100-sxm"])
    found = rented(with_servers, "h100-sxm")
    assert OWN not in {offer.provider for offer in found}
    prices = [offer.usd_per_chip_hour for offer in found]
    assert prices == sorted(prices) and len(prices) > 50
    assert rented(CATALOGUE, "no such chip") == ()


def test_each_seller_stands_once_for_each_way_to_pay_at_its_lowest_price() -> None:
    best = by_seller(rented(CATALOGUE, "h100-sxm"))
    keys = [(offer.provider, offer.purchase_model) for offer in best]
    assert len(keys) == len(set(keys))
    for offer in best:
        same = [o for o in rented(CATALOGUE, "h100-sxm")
                if (o.provider, o.purchase_model) == (offer.provider, offer.purchase_model)]  # fmt: skip
        assert offer.usd_per_chip_hour == min(o.usd_per_chip_hour for o in same)


def test_offers_of_a_region_and_of_a_host() -> None:
    region = CATALOGUE.region_by_name["gcp", "us-central1"]
    here = offers_at(CATALOGUE, region)
    assert here and {(offer.provider, offer.region) for offer in here} == {("gcp", "us-central1")}
    prices = [offer.usd_per_host_hour for offer in offers_of_host(CATALOGUE, "aws", "p5.48xlarge")]
    assert len(prices) > 3 and prices == sorted(prices)


def test_software_of_a_chip_prefers_the_row_of_the_chip_to_that_of_its_family() -> None:
    family = next(row for row in CATALOGUE.frameworks if (row.framework, row.chip_family) == ("vllm", "nvidia_gpu"))
    own = family.model_copy(update={"chip_family": "h100-sxm", "support": "none"})
    rows = software_on(replace(CATALOGUE, frameworks=(*CATALOGUE.frameworks, own)), H100)
    assert [row.support for row in rows if row.framework == "vllm"] == ["none"]
    assert len({row.framework for row in rows}) == len(rows) > 10


def test_formats_by_how_they_run_with_estimates_told() -> None:
    trained = formats_on(CATALOGUE.accelerator_by_id["v100-sxm2-32"], "training", "vendor")
    assert list(trained)[0] == "native" and list(trained)[-1] == "none"
    assert trained["native"] == (("FP32", True), ("FP16", True))
    assert trained["emulated"] == (("BF16", False),)
    served = formats_on(H100, "serving", "vllm")
    assert ("FP8", True) in served["native"] and ("NVFP4", False) in served["weight-only"]
    assert sum(len(names) for names in served.values()) == len(PRECISION_WORDS)


def test_places_hold_regions_of_the_lists_and_of_prices_but_no_place_of_ones_own() -> None:
    found = places_of(CATALOGUE, "h100-sxm")
    assert DEDICATED not in found and OWN not in found
    assert "us-central1" in found["gcp"] and "any" not in {r for regions in found.values() for r in regions}
    assert list(found) == sorted(found)
    priced = {o.provider for o in CATALOGUE.offers if o.accelerator_id == "h100-sxm"} - {OWN}
    assert priced <= set(found)


def test_servers_with_a_chip() -> None:
    assert {server.accelerator_id for server in servers_of(CATALOGUE, "h100-sxm")} == {"h100-sxm"}
    assert servers_of(CATALOGUE, "tpu-v5p") == ()
