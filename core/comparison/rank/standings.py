"""The order of all candidates: feasible ones best first, then the nearest of the rejected, one of each kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.comparison.chance.cautious import Cautious, cautious
from core.comparison.chance.contest import SAME_GOODNESS, Contest, contest_of
from core.comparison.chance.drawn_apart import drawn_apart
from core.comparison.chance.errors import N_DRAWS
from core.comparison.chance.goodness import MISSED, Best, Yardstick, shares
from core.comparison.columns import SideBySide, most_trusted
from core.comparison.drawn import DrawnCandidate
from core.comparison.judge.assemble import Judged, Standing
from core.comparison.judge.candidates import Shortlisted
from core.comparison.judge.durations import LIKELY
from core.comparison.rank.board import Board, Caution, least_time
from core.comparison.rank.chances import Chances
from core.comparison.rank.contenders import unbeaten
from core.comparison.rank.utility import Array, Axes, best_of, order_best_first
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
    n_offers = _offers_of_groups(group, judged.shortlisted, rejected)
    return RejectedKinds(rejected[order], n_offers[group[order]])


def _offers_of_groups(group: Index, shortlisted: Shortlisted, rejected: Index) -> Index:
    """For how many different offers each group stands, shape (n groups,)."""
    firsts = np.unique(paired(group, shortlisted.option_of[rejected]), return_index=True)[1]
    counts = None if shortlisted.n_offers is None else shortlisted.n_offers[rejected[firsts]]
    return np.bincount(group[firsts], counts).astype(np.intp)


@dataclass(frozen=True)
class Standings:
    """All results in their order, the first ``n_ranked`` feasible, and what is asked of all of them at once.

    ``rows`` are their numbers among the judged; ``axes`` those by which the feasible ones were ranked, likely values,
    and ``caution`` how they fare when things go badly. ``contest`` is that between those among which the pick is
    taken; None where nothing is feasible.
    """

    results: SideBySide
    rows: Index
    axes: Axes
    caution: Caution
    n_ranked: int
    contest: Contest | None

    def drawn(self, place: int) -> DrawnCandidate:
        """What the draws make of a feasible result. Raises IndexError for a place that is not ranked."""
        if self.contest is None or place >= self.n_ranked:
            raise IndexError(place)
        return drawn_apart(self.contest, int(self.rows[place]))


@dataclass(frozen=True)
class _Field:
    """The candidates that meet all limits, ``feasible`` by their rows, with what they are ranked by;
    ``axes`` are theirs, and places are numbers among them."""

    judged: Judged
    feasible: Index
    trusted: Index
    id_rank: Index
    yardstick: Yardstick
    axes: Axes

    def in_order(self, places: Index) -> tuple[Cautious, Array, Index]:
        """How some of them fare when things go badly, their utilities, and their order by these, shapes (n places,)."""
        worst, axes = cautious(self.judged, self.yardstick, self.feasible[places]), self.axes.take(places)
        goodness = np.column_stack((worst.cost, worst.time, axes.flexibility / 100))
        utilities = goodness @ self.yardstick.weights - MISSED * worst.missed
        return worst, utilities, order_best_first(utilities, axes.cost_usd, self.id_rank[self.feasible[places]])

    def contest(self, signable: Index, missed: Array, n_draws: int = N_DRAWS) -> Contest | None:
        """The contest between places that are in order, each with what it ``missed``; None without any."""
        if not len(signable):
            return None
        unbeaten_ones = self.feasible[undominated(self.axes, missed, signable)]
        return contest_of(self.judged, self.yardstick, self.feasible[signable], unbeaten_ones, n_draws)


def _field_of(profile: Profile, judged: Judged) -> _Field:
    columns, of_all = judged.columns, axes_of_all(profile, judged)
    feasible = np.flatnonzero(columns.feasible)
    trusted = most_trusted(columns.trust[feasible])
    best = best_of(of_all, feasible[trusted]) or Best(0.0, 0.0)
    yardstick = Yardstick(best, least_time(profile), shares(profile.weights))
    axes = replace(of_all, best=best).take(feasible)
    return _Field(judged, feasible, trusted, ranks(columns.ids), yardstick, axes)


def contest_alone(profile: Profile, judged: Judged, n_draws: int = N_DRAWS) -> Contest | None:
    """The contest of :func:`standings`, to the last bit, where nobody asks about any other place in the order; over
    fewer draws where few are enough."""
    field = _field_of(profile, judged)
    breathe()
    worst, _, order = field.in_order(field.trusted)
    return field.contest(field.trusted[order], worst.missed[order], n_draws)


def standings(profile: Profile, judged: Judged) -> Standings:
    """Ranks the feasible candidates by their worst outcomes and thins the others; no result is put together yet."""
    field = _field_of(profile, judged)
    feasible, trusted, axes, columns = field.feasible, field.trusted, field.axes, judged.columns
    breathe()
    worst, utilities, order = field.in_order(np.arange(len(feasible)))
    signable = order[np.isin(order, trusted)]
    contest = field.contest(signable, worst.missed[signable])
    breathe()
    order = order if contest is None else _pick_first(order, feasible, feasible[trusted], contest)
    rejected = one_of_each_kind(judged, np.flatnonzero(~columns.feasible), field.id_rank)
    ranked, rows = feasible[order], np.concatenate((feasible[order], rejected.rows))
    chances = Chances.of(worst.kept.take(order), ranked, contest)
    front = pareto_mask(axes.cost_usd, axes.time)[order]

    def result(place: int) -> CandidateResult:
        row = int(rows[place])
        if place >= len(ranked):
            return judged.result(row, Standing(n_offers=int(rejected.n_offers[place - len(ranked)])))
        standing = Standing(float(utilities[order[place]]), bool(front[place]), place + 1, chance=chances.at(place))
        return judged.result(row, standing)

    return Standings(
        SideBySide(chances.beside(columns.take(rows)), result),
        rows,
        axes.take(order),
        _caution(axes, field.yardstick, worst, _lift(utilities, feasible, signable, contest)).take(order),
        len(ranked),
        contest,
    )


def undominated(axes: Axes, missed: Array, places: Index) -> Index:
    """The ``places``, in their order, than which no other one is at most as dear and as slow, at least as flexible and
    misses limits at most as often when things go badly, and better in one of these; of equals one. ``missed`` is that
    of the places, shape (n places,)."""
    taken = axes.take(places)
    demerits = np.column_stack((taken.cost_usd, np.maximum(taken.time, taken.least_time), -taken.flexibility, missed))
    order = np.lexsort(demerits.T[::-1])
    return places[np.sort(np.array(unbeaten(demerits[order], order), dtype=np.intp))]


def _pick_first(order: Index, feasible: Index, trusted: Index, contest: Contest) -> Index:
    """The order with the pick before all others of which it is taken, some of which may be better when things go
    badly; see :func:`core.comparison.chance.contest.contest_of`."""
    pick = int(np.flatnonzero(feasible[order] == contest.best)[0])
    first = int(np.flatnonzero(np.isin(feasible[order], trusted))[0])
    return np.insert(np.delete(order, pick), min(first, pick), order[pick])


def _lift(utilities: Array, feasible: Index, signable: Index, contest: Contest | None) -> Array:
    """See :class:`core.comparison.rank.board.Caution`; shape (n feasible,)."""
    if contest is None:
        return np.zeros(len(feasible))
    behind = utilities[signable].max() - utilities
    return np.where((feasible == contest.best) & (behind > 0), behind + SAME_GOODNESS, 0.0)


def _caution(axes: Axes, yardstick: Yardstick, worst: Cautious, lift: Array) -> Caution:
    """The worst outcomes as cost and time over the likely ones: what gives the same goodness."""
    cost, time = yardstick.best.cost_usd / worst.cost, yardstick.best.time / worst.time
    return Caution(_over(cost, axes.cost_usd), _over(time, axes.time), worst.missed, lift)


def _over(values: Array, likely: Array) -> Array:
    return np.where((likely > 0) & (values > 0), values / np.where(likely > 0, likely, 1.0), 1.0)


def axes_of_all(profile: Profile, judged: Judged) -> Axes:
    """Cost, time and flexibility of all candidates; see :func:`core.comparison.rank.board.time_value`."""
    time = time_of_all(profile, judged)
    return Axes(judged.bills.likely_usd, time, judged.scored.spans[:, LIKELY], least_time(profile))


def time_of_all(profile: Profile, judged: Judged) -> Array:
    """What counts as time of all candidates, shape (n,); see :func:`core.comparison.rank.board.time_value`."""
    time = judged.columns.run_h if judged.is_serving else judged.columns.days
    if not profile.job.answers_users:
        return time
    tpot_ms = judged.shortlisted.per_cluster(lambda speed: speed.latency.tpot_p50_ms if speed.latency else np.nan)
    return np.where(np.isnan(tpot_ms), time, tpot_ms)


def board_of_all(profile: Profile, judged: Judged, ranking: Standings) -> Board:
    """The feasible results as a board; see :func:`core.comparison.rank.board.board_of`."""
    n, columns = ranking.n_ranked, ranking.results.columns
    rows = ranking.rows[:n]
    porting_days = np.zeros(n) if judged.is_serving else judged.shortlisted.porting_days[rows, LIKELY]
    return Board(
        LazySequence(n, ranking.results.__getitem__),
        LazySequence(n, lambda row: name_of(columns.accelerators[row], int(columns.n_chips[row]))),
        [chip.id for chip in columns.accelerators[:n]],
        ranking.axes,
        judged.bills.part(*rent_parts())[rows],
        judged.bills.part("porting")[rows],
        porting_days,
        ranking.caution,
    )
