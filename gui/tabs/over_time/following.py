"""Where the phases stand while the end of one is dragged: those after it follow, in the likely case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.comparison.over_time.runs import Run


def following(
    runs: Sequence[Run], first_day: date, phase_id: str, end_day: float, alone: bool = False
) -> dict[str, tuple[float, float]]:
    """Likely begin and end, in days of the plan, of the phases that move when one ends on another day.

    ``begin = max(ends of all before, start typed)``; a port with a start of its own and a typed end stay. ``alone``:
    those that follow keep their starts, unless they would begin before all ahead of them has ended.
    """
    moved: dict[str, tuple[float, float]] = {}
    latest, is_after = 0.0, False
    for run in runs:
        begin, end = float(run.begin[0]), float(run.end[0])
        if run.phase.id == phase_id:
            is_after, end = True, end_day
        elif is_after and not _stays(run):
            typed = 0.0 if run.phase.start is None else float((run.phase.start - first_day).days)
            start = max(latest, typed, begin if alone else 0.0)
            if start != begin:
                end = end if run.phase.end is not None else end + start - begin
                moved[run.phase.id] = start, end
        latest = max(latest, end)
    return moved


def follower(runs: Sequence[Run], phase_id: str) -> Run | None:
    """The first phase that begins when those up to this one have ended; the later ones follow it."""
    ids = [run.phase.id for run in runs]
    after = runs[ids.index(phase_id) + 1 :] if phase_id in ids else ()
    return next((run for run in after if not _stays(run)), None)


def _stays(run: Run) -> bool:
    return run.phase.stage == "port" and run.phase.start is not None
