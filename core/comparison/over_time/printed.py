"""Costs of phases as they are printed, on screen and on paper: a reader's own sum of them is the printed total."""

from __future__ import annotations

from core.comparison.over_time.way import Way
from core.comparison.together.plan_answer import last_digit, shared_out
from core.units import shown_money, usd

DIGITS = 4
"""Of the total: one more than of amounts elsewhere, so that a part that is rounded the other way to add up still reads
the same there."""

ALIKE_BELOW = 1000
"""Amounts below this have the same decimals wherever they stand: cents below 100, none from there on."""


def printed_costs(way: Way) -> tuple[float, ...]:
    """Likely USD of each phase, then of all, in whole steps."""
    step = printed_step(way)
    total = round(way.total.likely / step) * step
    return (*shared_out([run.cost.likely for run in way.runs], total, step), total)


def printed_step(way: Way) -> float:
    """One of the last digit that is printed of a way's costs, in USD."""
    third, shown = last_digit(way.total.likely), abs(way.total.likely) * shown_money().per_usd
    return third if shown < ALIKE_BELOW else third / 10


def cost_words(amount_usd: float) -> str:
    """A printed cost in words: ``$471.4 k``."""
    return usd(amount_usd, DIGITS)
