"""Columns of each table of the catalogue, made for one catalogue: some look at what else it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.facts import KIND_WORDS, value_text
from core.catalogue.places import DEDICATED
from core.catalogue.prices import parse_as_of
from core.catalogue.providers import provider_name
from core.catalogue.quality import quality_of
from core.units import grouped, plain, small_usd, usd
from gui.tables.entry_model import EntryColumn

C = EntryColumn
Columns = Callable[[Catalogue], tuple[EntryColumn, ...]]
DASH = "–"


def _number(
    key: str, title: str, field: str, width_px: int = 76, digits: int = 4, tip: str = "", gives_way: int = 0
) -> EntryColumn:
    """A column of one figure; unknown ones are a dash."""

    def value(entry: Any) -> float | None:
        found = getattr(entry, field)
        return None if found is None else float(found)

    def text(entry: Any) -> str:
        found = value(entry)
        return DASH if found is None else plain(found, digits)

    return C(key, title, width_px, text, value, tip=tip, gives_way=gives_way)


def _words(key: str, title: str, field: str, width_px: int, wide: bool = False) -> EntryColumn:
    return C(key, title, width_px, lambda entry: _known(value_text(entry, field)), wide=wide)


def _known(text: str) -> str:
    return DASH if text == "not known" else text


def _money(key: str, title: str, field: str, width_px: int = 84, tip: str = "") -> EntryColumn:
    return C(key, title, width_px, lambda e: small_usd(getattr(e, field)), lambda e: float(getattr(e, field)), tip=tip)


def _price(key: str, title: str, field: str) -> EntryColumn:
    return C(key, title, 110, lambda e: usd(getattr(e, field)), lambda e: float(getattr(e, field)))


def _as_of() -> EntryColumn:
    return C("as_of", "As of", 108, lambda entry: entry.as_of or "undated", gives_way=2)


def _source() -> EntryColumn:
    return C("source", "Source", 120, lambda entry: entry.source.replace("+", ", "), gives_way=9)


def _chip_name(catalogue: Catalogue, wide: bool = True) -> EntryColumn:
    chips = catalogue.accelerator_by_id
    return C("chip", "Chip", 150, lambda entry: chips[entry.accelerator_id].short_name, wide=wide)


def chips(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """Peaks, memory, power, and what it costs at least."""
    offers = catalogue.offers_by_accelerator
    cheapest = {
        chip: min((o.usd_per_chip_hour for o in found if o.purchase_model == "on_demand"), default=None)
        for chip, found in offers.items()
    }

    def price(chip: Any) -> float | None:
        return cheapest.get(chip.id)

    return (
        C("name", "Chip", 160, lambda chip: chip.short_name, wide=True),
        C("vendor", "Vendor", 80, lambda chip: chip.vendor, gives_way=5),
        C("kind", "Kind", 54, lambda chip: KIND_WORDS[chip.kind].split()[0]),
        _number("bf16", "BF16 TFLOP/s", "bf16_tflops", 116, tip="Dense peak"),
        _number("memory", "GB", "memory_gb", 62, tip="Memory of one chip"),
        _number("bandwidth", "GB/s", "memory_bandwidth_gbps", 76, tip="Memory bandwidth"),
        C("price", "From, an hour", 106, lambda c: DASH if price(c) is None else small_usd(price(c) or 0.0), price,
          tip="Cheapest offer on demand, a chip"),
        C("offers", "Offers", 62, lambda c: grouped(len(offers.get(c.id, ()))), lambda c: len(offers.get(c.id, ()))),
        _number("fp8", "FP8 TFLOP/s", "fp8_tflops", 108, tip="Dense peak", gives_way=3),
        _number("power", "W", "tdp_w", 64, tip="Thermal design power", gives_way=4),
        _as_of(),
        _source(),
    )  # fmt: skip


def offers(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """Prices of a chip and of a host, with where, how and how sure."""
    return (
        _chip_name(catalogue),
        C("provider", "Provider", 104, lambda offer: provider_name(offer.provider)),
        C("host", "Host", 150, lambda offer: offer.instance, gives_way=5),
        _number("chips", "Chips", "chips_per_host", 62, gives_way=4),
        C("region", "Region", 122, lambda offer: offer.region),
        _words("paid", "Way to pay", "purchase_model", 92),
        _money("chip_price", "A chip, an hour", "usd_per_chip_hour", 112, "Price of one chip for an hour"),
        _money("host_price", "The host", "usd_per_host_hour", 86, "Price of the whole host for an hour"),
        C("as_of", "As of", 104, lambda offer: offer.as_of or "undated", _day, gives_way=2),
        C("quality", "Quality", 140, lambda offer: quality_of(offer).title, gives_way=6),
        _source(),
    )


def hosts(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """What a server holds beside its chips."""
    n_offers: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        key = (offer.provider, offer.instance)
        n_offers[key] = n_offers.get(key, 0) + 1

    def count(host: Any) -> int:
        return n_offers.get((host.provider, host.instance), 0)

    return (
        C("host", "Host", 170, lambda host: host.instance, wide=True),
        C("provider", "Provider", 110, lambda host: provider_name(host.provider)),
        _chip_name(catalogue, wide=False),
        _number("chips", "Chips", "n_chips", 56),
        _number("vcpu", "vCPU", "n_vcpu", 66),
        _number("ram", "GB", "ram_gb", 70, tip="Memory of the host"),
        _number("network", "Gbit/s", "network_gbit_per_s", 78, tip="Network of the host"),
        C("offers", "Offers", 60, lambda host: grouped(count(host)), count),
        _number("nvme", "NVMe TB", "local_nvme_tb", 84, gives_way=4),
        _as_of(),
        _source(),
    )


def regions(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """Where it is, its grid, and what can be had there."""
    names = {chip.id: chip.short_name for chip in catalogue.accelerators}
    n_offers: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        key = (offer.provider, offer.region)
        n_offers[key] = n_offers.get(key, 0) + 1

    def count(region: Any) -> int:
        return n_offers.get((region.provider, region.region), 0)

    return (
        C("place", "Place", 140, lambda region: region.place or region.region),
        C("country", "Country", 72, lambda region: region.country, gives_way=5),
        C(
            "provider",
            "Provider",
            110,
            lambda r: "Your servers" if r.provider == DEDICATED else provider_name(r.provider),
        ),
        C("region", "Region", 128, lambda region: region.region),
        C("chips", "Chips that are there", 220, lambda r: ", ".join(names[c] for c in r.accelerator_ids), wide=True),
        C("offers", "Prices", 60, lambda region: grouped(count(region)), count, tip="Prices known for this region"),
        _number("carbon", "g CO₂/kWh", "carbon_g_per_kwh", 98, 3, "Carbon of the grid", gives_way=3),
        _number("pue", "PUE", "pue", 60, 3, gives_way=4),
        _as_of(),
        _source(),
    )


def servers(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """What a server costs to buy."""
    return (
        _chip_name(catalogue),
        _number("chips", "Chips", "n_chips", 60),
        _price("low", "Low", "low_usd"),
        _price("typical", "Typical", "typical_usd"),
        _price("high", "High", "high_usd"),
        _number("power", "kW", "power_kw", 70),
        C("house", "In the house", 100, lambda server: "yes" if server.in_house else "no"),
        _as_of(),
        _source(),
    )


def slices(catalogue: Catalogue) -> tuple[EntryColumn, ...]:
    """Shapes in which TPUs are let."""
    return (
        _chip_name(catalogue, wide=False),
        C("slice", "Slice", 150, lambda shape: shape.slice_name, wide=True),
        _number("chips", "Chips", "n_chips", 80),
        C("dims", "Shape", 120, lambda shape: " × ".join(map(str, shape.dims))),
        C("wraps", "Axes that wrap around", 160, lambda shape: f"{sum(shape.wraps)} of {len(shape.wraps)}"),
        _as_of(),
        _source(),
    )


def frameworks(_: Catalogue) -> tuple[EntryColumn, ...]:
    """What runs on what."""
    return (
        C("framework", "Software", 160, lambda row: row.framework, wide=True),
        C("family", "Chips", 140, lambda row: row.chip_family.replace("_", " ")),
        C("support", "Support", 90, lambda row: row.support),
        C("via", "By way of", 170, lambda row: row.via or DASH),
        C("ready", "Ready for production", 150, lambda row: row.production_ready or DASH),
        _as_of(),
        _source(),
    )


def cost_inputs(_: Catalogue) -> tuple[EntryColumn, ...]:
    """Inputs of total cost with their span."""
    return (
        C("input", "Input", 200, lambda row: row.name.replace("_", " ").capitalize(), wide=True),
        C("scope", "Holds for", 150, lambda row: row.scope),
        _number("low", "Low", "low", 84),
        _number("typical", "Typical", "typical", 84),
        _number("high", "High", "high", 84),
        C("unit", "Unit", 170, lambda row: row.unit),
        _as_of(),
        _source(),
    )


def price_history(_: Catalogue) -> tuple[EntryColumn, ...]:
    """What a host cost before."""
    return (
        C("provider", "Provider", 104, lambda point: provider_name(point.provider)),
        C("host", "Host", 160, lambda point: point.instance, wide=True),
        C("region", "Region", 120, lambda point: point.region),
        _words("paid", "Way to pay", "purchase_model", 100),
        C("from", "From", 100, lambda point: str(point.valid_from or "before")),
        C("until", "Until", 100, lambda point: str(point.valid_until or "still so")),
        _money("price", "The host, an hour", "usd_per_host_hour", 120),
        _as_of(),
        _source(),
    )


def _day(entry: Any) -> float | None:
    read = parse_as_of(entry.as_of)
    return None if read is None else float(read.toordinal())


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
}
"""Columns by table."""
