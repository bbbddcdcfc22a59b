"""The options among which the pick is taken over the same draws: how often each is the best, and what being wrong
would cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.cautious import Kept, goodness_by_parts, kept_of, mean_of_worst, missed_beyond
from core.comparison.chance.errors import N_DRAWS, Draws
from core.comparison.chance.goodness import MISSED, Yardstick
from core.comparison.judge.assemble import Judged
from core.comparison.search.option_set import Index, numbered

Array = NDArray[np.float64]
LEAST_COST_WEIGHT = 0.1
"""Weight of cost at which goodness is put into money where cost weighs less, or nothing."""
EVEN = (0.4, 0.6)
"""One option beats another in such a share of the draws: a coin would do as well."""
AS_OFTEN = 0.1
"""Options keep their limits about as often when the shares of draws are nearer than this (our limit)."""
SAME_GOODNESS = 0.01
"""Goodness by which two options differ by next to nothing (our limit)."""
N_VARIANTS = 3


@dataclass(frozen=True)
class Contest:
    """The contest between the best variants of each chip over the same draws.

    ``rows`` are the contenders among the judged, best first by ``worst``, the mean goodness of each one's worst draws,
    shape (n,); ``means`` is that of all draws, and ``wins`` the share of draws in which it is the best, which sum to 1;
    ``ceiling`` is the goodness of the best of them in each draw. ``pick`` and ``runner_up`` are places among them, the
    latter None where there is one contender; ``beats`` is the share of draws in which the pick is better than it, ties
    by half. ``kept`` is what the draws say of each contender's limits.
    """

    judged: Judged
    yardstick: Yardstick
    rows: Index
    worst: Array
    means: Array
    wins: Array
    ceiling: Draws
    pick: int
    runner_up: int | None
    beats: float
    kept: Kept

    @property
    def best(self) -> int:
        """The pick's row among the judged."""
        return int(self.rows[self.pick])

    @property
    def is_close(self) -> bool:
        """True where the draws do not tell the pick from the runner-up: each is better about as often and keeps the
        limits about as often, or differs by next to nothing when things go badly."""
        if self.runner_up is None:
            return False
        ahead = float(self.worst[self.pick] - self.worst[self.runner_up])
        keeps_more = float(self.kept.together[self.pick] - self.kept.together[self.runner_up])
        is_even = EVEN[0] <= self.beats <= EVEN[1] and abs(keeps_more) < AS_OFTEN
        return is_even or abs(ahead) < SAME_GOODNESS

    def would_win(self, row: int) -> float:
        """Share of draws in which some other judged candidate would be the best, if what it lacks were proved."""
        drawn, _ = _drawn(self.judged, self.yardstick, np.array([row]), self.n_draws)
        return float(np.mean(drawn[0] >= self.ceiling))

    @property
    def n_draws(self) -> int:
        """Over how many draws it is held."""
        return len(self.ceiling)

    @property
    def regret_usd(self) -> Array:
        """Expected regret of each contender in USD, shape (n,); see :meth:`regret_of`."""
        return self.regret_of(self.means, self.judged.bills.likely_usd[self.rows])

    def regret_of(self, means: Array, likely_usd: Array | float = 0.0) -> Array:
        """Expected regret in USD of options of a mean goodness, shape (n,), at least 0: how much better, on average
        over the draws, one would do who knew beforehand how all turns out.

        In money it is by how much an option of the pick's cost, or of its own ``likely_usd`` where that is more, would
        have to be cheaper to make up for it: ``w x best / (cost - x) = w x best / cost + regret``, with the weight
        ``w`` of cost. So what is dearer than the pick can lose more than all of the pick's cost, and what is worse on
        average never has less regret in money than the pick.
        """
        weight = max(float(self.yardstick.weights[0]), LEAST_COST_WEIGHT)
        cost_usd = np.maximum(likely_usd, float(self.judged.bills.likely_usd[self.best]))
        of_best = np.divide(self.yardstick.best.cost_usd, cost_usd, out=np.ones_like(cost_usd), where=cost_usd > 0)
        regret = np.maximum(float(self.ceiling.mean()) - means, 0.0)
        return np.asarray(cost_usd * regret / (weight * of_best + regret))


def contest_of(
    judged: Judged, yardstick: Yardstick, trusted: Index, unbeaten: Index, n_draws: int = N_DRAWS
) -> Contest:
    """The contest between some judged rows, best first by their screened outcomes; the best variant of each chip takes
    part, which is looked for among the first :data:`N_VARIANTS` of it.

    The pick is the best when things go badly of those ``unbeaten`` (no other is likely to be as cheap, as soon and as
    flexible and to keep the limits as often) that have no more expected regret than their runner-up, the option that
    wins most often when they do not themselves. Where none has, what costs less regret than the pick, and is beaten, is
    no runner-up.
    """
    variants = trusted[_first_variants(judged, trusted, unbeaten)]
    drawn, kept = _drawn(judged, yardstick, variants, n_draws)
    worst_pct = judged.profile.weights.worst_pct
    of_variants = mean_of_worst(drawn, worst_pct) - MISSED * missed_beyond(kept.together, worst_pct)
    best = _best_of_chips(judged, variants, of_variants)
    rows, goodness, worst = variants[best], drawn[best], of_variants[best]
    ceiling = goodness.max(axis=0)
    wins = _wins(goodness, ceiling)
    means = goodness.mean(axis=1, dtype=np.float64)
    pick = _pick(np.isin(rows, unbeaten), worst, wins, means)
    rival = runner_up(pick, np.where(means <= means[pick], wins, -1.0))
    beats = 1.0 if rival is None else share_above(goodness[pick], goodness[rival])
    return Contest(
        judged, yardstick, rows, worst, means, wins, ceiling, pick, rival, beats, kept.take(best)
    )  # fmt: skip


def _wins(goodness: Draws, ceiling: Draws) -> Array:
    """Share of draws in which each one is the best, shape (n,); of equals the first."""
    n_best = np.count_nonzero(goodness == ceiling, axis=1)
    if n_best.sum() > len(ceiling):
        n_best = np.bincount(np.argmax(goodness, axis=0), minlength=len(goodness))
    return np.asarray(n_best / len(ceiling))


def _pick(is_unbeaten: NDArray[np.bool_], worst: Array, wins: Array, means: Array) -> int:
    """The first place that passes, or one as good as it when things go badly that has less expected regret; of the
    unbeaten ones at least the best, should none pass."""
    passing = [place for place in range(len(wins)) if is_unbeaten[place] and _has_less_regret(place, wins, means)]
    if not passing:
        return int(np.argmax(np.where(is_unbeaten, means, means - 2.0)))
    return max((place for place in passing if worst[passing[0]] - worst[place] < SAME_GOODNESS), key=means.__getitem__)


def _first_variants(judged: Judged, rows: Index, unbeaten: Index) -> list[int]:
    """Places of the first variants of each chip: unbeaten ones where it has any."""
    chips = judged.batch.accelerators
    of_unbeaten = {chips[row].id for row in unbeaten.tolist()}
    is_unbeaten = np.isin(rows, unbeaten)
    seen: Counter[str] = Counter()
    places = []
    for place, row in enumerate(rows.tolist()):
        chip = chips[row].id
        if is_unbeaten[place] or chip not in of_unbeaten:
            seen[chip] += 1
            places += [place] if seen[chip] <= N_VARIANTS else []
    return places


def _best_of_chips(judged: Judged, rows: Index, worst: Array) -> Index:
    """Places of the best variant of each chip, the best of all first."""
    in_order = np.argsort(-worst, kind="stable")
    chips = judged.batch.accelerators
    return in_order[numbered(chips[row].id for row in rows[in_order].tolist())[1]]


def runner_up(place: int, wins: Array) -> int | None:
    """The other option that wins most often, None where there is no other; wins below 0 are of those left out."""
    if len(wins) < 2:
        return None
    others = np.where(np.arange(len(wins)) == place, -1.0, wins)
    return int(np.argmax(others)) if others.max() >= 0 else None


def _has_less_regret(place: int, wins: Array, means: Array) -> bool:
    rival = runner_up(place, wins)
    return rival is None or bool(means[place] >= means[rival])


def _drawn(judged: Judged, yardstick: Yardstick, rows: Index, n_draws: int) -> tuple[Draws, Kept]:
    """Goodness of judged candidates in each draw, shape (n, n draws), and which limits they keep."""
    totals, together, each = [], [], []
    for part in goodness_by_parts(judged, yardstick, rows, n_draws):
        kept = kept_of(part.outcomes)
        totals.append(part.total)
        together.append(kept.together)
        each.append(kept.each)
    return np.concatenate(totals), Kept(np.concatenate(together), np.concatenate(each))


def share_above(one: Draws | Array, other: Draws | Array) -> float:
    """Share of the draws in which the first is more, 0..1; draws in which both are the same count half."""
    return float(np.mean(one > other) + np.mean(one == other) / 2)
