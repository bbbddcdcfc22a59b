"""Phases added, taken out and put in place of others: what the screen does to a plan over time."""

from __future__ import annotations

from collections.abc import Sequence

from core.workload.phases import LEAST_DAYS, MOST_DAYS, STAGE_WORDS, Phase, Stage


def with_phase(phases: Sequence[Phase], new: Phase) -> tuple[Phase, ...]:
    """The phases with one in the place of that of its id, or at the end with an id of its own."""
    if any(one.id == new.id for one in phases):
        return tuple(new if one.id == new.id else one for one in phases)
    return (*phases, new)


def without_phase(phases: Sequence[Phase], phase_id: str) -> tuple[Phase, ...]:
    """The phases without one of them."""
    return tuple(one for one in phases if one.id != phase_id)


def new_phase(phases: Sequence[Phase], workload: str, stage: Stage = "scale") -> Phase:
    """A phase to begin with, whose id no other one has."""
    taken = {one.id for one in phases}
    free = next(name for n in range(1, len(taken) + 2) if (name := f"phase-{n}") not in taken)
    return Phase(id=free, name=STAGE_WORDS[stage], stage=stage, workload=workload)


def days_until(day: float, work_begins: float) -> float:
    """Whole days of work that end on a day; at least one, at most as many as may be typed."""
    return min(max(float(round(day - work_begins)), LEAST_DAYS), MOST_DAYS)
