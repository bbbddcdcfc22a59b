"""Columns of the lists without prices: places, slices, software, cost inputs, conflicts."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.names import (
    LIST_WORDS,
    SUPPORT_WORDS,
    conflict_title,
    family_words,
    field_title,
    input_name,
    scope_words,
    seller_name,
    software_name,
)
from core.units import DASH, grouped
from gui.tables.catalogue.cells import (
    chip_name,
    number,
    read_on,
    source,
)
from gui.tables.catalogue.model import EntryColumn

C = EntryColumn


def regions(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Where it is, its grid, and what can be had there."""
    names = {chip.id: chip.short_name for chip in catalogue.accelerators}
    n_offers: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        key = (offer.provider, offer.region)
        n_offers[key] = n_offers.get(key, 0) + 1

    def count(region: Any) -> int:
        return n_offers.get((region.provider, region.region), 0)

    return (
        C("place", "Place", 126, lambda region: region.place or region.region),
        C("country", "Country", 72, lambda region: region.country, gives_way=5),
        C("provider", "Provider", 96, lambda region: seller_name(region.provider)),
        C("region", "Region", 128, lambda region: region.region, gives_way=2),
        C("chips", "Chips that are there", 200, lambda r: ", ".join(names[c] for c in r.accelerator_ids), wide=True),
        C("offers", "Prices", 60, lambda region: grouped(count(region)), count, tip="Prices known for this region"),
        number("carbon", "g CO₂/kWh", "carbon_g_per_kwh", 98, 3, "Carbon of the grid", gives_way=3),
        number("pue", "PUE", "pue", 60, 3, gives_way=4),
        read_on(),
        source(catalogue),
    )


def slices(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Shapes in which TPUs are let."""
    return (
        chip_name(catalogue, wide=False),
        C("slice", "Slice", 150, lambda shape: shape.slice_name, wide=True),
        number("chips", "Chips", "n_chips", 80),
        C("dims", "Shape", 120, lambda shape: " × ".join(map(str, shape.dims))),
        C("wraps", "Axes that wrap", 110, lambda shape: f"{sum(shape.wraps)} of {len(shape.wraps)}"),
        read_on(),
        source(catalogue),
    )


def frameworks(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """What runs on what."""
    return (
        C("framework", "Software", 128, lambda row: software_name(row.framework), wide=True),
        C("family", "Chips", 136, lambda row: family_words(row.chip_family, catalogue)),
        C("support", "Support", 110, lambda row: SUPPORT_WORDS[row.support]),
        C("via", "By way of", 150, lambda row: row.via or DASH, gives_way=2),
        C("ready", "In production", 106, lambda row: row.production_ready or DASH, gives_way=3),
        read_on(),
        source(catalogue),
    )


def cost_inputs(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Inputs of total cost with their span."""
    return (
        C("input", "Input", 200, lambda row: input_name(row.name), wide=True),
        C("scope", "Holds for", 112, lambda row: scope_words(row.scope, catalogue)),
        number("low", "Low", "low", 66, gives_way=2),
        number("typical", "Typical", "typical", 70),
        number("high", "High", "high", 66, gives_way=2),
        C("unit", "Unit", 116, lambda row: row.unit, gives_way=1),
        read_on(),
        source(catalogue),
    )


def conflicts(catalogue: Catalogue, _: date) -> tuple[EntryColumn, ...]:
    """Figures about which sources disagree."""
    return (
        C("row", "Entry", 200, lambda one: conflict_title(one, catalogue), wide=True),
        C("table", "List", 90, lambda one: LIST_WORDS.get(one.table, one.table), gives_way=4),
        C("field", "Figure", 150, field_title),
        C("used", "In use", 120, lambda one: one.used),
        C("other", "Another source", 150, lambda one: one.other),
        read_on(),
        source(catalogue, 3),
    )
