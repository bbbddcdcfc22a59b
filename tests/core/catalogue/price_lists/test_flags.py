"""Prices that hold together but may be of another unit, another way to pay or the past are flagged."""

from collections.abc import Callable

import pytest

from core.catalogue.price_lists.doubtful_prices import SPOT_AS_ON_DEMAND
from core.catalogue.price_lists.price_list import PriceList

Read = Callable[..., PriceList]

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,Region,AvailabilityZone,Price,SpotPrice\n"


def _flags(price_list: PriceList) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for flag in price_list.flags:
        found.setdefault(flag.offer_id, []).append(flag.reason)
    return found


def _quality(price_list: PriceList) -> dict[str, str]:
    return {offer.purchase_model: offer.quality for offer in price_list.offers}


def test_good_prices_have_no_flag(read: Read) -> None:
    price_list = read(HEADER + "p5.48xlarge,H100,8.0,us-east-1,use1-az2,55.04,18.734000\n", "aws")
    assert price_list.flags == ()
    assert _quality(price_list) == {"on_demand": "ok", "spot": "spot moves"}


def test_count_beyond_the_machine_is_capped_and_spot_as_on_demand_told(read: Read) -> None:
    price_list = read(HEADER + "Standard_ND96isr_H100_v5,H100,12,eastus,,98.32,98.32\n", "azure")
    assert [offer.usd_per_chip_hour for offer in price_list.offers] == [pytest.approx(98.32 / 8)] * 2
    flags = _flags(price_list)
    for reasons in flags.values():
        assert "the list counts 12 accelerators; the machine has 8" in reasons
    assert SPOT_AS_ON_DEMAND in flags["azure_standard_nd96isr_h100_v5_eastus_spot"]
    assert _quality(price_list)["spot"] == "suspect"


def test_spot_above_on_demand(read: Read) -> None:
    price_list = read(HEADER + "p5.48xlarge,H100,8,us-east-1,,55.04,70\n", "aws")
    [reasons] = _flags(price_list).values()
    assert any("is above on demand" in reason for reason in reasons)
    assert _quality(price_list) == {"on_demand": "ok", "spot": "suspect"}


def test_on_demand_below_three_quarters_of_another_source(read: Read) -> None:
    row = "p5.48xlarge,H100,8,us-east-1,,{},\n"
    assert read(HEADER + row.format(0.76 * 55.04), "aws").flags == ()
    price_list = read(HEADER + row.format(0.74 * 55.04), "aws")
    assert _flags(price_list) == {
        "aws_p5.48xlarge_us-east-1_on_demand": [
            "74% of the price known for the same host and place; another way to pay?"
        ]
    }
    assert _quality(price_list) == {"on_demand": "suspect"}


def test_new_place_is_held_against_the_cheapest_other_place(read: Read) -> None:
    price_list = read(HEADER + "p5.48xlarge,H100,8,moon-1,,20,\n", "aws")
    [[reason]] = _flags(price_list).values()
    assert "of the cheapest known of this provider elsewhere" in reason


def test_price_of_the_past(read: Read) -> None:
    price_list = read(HEADER + "p5.48xlarge,H100,8,us-east-1,,98.32,\n", "aws")
    assert any("98.32 USD per host and hour was the price until 2025-06-04" in flag.reason for flag in price_list.flags)


def test_other_accelerator_than_the_machine_has(read: Read) -> None:
    price_list = read(
        HEADER + "p5.48xlarge,A100-80GB-SXM,8,us-east-1,,55.04,\np5.48xlarge,X900,8,us-east-2,,55.04,\n", "aws"
    )
    assert {offer.accelerator_id for offer in price_list.offers} == {"h100-sxm"}
    assert [reasons[0] for reasons in _flags(price_list).values()] == [
        "the list names another accelerator, A100-80GB-SXM",
        "the list calls its accelerator X900",
    ]


def test_zone_with_two_prices(read: Read) -> None:
    price_list = read(HEADER + "p5.48xlarge,H100,8,us-east-1,a,55,\np5.48xlarge,H100,8,us-east-1,a,56,\n", "aws")
    assert list(_flags(price_list).values()) == [["the list has several prices for the same zone"]]


def test_marketplaces_and_brokers_are_called_so(read: Read) -> None:
    rows = HEADER + "1x-RTX4090,RTX4090,1,US,,0.4,0.2\n"
    assert set(_quality(read(rows, "vast")).values()) == {"marketplace"}
    assert set(_quality(read(rows, "shadeform")).values()) == {"reseller"}
