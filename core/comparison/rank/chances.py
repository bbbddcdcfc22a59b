"""What the draws say of each ranked candidate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.comparison.chance.contest import Contest
from core.comparison.chance.outcomes import LIMITS, outcomes_of
from core.comparison.columns import Columns
from core.comparison.judge.assemble import Judged
from core.comparison.rank.utility import Array
from core.comparison.result import Chance
from core.comparison.search.option_set import Index


@dataclass(frozen=True)
class Chances:
    """Of the feasible candidates, best first, shapes (n,): their ``rows`` among the judged; the share of draws in which
    each is best, and its expected regret in USD, nan for those that take no part in the contest."""

    judged: Judged
    rows: Index
    best: Array
    regret_usd: Array

    @classmethod
    def of(cls, judged: Judged, rows: Index, contest: Contest | None) -> Chances:
        """What is known of ranked judged ``rows``."""
        best, regret_usd = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
        if contest is not None:
            place_of = {row: place for place, row in enumerate(rows.tolist())}
            places = [place_of[row] for row in contest.rows.tolist()]
            best[places], regret_usd[places] = contest.wins, contest.regret_usd
        return cls(judged, rows, best, regret_usd)

    def at(self, place: int) -> Chance:
        """What the draws say of one candidate."""
        outcomes = outcomes_of(self.judged, self.rows[place : place + 1])
        kept = {limit: float(mask.mean()) for limit, mask in outcomes.keeps.items()}
        in_limits = 1.0 if outcomes.keeps_all is None else float(outcomes.keeps_all.mean())
        best, regret_usd = (_known(float(values[place])) for values in (self.best, self.regret_usd))
        deadline, budget, latency = (kept.get(limit) for limit in LIMITS)
        return Chance(in_limits, deadline, budget, latency, best, regret_usd)

    def beside(self, columns: Columns, in_limits: Array) -> Columns:
        """Columns of all candidates, of which the feasible ones come first, with what the draws say of those;
        ``in_limits``, shape (n,), is the share of draws that keep all limits."""
        silent = np.full(columns.n - len(self.rows), np.nan)
        return replace(columns, in_limits=np.concatenate((in_limits, silent)), best=np.concatenate((self.best, silent)))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
