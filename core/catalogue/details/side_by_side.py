"""Chips side by side: the figures that a choice turns on, with the best of each line and what rests on an estimate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import KIND_WORDS
from core.catalogue.details.related import places_of
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.prices.newest import newer_price
from core.units import DASH, grouped, plain, small_usd
from core.workload.profile import PURCHASE_WORDS

_PAID = ("on_demand", "spot", "commit_1y", "commit_3y", "dedicated_monthly")
_PEAKS = (
    ("FP32", "fp32_tflops"),
    ("TF32", "tf32_tflops"),
    ("BF16", "bf16_tflops"),
    ("FP16", "fp16_tflops"),
    ("FP8", "fp8_tflops"),
    ("INT8", "int8_tops"),
    ("FP4", "fp4_tflops"),
)


@dataclass(frozen=True, slots=True)
class SideCell:
    """One figure of one chip."""

    text: str
    is_best: bool = False
    estimate: bool = False
    offer: Offer | None = None
    """Where a price comes from; other figures are of the chip's own sheet, or worked out from them."""


@dataclass(frozen=True, slots=True)
class SideRow:
    """One line of the comparison, a cell a chip; ``section`` starts a group of lines when it is not empty."""

    title: str
    unit: str
    cells: tuple[SideCell, ...]
    section: str = ""


Figure = tuple[float | None, bool]
"""A value, None where it is not known, and whether it is an estimate."""


def side_by_side(chips: Sequence[Accelerator], catalogue: Catalogue) -> tuple[SideRow, ...]:
    """Lines of the comparison, in a fixed order; lines that no chip has a figure for are left out."""
    rows = [
        _words("Vendor", chips, lambda chip: chip.vendor, "Chip"),
        _words("Kind", chips, lambda chip: KIND_WORDS[chip.kind]),
        _words("Released", chips, lambda chip: "announced" if chip.announced else chip.release_date or DASH),
        *_peaks(chips),
        *_memory(chips),
        *_prices(chips, catalogue),
        *_supply(chips, catalogue),
    ]
    return tuple(row for row in rows if any(cell.text != DASH for cell in row.cells))


def best_offer(catalogue: Catalogue, chip: Accelerator, purchase_model: str) -> Offer | None:
    """The cheapest offer of a chip under one way to pay."""
    offers = catalogue.offers_by_accelerator.get(chip.id, ())
    counting = [o for o in offers if o.purchase_model == purchase_model and newer_price(o, catalogue) is None]
    return min(counting, key=lambda offer: offer.usd_per_chip_hour, default=None)


def _peaks(chips: Sequence[Accelerator]) -> list[SideRow]:
    rows = [
        _row(f"{name}, dense", "TOP/s" if name == "INT8" else "TFLOP/s", chips, _field(field), more_is_better=True)
        for name, field in _PEAKS
    ]
    rows.append(_row("BF16 measured, of the peak", "%", chips, _measured_pct, more_is_better=True))
    return [_in_section(rows[0], "Dense peaks"), *rows[1:]]


def _memory(chips: Sequence[Accelerator]) -> list[SideRow]:
    return [
        _row("Memory", "GB", chips, _field("memory_gb"), True, "Memory, links, power"),
        _row("Memory bandwidth", "GB/s", chips, _field("memory_bandwidth_gbps"), True),
        _row("FLOP for each byte, BF16", "FLOP/B", chips, _intensity, None),
        _row("Links between chips, one way", "GB/s", chips, _field("scaleup_gbps_one_way"), True),
        _row("Chips joined by them", "", chips, _field("scaleup_domain_chips"), True),
        _row("Thermal design power", "W", chips, _field("tdp_w"), False),
        _row(
            "BF16 for each watt", "TFLOP/s", chips, lambda chip: _over(_field("bf16_tflops")(chip), _power(chip)), True
        ),
    ]


def _prices(chips: Sequence[Accelerator], catalogue: Catalogue) -> list[SideRow]:
    rows = [
        _price_row(chips, catalogue, paid) for paid in _PAID if any(best_offer(catalogue, chip, paid) for chip in chips)
    ]
    demand = _cheapest(catalogue, "on_demand")
    rows += [
        _row("On demand, a BF16 PFLOP/s", "an hour", chips,
             lambda chip: _over(demand(chip), _scaled(_field("bf16_tflops")(chip), 1e-3)), False, write=small_usd),
        _row("On demand, a GB", "an hour", chips, lambda chip: _over(demand(chip), _field("memory_gb")(chip)), False,
             write=small_usd),
    ]  # fmt: skip
    return [_in_section(rows[0], "Prices"), *rows[1:]]


def _price_row(chips: Sequence[Accelerator], catalogue: Catalogue, paid: str) -> SideRow:
    """The lowest price under one way to pay, with who sells it and when that was read."""
    row = _row(f"Cheapest {PURCHASE_WORDS[paid]}", "a chip hour", chips, _cheapest(catalogue, paid), False,
               write=small_usd)  # fmt: skip
    offers = [best_offer(catalogue, chip, paid) for chip in chips]
    cells = tuple(replace(cell, offer=offer) for cell, offer in zip(row.cells, offers, strict=True))
    return replace(row, cells=cells)


def _supply(chips: Sequence[Accelerator], catalogue: Catalogue) -> list[SideRow]:
    def sellers(chip: Accelerator) -> Figure:
        return float(len({o.provider for o in _rented(chip, catalogue)})), False

    def places(chip: Accelerator) -> Figure:
        return float(sum(len(regions) for regions in places_of(catalogue, chip.id).values())), False

    def prices(chip: Accelerator) -> Figure:
        return float(len(_rented(chip, catalogue))), False

    return [
        _row("Sellers", "", chips, sellers, True, "Where it can be had"),
        _row("Regions", "", chips, places, True),
        _row("Prices known", "", chips, prices, None),
    ]


def _rented(chip: Accelerator, catalogue: Catalogue) -> list[Offer]:
    return [o for o in catalogue.offers_by_accelerator.get(chip.id, ()) if o.purchase_model != "owned"]


def _field(name: str) -> Callable[[Accelerator], Figure]:
    def read(chip: Accelerator) -> Figure:
        value = getattr(chip, name)
        return (None if value is None else float(value)), name in chip.estimated_fields

    return read


def _power(chip: Accelerator) -> Figure:
    return chip.tdp_w, chip.tdp_estimate


def _measured_pct(chip: Accelerator) -> Figure:
    return _scaled(_over(_field("measured_bf16_tflops")(chip), _field("bf16_tflops")(chip)), 100.0)


def _intensity(chip: Accelerator) -> Figure:
    """Peak over bandwidth: work below it is held back by memory (roofline)."""
    return _scaled(_over(_field("bf16_tflops")(chip), _field("memory_bandwidth_gbps")(chip)), 1e3)


def _cheapest(catalogue: Catalogue, paid: str) -> Callable[[Accelerator], Figure]:
    def read(chip: Accelerator) -> Figure:
        offer = best_offer(catalogue, chip, paid)
        return (offer.usd_per_chip_hour, offer.estimate) if offer else (None, False)

    return read


def _over(a: Figure, b: Figure) -> Figure:
    if a[0] is None or not b[0]:
        return None, False
    return a[0] / b[0], a[1] or b[1]


def _scaled(figure: Figure, factor: float) -> Figure:
    return (None if figure[0] is None else figure[0] * factor), figure[1]


def _row(
    title: str,
    unit: str,
    chips: Sequence[Accelerator],
    read: Callable[[Accelerator], Figure],
    more_is_better: bool | None,
    section: str = "",
    write: Callable[[float], str] | None = None,
) -> SideRow:
    """A line of figures; the best is marked where they differ and one direction is better."""
    figures = [read(chip) for chip in chips]
    known = [value for value, _ in figures if value is not None]
    best = None if more_is_better is None or len(set(known)) < 2 else max(known) if more_is_better else min(known)
    text = write or _plain
    cells = tuple(
        SideCell(DASH if value is None else text(value), value is not None and value == best, estimate)
        for value, estimate in figures
    )
    return SideRow(title, unit, cells, section)


def _plain(value: float) -> str:
    return grouped(value) if value >= 1000 else plain(value, 3)


def _words(title: str, chips: Sequence[Accelerator], read: Callable[[Accelerator], str], section: str = "") -> SideRow:
    return SideRow(title, "", tuple(SideCell(read(chip)) for chip in chips), section)


def _in_section(row: SideRow, section: str) -> SideRow:
    return SideRow(row.title, row.unit, row.cells, section)
