"""F2: in how many of the places that the user may need the chip can run."""

from __future__ import annotations

from core.catalogue.entries import Accelerator
from core.flexibility.criterion import Criterion, Finding, Subject, sure

_WORKSTATION = ("rtx4090", "rtx5090", "rtx6000ada", "rtxpro6000", "a10", "l4", "l40s", "t4", "a100-pcie-40",
                "a100-pcie-80", "h100-pcie", "h100-nvl", "h200-nvl", "mi210", "v100-pcie-16")  # fmt: skip
PLACE_WORDS = {
    "public_cloud": "public cloud",
    "private_cloud": "private cloud",
    "dedicated": "dedicated servers",
    "on_prem": "on premises",
    "workstation": "workstation",
}


def places_of(chip: Accelerator) -> frozenset[str]:
    """Where a chip can be had: TPU and cloud vendors' own chips in public clouds only, cards also in workstations."""
    if chip.kind != "gpu" and chip.vendor != "Intel":
        return frozenset({"public_cloud"})
    everywhere = {"public_cloud", "private_cloud", "dedicated", "on_prem"}
    return frozenset(everywhere | {"workstation"} if chip.id in _WORKSTATION else everywhere)


def reach(subject: Subject) -> Finding:
    """``places covered / places needed``; the public cloud alone when none is named."""
    needed = set(subject.profile.places.needed_places) or {"public_cloud"}
    covered = needed & places_of(subject.accelerator)
    names = ", ".join(PLACE_WORDS.get(place, place) for place in sorted(covered)) or "none"
    return Finding(
        value=sure(len(covered) / len(needed)),
        inputs=(("Places needed", str(len(needed))), ("Covered", names)),
        evidence=f"Runs in {len(covered)} of {len(needed)} places needed",
        source="form factor and sellers of the chip, catalogue",
        estimate=False,
    )


CRITERION = Criterion("F2", "Places", "places covered / places needed", 8, 10, reach)
