"""How far the order by flexibility rests on the weights: random ones, and the smallest change of one that turns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.amounts import USD, Amount, Sentence
from core.breath import breathe
from core.comparison.result import CandidateResult, ResultSet
from core.flexibility.types import CriterionScore
from core.workload.freedom import Freedom

N_WEIGHTS = 1_000
SEED = 20261122
MOST_WEIGHT = 100.0
"""Random weights, and those of a flip, lie between 0 and this, as the sliders do."""
EVEN = 1e-9


@dataclass(frozen=True, slots=True)
class WeightFlip:
    """The weight of one criterion from which two options change places."""

    criterion_id: str
    title: str
    weight: float
    flips_at: float


@dataclass(frozen=True, slots=True)
class FreedomOrder:
    """Where an option stands by flexibility among the best of each chip that fits.

    ``first_share``: share of random weights in which no other scores higher; ``place`` counts from 1 at the weights
    as they are; ``flip`` is None where no change of one weight turns the order with ``beside``.
    """

    n_options: int
    place: int
    first_share: float
    beside: CandidateResult | None
    flip: WeightFlip | None


def freedom_order(results: ResultSet, shown: CandidateResult) -> FreedomOrder:
    """The order of an option: it is compared with the next one by score, or with the first where it is not that."""
    feasible = [one for one in results.best_feasible if one.id != shown.id]
    options = [shown, *feasible]
    values = np.array([_values(one) for one in options])
    weights = np.array([one.weight for one in shown.flexibility.criteria])
    scores = values @ weights
    place = 1 + int((scores > scores[0] + EVEN).sum())
    others = np.argsort(-scores[1:], kind="stable") + 1
    beside = options[int(others[0])] if len(others) else None
    flip = smallest_flip(shown.flexibility.criteria, beside.flexibility.criteria) if beside else None
    return FreedomOrder(len(options), place, first_share(values), beside, flip)


def first_share(values: NDArray[np.float64]) -> float:
    """Share of random weights, each evenly from 0 to 100, in which the first row of values has the highest score.

    ``values``: shape (n options, n criteria). The weights are the same on every machine.
    """
    weights = np.random.default_rng(SEED).random((N_WEIGHTS, values.shape[1]))
    scores = weights @ values.T
    return float((scores[:, 0] >= scores.max(axis=1) - EVEN).mean())


def smallest_flip(one: Sequence[CriterionScore], other: Sequence[CriterionScore]) -> WeightFlip | None:
    """The smallest change of a single weight after which the other option scores as high; None where none does.

    Both share their weights w; with d the differences of their values, weight k flips at ``w_k - sum(w d) / d_k``.
    """
    against = {criterion.id: criterion.value.likely for criterion in other}
    apart = {c.id: c.value.likely - against.get(c.id, 0.0) for c in one}
    lead = sum(c.weight * apart[c.id] for c in one)
    flips = [
        WeightFlip(c.id, c.title, c.weight, at)
        for c in one
        if abs(apart[c.id]) > EVEN and 0.0 <= (at := c.weight - lead / apart[c.id]) <= MOST_WEIGHT
    ]
    return min(flips, key=lambda flip: abs(flip.flips_at - flip.weight), default=None)


def worth(freedom: Freedom, one: CandidateResult, other: CandidateResult) -> Sentence | None:
    """What the difference in points is worth a month, as the user typed it; None where nobody did.

    It is told beside the cost and never added to it: ``points apart / 10 x USD``.
    """
    usd = freedom.ten_points_usd_per_month
    if usd is None:
        return None
    apart = one.flexibility.score.likely - other.flexibility.score.likely
    words = "{} points {} than {}: worth {} a month as you price it; no part of the cost"
    more = "more" if apart >= 0 else "less"
    return Sentence(words, Amount(abs(apart), digits=2), more, other.candidate.name, Amount(abs(apart) / 10 * usd, USD))


def _values(result: CandidateResult) -> list[float]:
    breathe()
    return [criterion.value.likely for criterion in result.flexibility.criteria]
