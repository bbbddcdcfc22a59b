"""The order of all candidates: feasible ones best first, then the nearest of the rejected, one of each kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import SideBySide
from core.comparison.judge.assemble import Judged, Standing
from core.comparison.judge.durations import LIKELY
from core.comparison.rank.board import Board, least_time
from core.comparison.rank.utility import Array, Axes, order_best_first, utility
from core.comparison.result import CandidateResult, name_of
from core.comparison.search.option_set import Index, first_of_groups, paired, ranks
from core.cost.registry import rent_parts
from core.lazy_sequence import LazySequence
from core.workload.profile import Profile


def pareto_mask(cost_usd: NDArray[np.float64], time: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True where no other row is at most as dear and at most as slow, and better in one of the two.

    ``cost_usd`` and ``time`` have shape (n,), less is better in both; rows that are equal in both share the front.
    Sorting makes it O(n log n).
    """
    order = np.lexsort((time, cost_usd))
    mask = np.zeros(len(order), dtype=bool)
    if not len(order):
        return mask
    sorted_cost, sorted_time = cost_usd[order], time[order]
    best_before = np.concatenate(([np.inf], np.minimum.accumulate(sorted_time)[:-1]))
    first_of_equals = np.concatenate(([True], (np.diff(sorted_cost) != 0) | (np.diff(sorted_time) != 0)))
    winners = sorted_time < best_before
    leader = np.maximum.accumulate(np.where(first_of_equals, np.arange(len(order)), 0))
    mask[order] = winners[leader]
    return mask


@dataclass(frozen=True)
class RejectedKinds:
    """The rejected candidates that are shown, nearest first, and how many offers each stands for, shapes (n,)."""

    rows: Index
    n_offers: Index


def one_of_each_kind(judged: Judged, rejected: Index, id_rank: Index) -> RejectedKinds:
    """The nearest of the rejected per chip, seller, purchase model and first reason.

    Nearest means fewest limits missed, then cheapest, those that run before those that do not; ``id_rank`` decides
    between equals. The list as a whole stands in the same order.
    """
    if not len(rejected):
        return RejectedKinds(rejected, rejected)
    group = paired(judged.shortlisted.seller_of[rejected], judged.first_reasons[rejected])
    nearness = (
        ~judged.shortlisted.fits[rejected],
        judged.n_reasons[rejected],
        judged.bills.likely_usd[rejected],
        id_rank[rejected],
    )
    rows, _ = first_of_groups(group, *nearness)
    order = rows[np.lexsort(tuple(key[rows] for key in reversed(nearness)))]
    n_offers = _offers_of_groups(group, judged.shortlisted.option_of[rejected])
    return RejectedKinds(rejected[order], n_offers[group[order]])


def _offers_of_groups(group: Index, option_of: Index) -> Index:
    """How many different offers each group holds, shape (n groups,)."""
    firsts = np.unique(paired(group, option_of), return_index=True)[1]
    return np.bincount(group[firsts])


@dataclass(frozen=True)
class Standings:
    """All results in their order, the first ``n_ranked`` feasible, and what is asked of all of them at once.

    ``rows`` are their numbers among the judged; ``time`` is that by which the feasible ones were ranked.
    """

    results: SideBySide
    rows: Index
    time: Array
    n_ranked: int


def standings(profile: Profile, judged: Judged) -> Standings:
    """Ranks the feasible candidates and thins the others; no result is put together yet."""
    feasible = np.flatnonzero(judged.columns.feasible)
    id_rank = ranks(judged.columns.ids)
    axes = _axes(profile, judged)
    ranked, utilities, front = _ranked(profile, axes.take(feasible), feasible, id_rank)
    rejected = one_of_each_kind(judged, np.flatnonzero(~judged.columns.feasible), id_rank)
    rows = np.concatenate((ranked, rejected.rows))

    def result(place: int) -> CandidateResult:
        row = int(rows[place])
        if place < len(ranked):
            return judged.result(row, Standing(float(utilities[place]), bool(front[place]), place + 1))
        return judged.result(row, Standing(n_offers=int(rejected.n_offers[place - len(ranked)])))

    return Standings(SideBySide(judged.columns.take(rows), result), rows, axes.time[ranked], len(ranked))


def _ranked(profile: Profile, axes: Axes, feasible: Index, id_rank: Index) -> tuple[Index, Array, NDArray[np.bool_]]:
    """Feasible rows best first, with their utilities and Pareto marks."""
    if not len(feasible):
        return feasible, np.zeros(0), np.zeros(0, dtype=bool)
    utilities = utility(axes, profile.weights)
    front = pareto_mask(axes.cost_usd, axes.time)
    order = order_best_first(utilities, axes.cost_usd, id_rank[feasible])
    return feasible[order], utilities[order], front[order]


def _axes(profile: Profile, judged: Judged) -> Axes:
    """Cost, time and flexibility of all candidates; see :func:`core.comparison.rank.board.time_value`."""
    time = judged.columns.run_h if judged.is_serving else judged.columns.days
    if profile.job.answers_users:
        tpot_ms = judged.shortlisted.per_cluster(lambda speed: speed.latency.tpot_p50_ms if speed.latency else np.nan)
        time = np.where(np.isnan(tpot_ms), time, tpot_ms)
    return Axes(judged.bills.likely_usd, time, judged.scored.spans[:, LIKELY], least_time(profile))


def board_of_all(profile: Profile, judged: Judged, ranking: Standings) -> Board:
    """The feasible results as a board; see :func:`core.comparison.rank.board.board_of`."""
    n, columns = ranking.n_ranked, ranking.results.columns
    rows = ranking.rows[:n]
    porting_days = np.zeros(n) if judged.is_serving else judged.shortlisted.porting_days[rows, LIKELY]
    return Board(
        LazySequence(n, ranking.results.__getitem__),
        LazySequence(n, lambda row: name_of(columns.accelerators[row], int(columns.n_chips[row]))),
        [chip.id for chip in columns.accelerators[:n]],
        Axes(columns.cost_usd[:n], ranking.time, columns.score[:n], least_time(profile)),
        judged.bills.part(*rent_parts())[rows],
        judged.bills.part("porting")[rows],
        porting_days,
    )
