"""Options that would beat the pick if what is not proved about them holds, and what to ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.catalogue.prices.dates import as_of_date
from core.comparison.chance.goodness import shares
from core.comparison.columns import Columns
from core.comparison.obtain.price_proof import PROVED
from core.comparison.rank.board import Board
from core.comparison.rank.contenders import MOST_PRICE_FACTOR
from core.comparison.rank.standings import Standings
from core.comparison.recommendation.flip_points import PRICE_FACTORS, first_change
from core.comparison.result import CandidateResult, Lead, Question
from core.comparison.search.option_set import Index
from core.workload.profile import Profile

MOST_LEADS = 5


def leads(profile: Profile, ranking: Standings, board: Board, others: Index) -> tuple[Lead, ...]:
    """The best of some feasible rows, ``others``, that beat the pick at the likely values, one of each chip at each
    seller.

    The board holds all feasible options as they are ranked. A lead is cheaper or sooner than the pick and beats it in
    the user's weights when only these two are compared: what is uncertain about it is what is to be asked.
    """
    if ranking.contest is None:
        return ()
    likely = replace(board, caution=None)
    utilities = likely.utilities(shares(profile.weights))
    pick = int(np.flatnonzero(ranking.rows == ranking.contest.best)[0])
    ahead = others[utilities[others] > utilities[pick]]
    ahead = ahead[np.argsort(-utilities[ahead], kind="stable")]
    kept: list[Lead] = []
    for row in _firsts(ranking.results.columns, ahead.tolist()):
        best_then = ranking.contest.would_win(int(ranking.rows[row]))
        lead = _lead(profile, likely.taken(np.array([row, pick], dtype=np.intp)), best_then)
        kept += [lead] if lead else []
        if len(kept) == MOST_LEADS:
            break
    return tuple(kept)


def _firsts(columns: Columns, rows: Sequence[int]) -> Sequence[int]:
    """The first row of each chip at each seller, of those that lack the least proof: what every table shows of them."""
    trust, firsts = columns.trust.tolist(), dict[tuple[str, str], int]()
    for row in sorted(rows, key=lambda row: -trust[row]):
        firsts.setdefault((columns.accelerators[row].id, columns.offers[row].provider), row)
    return [row for row in rows if row in firsts.values()]


def _lead(profile: Profile, pair: Board, best_then: float) -> Lead | None:
    """The first row of two as a lead against the second; None where it is no better."""
    result, pick = pair.results
    weights = shares(profile.weights)
    saving_usd, saving_days = float(pair.axes.cost_usd[1] - pair.axes.cost_usd[0]), _sooner(result, pick)

    def is_behind(factor: float) -> int:
        lead_utility, pick_utility = pair.with_price(np.array([1.0, 0.0]), factor).utilities(weights)
        return int(lead_utility < pick_utility)

    if is_behind(1.0) or not (saving_usd > 0 or pair.axes.time[0] < pair.axes.time[1]):
        return None
    factor = first_change(is_behind, PRICE_FACTORS, bool)
    price = result.candidate.usd_per_chip_hour
    most = _within_budget(profile, pair, price, None if factor is None else price * factor)
    return Lead(result.id, saving_usd, saving_days, questions(result), most, best_then)


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
