"""Entries as users enter them: a server in Hong Kong, a faster chip, a negotiated price."""

from __future__ import annotations

from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Host, Offer, Region, Server
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook

PRIVATE_USD = 17.29371
"""A price that stands nowhere but in the book, so that it can be searched for."""

PRIVATE_WORDS = ("17.2937", "2.1617", "negotiated-with-x", "31.4159", "Secret book")


def own_host(
    provider: str = "dedicated", instance: str = "8x-h100-hk", chip: str = "h100-sxm", n_chips: int = 8
) -> Host:
    """A host of one's own, with nothing known but its chips."""
    return Host(
        provider=provider, instance=instance, accelerator_id=chip, n_chips=n_chips, n_vcpu=None, ram_gb=None,
        local_nvme_tb=None, network_gbit_per_s=None, scaleup="NVSwitch in host", source="offer of a seller",
        as_of="2026-11-20", estimate=False,
    )  # fmt: skip


def own_offer(host: Host, region: str = "user-hk", usd_per_host_hour: float = 16.0, **changes: Any) -> Offer:
    """A price of such a host."""
    made = Offer(
        id=f"{host.provider}_{host.instance}_{region}_on_demand", provider=host.provider, instance=host.instance,
        accelerator_id=host.accelerator_id, chips_per_host=host.n_chips, region=region, purchase_model="on_demand",
        usd_per_chip_hour=usd_per_host_hour / host.n_chips, usd_per_host_hour=usd_per_host_hour, quality="entered",
        source="offer of a seller", as_of="2026-11-20", estimate=False,
    )  # fmt: skip
    return made.model_copy(update=changes)


def own_server(instance: str = "my-4x-l40s") -> Server:
    """A server in house."""
    return Server(
        instance=instance, accelerator_id="l40s", n_chips=4, low_usd=30000, typical_usd=35000, high_usd=40000,
        power_kw=2.0, in_house=True, source="invoice", as_of="2026-03-01", estimate=False,
    )  # fmt: skip


def own_region(region: str = "basement") -> Region:
    """A place of one's own."""
    return Region(
        provider="dedicated", region=region, place="Basement", country="CH", latitude_deg=47.4, longitude_deg=8.5,
        carbon_g_per_kwh=30.0, pue=1.3, accelerator_ids=("l40s",), source="measured",
        as_of="2026-10-01", estimate=False,
    )  # fmt: skip


def faster(catalogue: Catalogue, chip: str = "h100-sxm", times: float = 2.0) -> Accelerator:
    """A shipped chip corrected: every peak, memory and bandwidth times as large."""
    found = catalogue.accelerator_by_id[chip]
    names = [name for name in Accelerator.model_fields if name.endswith(("_tflops", "_tops"))]
    names += ["memory_gb", "memory_bandwidth_gbps"]
    scaled = {name: value * times for name in names if (value := getattr(found, name)) is not None}
    return found.model_copy(update={**scaled, "source": "own test", "as_of": "2026-11-01"})


def private_book(catalogue: Catalogue) -> PriceBook:
    """A book with a discount and a negotiated price of a shipped offer."""
    [shipped] = [offer for offer in catalogue.offers if offer.id == "aws_p5.48xlarge_us-east-1_on_demand"]
    negotiated = shipped.model_copy(
        update={
            "usd_per_host_hour": PRIVATE_USD,
            "usd_per_chip_hour": PRIVATE_USD / 8,
            "source": "negotiated-with-x",
            "as_of": "2026-11-01",
        }
    )
    discount = Discount(provider="gcp", percent=31.4159, source="negotiated-with-x")
    return PriceBook(name="Secret book", discounts=(discount,), entries=OwnEntries(offers=(negotiated,)))
