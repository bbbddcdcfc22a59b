"""F4: the weeks of rewriting that operators, shapes and control flow ask for."""

from __future__ import annotations

import math

from core.flexibility.criterion import Criterion, Finding, Subject
from core.ranges import Range
from core.units import plain

WEEKS_SCALE = 4.0
"""Weeks of rewriting at which the score has fallen to 37 % (our proposal)."""


def rewrite_value(subject: Subject) -> Range:
    """``exp(-weeks / 4)``; the interval follows the span of the weeks."""
    weeks = subject.porting.weeks
    return Range(rewrite_score(weeks.high), rewrite_score(weeks.likely), rewrite_score(weeks.low))


def ops_and_shapes(subject: Subject) -> Finding:
    """See :func:`rewrite_value`."""
    weeks = subject.porting.weeks
    return Finding(
        value=rewrite_value(subject),
        inputs=(("Weeks of rewriting", f"{plain(weeks.likely, 2)} ({plain(weeks.low, 2)}–{plain(weeks.high, 2)})"),),
        evidence="; ".join(subject.porting.why) or "Runs as it is",
        source=subject.porting.source,
        estimate=weeks.high > 0,
    )


def rewrite_score(weeks: float) -> float:
    """1 without rewriting, falling with every week."""
    return math.exp(-weeks / WEEKS_SCALE)


CRITERION = Criterion("F4", "Ops and shapes", "exp(−weeks / 4)", 18, 8, rewrite_value, ops_and_shapes)
