"""Who else could be the best: the pick among the others in the draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.comparison.chance.contest import Contest
from core.comparison.rank.standings import Standings


@dataclass(frozen=True, slots=True)
class Rivalry:
    """How the pick stands in the draws beside the others that can be had.

    ``runner_up`` is the id of the option that wins most often when the pick does not; ``beats`` the share of draws in
    which the pick is better than it; ``too_close``: the draws do not tell the two apart; ``kind_wins`` the share won by
    options of the pick's kind of chip.
    """

    runner_up: str | None = None
    beats: float = 1.0
    too_close: bool = False
    kind_wins: float = 1.0


ALONE = Rivalry()


def rivalry_of(ranking: Standings) -> Rivalry:
    """The pick's rivals; those of nobody where nothing is feasible."""
    contest, ids = ranking.contest, ranking.results.columns.ids
    if contest is None:
        return ALONE
    kind_wins = _kind_wins(contest)
    rival = runner_up_place(ranking)
    if rival is None:
        return Rivalry(kind_wins=kind_wins)
    return Rivalry(ids[rival], contest.beats, contest.is_close, kind_wins)


def runner_up_place(ranking: Standings) -> int | None:
    """Place of the runner-up in the order, None without any. The order goes by fewer draws than the contest: another
    option of the same chip may stand before it."""
    contest = ranking.contest
    if contest is None or contest.runner_up is None:
        return None
    return int(np.flatnonzero(ranking.rows == contest.rows[contest.runner_up])[0])


def _kind_wins(contest: Contest) -> float:
    chips = contest.judged.batch.accelerators
    is_same = np.array([chips[row].kind == chips[contest.best].kind for row in contest.rows.tolist()])
    return float(contest.wins[is_same].sum())
