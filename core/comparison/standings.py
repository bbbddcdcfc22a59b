"""The order of all candidates: feasible ones best first, then the nearest of the rejected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.assemble import Judged, Standing
from core.comparison.board import Board, least_time
from core.comparison.clock import LIKELY
from core.comparison.columns import SideBySide
from core.comparison.pareto import pareto_mask
from core.comparison.rank import Array, Axes, order_best_first, utility
from core.comparison.result import CandidateResult
from core.comparison.shelf import Index, ranks
from core.comparison.thin import thinned
from core.cost.types import RENT_PARTS
from core.made import Made
from core.workload.job import OnlineServing
from core.workload.profile import Profile


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
    ranked, utilities, front = _ranked(profile, axes.taken(feasible), feasible, id_rank)
    rejected = thinned(judged, np.flatnonzero(~judged.columns.feasible), id_rank)
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
    """Cost, time and flexibility of all candidates; see :func:`core.comparison.board.time_value`."""
    time = judged.columns.run_h if judged.is_serving else judged.columns.days
    if isinstance(profile.job, OnlineServing):
        tpot_ms = judged.kept.per_cluster(lambda speed: speed.latency.tpot_p50_ms if speed.latency else np.nan)
        time = np.where(np.isnan(tpot_ms), time, tpot_ms)
    return Axes(judged.bills.likely_usd, time, judged.scored.spans[:, LIKELY], least_time(profile))


def board_of_all(profile: Profile, judged: Judged, found: Standings) -> Board:
    """The feasible results as a board; see :func:`core.comparison.board.board_of`."""
    rows, columns = found.rows[: found.n_ranked], found.results.columns
    porting_days = np.zeros(found.n_ranked) if judged.is_serving else judged.kept.porting_days[rows, LIKELY]
    return Board(
        Made(found.n_ranked, found.results.__getitem__),
        [chip.id for chip in columns.accelerators[: found.n_ranked]],
        Axes(columns.cost_usd[: found.n_ranked], found.time, columns.score[: found.n_ranked], least_time(profile)),
        judged.bills.part(*RENT_PARTS)[rows],
        judged.bills.part("porting")[rows],
        porting_days,
    )
