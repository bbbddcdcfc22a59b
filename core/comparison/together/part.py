"""What the plan's answer needs of one workload, and no more, so that those of many workloads can be kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.comparison.chance.errors import N_DRAWS, Errors, drawn
from core.comparison.columns import trusted_rows
from core.comparison.drawn import DrawnCandidate
from core.comparison.result import CandidateResult, ResultSet
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class Taken:
    """A candidate that a plan could take for a workload. ``is_proved``: it is among those from which the pick is taken,
    which others, such as a price on paper alone, are not."""

    result: CandidateResult
    drawn: DrawnCandidate
    is_proved: bool


@dataclass(frozen=True)
class PlanPart:
    """One workload: its pick, and the best of each kind of chip and at each seller, of which those with proof come
    first. ``pick`` is None where it has no answer, and ``why_not`` says why.

    ``least_usd`` is the likely cost of the cheapest candidate of each chip that fits.
    """

    profile: Profile
    catalogue: Catalogue | None
    pick: Taken | None
    of_kind: Mapping[str, Taken]
    of_seller: Mapping[str, Taken]
    why_not: str = ""
    least_usd: Mapping[str, float] = field(default_factory=dict)


def part_of(results: ResultSet) -> PlanPart:
    """The part that a workload's results have in the plan."""
    catalogue = results.basis.catalogue if results.basis else None
    pick = results.choice
    if pick is None:
        return PlanPart(results.profile, catalogue, None, {}, {}, _why_not(results))
    proved = trusted_rows(results.columns, results.n_feasible).tolist()
    others = sorted(set(range(results.n_feasible)) - set(proved))
    known: dict[int, Taken] = {}

    def taken(row: int) -> Taken:
        if row not in known:
            known[row] = Taken(settled(results.results[row]), drawn_at(results, row), row in proved)
        return known[row]

    kinds = _firsts(results, [*proved, *others], lambda chip, _: chip.kind)
    sellers = _firsts(results, proved, lambda _, offer: offer.provider)
    return PlanPart(
        results.profile,
        catalogue,
        taken(results.row_of[pick.id]),
        {kind: taken(row) for kind, row in kinds.items()},
        {seller: taken(row) for seller, row in sellers.items()},
        least_usd=_least_usd(results),
    )


def settled(result: CandidateResult) -> CandidateResult:
    """A result that holds its bill and its score as they are, rather than the means to work out those of all others."""
    cost = replace(result.cost, parts=tuple(result.cost.parts))
    return replace(result, cost=cost, flexibility=replace(result.flexibility, criteria=()))


STILL_NEEDED = "still needed"
"""So begins why a workload has no answer where facts are missing; else nothing fits."""


def _why_not(results: ResultSet) -> str:
    if results.missing:
        return f"{STILL_NEEDED}: {', '.join(results.missing)}"
    return str(results.recommendation.headline).rstrip(".")


def _firsts(results: ResultSet, rows: list[int], key: Callable[[Accelerator, Offer], str]) -> dict[str, int]:
    """The first of some rows of each key."""
    chips, offers = results.columns.accelerators, results.columns.offers
    firsts: dict[str, int] = {}
    for row in rows:
        firsts.setdefault(key(chips[row], offers[row]), row)
    return firsts


def _least_usd(results: ResultSet) -> dict[str, float]:
    """The likely cost of the cheapest candidate of each chip that fits."""
    least: dict[str, float] = {}
    columns = results.columns
    for row in range(results.n_feasible):
        chip = columns.accelerators[row].id
        least[chip] = min(least.get(chip, float("inf")), float(columns.cost_usd[row]))
    return least


def drawn_at(results: ResultSet, row: int) -> DrawnCandidate:
    """The draws of a row; of results put together by hand those of its bill alone, as errors of its seller."""
    if results.draw is not None:
        return results.draw(row)
    result = results.results[row]
    total, seller = result.cost.total, result.candidate.offer.provider
    spans = np.array([[total.low, total.likely, total.high]])
    cost_usd = drawn(spans, Errors([((f"other costs at {seller}", 1.0),)], N_DRAWS))[0]
    share = result.chance.in_limits if result.chance and result.chance.has_limits else None
    keeps = None if share is None else np.arange(N_DRAWS) < share * N_DRAWS
    return DrawnCandidate(
        cost_usd, np.float32(1.0) - cost_usd / np.float32(max(total.likely, 1.0)), total.likely, keeps
    )
