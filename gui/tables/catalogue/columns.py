"""Columns of each list of the catalogue, made for one catalogue and day: some look at what else it holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import KIND_WORDS
from core.catalogue.details.related import cheapest_on_demand, rented
from core.catalogue.entries import CLASS_WORDS
from core.catalogue.prices.quality import quality_of
from core.catalogue.providers import provider_name
from core.units import DASH, date_text, grouped, small_usd
from gui.tables.catalogue.cells import (
    age_words,
    big_price,
    chip_name,
    day_of,
    money,
    number,
    read_on,
    source,
    worded,
)
from gui.tables.catalogue.model import EntryColumn
from gui.tables.catalogue.other_columns import conflicts, cost_inputs, frameworks, regions, slices

C = EntryColumn
Columns = Callable[[Catalogue, date], tuple[EntryColumn, ...]]


def chips(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Peaks, memory, power, and what it costs at least."""
    offers = {chip.id: rented(catalogue, chip.id) for chip in catalogue.accelerators}
    cheapest = {chip: cheapest_on_demand(rented_at) for chip, rented_at in offers.items()}

    def price(chip: Any) -> float | None:
        return cheapest.get(chip.id)

    return (
        C("name", "Chip", 152, lambda chip: chip.short_name, wide=True),
        C("vendor", "Vendor", 80, lambda chip: chip.vendor, gives_way=6),
        C("kind", "Kind", 54, lambda chip: KIND_WORDS[chip.kind].split()[0], gives_way=5),
        number("bf16", "BF16 TFLOP/s", "bf16_tflops", 106, tip="Dense peak"),
        number("fp8", "FP8 TFLOP/s", "fp8_tflops", 98, tip="Dense peak", gives_way=3),
        number("memory", "GB", "memory_gb", 56, tip="Memory of one chip"),
        number("bandwidth", "GB/s", "memory_bandwidth_gbps", 66, tip="Memory bandwidth"),
        number("power", "W", "tdp_w", 60, tip="Thermal design power", gives_way=4),
        C("price", "Chip hour from", 112, lambda c: DASH if price(c) is None else small_usd(price(c) or 0.0), price,
          tip="Cheapest offer on demand, one chip for one hour"),
        C("offers", "Offers", 64, lambda c: grouped(len(offers.get(c.id, ()))), lambda c: len(offers.get(c.id, ())),
          tip="Prices known for it", gives_way=2),
        read_on(),
        source(catalogue),
    )  # fmt: skip


def offers(catalogue: Catalogue, today: date) -> tuple[EntryColumn, ...]:
    """Prices of a chip and of a host, with where, how and how sure."""

    def age(offer: Any) -> float | None:
        read = day_of(offer)
        return None if read is None else max(today.toordinal() - read, 0.0)

    return (
        chip_name(catalogue),
        C("provider", "Provider", 88, lambda offer: provider_name(offer.provider)),
        C("host", "Host", 140, lambda offer: offer.instance, gives_way=7),
        number("chips", "Chips", "chips_per_host", 54, gives_way=6),
        C("region", "Region", 106, lambda offer: offer.region, gives_way=1),
        worded("paid", "Way to pay", "purchase_model", 84, gives_way=2),
        money("chip_price", "Chip hour", "usd_per_chip_hour", 72, "Price of one chip for one hour"),
        money("host_price", "Host hour", "usd_per_host_hour", 74, "Price of the whole host for one hour"),
        read_on(gives_way=5),
        C("age", "Age", 70, lambda offer: age_words(age(offer)), age, gives_way=4, tip="Days since it was read"),
        C("quality", "Quality", 140, lambda offer: quality_of(offer).title, gives_way=8),
        source(catalogue),
    )


def hosts(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """What a server holds beside its chips."""
    n_offers: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        key = (offer.provider, offer.instance)
        n_offers[key] = n_offers.get(key, 0) + 1

    def count(host: Any) -> int:
        return n_offers.get((host.provider, host.instance), 0)

    return (
        C("host", "Host", 170, lambda host: host.instance, wide=True),
        C("provider", "Provider", 92, lambda host: provider_name(host.provider), gives_way=1),
        chip_name(catalogue, wide=False, width_px=120),
        number("chips", "Chips", "n_chips", 54),
        number("vcpu", "vCPU", "n_vcpu", 58, gives_way=3),
        number("ram", "GB", "ram_gb", 60, tip="Memory of the host"),
        number("network", "Gbit/s", "network_gbit_per_s", 66, tip="Network of the host"),
        C("offers", "Offers", 60, lambda host: grouped(count(host)), count, gives_way=2),
        number("nvme", "NVMe TB", "local_nvme_tb", 84, gives_way=4),
        read_on(),
        source(catalogue),
    )


def servers(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """What a server costs to buy."""
    return (
        chip_name(catalogue),
        number("chips", "Chips", "n_chips", 60),
        C("host", "Server", 180, lambda server: server.instance, gives_way=5),
        big_price("low", "Low", "low_usd"),
        big_price("typical", "Typical", "typical_usd"),
        big_price("high", "High", "high_usd"),
        number("power", "kW", "power_kw", 70),
        C("house", "In house", 80, lambda server: "yes" if server.in_house else "no", gives_way=4),
        read_on(),
        source(catalogue),
    )


def parts(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Prices of parts of a machine, which nobody can rent alone."""
    return (
        chip_name(catalogue),
        C("provider", "Provider", 100, lambda part: provider_name(part.provider)),
        C("part", "Part", 150, lambda part: part.part),
        number("chips", "Chips", "n_chips", 56, gives_way=3),
        C("region", "Region", 120, lambda part: part.region, gives_way=1),
        worded("paid", "Way to pay", "purchase_model", 92, gives_way=2),
        money("price", "Part hour", "usd_per_hour", 90, "Price of the part for one hour"),
        read_on(),
        source(catalogue),
    )


def price_history(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """What a host cost before, and medians of a chip by month and class of sellers."""
    return (
        chip_name(catalogue),
        C("host", "Host", 140, _host_or_class),
        C("provider", "Provider", 88, lambda point: provider_name(point.provider)),
        C("region", "Region", 106, lambda point: point.region, gives_way=1),
        worded("paid", "Way to pay", "purchase_model", 84, gives_way=3),
        C("from", "From", 98, lambda point: date_text(point.valid_from) if point.valid_from else "before", _since),
        C(
            "until",
            "Until",
            98,
            lambda point: date_text(point.valid_until) if point.valid_until else "still so",
            _until,
        ),
        money("price", "Host hour", "usd_per_host_hour", 80),
        read_on(),
        source(catalogue),
    )


def _host_or_class(point: Any) -> str:
    return f"median, {CLASS_WORDS[point.seller_class]}" if point.seller_class else str(point.instance)


def _since(point: Any) -> float:
    return float(point.valid_from.toordinal()) if point.valid_from else 0.0


def _until(point: Any) -> float:
    return float((point.valid_until or date.max).toordinal())


COLUMNS: dict[str, Columns] = {
    "accelerators": chips,
    "offers": offers,
    "hosts": hosts,
    "regions": regions,
    "servers": servers,
    "slices": slices,
    "frameworks": frameworks,
    "cost_inputs": cost_inputs,
    "price_history": price_history,
    "conflicts": conflicts,
    "parts": parts,
}
"""Columns by table."""
