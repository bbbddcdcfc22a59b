"""Carrying trained weights from the seller who trains to another who serves, and what one seller or kind would cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.providers import provider_name
from core.comparison.columns import trusted_rows
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.tiers import EGRESS, tiers
from core.workload.profile import Profile

GB = 1e9
BYTES_PER_WEIGHT = 2.0
"""Weights leave as BF16."""


@dataclass(frozen=True, slots=True)
class Moving:
    """Weights of a model that leave the seller who trains it for the one who serves it; an estimate."""

    model: str
    seller: str
    buyer: str
    gb: float
    usd: float


def movings(picks: Sequence[tuple[Profile, CandidateResult]], catalogue: Catalogue | None) -> tuple[Moving, ...]:
    """One for each pick that trains a model and each that runs the same model at another seller."""
    if catalogue is None:
        return ()
    pairs = [(one, other) for one in picks if one[0].job.trains for other in picks if not other[0].job.trains]
    told = (_moving(catalogue, trained, served) for trained, served in pairs)
    return tuple(one for one in told if one is not None)


def _moving(
    catalogue: Catalogue, trained: tuple[Profile, CandidateResult], served: tuple[Profile, CandidateResult]
) -> Moving | None:
    model, first = trained[0].model, trained[1].candidate.offer.provider
    last = served[1].candidate.offer.provider
    if first == last or model.name != served[0].model.name:
        return None
    gb = model.n_params * BYTES_PER_WEIGHT / GB
    return Moving(model.name, provider_name(first), provider_name(last), gb, gb * _rate(catalogue, first, gb))


def _rate(catalogue: Catalogue, provider: str, gb: float) -> float:
    """Mean USD of a GB that leaves a provider."""
    steps = tiers(EGRESS).get(provider)
    if steps is not None:
        return float(steps.rate(np.array(gb)))
    return cost_input(catalogue, "egress_internet", provider).typical or 0.0


@dataclass(frozen=True, slots=True)
class Alternative:
    """All workloads of one kind of chip, or at one seller: what that would be, and its likely total."""

    title: str
    picks: tuple[CandidateResult, ...]
    usd: float


def alternatives(result_sets: Sequence[ResultSet], catalogue: Catalogue | None) -> tuple[Alternative, ...]:
    """The best plan of each single kind and of the cheapest single seller, cheapest first; what no workload can take is
    left out, and so are the picks as they are."""
    kinds = _single(result_sets, catalogue, lambda chip, _: chip.kind, lambda kind: f"All on {kind.upper()}")
    sellers = _single(
        result_sets, catalogue, lambda _, offer: offer.provider, lambda one: f"All at {provider_name(one)}"
    )
    picks = tuple(results.recommendation.choice for results in result_sets)
    told = [one for one in (*kinds, *sellers[:1]) if tuple(pick.id for pick in one.picks) != picks]
    return tuple(sorted(told, key=lambda one: one.usd))


def _single(
    result_sets: Sequence[ResultSet],
    catalogue: Catalogue | None,
    key: Callable[[Accelerator, Offer], str],
    title: Callable[[str], str],
) -> list[Alternative]:
    firsts = [_first_rows(results, key) for results in result_sets]
    shared = set.intersection(*(set(rows) for rows in firsts)) if firsts else set()
    told = []
    for one in sorted(shared):
        picks = tuple(results.results[rows[one]] for results, rows in zip(result_sets, firsts, strict=True))
        moved = movings([(results.profile, pick) for results, pick in zip(result_sets, picks, strict=True)], catalogue)
        usd = sum(pick.cost.total.likely for pick in picks) + sum(move.usd for move in moved)
        told.append(Alternative(title(one), picks, usd))
    return sorted(told, key=lambda one: one.usd)


def _first_rows(results: ResultSet, key: Callable[[Accelerator, Offer], str]) -> dict[str, int]:
    """The first row of each key among those from which the pick is taken."""
    columns = results.columns
    rows: dict[str, int] = {}
    for row in trusted_rows(columns, results.n_feasible).tolist():
        rows.setdefault(key(columns.accelerators[row], columns.offers[row]), row)
    return rows
