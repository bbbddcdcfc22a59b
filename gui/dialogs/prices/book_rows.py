"""What the price book's dialog lists, as plain rows."""

from __future__ import annotations

from collections.abc import Callable

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Host, Offer, Server
from core.catalogue.own.layers import KEYS, Discount, PriceBook
from core.catalogue.places.distance import region_of
from core.catalogue.places.sale_places import ANY, place_name
from core.catalogue.providers import provider_name
from core.units import TIMES, plain, usd
from core.workload.places import PURCHASE_WORDS
from gui.tables.text_table import TextColumn, TextRow

Page = str
PAGES: dict[Page, str] = {
    "discounts": "Discounts",
    "offers": "Prices",
    "servers": "Own servers",
    "hosts": "Hosts",
    "accelerators": "Chips",
}
ORIGIN = (TextColumn("Source", 170), TextColumn("Date", 90))
COLUMNS: dict[Page, tuple[TextColumn, ...]] = {
    "discounts": (
        TextColumn("Provider", 130), TextColumn("Way to pay", 110), TextColumn("Chip", 150),
        TextColumn("Off list", 72, True), *ORIGIN,
    ),
    "offers": (
        TextColumn("Provider", 116), TextColumn("Place", 96), TextColumn("Host", 150), TextColumn("Way to pay", 86),
        TextColumn("Per chip hour", 100, True), TextColumn("Source", 160), TextColumn("Date", 90),
    ),
    "servers": (
        TextColumn("Name", 150), TextColumn("Chips", 150), TextColumn("State", 110), TextColumn("Price", 90, True),
        TextColumn("Power", 70, True), *ORIGIN,
    ),
    "hosts": (TextColumn("Provider", 130), TextColumn("Host", 200), TextColumn("Chips", 170), *ORIGIN),
    "accelerators": (
        TextColumn("Chip", 210), TextColumn("Memory", 90, True), TextColumn("BF16", 110, True), *ORIGIN
    ),
}  # fmt: skip
EMPTY = {
    "discounts": "No discounts yet. One takes a share off the list prices of a provider.",
    "offers": "No prices yet. Add what you negotiated, or import a list of prices.",
    "servers": "No servers yet. Add what stands in house or what you would buy.",
    "hosts": "No hosts yet. A new one comes by itself with the price of a new host.",
    "accelerators": "No chips yet. Add one that the catalogue lacks, or correct one of its chips there.",
}


def rows_of(book: PriceBook, page: Page, catalogue: Catalogue) -> list[TextRow]:
    """The rows of one page; a discount's key is its place in the list, an entry's that of the catalogue."""
    if page == "discounts":
        return [_discount(number, one, catalogue) for number, one in enumerate(book.discounts)]
    make: dict[str, Callable[..., tuple[str, ...]]] = {
        "offers": _offer, "servers": _server, "hosts": _host, "accelerators": _chip,
    }  # fmt: skip
    entries = getattr(book.entries, page)
    return [TextRow(str(key_text(page, one)), (*make[page](one, catalogue), one.source, one.as_of)) for one in entries]


def key_text(page: Page, entry: object) -> str:
    """The key of an entry as one text."""
    key = KEYS[page](entry)
    return " ".join(key) if isinstance(key, tuple) else str(key)


def chip_name(catalogue: Catalogue, chip_id: str) -> str:
    """The chip's short name; its id where the catalogue has none."""
    chip = catalogue.accelerator_by_id.get(chip_id)
    return chip.short_name if chip else chip_id


def _discount(number: int, one: Discount, catalogue: Catalogue) -> TextRow:
    way = PURCHASE_WORDS[one.purchase_model].capitalize() if one.purchase_model else "All"
    chip = chip_name(catalogue, one.accelerator_id) if one.accelerator_id else "All"
    cells = (provider_name(one.provider), way, chip, f"{plain(one.percent)} %", one.source, one.as_of)
    return TextRow(str(number), cells)


def _offer(offer: Offer, catalogue: Catalogue) -> tuple[str, ...]:
    region = region_of(catalogue, offer.provider, offer.region)
    place = "Not said" if offer.region == ANY else place_name(region) if region else offer.region
    way = PURCHASE_WORDS[offer.purchase_model].capitalize()
    return provider_name(offer.provider), place, offer.instance, way, usd(offer.usd_per_chip_hour)


def _server(server: Server, catalogue: Catalogue) -> tuple[str, ...]:
    chips = f"{server.n_chips} {TIMES} {chip_name(catalogue, server.accelerator_id)}"
    power = f"{plain(server.power_kw)} kW" if server.power_kw else ""
    return server.instance, chips, "In house" if server.in_house else "To be bought", usd(server.typical_usd), power


def _host(host: Host, catalogue: Catalogue) -> tuple[str, ...]:
    chips = f"{host.n_chips} {TIMES} {chip_name(catalogue, host.accelerator_id)}"
    return provider_name(host.provider), host.instance, chips


def _chip(chip: Accelerator, _: Catalogue) -> tuple[str, ...]:
    rate = f"{plain(chip.bf16_tflops)} TFLOP/s" if chip.bf16_tflops else ""
    return chip.name, f"{plain(chip.memory_gb)} GB", rate
