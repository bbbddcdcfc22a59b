"""The answer for a workload that is tracked: where it stands, what would help, and what differs today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.amounts import Text
from core.comparison.actuals.baseline import drift
from core.comparison.actuals.options import Option, options
from core.comparison.actuals.standing import Standing, standing
from core.comparison.result import ResultSet
from core.workload.actuals import Tracked
from core.workload.phases import Phase


@dataclass(frozen=True)
class ActualsAnswer:
    """``options`` are ranked; ``drift`` says in what today's comparison differs from the plan that was frozen;
    ``phases`` are names of the plan's phases by id."""

    workload: str
    name: str
    standing: Standing
    options: tuple[Option, ...]
    drift: Text
    phases: Mapping[str, str] = field(default_factory=dict)


def actuals_answer(tracked: Tracked, results: ResultSet, phases: Sequence[Phase] = ()) -> ActualsAnswer:
    """The answer for one workload by its results of today, with the plan's phases."""
    one, names = standing(tracked), {phase.id: phase.name for phase in phases}
    ways = options(one, results) if one.points else ()
    return ActualsAnswer(tracked.workload, results.profile.name, one, ways, drift(tracked.baseline, results), names)


def actuals_answers(
    actuals: Sequence[Tracked], results: Mapping[str, ResultSet], phases: Sequence[Phase] = ()
) -> tuple[ActualsAnswer, ...]:
    """Of each that is tracked and has results."""
    return tuple(actuals_answer(one, results[one.workload], phases) for one in actuals if one.workload in results)
