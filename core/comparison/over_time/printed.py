"""Costs of phases as they are printed, on screen and on paper: a reader's own sum of them is the printed total."""

from __future__ import annotations

from core.comparison.over_time.way import Way
from core.comparison.together.plan_answer import as_printed, last_digit, shared_out


def printed_costs(way: Way) -> tuple[float, ...]:
    """Likely USD of each phase, then of all, in steps of the last of three digits of the total."""
    total = way.total.likely
    step = last_digit(total)
    parts = [run.cost.likely for run in way.runs]
    return (*shared_out(parts, as_printed(total), step), as_printed(total))
