"""The plan's answer in words: the same in a terminal and on paper."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import USD, Amount, UsdSpan
from core.comparison.recommendation.confidence import in_hundred
from core.comparison.together.moving import Alternative, Moving
from core.comparison.together.plan_answer import PlanAnswer
from core.units import THIN, date_text, plain, usd

COMBINED = {
    "independent": "ranges combined as independent",
    "together": "ranges added end to end, since picks share a chip or a seller",
}


def plan_line(answer: PlanAnswer) -> str:
    """``Plan: $2.61 M, done 1 Feb 2027, 91 of 100``."""
    total, chance = usd(answer.printed_usd), in_hundred(answer.chance_in_limits)
    return f"Plan: {total}, done {date_text(answer.done)}, {chance}"


def plan_lines(answer: PlanAnswer | None, alternatives: Sequence[Alternative]) -> tuple[str, ...]:
    """The line, its range and what it says of chance, cash by quarter, moves, and what one kind or seller would be."""
    if answer is None:
        return ("No workload of this plan has a pick.",)
    quarters = ", ".join(f"{name} {usd(amount)}" for name, amount in quarters_of(answer))
    told = [
        plan_line(answer),
        f"{range_words(answer)}. {chance_words(answer)}.",
        f"Cash by quarter: {quarters}.",
        *(moving_line(one) for one in answer.moving),
        *(alternative_line(answer, one) for one in alternatives),
        *(f"Not in it: {name}, which has no pick." for name in answer.unanswered),
    ]
    return ("\n".join(told),)


def quarters_of(answer: PlanAnswer) -> tuple[tuple[str, float], ...]:
    """Names of quarters and what is due in each, which add up to the total as printed."""
    names = (quarter.name for quarter in answer.cash_by_quarter)
    return tuple(zip(names, answer.printed_quarters, strict=True))


def range_words(answer: PlanAnswer) -> str:
    """``80 % range $2.4–2.89 M, ranges combined as independent``."""
    return f"80{THIN}% range {UsdSpan(answer.total_usd.low, answer.total_usd.high)}, {COMBINED[answer.combined]}"


def chance_words(answer: PlanAnswer) -> str:
    """``All limits are kept in 91 of 100 draws, the product of 2 picks' own chances``."""
    n_picks = len(answer.picks)
    whose = f", the product of {n_picks} picks' own chances" if n_picks > 1 else ""
    return f"All limits are kept in {in_hundred(answer.chance_in_limits)} draws{whose}"


LEAST_TOLD_USD = 0.5
"""Moving that costs less is told as free."""


def moving_line(move: Moving) -> str:
    """``Moving the weights of Llama 3 70B, 141 GB, from AWS to Google Cloud: $12.70, an estimate.``"""
    size = f"{plain(move.gb)}{THIN}GB"
    cost = usd(move.usd) if move.usd >= LEAST_TOLD_USD else "free of egress fees"
    return f"Moving the weights of {move.model}, {size}, from {move.seller} to {move.buyer}: {cost}, an estimate."


def alternative_line(answer: PlanAnswer, other: Alternative) -> str:
    """``All on GPU, 64 × B200 and 4 × B200: $2.8 M, $190 k more.``"""
    gap = other.usd - answer.total_usd.likely
    names = " and ".join(f"{pick.candidate.name}, {pick.candidate.place}" for pick in other.picks)
    return f"{other.title} ({names}): {usd(other.usd)}, {Amount(abs(gap), USD)} {'more' if gap >= 0 else 'less'}."
