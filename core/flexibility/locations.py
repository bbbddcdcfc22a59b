"""F2: in how many of the places that the user may need the chip can run."""

from __future__ import annotations

from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator
from core.flexibility.criterion import Criterion, Finding, Subject, sure
from core.ranges import Range
from core.units import counted

PLACE_WORDS = {
    "public_cloud": "public cloud",
    "private_cloud": "private cloud",
    "dedicated": "dedicated servers",
    "on_prem": "on premises",
    "workstation": "workstation",
}


def places_of(chip: Accelerator) -> frozenset[str]:
    """Where a chip can be had: TPU and cloud vendors' own chips in public clouds only, cards also in workstations."""
    if not family_of(chip).is_sold:
        return frozenset({"public_cloud"})
    everywhere = {"public_cloud", "private_cloud", "dedicated", "on_prem"}
    return frozenset(everywhere | {"workstation"} if is_card(chip) else everywhere)


def is_card(chip: Accelerator) -> bool:
    """True for chips on a PCIe card, alone or in a bridged pair; modules and superchips need their own server."""
    return chip.scaleup_link == "PCIe" or "bridge" in chip.scaleup_link


def share_covered(subject: Subject) -> Range:
    """``places covered / places needed``; the public cloud alone when none is named."""
    needed = _needed(subject)
    return sure(len(needed & places_of(subject.accelerator)) / len(needed))


def _needed(subject: Subject) -> set[str]:
    return set(subject.profile.places.needed_places) or {"public_cloud"}


def reach(subject: Subject) -> Finding:
    """See :func:`share_covered`."""
    needed = _needed(subject)
    covered = needed & places_of(subject.accelerator)
    names = ", ".join(PLACE_WORDS.get(place, place) for place in sorted(covered)) or "none"
    return Finding(
        value=share_covered(subject),
        inputs=(("Places needed", str(len(needed))), ("Covered", names)),
        evidence=f"Runs in {len(covered)} of {counted(len(needed), 'place')} needed",
        source="form factor and sellers of the chip, catalogue",
        estimate=False,
    )


CRITERION = Criterion("F2", "Places", "places covered / places needed", 8, 10, share_covered, reach)
