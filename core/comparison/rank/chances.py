"""What the draws say of each ranked candidate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.comparison.chance.cautious import Kept
from core.comparison.chance.contest import Contest
from core.comparison.chance.outcomes import LIMITS
from core.comparison.columns import Columns
from core.comparison.rank.utility import Array
from core.comparison.result import Chance
from core.comparison.search.option_set import Index


@dataclass(frozen=True)
class Chances:
    """Of the feasible candidates, best first, shapes (n,): how often they keep the limits; the share of draws in which
    each is best, and its expected regret in USD, nan for those that take no part in the contest."""

    kept: Kept
    best: Array
    regret_usd: Array

    @classmethod
    def of(cls, screened: Kept, rows: Index, contest: Contest | None) -> Chances:
        """What is known of ranked judged ``rows``: of contenders by all draws, of others by the screening ones."""
        together, each = screened.together.copy(), screened.each.copy()
        best, regret_usd = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
        if contest is not None:
            place_of = {row: place for place, row in enumerate(rows.tolist())}
            places = [place_of[row] for row in contest.rows.tolist()]
            together[places], each[places] = contest.kept.together, contest.kept.each
            best[places], regret_usd[places] = contest.wins, contest.regret_usd
        return cls(Kept(together, each), best, regret_usd)

    def at(self, place: int) -> Chance:
        """What the draws say of one candidate."""
        each = dict(zip(LIMITS, map(_known, self.kept.each[place].tolist()), strict=True))
        best, regret_usd = _known(float(self.best[place])), _known(float(self.regret_usd[place]))
        return Chance(float(self.kept.together[place]), best=best, regret_usd=regret_usd, **each)

    def beside(self, columns: Columns) -> Columns:
        """Columns of all candidates, of which the feasible ones come first, with what the draws say of those."""
        silent = np.full(columns.n - len(self.best), np.nan)
        return replace(
            columns,
            in_limits=np.concatenate((self.kept.together, silent)),
            best=np.concatenate((self.best, silent)),
        )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
