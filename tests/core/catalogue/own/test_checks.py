"""Faults of own entries and price books name the entry; the rest of the layers still stands."""

from typing import Any

import pytest

from core.catalogue.entries import Accelerator
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import book_problems, checked_layers, doubts, sound_layers
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook
from core.errors import InputError
from tests.core.own_samples import faster, own_host, own_offer, own_region, own_server, private_book

HOST = own_host()
P5 = "aws_p5.48xlarge_us-east-1_on_demand"


def _entries(**tables: Any) -> OwnEntries:
    return OwnEntries(**{name: rows if isinstance(rows, tuple) else (rows,) for name, rows in tables.items()})


def _chip(**changes: Any) -> Any:
    return faster(load_catalogue()).model_copy(update=changes)


NO_PEAK = {name: None for name in Accelerator.model_fields if name.endswith(("_tflops", "_tops"))}
OFFER = "own offer 8x-h100-hk at Dedicated in user-hk, on demand"
FAULTS: list[tuple[OwnEntries, str, str]] = [
    (_entries(offers=own_offer(HOST)), f"{OFFER}, instance", "a host of the catalogue"),
    (_entries(hosts=HOST, offers=own_offer(HOST, chips_per_host=4)), f"{OFFER}, chips_per_host", "8, as the host has"),
    (
        _entries(hosts=HOST, offers=own_offer(HOST, accelerator_id="h200-sxm")),
        f"{OFFER}, accelerator_id",
        "'h100-sxm', as the host has",
    ),
    (_entries(hosts=HOST, offers=own_offer(HOST, usd_per_chip_hour=16.0)), f"{OFFER}, usd_per_host_hour", "128"),
    (_entries(hosts=HOST, offers=own_offer(HOST, usd_per_host_hour=16000.0)), f"{OFFER}, usd_per_chip_hour", "at most"),
    (_entries(hosts=HOST, offers=own_offer(HOST, usd_per_host_hour=-1.0)), f"{OFFER}, usd_per_chip_hour", "above 0"),
    (_entries(hosts=HOST, offers=own_offer(HOST, source=" ")), f"{OFFER}, source", "where the figures come from"),
    (_entries(hosts=HOST, offers=(own_offer(HOST),) * 2), f"{OFFER}, of the whole entry", "each only once"),
    (_entries(hosts=own_host(chip="h900")), "own host 8x-h100-hk at Dedicated, accelerator_id", "a chip"),
    (_entries(hosts=own_host(n_chips=0)), "own host 8x-h100-hk at Dedicated, n_chips", "at least 1"),
    (_entries(hosts=own_host("own")), "own host 8x-h100-hk at Own servers, provider", "entered as a server"),
    (_entries(hosts=own_host("aws", "p5.48xlarge", n_chips=4)), "own host p5.48xlarge at AWS, n_chips", "8, as its"),
    (_entries(accelerators=_chip(memory_gb=0.0)), "own chip h100-sxm, memory_gb", "a number above 0"),
    (_entries(accelerators=_chip(bf16_tflops=-5.0)), "own chip h100-sxm, bf16_tflops", "a number above 0"),
    (_entries(accelerators=_chip(pcie_gbps=0.0)), "own chip h100-sxm, pcie_gbps", "a number above 0"),
    (_entries(accelerators=_chip(tdp_w=0.0)), "own chip h100-sxm, tdp_w", "a number above 0"),
    (_entries(accelerators=_chip(**NO_PEAK)), "own chip h100-sxm, bf16_tflops", "at least one format"),
    (
        _entries(hosts=own_host().model_copy(update={"ram_gb": -1.0})),
        "own host 8x-h100-hk at Dedicated, ram_gb",
        "0 or more",
    ),
    (
        _entries(servers=own_server().model_copy(update={"power_kw": -1.0})),
        "own server my-4x-l40s, power_kw",
        "0 or more",
    ),
    (_entries(accelerators=_chip(fp8_tflops=10.0)), "own chip h100-sxm, fp8_tflops", "at least bf16_tflops"),
    (_entries(accelerators=_chip(measured_bf16_tflops=1e6)), "own chip h100-sxm, measured_bf16_tflops", "the peak"),
    (
        _entries(servers=own_server().model_copy(update={"typical_usd": 1.0})),
        "own server my-4x-l40s, typical_usd",
        "between low",
    ),
    (
        _entries(servers=own_server().model_copy(update={"accelerator_id": "h900"})),
        "own server my-4x-l40s, accelerator_id",
        "a chip",
    ),
    (
        _entries(regions=own_region().model_copy(update={"latitude_deg": 147.0})),
        "own region basement of Dedicated, latitude_deg",
        "between -90 and 90",
    ),
    (
        _entries(regions=own_region().model_copy(update={"pue": 0.5})),
        "own region basement of Dedicated, pue",
        "between 1 and 3",
    ),
    (
        _entries(regions=own_region().model_copy(update={"accelerator_ids": ("h900",)})),
        "own region basement of Dedicated, accelerator_ids",
        "ids of chips",
    ),
]


@pytest.mark.parametrize(("entries", "where", "expected"), FAULTS, ids=[where for _, where, _ in FAULTS])
def test_fault_names_the_entry(entries: OwnEntries, where: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_layers(load_catalogue(), entries)
    assert caught.value.where == where
    assert expected in caught.value.expected


@pytest.mark.parametrize(("entries", "where"), [(entries, where) for entries, where, _ in FAULTS])
def test_the_rest_still_stands(entries: OwnEntries, where: str) -> None:
    good = own_host("other", "8x-good")
    mixed = entries.model_copy(
        update={"hosts": (*entries.hosts, good), "offers": (*entries.offers, own_offer(good, "user-tyo"))}
    )
    found, told = sound_layers(load_catalogue(), mixed)
    assert [error.where for error in told][:1] == [where]
    assert any(offer.instance == "8x-good" for offer in found.offers)
    with pytest.raises(InputError):
        checked_layers(load_catalogue(), mixed)


def test_what_stands_on_a_faulty_entry_falls_with_it() -> None:
    host = own_host(chip="h900")
    found, told = sound_layers(load_catalogue(), _entries(hosts=host, offers=own_offer(host)))
    assert [error.where.split(",")[0] for error in told] == ["own host 8x-h100-hk at Dedicated", OFFER.split(",")[0]]
    assert found.offers == load_catalogue().offers


def test_good_entries_of_every_kind_pass() -> None:
    shipped = load_catalogue()
    own = _entries(accelerators=_chip(), hosts=HOST, offers=own_offer(HOST), servers=own_server(), regions=own_region())
    found, told = sound_layers(shipped, own, private_book(shipped))
    assert told == ()
    assert checked_layers(shipped, own, private_book(shipped)) == found


def test_faults_of_the_book_say_so() -> None:
    book = PriceBook(entries=_entries(offers=own_offer(HOST)))
    with pytest.raises(InputError, match="^price book offer 8x-h100-hk at Dedicated"):
        checked_layers(load_catalogue(), OwnEntries(), book)


@pytest.mark.parametrize(
    ("discount", "where"),
    [
        (Discount(provider="awz", percent=10), "price book discount 1, provider"),
        (Discount(provider="aws", percent=10, accelerator_id="h900"), "price book discount 1, accelerator_id"),
    ],
)
def test_a_discount_that_can_never_hold_is_named(discount: Discount, where: str) -> None:
    book = PriceBook(discounts=(discount,))
    assert [error.where for error in book_problems(load_catalogue(), book)] == [where]
    with pytest.raises(InputError, match=where):
        checked_layers(load_catalogue(), OwnEntries(), book)


def test_a_price_of_the_past_or_of_another_unit_is_doubted() -> None:
    shipped = load_catalogue()
    offer = next(offer for offer in shipped.offers if offer.id == P5)
    old = offer.model_copy(update={"usd_per_host_hour": 98.32, "usd_per_chip_hour": 12.29, "source": "mail"})
    host_for_chip = offer.model_copy(update={"usd_per_host_hour": 440.32, "usd_per_chip_hour": 55.04, "source": "mail"})
    assert "until 2025-06-04" in doubts(_entries(offers=old), shipped)[-1][1]
    assert "of a whole host" in doubts(_entries(offers=host_for_chip), shipped)[0][1]
    assert doubts(_entries(offers=offer), shipped) == ()
