"""The answer for a workload that is tracked: where it stands, what would help, and what differs today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.amounts import Text
from core.comparison.actuals.baseline import drift
from core.comparison.actuals.options import Option, options
from core.comparison.actuals.standing import Standing, standing
from core.comparison.result import ResultSet
from core.workload.actuals import Tracked


@dataclass(frozen=True)
class ActualsAnswer:
    """``options`` are ranked; ``drift`` says in what today's comparison differs from the plan that was frozen."""

    workload: str
    name: str
    standing: Standing
    options: tuple[Option, ...]
    drift: Text


def actuals_answer(tracked: Tracked, results: ResultSet) -> ActualsAnswer:
    """The answer for one workload by its results of today."""
    one = standing(tracked)
    ways = options(one, results) if one.points else ()
    return ActualsAnswer(tracked.workload, results.profile.name, one, ways, drift(tracked.baseline, results))


def actuals_answers(actuals: Sequence[Tracked], results: Mapping[str, ResultSet]) -> tuple[ActualsAnswer, ...]:
    """Of each that is tracked and has results."""
    return tuple(actuals_answer(one, results[one.workload]) for one in actuals if one.workload in results)
