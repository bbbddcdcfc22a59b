"""GCP's machines in SkyPilot's list: host price = VM row + chips x accelerator row of the same zone.

An accelerator row holds the price of ``AcceleratorCount`` of them together; where it covers the machine too (A4), the
VM is listed at 0. TPU rows cover a whole slice by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.catalogue.price_lists.price_list import Skipped
from core.catalogue.price_lists.quote import NO_ACCELERATOR, Quote, Rows
from core.workload.profile import PurchaseModel

NO_PART = "a machine whose accelerator has no price in its zone"
NO_MACHINE = "an accelerator without a machine that goes with it"
ANOTHER_PRICE = "another price of an accelerator in the same zone"
FLEX_DOUBT = "the accelerator's spot price is above its on-demand price; that may be one of flex start or calendar"

_SIZED = (
    (r"a2-(?:high|mega)gpu-([1-9]\d{0,3})g", ("A100", "A10040GB")),
    (r"a2-ultragpu-([1-9]\d{0,3})g", ("A10080GB",)),
    (r"a3-(?:high|edge)gpu-([1-9]\d{0,3})g", ("H100", "H10080GB")),
    (r"a3-megagpu-([1-9]\d{0,3})g", ("H100MEGA", "H100MEGA80GB")),
    (r"a3-ultragpu-([1-9]\d{0,3})g", ("H200", "H200141GB")),
    (r"a4-highgpu-([1-9]\d{0,3})g", ("B200",)),
    (r"a4x-highgpu-([1-9]\d{0,3})g", ("GB200",)),
    (r"a4x-maxgpu-([1-9]\d{0,3})g", ("GB300",)),
)
_BY_VCPU = (
    (r"g2-standard-([1-9]\d{0,3})", ("L4",), {4: 1, 8: 1, 12: 1, 16: 1, 32: 1, 24: 2, 48: 4, 96: 8}),
    (r"g4-standard-([1-9]\d{0,3})", ("RTXPRO6000",), {48: 1, 96: 2, 192: 4, 384: 8}),
)
_ENDING = r"(?:-nolssd|-metal)?"


class Accelerators(NamedTuple):
    """The accelerators of a machine: names that lists give them, and how many."""

    names: tuple[str, ...]
    n_chips: int


def accelerators_of(instance: str) -> Accelerators | None:
    """What the name of a machine says of its accelerators; None for one without, or whose are chosen apart (N1)."""
    for pattern, names in _SIZED:
        if match := re.fullmatch(pattern + _ENDING, instance):
            return Accelerators(names, int(match[1]))
    for pattern, names, by_vcpu in _BY_VCPU:
        match = re.fullmatch(pattern + _ENDING, instance)
        if match and int(match[1]) in by_vcpu:
            return Accelerators(names, by_vcpu[int(match[1])])
    return None


def joined(rows: Rows) -> Rows:
    """Whole machines from the rows of VMs and of accelerators; rows that are whole already stay as they are."""
    kept = Rows(skipped=list(rows.skipped))
    parts = [quote for quote in rows.quotes if _is_part(quote)]
    by_place = _by_place(parts)
    used: set[int] = set()
    for quote in rows.quotes:
        if quote.chip_name and not _is_part(quote):
            kept.add(quote)
        elif not quote.chip_name:
            whole = _whole(quote, by_place)
            used.update(whole.rows if isinstance(whole, Quote) else ())
            kept.add(whole)
    taken = {_key(part) for part in parts if part.rows[0] in used}
    for part in parts:
        if part.rows[0] not in used:
            kept.add(Skipped(part.rows[0], part.what, ANOTHER_PRICE if _key(part) in taken else NO_MACHINE))
    return kept


def _whole(machine: Quote, by_place: Mapping[tuple[str, str], Sequence[Quote]]) -> Quote | Skipped:
    needed = accelerators_of(machine.instance)
    if needed is None:
        return Skipped(machine.rows[0], machine.what, NO_ACCELERATOR)
    places = [(machine.zone, name) for name in needed.names]
    parts = next((by_place[place] for place in places if place in by_place), ())
    if not parts:
        return Skipped(machine.rows[0], machine.what, NO_PART)
    part = min(parts, key=lambda one: (one.n_chips != needed.n_chips, one.n_chips or 0.0))
    return _added(machine, part, needed.n_chips)


def _added(machine: Quote, part: Quote, n_chips: int) -> Quote:
    """``VM + n x (accelerator row / its count)``, for each way to pay that both rows have."""
    share = n_chips / (part.n_chips or 1.0)
    usd: dict[PurchaseModel, float] = {
        paid: price + share * part.usd[paid] for paid, price in machine.usd.items() if paid in part.usd
    }
    on_demand, spot = part.usd.get("on_demand"), part.usd.get("spot")
    return replace(
        machine,
        rows=(*machine.rows, *part.rows),
        chip_name=part.chip_name,
        n_chips=float(n_chips),
        usd=usd,
        memory_gb=part.memory_gb,
        doubts=(FLEX_DOUBT,) if on_demand and spot and spot > on_demand else (),
        left_out=(*machine.left_out, *part.left_out),
    )


def _is_part(quote: Quote) -> bool:
    return bool(quote.chip_name) and not quote.instance and not quote.chip_name.lower().startswith("tpu")


def _by_place(parts: Sequence[Quote]) -> dict[tuple[str, str], list[Quote]]:
    """Accelerator rows by zone and name, without those for a share of one."""
    by_zone: dict[tuple[str, str], list[Quote]] = {}
    for part in parts:
        if part.n_chips and part.n_chips >= 1:
            by_zone.setdefault((part.zone, re.sub(r"[^A-Z0-9]", "", part.chip_name.upper())), []).append(part)
    return by_zone


def _key(part: Quote) -> tuple[str, str, float | None]:
    return part.zone, part.chip_name, part.n_chips
