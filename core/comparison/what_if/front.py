"""What nobody beats on cost, time and flexibility at once, and what being wrong would cost in several worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.columns import trusted_rows
from core.comparison.rank.contenders import unbeaten
from core.comparison.what_if.study import Move, Study

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Front:
    """Candidates among which the pick is taken and that no other one beats on all three, cheapest first; shapes (n,).
    ``time`` is days until done, or ms per token and hours of a batch where nothing ends."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    cost_usd: Array
    time: Array
    flexibility: Array


def front(study: Study) -> Front:
    """The Pareto front of the plan as it is now, over likely cost, time and flexibility."""
    judged, ranking = study.stood()
    axes, columns = ranking.axes, ranking.results.columns
    rows = trusted_rows(columns, ranking.n_ranked)
    rows = rows[np.lexsort((-axes.flexibility[rows], axes.time[rows], axes.cost_usd[rows]))]
    demerits = np.column_stack((axes.cost_usd, axes.time, -axes.flexibility))[rows]
    kept = np.array(unbeaten(demerits, rows), dtype=np.intp)
    names = tuple(judged.shortlisted.candidates[int(ranking.rows[row])].name for row in kept.tolist())
    ids = tuple(columns.ids[row] for row in kept.tolist())
    return Front(ids, names, axes.cost_usd[kept], axes.time[kept], axes.flexibility[kept])


@dataclass(frozen=True)
class RegretMatrix:
    """Expected regret in USD of options (rows) in some worlds (columns), shape (n options, n worlds); nan where an
    option misses a limit. ``ids`` are those of candidates; ``picks`` are the chips picked there, None where nothing
    fits."""

    ids: tuple[str, ...]
    regret_usd: Array
    picks: tuple[str | None, ...]


def options_now(study: Study) -> tuple[str, ...]:
    """The contenders of now: the best option of each chip that can be had, with its seller and number of chips."""
    judged, contest = study.met()
    return () if contest is None else tuple(judged.columns.ids[row] for row in contest.rows.tolist())


def regret_matrix(study: Study, worlds: Iterable[tuple[Move, ...]]) -> RegretMatrix:
    """What each option of now would cost in regret in each world; in the order of their largest regret, least first,
    those that fit everywhere before the others."""
    names, columns, picks = options_now(study), [], []
    for moves in worlds:
        columns.append(study.regrets_of(names, *moves))
        picks.append(study.verdict(*moves).chip)
    regret = np.array(columns).T.reshape(len(names), -1)
    order = sorted(range(len(names)), key=lambda row: (_worst(regret[row]), names[row]))
    return RegretMatrix(tuple(names[row] for row in order), regret[order], tuple(picks))


def _worst(regret_usd: Array) -> float:
    return float(np.where(np.isnan(regret_usd), np.inf, regret_usd).max(initial=0.0))
