"""Which value of an input brings an option to a cost, a day or a chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from core.breath import breathe
from core.comparison.chance.errors import N_DRAWS
from core.comparison.chance.outcomes import outcomes_of
from core.comparison.judge.durations import LIKELY
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study

Target = Literal["cost", "days", "chance"]
N_TRIED, N_HALVINGS = 9, 24
SAME = 1e-9
"""Share by which a target moves where it does not depend on an input."""
REACHED = 0.005
"""Share of what was wanted by which a target may miss it and still reads the same."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The value nearest to now that reaches a target, None where none does. ``depends`` is False where the target does
    not move with the input at all; ``reached`` is the target there, or the nearest to what was wanted. ``jump`` is
    where the target leaps over what was wanted, as the start of another term of rent makes it."""

    input: Input
    wanted: float
    value: float | None
    reached: float
    depends: bool
    jump: Jump | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """Past a ``value`` of an input, as it grows, a target goes from ``before`` to ``after`` and nowhere between."""

    value: float
    before: float
    after: float


def target_at(study: Study, side: Literal["a", "b"], target: Target, one: Input, value: float) -> float:
    """Likely cost in USD, likely days, or the share of draws that keep all limits (0..1) of A or B."""
    breathe()
    judged, rows = study.sides((one, value))
    row = rows[0 if side == "a" else 1]
    if target == "cost":
        return float(judged.bills.likely_usd[row])
    if target == "days":
        return float(judged.ready_days[row, LIKELY])
    keeps = outcomes_of(judged, np.array([row], dtype=np.intp), N_DRAWS).keeps_all
    return 1.0 if keeps is None else float(keeps.mean())


def goal_seek(study: Study, side: Literal["a", "b"], target: Target, wanted: float, one: Input) -> Goal:
    """Tries values over all that may be asked about and halves in on the nearest to now that reaches the target."""
    values = sorted({one.now, *(one.settled(value) for value in np.linspace(one.least, one.most, N_TRIED).tolist())})
    told = {value: target_at(study, side, target, one, value) for value in values}
    known = list(told.values())
    nearest = min(values, key=lambda value: (abs(told[value] - wanted), abs(value - one.now)))
    if max(known) - min(known) <= SAME * max(abs(max(known)), 1.0):
        return Goal(one, wanted, None, told[nearest], False)
    between = [
        (low, high)
        for low, high in pairwise(values)
        if min(told[low], told[high]) <= wanted <= max(told[low], told[high])
    ]
    if not between:
        return Goal(one, wanted, None, told[nearest], True)
    between.sort(key=lambda ends: min(abs(end - one.now) for end in ends))
    jumps = []
    for ends in between:
        low, high = _halved_in(study, side, target, wanted, one, ends, told)
        value, reached = min(high, low, key=lambda end: abs(end[1] - wanted))
        if abs(reached - wanted) <= REACHED * max(abs(wanted), SAME):
            return Goal(one, wanted, value, reached, True)
        jumps.append((Jump(low[0], low[1], high[1]), reached))
    jump, reached = jumps[0]
    return Goal(one, wanted, None, reached, True, jump)


def _halved_in(
    study: Study, side: Literal["a", "b"], target: Target, wanted: float, one: Input,
    ends: tuple[float, float], told: Mapping[float, float],
) -> tuple[tuple[float, float], tuple[float, float]]:  # fmt: skip
    """Two values, as close as halving brings them, and the target at both, between which it passes what is wanted."""
    low, high = ends
    at_low, at_high = told[low], told[high]
    for _ in range(N_HALVINGS):
        middle = one.settled((low + high) / 2)
        if middle in (low, high):
            break
        at_middle = target_at(study, side, target, one, middle)
        if (at_middle <= wanted) == (at_low <= wanted):
            low, at_low = middle, at_middle
        else:
            high, at_high = middle, at_middle
    return (low, at_low), (high, at_high)
