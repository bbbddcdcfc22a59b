"""A page on each family of chips: what it is and is good at, and what the catalogue and the workload say of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from core import paths
from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import software_family_of
from core.catalogue.details.related import cheapest_on_demand, rented
from core.catalogue.entries import Accelerator
from core.flexibility.porting import porting_estimate
from core.units import DASH, counted, plain, small_usd
from core.workload.profile import Profile

FILE = "learning/families.json"
_HEAD = ("| Chip | Memory | Dense BF16 | Sellers | On demand from, per chip hour |", "|---|---|---|---|---|")


@cache
def told_families() -> dict[str, dict[str, str]]:
    """What we say of a family by its id: ``what`` it is, what it is ``good_at``, what to ``beware`` of."""
    read: dict[str, dict[str, str]] = json.loads((paths.resources() / FILE).read_text(encoding="utf-8"))
    return read


def family_pages(catalogue: Catalogue, profile: Profile | None) -> dict[str, str]:
    """Title -> page in Markdown of each family that the catalogue has chips of, in the order in which they are told."""
    pages = {}
    for family_id, told in told_families().items():
        chips = [chip for chip in catalogue.accelerators if chip.family == family_id and not chip.announced]
        if chips:
            title = software_family_of(chips[0]).plural
            pages[title] = _page(title, told, chips, catalogue, profile)
    return pages


def _page(
    title: str, told: dict[str, str], chips: Sequence[Accelerator], catalogue: Catalogue, profile: Profile | None
) -> str:
    parts = [
        f"# {title}",
        told["what"],
        f"**Good at.** {told['good_at']}",
        f"**Beware.** {told['beware']}",
        f"**Moving there.** {_moving(chips, catalogue, profile)}",
        "\n".join((*_HEAD, *(_row(chip, catalogue) for chip in _newest_first(chips)))),
        "Figures of the catalogue as this plan sees it; each stands with its source and date on the Catalogue tab.",
    ]
    return "\n\n".join(parts)


def _moving(chips: Sequence[Accelerator], catalogue: Catalogue, profile: Profile | None) -> str:
    """Engineer-weeks for the workload on screen."""
    if profile is None:
        return "Open a plan to see what it takes for your code."
    estimate = porting_estimate(profile, catalogue, chips[0])
    weeks = estimate.weeks
    if weeks.high <= 0:
        return "The code of the workload on screen runs there as it is."
    why = "; ".join(estimate.why)
    span = f"{plain(weeks.low, 2)} to {plain(weeks.high, 2)}"
    likely = counted(weeks.likely, "week", digits=2)
    return f"For the workload on screen about {likely} of engineers, {span} (estimate): {why}."


def _newest_first(chips: Sequence[Accelerator]) -> list[Accelerator]:
    return sorted(chips, key=lambda chip: -(chip.bf16_tflops or 0.0))


def _row(chip: Accelerator, catalogue: Catalogue) -> str:
    offers = rented(catalogue, chip.id)
    sellers = counted(len({offer.provider for offer in offers}), "seller") if offers else "none"
    usd = cheapest_on_demand(offers)
    price = DASH if usd is None else small_usd(usd)
    peak = f"{plain(chip.bf16_tflops, 3)} TFLOP/s" if chip.bf16_tflops else DASH
    return f"| {chip.short_name} | {plain(chip.memory_gb, 3)} GB | {peak} | {sellers} | {price} |"
