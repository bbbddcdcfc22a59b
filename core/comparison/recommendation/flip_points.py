"""How far one input must move before another option wins. Works on the computed arrays; "never" is an answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount, Sentence
from core.comparison.chance.goodness import shares
from core.comparison.rank.board import Board
from core.comparison.rank.utility import Array
from core.comparison.result import CandidateResult, FlipPoint
from core.constants import DAYS_PER_WEEK
from core.units import OVER_A_CENTURY, THIN, date_text, day_after, noun, plain
from core.workload.profile import Profile

PRICE_FACTORS = np.geomspace(1.0, 5.0, 81)
PORTING_FACTORS = np.linspace(0.0, 4.0, 81)
_BISECTIONS = 30
NOBODY = -1


def flip_points(profile: Profile, board: Board) -> tuple[FlipPoint, ...]:
    """Price, weight on cost, deadline, budget and porting effort: where each stops the first row from being first.

    ``board`` holds the feasible options best first. Empty when there is no second option.
    """
    if len(board.results) < 2:
        return ()
    points = [price_flip(profile, board), weight_flip(profile, board)]
    if board.results[0].days_to_finish is not None:
        points.append(deadline_flip(profile, board))
    if profile.limits.budget_usd is not None:
        points.append(budget_flip(profile, board))
    if board.porting_usd.any() or board.porting_days.any():
        points.append(porting_flip(profile, board))
    return tuple(points)


def price_flip(profile: Profile, board: Board) -> FlipPoint:
    """The price per chip hour at which another chip wins, all offers of the pick's chip moving together.

    What costs more than the budget then wins no more; where nothing is left within it, no option is named.
    """
    pick = board.results[0].candidate
    same = np.array([chip_id == pick.accelerator.id for chip_id in board.chip_ids], dtype=float)
    weights = shares(profile.weights)

    def winner(factor: float) -> int:
        return _best_within(weights, board.with_price(same, factor), profile.limits.budget_usd)

    name = f"{pick.accelerator.short_name} price per chip hour"
    now = pick.usd_per_chip_hour
    factor = first_change(winner, PRICE_FACTORS, lambda row: row == NOBODY or not same[row])
    if factor is None:
        return FlipPoint(name, Amount(now, PRICE_PER_CHIP_HOUR), None, None)
    text = Sentence("{}, +{}", Amount(now * factor, PRICE_PER_CHIP_HOUR), Amount((factor - 1) * 100, "%", 2))
    row = winner(factor)
    return FlipPoint(name, Amount(now, PRICE_PER_CHIP_HOUR), text, None if row == NOBODY else board.results[row].id)


def weight_flip(profile: Profile, board: Board) -> FlipPoint:
    """The weight on cost nearest to the present one at which another option wins, the other weights kept."""
    weights, pick = profile.weights, board.names[0]
    goodness = board.goodness()
    rest = goodness[:, 1] * weights.time + goodness[:, 2] * weights.flexibility
    steps = np.arange(101.0)
    winners = np.argmax(steps[:, None] * goodness[:, 0] + rest, axis=1)
    other = [step for step in range(101) if board.names[int(winners[step])] != pick]
    now = Amount(weights.cost)
    if not other:
        return FlipPoint("Weight on cost", now, None, None)
    step = min(other, key=lambda candidate: abs(candidate - weights.cost))
    return FlipPoint("Weight on cost", now, str(step), board.results[winners[step]].id)


def deadline_flip(profile: Profile, board: Board) -> FlipPoint:
    """The deadline that the pick just misses, and what is best then."""
    limit = profile.limits.deadline_days
    now = "none" if limit is None else day(profile, limit)
    faster = board.axes.time < board.axes.time[0]
    winner = _winner_among(profile, board, faster)
    return FlipPoint("Deadline", now, f"Before {day(profile, board.axes.time[0])}", winner.id if winner else None)


def budget_flip(profile: Profile, board: Board) -> FlipPoint:
    """The budget that the pick just exceeds, and what is best then."""
    cheaper = board.axes.cost_usd < board.axes.cost_usd[0]
    winner = _winner_among(profile, board, cheaper)
    now, cost = Amount(profile.limits.budget_usd or 0.0, USD), Amount(float(board.axes.cost_usd[0]), USD)
    return FlipPoint("Budget", now, Sentence("Below {}", cost), winner.id if winner else None)


def porting_flip(profile: Profile, board: Board) -> FlipPoint:
    """The porting effort at which another option wins: less of it when the pick needs none, more when it does."""
    needs = board.porting_usd[0] > 0 or board.porting_days[0] > 0
    factors = PORTING_FACTORS[PORTING_FACTORS >= 1] if needs else PORTING_FACTORS[PORTING_FACTORS <= 1][::-1]
    row = 0 if needs else _best_ported(profile, board)
    days = board.results[row].time_terms_days.get("porting", 0.0)
    name = f"Time to port to {board.results[row].candidate.accelerator.short_name}"
    weights = shares(profile.weights)

    def winner(factor: float) -> int:
        return _best(weights, board.with_porting(factor))

    factor = first_change(
        winner,
        factors,
        lambda winning: winning != 0 and board.names[winning] != board.names[0],
    )
    if factor is None:
        return FlipPoint(name, weeks(days), None, None)
    return FlipPoint(name, weeks(days), weeks(days * factor), board.results[winner(factor)].id)


def day(profile: Profile, days: float) -> str:
    """A number of days from the start as a date: ``6 Jan 2027``, or ``over a century from the start``."""
    last = day_after(profile.limits.start_date, days)
    return date_text(last) if last else f"{OVER_A_CENTURY} from the start"


def done_words(profile: Profile, days: float) -> str:
    """When the work is done: ``done by 6 Jan 2027``, ``done in over a century``."""
    last = day_after(profile.limits.start_date, days)
    return f"done by {date_text(last)}" if last else f"done in {OVER_A_CENTURY}"


def weeks(days: float) -> str:
    """Days in words of weeks: ``2 weeks``."""
    count = plain(days / DAYS_PER_WEEK, 2)
    return f"{count}{THIN}{noun(count, 'week')}"


def _best(weights: Array, board: Board) -> int:
    return int(np.argmax(board.utilities(weights)))


def _best_within(weights: Array, board: Board, budget_usd: float | None) -> int:
    """The best row that costs no more than the budget; :data:`NOBODY` where all cost more."""
    if budget_usd is None:
        return _best(weights, board)
    fits = board.axes.cost_usd <= budget_usd
    return int(np.argmax(np.where(fits, board.utilities(weights), -np.inf))) if fits.any() else NOBODY


def _best_ported(profile: Profile, board: Board) -> int:
    """The best row that needs porting."""
    needs = (board.porting_usd > 0) | (board.porting_days > 0)
    return int(np.argmax(np.where(needs, board.utilities(shares(profile.weights)), -np.inf)))


def _winner_among(profile: Profile, board: Board, rows: Array) -> CandidateResult | None:
    if not rows.any():
        return None
    left = board.only(rows)
    return left.results[_best(shares(profile.weights), left)]


def first_change(winner: Callable[[float], int], factors: Array, changed: Callable[[int], bool]) -> float | None:
    """The factor nearest to the first one at which the winner has changed, found on the grid and then halved in."""
    stays = float(factors[0])
    for factor in factors:
        if changed(winner(float(factor))):
            return _halved_in(winner, stays, float(factor), changed)
        stays = float(factor)
    return None


def _halved_in(winner: Callable[[float], int], stays: float, flips: float, changed: Callable[[int], bool]) -> float:
    for _ in range(_BISECTIONS):
        middle = (stays + flips) / 2
        if changed(winner(middle)):
            flips = middle
        else:
            stays = middle
    return flips
