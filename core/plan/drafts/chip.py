"""A chip as it is typed: the figures of its data sheet. What is not asked comes from a chip of the same kind."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, ClassVar

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator
from core.catalogue.own.layers import OwnEntries
from core.plan.drafts.base import UNKNOWN, Draft, chip_names, described_fields
from core.plan.fields import NEEDED, FieldInfo
from core.workload.field_description import described

CHIP, PEAKS, MEMORY, LINKS = "Chip", "Peak rates, dense", "Memory", "Links"
_ASKED = (
    "vendor", "name", "short_name", "announced", "bf16_tflops", "fp16_tflops", "fp8_tflops", "fp4_tflops", "int8_tops",
    "memory_gb", "memory_bandwidth_gbps", "scaleup_gbps_one_way", "scaleup_domain_chips", "pcie_gbps", "tdp_w",
)  # fmt: skip


def _rate(title: str, unit: str = "TFLOP/s") -> Any:
    return described(
        None, title=title, help="Without sparsity", group=PEAKS, unit=unit, gt=0, le=1e6, empty="It has none"
    )


class ChipDraft(Draft):
    """A chip. ``like`` is the one whose software and layout it shares, and from which unasked figures come."""

    needs: ClassVar[tuple[str, ...]] = (
        "like", "name", "short_name", "vendor", "memory_gb", "memory_bandwidth_gbps", "scaleup_gbps_one_way",
        "scaleup_domain_chips", "pcie_gbps",
    )  # fmt: skip

    like: str = described("", title="Works like", help="Software and what is not asked come from it", group=CHIP)
    vendor: str = described("", title="Maker", help="", group=CHIP, max_length=40)
    name: str = described("", title="Name", help="As its maker writes it", group=CHIP, max_length=80)
    short_name: str = described("", title="Short name", help="For tables and charts", group=CHIP, max_length=20)
    announced: bool = described(False, title="Announced only", help="Then no plan uses it by itself", group=CHIP)
    bf16_tflops: float | None = _rate("BF16")
    fp16_tflops: float | None = _rate("FP16")
    fp8_tflops: float | None = _rate("FP8")
    fp4_tflops: float | None = _rate("FP4")
    int8_tops: float | None = _rate("INT8", "TOP/s")
    memory_gb: float | None = described(
        None, title="Memory", help="On the chip's package", group=MEMORY, unit="GB", gt=0, le=10_000, empty=NEEDED
    )
    memory_bandwidth_gbps: float | None = described(
        None, title="Memory bandwidth", help="", group=MEMORY, unit="GB/s", gt=0, le=1e6, empty=NEEDED
    )
    scaleup_gbps_one_way: float | None = described(
        None, title="To its neighbours", help="One way, all links of a chip; the PCIe rate where there are none",
        group=LINKS, unit="GB/s", gt=0, le=1e5, empty=NEEDED,
    )  # fmt: skip
    scaleup_domain_chips: int | None = described(
        None, title="Chips so linked", help="1 where there are no such links", group=LINKS, ge=1, le=100_000,
        empty=NEEDED,
    )  # fmt: skip
    pcie_gbps: float | None = described(
        None, title="PCIe", help="To its host, one way", group=LINKS, unit="GB/s", gt=0, le=1e4, empty=NEEDED
    )
    tdp_w: float | None = described(
        None, title="Power", help="Its limit by the data sheet", group=LINKS, unit="W", gt=0, le=20_000, empty=UNKNOWN
    )


def chip_fields(draft: ChipDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks; a corrected chip keeps its kind."""
    hidden = ("based_on", "like") if draft.based_on else ("based_on",)
    return described_fields(draft, {"like": chip_names(catalogue)}, hidden)


def chip_entries(draft: ChipDraft, catalogue: Catalogue) -> OwnEntries:
    """The chip; call it once nothing is missing. Measured rates hold only as long as the peak they were measured on."""
    base = catalogue.accelerator_by_id[draft.based_on or draft.like]
    asked = {name: getattr(draft, name) for name in _ASKED}
    kept = base.model_dump(exclude={*asked, "layer", *draft.origin()})
    for kind in ("bf16", "fp8"):
        if asked[f"{kind}_tflops"] != getattr(base, f"{kind}_tflops"):
            kept[f"measured_{kind}_tflops"] = None
    kept["id"] = draft.based_on or chip_id(draft.name, catalogue)
    kept["estimated_fields"] = tuple(
        name for name in base.estimated_fields if asked.get(name, getattr(base, name)) == getattr(base, name)
    )
    kept["tdp_estimate"] = base.tdp_estimate and draft.tdp_w == base.tdp_w
    if not draft.based_on:
        kept["release_date"] = ""
    return OwnEntries(accelerators=(Accelerator(**kept, **asked, **draft.origin()),))


def chip_draft(chip: Accelerator, today: date) -> ChipDraft:
    """A draft that begins as an entry: what is typed corrects it."""
    return ChipDraft.begun(
        based_on=chip.id, like=chip.id, as_of=today, note=chip.note, **{name: getattr(chip, name) for name in _ASKED}
    )


def chip_id(name: str, catalogue: Catalogue) -> str:
    """An id made of the name that no other chip has."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "chip"
    number = 2
    free = plain
    while free in catalogue.accelerator_by_id:
        free, number = f"{plain}-{number}", number + 1
    return free
