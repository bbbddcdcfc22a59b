"""What entries of each phase did and cost, as parts that add up to all that was spent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from core.comparison.actuals.standing import Standing
from core.comparison.actuals.told import spend_of, work_of
from core.comparison.together.plan_answer import shared_out

DIGITS = 3
"""As money is told."""


@dataclass(frozen=True, slots=True)
class PhaseSpend:
    """Done in the plan's unit, spent in USD as it is printed; ``name`` is empty for what is of no phase."""

    phase: str
    name: str
    done: float
    spend_usd: float


def by_phase(one: Standing, names: Mapping[str, str]) -> tuple[PhaseSpend, ...]:
    """Phases in the order of their first entries, then what is of none: porting, days that nobody billed, entries of
    no phase or of one that is gone. ``names`` are those of the plan's phases by id. None where no entry is of a phase.
    """
    entries = [point.entry for point in one.points]
    ids = [*dict.fromkeys(entry.phase for entry in entries if entry.phase in names)]
    if not ids:
        return ()
    base = one.baseline
    done = [sum(work_of(base, entry) for entry in entries if entry.phase == name) for name in ids]
    spent = [sum(spend_of(base, entry) for entry in entries if entry.phase == name) for name in ids]
    rest = one.done - sum(done), max(one.spend_usd - sum(spent), 0.0)
    printed = _printed([*spent, rest[1]])
    told = [PhaseSpend(name, names[name], work, usd) for name, work, usd in zip(ids, done, printed, strict=False)]
    other = PhaseSpend("", "", max(rest[0], 0.0), printed[-1])
    return (*told, *([other] if other.spend_usd > 0 else []))


def _printed(parts: list[float]) -> tuple[float, ...]:
    total = sum(parts)
    if total <= 0:
        return tuple(parts)
    step = 10.0 ** (math.floor(math.log10(total)) + 1 - DIGITS)
    return shared_out(parts, round(total / step) * step, step)
