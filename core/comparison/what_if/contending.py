"""The few options of an answer of which one could be the pick in another world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.goodness import shares
from core.comparison.columns import trusted_rows
from core.comparison.judge.assemble import Judged
from core.comparison.judge.limits import LIMITS
from core.comparison.rank.standings import Standings, axes_of_all
from core.comparison.rank.utility import normalised, random_weightings
from core.comparison.search.option_set import Index, numbered
from core.comparison.search.options import Option
from core.comparison.what_if.tilts import OptionKey, option_key

Array = NDArray[np.float64]
PASSING = frozenset({"deadline", "ttft", "tpot", "answer", "budget"})
"""Limits that an option misses now and may keep in another world."""
N_WEIGHTINGS = 12
N_CHIPS, N_CHIPS_UNPROVED = 4, 2
"""Chips that are kept for each weighting, the best first: of those that are trusted most, and of the others."""
NEAR = 0.02
"""Goodness by which an option may be behind the best of its chip."""
N_VARIANTS, N_LEADING = 2, 3
LEAST_WINS = 0.002
"""Share of the draws that a chip wins at least whose options count among those that lead."""


def contending(
    judged: Judged, ranking: Standings, chips: frozenset[str]
) -> tuple[frozenset[OptionKey], frozenset[OptionKey]]:
    """The options that could be the pick, and those that could where none of these fits.

    Those that lead the ranking (see :func:`leading`); and for the plan's weights and others, whatever these become, the
    best few of the best few chips: among all that only miss a limit which another world may set wider, and among those
    that miss none. Of ``chips`` always some are kept.
    """
    columns, listed = judged.columns, judged.shortlisted
    lasting = np.array([code not in PASSING for code in LIMITS])
    hard = np.array([len(one) for one in judged.screened.reasons])[listed.option_of]
    rows = np.flatnonzero(listed.fits & (hard == 0) & ~judged.misses[:, lasting].any(axis=1))
    trust = columns.trust[rows]
    firm, others = (_best(judged, rows[mask], n, chips) for mask, n in _tiers(trust))
    first = leading(judged, ranking)
    return firm | first, others - firm - first


def leading(judged: Judged, ranking: Standings) -> frozenset[OptionKey]:
    """Of each chip that takes part in the contest the first few options, all that decide who is picked, and the one of
    the cheapest chip hour, which leads where there is more to do."""
    if ranking.contest is None:
        return frozenset()
    rows = ranking.rows[trusted_rows(ranking.results.columns, ranking.n_ranked)]
    chips, contest = judged.batch.accelerators, ranking.contest
    winning = {chips[row].id for row in contest.rows[contest.wins >= LEAST_WINS].tolist()} | {chips[contest.best].id}
    of_chips: dict[str, list[Option]] = {chip: [] for chip in winning}
    for row in rows.tolist():
        if chips[row].id in winning:
            of_chips[chips[row].id].append(judged.shortlisted.option(row))
    kept = (one for options in of_chips.values() for one in (*options[:N_LEADING], _cheapest(options)))
    return frozenset(map(option_key, kept))


def _cheapest(options: Sequence[Option]) -> Option:
    return min(options, key=lambda one: one.usd_per_chip_hour)


def _tiers(trust: Index) -> Iterator[tuple[NDArray[np.bool_], int]]:
    yield trust == 2, N_CHIPS
    yield trust < 2, N_CHIPS_UNPROVED


def _best(judged: Judged, rows: Index, n_chips: int, chips: frozenset[str]) -> frozenset[OptionKey]:
    feasible = rows[judged.columns.feasible[rows]]
    kept = np.union1d(
        _of_all_weightings(judged, rows, n_chips, chips), _of_all_weightings(judged, feasible, n_chips, chips)
    )
    return frozenset(option_key(judged.shortlisted.option(row)) for row in kept.tolist())


def _of_all_weightings(judged: Judged, rows: Index, n_chips: int, chips: frozenset[str]) -> Index:
    if not len(rows):
        return rows
    axes = axes_of_all(judged.profile, judged)
    axes = axes.take(rows)
    goodness = normalised(axes)
    weightings = np.vstack((shares(judged.profile.weights), np.eye(3), random_weightings()[:N_WEIGHTINGS]))
    names = [judged.batch.accelerators[row].id for row in rows.tolist()]
    chip_of, firsts = numbered(names)
    always = np.array([names[first] in chips for first in firsts])
    kept: set[int] = set()
    for utilities in (goodness @ weightings.T).T:
        kept.update(_first_of_chips(utilities, chip_of, always, n_chips))
    return rows[np.array(sorted(kept), dtype=np.intp)]


def _first_of_chips(utilities: Array, chip_of: Index, always: NDArray[np.bool_], n_chips: int) -> Iterator[int]:
    """Places of the first few, within :data:`NEAR`, of the first few chips."""
    best = np.full(len(always), -np.inf)
    np.maximum.at(best, chip_of, utilities)
    wanted = always.copy()
    wanted[np.argsort(-best, kind="stable")[:n_chips]] = True
    near = np.flatnonzero(wanted[chip_of] & (utilities >= best[chip_of] - NEAR))
    near = near[np.lexsort((-utilities[near], chip_of[near]))]
    place = np.arange(len(near)) - np.searchsorted(chip_of[near], chip_of[near])
    return iter(near[place < N_VARIANTS].tolist())
