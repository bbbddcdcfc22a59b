"""Checks across the tables of a catalogue: references, units, prices and peaks that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.units_guard import (
    MOST_USD_PER_CHIP_HOUR,
    is_inconsistent,
    is_placeholder,
    name_contradiction,
)
from core.catalogue.conflicts import conflict_problems
from core.catalogue.entries import (
    OWN,
    Accelerator,
    Backing,
    CapacityWait,
    CostInput,
    Entry,
    FormatRow,
    Host,
    Offer,
    PartPrice,
    PricePoint,
    PriceSpread,
    Region,
    Seller,
    Server,
    SliceShape,
)
from core.catalogue.formats import FORMATS
from core.catalogue.prices.history import overlapping
from core.catalogue.tables import row_name
from core.errors import InputError

_WITH_SOURCES = (
    "accelerators", "hosts", "slices", "offers", "regions", "frameworks", "cost_inputs", "servers", "price_history",
    "parts", "conflicts", "formats", "sellers", "waits", "price_spread",
)  # fmt: skip

ANY = "any"

Found = tuple[str, str, str]
"""Field, what was found, what is expected."""

RowCheck = Callable[[Any, Catalogue], Iterable[Found]]

_PEAKS = (
    "fp32_tflops", "tf32_tflops", "bf16_tflops", "fp16_tflops", "fp8_tflops", "int8_tops", "fp4_tflops",
)  # fmt: skip
_ABOVE_NOUGHT = (
    *_PEAKS, "measured_bf16_tflops", "measured_fp8_tflops", "memory_gb", "memory_bandwidth_gbps",
    "scaleup_gbps_one_way", "scaleup_domain_chips", "link_gbps_one_way", "pcie_gbps", "tdp_w", "matrix_tile",
)  # fmt: skip
_HOST_SIZES = ("n_vcpu", "ram_gb", "local_nvme_tb", "network_gbit_per_s")
_REGION_BOUNDS = {
    "latitude_deg": (-90.0, 90.0),
    "longitude_deg": (-180.0, 180.0),
    "carbon_g_per_kwh": (0.0, 2000.0),
    "pue": (1.0, 3.0),
    "carbon_free_share": (0.0, 1.0),
}


def problems(catalogue: Catalogue) -> Iterator[InputError]:
    """Every contradiction, each naming file, row and field."""
    yield from _sources(catalogue)
    yield from _repeats(catalogue)
    for name, check in ROW_CHECKS.items():
        yield from _rows(f"{name}.csv", getattr(catalogue, name), check, catalogue)


def offer_problems(offers: Sequence[Offer], catalogue: Catalogue, file_name: str) -> Iterator[InputError]:
    """Contradictions of offers from another file against a catalogue; their sources may be new to it."""
    yield from _rows(file_name, offers, _offer, catalogue)
    yield from _unique(file_name, "id", [offer.id for offer in offers])


def _rows(file_name: str, entries: Iterable[Entry], check: RowCheck, catalogue: Catalogue) -> Iterator[InputError]:
    for index, entry in enumerate(entries):
        for field, found, expected in check(entry, catalogue):
            yield InputError(row_name(file_name, index, field), found, expected)


def _accelerator(chip: Accelerator, _: Catalogue) -> Iterator[Found]:
    for field in _ABOVE_NOUGHT:
        if getattr(chip, field) is not None and getattr(chip, field) <= 0:
            yield field, str(getattr(chip, field)), "a number above 0"
    if all(getattr(chip, field) is None for field in _PEAKS):
        yield "bf16_tflops", "no peak at all", "a peak in at least one format"
    if chip.fp8_tflops and chip.bf16_tflops and chip.fp8_tflops < chip.bf16_tflops:
        yield "fp8_tflops", str(chip.fp8_tflops), f"at least bf16_tflops, {chip.bf16_tflops}"
    yield from _measured(chip)
    for name in chip.estimated_fields:
        if name not in Accelerator.model_fields:
            yield "estimated_fields", name, "names of fields of this table"


def _measured(chip: Accelerator) -> Iterator[Found]:
    for kind in ("bf16", "fp8"):
        measured, peak = getattr(chip, f"measured_{kind}_tflops"), getattr(chip, f"{kind}_tflops")
        if measured is not None and (peak is None or measured > peak):
            yield f"measured_{kind}_tflops", str(measured), f"at most the peak, {peak}"


def _host(host: Host, catalogue: Catalogue) -> Iterator[Found]:
    if host.accelerator_id not in catalogue.accelerator_by_id:
        yield "accelerator_id", f"'{host.accelerator_id}'", "the id of a chip of the catalogue"
    if host.n_chips < 1:
        yield "n_chips", str(host.n_chips), "at least 1"
    if words := name_contradiction(host.instance, host.accelerator_id, host.n_chips):
        yield "n_chips", str(host.n_chips), f"what its name says: {words}"
    for name in _HOST_SIZES:
        if (getattr(host, name) or 0) < 0:
            yield name, str(getattr(host, name)), "0 or more, or nothing where it is unknown"
    for name in host.estimated_fields:
        if name not in Host.model_fields:
            yield "estimated_fields", name, "names of fields of this table"


def _server(server: Server, catalogue: Catalogue) -> Iterator[Found]:
    if server.accelerator_id not in catalogue.accelerator_by_id:
        yield "accelerator_id", f"'{server.accelerator_id}'", "the id of a chip of the catalogue"
    if server.n_chips < 1:
        yield "n_chips", str(server.n_chips), "at least 1"
    if not 0 <= server.low_usd <= server.typical_usd <= server.high_usd:
        yield "typical_usd", str(server.typical_usd), f"between low, {server.low_usd}, and high, {server.high_usd}"
    if (server.power_kw or 0) < 0:
        yield "power_kw", str(server.power_kw), "0 or more, or nothing where it is unknown"


def _part(part: PartPrice, catalogue: Catalogue) -> Iterator[Found]:
    if part.accelerator_id not in catalogue.accelerator_by_id:
        yield "accelerator_id", f"'{part.accelerator_id}'", "the id of a chip of the catalogue"
    if not 0 < part.usd_per_hour <= MOST_USD_PER_CHIP_HOUR * part.n_chips:
        yield "usd_per_hour", str(part.usd_per_hour), f"above 0 and at most {MOST_USD_PER_CHIP_HOUR:g} a chip"


def _point(point: PricePoint, catalogue: Catalogue) -> Iterator[Found]:
    yield from _of_host(point, catalogue) if point.seller_class is None else _of_month(point, catalogue)
    if not 0 < point.usd_per_host_hour <= MOST_USD_PER_CHIP_HOUR * point.n_chips:
        yield (
            "usd_per_host_hour",
            str(point.usd_per_host_hour),
            f"above 0 and at most {MOST_USD_PER_CHIP_HOUR:g} a chip",
        )
    if point.valid_from and point.valid_until and point.valid_until < point.valid_from:
        yield "valid_until", str(point.valid_until), f"not before {point.valid_from}"
    for other in overlapping(point, catalogue):
        yield "valid_from", str(point.valid_from), f"after {other.valid_until or 'the open end'} of another row"


def _of_host(point: PricePoint, catalogue: Catalogue) -> Iterator[Found]:
    host = catalogue.host_by_instance.get((point.provider, point.instance))
    if host is None or (host.accelerator_id, host.n_chips) != (point.accelerator_id, point.n_chips):
        yield "instance", f"'{point.instance}' of {point.provider}", "a host of the catalogue with these chips"


def _of_month(point: PricePoint, catalogue: Catalogue) -> Iterator[Found]:
    if point.accelerator_id not in catalogue.accelerator_by_id:
        yield "accelerator_id", f"'{point.accelerator_id}'", "the id of a chip of the catalogue"
    if (point.instance, point.region, point.n_chips) != (ANY, ANY, 1):
        yield "instance", f"'{point.instance}'", "any host and region, and one chip, as it is a median"
    if not point.valid_from or not point.valid_until:
        yield "valid_until", str(point.valid_until), "the first and the last day of a month"
    if not 0 < (point.low_usd or 0.0) <= (point.high_usd or 0.0):
        yield "low_usd", str(point.low_usd), f"above 0 and at most high_usd, {point.high_usd}"
    yield from _marked(point, point.quality)


def _spread(row: PriceSpread, _: Catalogue) -> Iterator[Found]:
    if row.lag_months < 1:
        yield "lag_months", str(row.lag_months), "at least 1"
    if not 0 < row.log_spread < 3:
        yield "log_spread", str(row.log_spread), "above 0 and below 3"


def _slice(shape: SliceShape, catalogue: Catalogue) -> Iterator[Found]:
    chip = catalogue.accelerator_by_id.get(shape.accelerator_id)
    if chip is None:
        yield "accelerator_id", f"'{shape.accelerator_id}'", "the id of a chip of the catalogue"
    elif chip.torus_dims != len(shape.dims):
        yield "dims", f"{len(shape.dims)} axes", f"{chip.torus_dims}, as the torus of {chip.id}"
    if prod(shape.dims) != shape.n_chips:
        yield "dims", "x".join(map(str, shape.dims)), f"a product of {shape.n_chips} chips"
    if len(shape.wraps) != len(shape.dims):
        yield "wraps", f"{len(shape.wraps)} answers", f"one for each of {len(shape.dims)} axes"


def _offer(offer: Offer, catalogue: Catalogue) -> Iterator[Found]:
    host = catalogue.host_by_instance.get((offer.provider, offer.instance))
    if host is None:
        yield "instance", f"'{offer.instance}' of {offer.provider}", "a host of the catalogue"
    elif host.n_chips != offer.chips_per_host:
        yield "chips_per_host", str(offer.chips_per_host), f"{host.n_chips}, as the host has"
    elif host.accelerator_id != offer.accelerator_id:
        yield "accelerator_id", f"'{offer.accelerator_id}'", f"'{host.accelerator_id}', as the host has"
    yield from _price(offer)


def _is_paid(offer: Offer) -> bool:
    """A reservation of the user's own that nothing more is paid for."""
    return offer.held_chips is not None and offer.usd_per_chip_hour == 0


def _price(offer: Offer) -> Iterator[Found]:
    if is_placeholder(offer.accelerator_id, offer.usd_per_chip_hour):
        yield "usd_per_chip_hour", str(offer.usd_per_chip_hour), "a price; lists write this figure where they know none"
    elif not (offer.usd_per_chip_hour > 0 or _is_paid(offer)) or offer.usd_per_chip_hour > MOST_USD_PER_CHIP_HOUR:
        yield "usd_per_chip_hour", str(offer.usd_per_chip_hour), f"above 0 and at most {MOST_USD_PER_CHIP_HOUR:g}"
    if is_inconsistent(offer.usd_per_chip_hour, offer.usd_per_host_hour, offer.chips_per_host):
        host = offer.chips_per_host * offer.usd_per_chip_hour
        expected = f"{host:.4f}, that is {offer.chips_per_host} chips at {offer.usd_per_chip_hour} each"
        yield "usd_per_host_hour", str(offer.usd_per_host_hour), expected


def _region(region: Region, catalogue: Catalogue) -> Iterator[Found]:
    for chip in region.accelerator_ids:
        if chip not in catalogue.accelerator_by_id:
            yield "accelerator_ids", f"'{chip}'", "ids of chips of the catalogue"
    for field, (low, high) in _REGION_BOUNDS.items():
        value = getattr(region, field)
        if value is not None and not low <= value <= high:
            yield field, str(value), f"between {low:g} and {high:g}"


def _cost_input(row: CostInput, _: Catalogue) -> Iterator[Found]:
    values = [value for value in (row.low, row.typical, row.high) if value is not None]
    if not values:
        yield "typical", "no figure", "at least one of low, typical and high"
    if values != sorted(values):
        yield "typical", str(row.typical), f"between low, {row.low}, and high, {row.high}"


def _format(row: FormatRow, catalogue: Catalogue) -> Iterator[Found]:
    for chip in row.accelerator_ids or ("",):
        if chip not in catalogue.accelerator_by_id:
            yield "accelerator_ids", f"'{chip}'", "ids of chips of the catalogue"
    if row.format not in FORMATS:
        yield "format", f"'{row.format}'", f"one of {', '.join(FORMATS)}"
    if (row.support == "emulated") != (row.runs_in in FORMATS):
        yield "runs_in", f"'{row.runs_in}'", "the format that an emulated one runs in, and nothing for others"
    if row.speed_share is not None and not 0 < row.speed_share <= 1:
        yield "speed_share", str(row.speed_share), "above 0 and at most 1"
    if row.estimate != (row.quality in ("memory", "estimate")):
        yield "estimate", "yes" if row.estimate else "no", "yes for what is from memory or an estimate, else no"


def _seller(seller: Seller, _: Catalogue) -> Iterator[Found]:
    for name in seller.sourced_fields:
        if name not in Seller.model_fields:
            yield "sourced_fields", name, "names of fields of this table"
    for name in ("fabric_gbit_per_host", "largest_cluster_chips", "self_service_chips", "min_cluster_days"):
        if (getattr(seller, name) or 0) < 0:
            yield name, str(getattr(seller, name)), "0 or more, or nothing where it is unknown"
    if seller.sla_monthly_pct is not None and not 0 < seller.sla_monthly_pct <= 100:
        yield "sla_monthly_pct", str(seller.sla_monthly_pct), "above 0 and at most 100"
    if seller.seller_class == OWN or seller.provider == OWN:
        yield "provider", seller.provider, "somebody who sells"
    yield from _marked(seller, seller.quality)


def _wait(row: CapacityWait, catalogue: Catalogue) -> Iterator[Found]:
    if not 0 <= row.low_days <= row.likely_days <= row.high_days:
        yield "likely_days", str(row.likely_days), f"between low, {row.low_days:g}, and high, {row.high_days:g}"
    if row.from_chips < 1:
        yield "from_chips", str(row.from_chips), "at least 1"
    for beginning in row.chips:
        if beginning != ANY and not any(chip.id.startswith(beginning) for chip in catalogue.accelerators):
            yield "chips", f"'{beginning}'", "beginnings of ids of chips of the catalogue, or any"
    if row.provider != ANY and row.provider not in catalogue.seller_by_provider:
        yield "provider", f"'{row.provider}'", "a seller of sellers.csv, or any"
    yield from _marked(row, row.quality)


def _marked(entry: Entry, quality: Backing) -> Iterator[Found]:
    if quality in ("memory", "estimate") and not entry.estimate:
        yield "estimate", "no", f"yes, as the quality is {quality}"


ROW_CHECKS: dict[str, RowCheck] = {
    "accelerators": _accelerator,
    "hosts": _host,
    "slices": _slice,
    "offers": _offer,
    "regions": _region,
    "servers": _server,
    "cost_inputs": _cost_input,
    "parts": _part,
    "price_history": _point,
    "conflicts": conflict_problems,
    "formats": _format,
    "sellers": _seller,
    "waits": _wait,
    "price_spread": _spread,
}
"""What is asked of each row of a table: field, what was found and what is expected, where it does not hold."""


def _sources(catalogue: Catalogue) -> Iterator[InputError]:
    for name in _WITH_SOURCES:
        yield from _unknown_sources(f"{name}.csv", getattr(catalogue, name), catalogue)


def _unknown_sources(file_name: str, entries: Iterable[Entry], catalogue: Catalogue) -> Iterator[InputError]:
    for index, entry in enumerate(entries):
        for source in entry.source.split("+"):
            if source not in catalogue.sources:
                yield InputError(row_name(file_name, index, "source"), f"'{source}'", "ids of sources.csv, joined by +")


def _repeats(catalogue: Catalogue) -> Iterator[InputError]:
    yield from _unique("accelerators.csv", "id", [chip.id for chip in catalogue.accelerators])
    yield from _unique("hosts.csv", "instance", [f"{host.provider} {host.instance}" for host in catalogue.hosts])
    yield from _unique("slices.csv", "slice_name", [shape.slice_name for shape in catalogue.slices])
    yield from _unique("offers.csv", "id", [offer.id for offer in catalogue.offers])
    yield from _unique("regions.csv", "region", [f"{place.provider} {place.region}" for place in catalogue.regions])
    software = [f"{row.framework} {row.chip_family}" for row in catalogue.frameworks]
    yield from _unique("frameworks.csv", "framework", software)
    formats = [f"{row.generation} {row.format} {row.use} {row.software}" for row in catalogue.formats]
    yield from _unique("formats.csv", "format", formats)
    yield from _unique("servers.csv", "instance", [server.instance for server in catalogue.servers])
    yield from _unique("sellers.csv", "provider", [seller.provider for seller in catalogue.sellers])
    waits = [f"{w.seller_class} {w.way} {w.provider} {' '.join(w.chips)} {w.from_chips}" for w in catalogue.waits]
    yield from _unique("waits.csv", "from_chips", waits)
    spreads = [f"{row.purchase_model} {row.lag_months}" for row in catalogue.price_spread]
    yield from _unique("price_spread.csv", "lag_months", spreads)
    yield from _unique("cost_inputs.csv", "scope", [f"{row.name} {row.scope}" for row in catalogue.cost_inputs])


def _unique(file_name: str, field: str, keys: Sequence[str]) -> Iterator[InputError]:
    seen: set[str] = set()
    for index, key in enumerate(keys):
        if key in seen:
            yield InputError(row_name(file_name, index, field), f"'{key}' again", "each only once")
        seen.add(key)
