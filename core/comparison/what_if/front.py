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
    """Expected regret in USD of the best option of each chip (rows) in some worlds (columns), shape (n chips, n
    worlds); nan where none of its options fits. ``picks`` are the chips picked there, None where nothing fits."""

    chips: tuple[str, ...]
    regret_usd: Array
    picks: tuple[str | None, ...]


def regret_matrix(study: Study, worlds: Iterable[tuple[Move, ...]]) -> RegretMatrix:
    """What each chip would cost in regret in each world; chips in the order of their largest regret, least first."""
    columns: list[dict[str, float]] = []
    picks = []
    for moves in worlds:
        judged, ranking = study.stood(*moves)
        contest = ranking.contest
        chips = judged.batch.accelerators
        own = {} if contest is None else dict(zip(contest.rows.tolist(), contest.regret_usd.tolist(), strict=True))
        columns.append({chips[row].id: regret for row, regret in own.items()})
        picks.append(None if contest is None else chips[contest.best].id)
    names = sorted({chip for column in columns for chip in column}, key=lambda chip: _worst(columns, chip))
    regret = np.array([[column.get(chip, np.nan) for column in columns] for chip in names]).reshape(len(names), -1)
    return RegretMatrix(tuple(names), regret, tuple(picks))


def _worst(columns: list[dict[str, float]], chip: str) -> tuple[float, str]:
    return max(column.get(chip, np.inf) for column in columns), chip
