"""Options that would beat the pick if what is not proved about them holds, and what to ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.catalogue.prices.dates import as_of_date
from core.comparison.chance.contest import AS_OFTEN, EVEN
from core.comparison.chance.goodness import shares
from core.comparison.columns import Columns
from core.comparison.obtain.price_proof import PROVED
from core.comparison.rank.board import Board
from core.comparison.rank.contenders import MOST_PRICE_FACTOR
from core.comparison.rank.standings import Standings
from core.comparison.rank.utility import Array
from core.comparison.result import CandidateResult, Lead, Question
from core.comparison.search.option_set import Index
from core.workload.profile import Profile

MOST_LEADS = 5
NOTABLE_SHARE = 0.03
"""Faster by less is no reason to take a dearer option (our limit)."""


def leads(profile: Profile, ranking: Standings, board: Board, others: Index) -> tuple[Lead, ...]:
    """The best of some feasible rows, ``others``, that beat the pick at the likely values, one of each chip at each
    seller.

    The board holds all feasible options as they are ranked. A lead is cheaper or sooner than the pick and beats it in
    the user's weights when only these two are compared: what is uncertain about it is what is to be asked. Those come
    first that keep the limits about as often: fewer chips, which are cheaper at any seller and miss a limit, are no
    matter of proof. Riskier ones follow where they would be the best in about as many draws as not.
    """
    if ranking.contest is None:
        return ()
    likely = replace(board, caution=None)
    pick = int(np.flatnonzero(ranking.rows == ranking.contest.best)[0])
    kept: list[Lead] = []
    for row in _firsts(ranking.results.columns, _ahead(profile, ranking, likely, pick, others), pick):
        best_then = ranking.contest.would_win(int(ranking.rows[row]))
        lead = _lead(profile, likely.taken(np.array([row, pick], dtype=np.intp)), best_then)
        kept += [lead] if lead and (best_then >= EVEN[0] or not _is_riskier(ranking.results.columns, row, pick)) else []
        if len(kept) == MOST_LEADS:
            break
    return tuple(kept)


def _ahead(profile: Profile, ranking: Standings, likely: Board, pick: int, others: Index) -> list[int]:
    """The rows that beat the pick at the likely values, the riskier ones last, the best first."""
    columns, utilities = ranking.results.columns, likely.utilities(shares(profile.weights))
    ahead = others[utilities[others] > utilities[pick]]
    ahead = ahead[np.lexsort((-utilities[ahead], _is_riskier(columns, ahead, pick)))]
    return [row for row in ahead.tolist() if _what(columns, row) != _what(columns, pick)]


def _is_riskier(columns: Columns, rows: Index | int, pick: int) -> NDArray[np.bool_]:
    return np.asarray(columns.in_limits[rows] <= columns.in_limits[pick] - AS_OFTEN)


def is_riskier(lead: CandidateResult, pick: CandidateResult) -> bool:
    """True for a lead that keeps the limits clearly less often than the pick, whatever is proved about it."""
    one, other = lead.chance, pick.chance
    return one is not None and other is not None and one.in_limits <= other.in_limits - AS_OFTEN


def _what(columns: Columns, row: int) -> tuple[str, str, int]:
    """So many chips of a seller: the same in another machine of his is no lead."""
    return columns.accelerators[row].id, columns.offers[row].provider, int(columns.n_chips[row])


def _firsts(columns: Columns, rows: Sequence[int], pick: int) -> Sequence[int]:
    """The first row of each chip at each seller, of those that keep the limits as often and then lack the least
    proof."""
    trust, firsts = columns.trust.tolist(), dict[tuple[str, str], int]()
    risk = dict(zip(rows, _is_riskier(columns, np.array(rows, dtype=np.intp), pick).tolist(), strict=True))
    for row in sorted(rows, key=lambda row: (risk[row], -trust[row])):
        firsts.setdefault((columns.accelerators[row].id, columns.offers[row].provider), row)
    return [row for row in rows if row in firsts.values()]


def _lead(profile: Profile, pair: Board, best_then: float) -> Lead | None:
    """The first row of two as a lead against the second; None where it is no better."""
    result, pick = pair.results
    weights = shares(profile.weights)
    saving_usd, saving_days = float(pair.axes.cost_usd[1] - pair.axes.cost_usd[0]), _sooner(result, pick)
    faster = None if saving_days is not None else float(pair.axes.time[1] / pair.axes.time[0] - 1)

    ahead, of_pick = pair.utilities(weights).tolist()
    is_sooner = saving_days > 0 if saving_days is not None else (faster or 0.0) >= NOTABLE_SHARE
    if ahead < of_pick or not (saving_usd > 0 or is_sooner):
        return None
    price, factor = result.candidate.usd_per_chip_hour, _price_factor(pair, weights)
    most = _within_budget(profile, pair, price, None if factor is None else price * factor)
    return Lead(result.id, saving_usd, saving_days, questions(result), most, best_then, faster)


def _price_factor(pair: Board, weights: Array) -> float | None:
    """By how much the price of the first row may grow until the second is as good; None beyond
    :data:`MOST_PRICE_FACTOR`, or where the price does not decide.

    ``w x best / dearest + rest = goodness of the second``, and ``dearest = cost + rent x (factor - 1)``.
    """
    best, rent_usd, cost_usd = pair.axes.best, float(pair.priced_usd[0]), float(pair.axes.cost_usd[0])
    first, second = pair.utilities(weights).tolist()
    missing = second - (first - weights[0] * float(pair.goodness()[0, 0]))
    if best is None or rent_usd <= 0 or missing <= 0:
        return None
    factor = 1 + (weights[0] * best.cost_usd / missing - cost_usd) / rent_usd
    return float(factor) if factor <= MOST_PRICE_FACTOR else None


def _within_budget(profile: Profile, pair: Board, price: float, most: float | None) -> float | None:
    """The lower of two prices a chip hour: that which makes the lead no better, that which takes it over the budget."""
    budget, priced_usd = profile.limits.budget_usd, float(pair.priced_usd[0])
    if budget is None or priced_usd <= 0:
        return most
    dearest = price * (1 + (budget - float(pair.axes.cost_usd[0])) / priced_usd)
    if most is None and dearest > MOST_PRICE_FACTOR * price:
        return None
    return dearest if most is None else min(most, dearest)


def _sooner(result: CandidateResult, pick: CandidateResult) -> float | None:
    if result.days_to_finish is None or pick.days_to_finish is None:
        return None
    return pick.days_to_finish.likely - result.days_to_finish.likely


def questions(result: CandidateResult) -> tuple[Question, ...]:
    """What is not proved about an option."""
    having, offer = result.obtainable, result.candidate.offer
    asked: dict[Question, bool] = {
        "size": having.status != "attested",
        "fabric": having.status == "on paper" and having.is_joined,
        "price": having.price not in PROVED,
        "date": as_of_date(offer) is None or "undated" in offer.as_of,
        "speed": not result.evidence.is_proof,
    }
    return tuple(question for question, is_open in asked.items() if is_open)
