"""What each candidate comes to when things go badly: the mean of its worst outcomes, by which options are ranked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.comparison.chance.errors import N_SCREENED, Draws
from core.comparison.chance.goodness import MISSED, Yardstick, share_of_best
from core.comparison.chance.outcomes import LIMITS, Outcomes, outcomes_of
from core.comparison.judge.assemble import Judged
from core.comparison.search.option_set import Index
from core.rows import Rows

Array = NDArray[np.float64]
N_AT_ONCE = 65_536
"""Draws of all candidates worked on at a time: what a processor keeps close."""


@dataclass(frozen=True)
class Kept(Rows):
    """Shares of draws that keep the limits: all of them, shape (n,), and each of :data:`LIMITS`, shape (n, 5), nan
    where none is set."""

    together: Array
    each: Array


def kept_of(outcomes: Outcomes) -> Kept:
    """What the draws of k candidates say of the limits."""
    (k, n_draws), whole = outcomes.cost_usd.shape, outcomes.keeps_all
    shares = {one: _counts(mask) / n_draws for one, mask in outcomes.keeps.items()}
    each = np.column_stack([shares.get(one, np.full(k, np.nan)) for one in LIMITS])
    if whole is None or len(shares) == 1:
        return Kept(next(iter(shares.values()), np.ones(k)), each)
    return Kept(_counts(whole) / n_draws, each)


def _counts(mask: NDArray[np.bool_]) -> Array:
    """True entries of each row, shape (k,), counted eight at a time."""
    return np.asarray(np.bitwise_count(np.packbits(mask, axis=1)).sum(axis=1, dtype=np.float64))


@dataclass(frozen=True)
class Cautious(Rows):
    """The mean of the worst outcomes of each option, shapes (n,): goodness of cost and of time (1 for the best), and
    the outcomes that miss a limit over these worst ones: above 1 where not even all others keep the limits.
    ``kept`` is what all draws say of the limits.
    """

    cost: Array
    time: Array
    missed: Array
    kept: Kept


def cautious(judged: Judged, yardstick: Yardstick, rows: Index, n_draws: int = N_SCREENED) -> Cautious:
    """The worst outcomes of some judged candidates, in their order: ``weights.worst_pct`` of each one's own draws.

    They are drawn seller by seller, so that what several share is still at hand when the next one asks for it.
    """
    columns, shortlisted = np.zeros((len(rows), 4 + len(LIMITS))), judged.shortlisted
    by_seller = np.lexsort((shortlisted.cluster_of[rows], shortlisted.seller_of[rows]))
    start = 0
    for goodness in goodness_by_parts(judged, yardstick, rows[by_seller], n_draws):
        part = by_seller[start : start + len(goodness.total)]
        columns[part] = _worst(goodness, judged.profile.weights.worst_pct)
        start += len(part)
    return Cautious(columns[:, 0], columns[:, 1], columns[:, 2], Kept(columns[:, 3], columns[:, 4:]))


@dataclass(frozen=True, slots=True)
class Goodness:
    """The goodness of k candidates in each draw, shapes (k, n draws): of cost, of time, and in all."""

    outcomes: Outcomes
    cost: Draws
    time: Draws
    total: Draws


def goodness_by_parts(judged: Judged, yardstick: Yardstick, rows: Index, n_draws: int) -> Iterator[Goodness]:
    """The goodness of some judged candidates, a few at a time, in their order."""
    step = max(1, N_AT_ONCE // n_draws)
    for start in range(0, len(rows), step):
        breathe()
        part = rows[start : start + step]
        yield goodness_of(outcomes_of(judged, part, n_draws), yardstick, judged.columns.score[part] / 100)


def goodness_of(outcomes: Outcomes, yardstick: Yardstick, flexibility: Array) -> Goodness:
    """``w_cost x best / cost + w_time x best / time + w_flex x flexibility``, less :data:`MISSED` where a limit is
    missed; ``flexibility`` is 0..1, shape (k,)."""
    cost = share_of_best(outcomes.cost_usd, yardstick.best.cost_usd)
    time = share_of_best(outcomes.time, yardstick.best.time, yardstick.least_time)
    on_cost, on_time, on_flexibility = yardstick.weights.tolist()
    total = np.float32(on_cost) * cost
    total += np.float32(on_time) * time
    total += (on_flexibility * flexibility).astype(np.float32)[:, None]
    if outcomes.keeps_all is not None:
        total -= np.float32(MISSED) * ~outcomes.keeps_all
    return Goodness(outcomes, cost, time, total)


def _worst(goodness: Goodness, worst_pct: float) -> Array:
    """Columns of :class:`Cautious` and :class:`Kept`, shape (k, 9)."""
    outcomes, k = goodness.outcomes, len(goodness.total)
    mask = worst_of(goodness.total, worst_pct)
    is_worst, n_worst = mask.astype(np.float32), _counts(mask)
    kept, kept_shares = outcomes.keeps_all, kept_of(outcomes)
    missed = np.zeros(k) if kept is None else _counts(mask > kept) / n_worst
    missed += missed_beyond(kept_shares.together, worst_pct)
    return np.column_stack((
        np.einsum("ij,ij->i", is_worst, goodness.cost) / n_worst,
        np.einsum("ij,ij->i", is_worst, goodness.time) / n_worst,
        missed,
        kept_shares.together,
        kept_shares.each,
    ))  # fmt: skip


def missed_beyond(kept: Array, worst_pct: float) -> Array:
    """Outcomes that miss a limit and are not among the worst, over those that are, shape (k,); ``kept`` is the share of
    all that keeps the limits. Without it all that miss in their whole worst part would be alike."""
    return np.maximum((1.0 - kept) * 100 / worst_pct - 1.0, 0.0)


def mean_of_worst(goodness: Draws, worst_pct: float) -> Array:
    """The mean of each candidate's worst draws, shape (k,).

    A product with the mask takes a tenth of the time of a choice by it, which guesses at each draw.
    """
    is_worst = worst_of(goodness, worst_pct)
    return np.asarray((goodness * is_worst).sum(axis=1, dtype=np.float64) / _counts(is_worst))


def worst_of(goodness: Draws, worst_pct: float) -> NDArray[np.bool_]:
    """A mask of each candidate's worst draws, and of those as bad as the best of them, shape (k, n draws)."""
    last = max(1, round(goodness.shape[1] * worst_pct / 100)) - 1
    return np.asarray(goodness <= np.partition(goodness, last, axis=1)[:, last : last + 1])
