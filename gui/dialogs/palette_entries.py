"""What the palette can find: commands, fields of the workload on screen, and its best options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.plan.fields import fields
from gui.actions import ActionList
from gui.dialogs.palette import Entry
from gui.session.plan_session import PlanSession


def palette_entries(actions: ActionList, session: PlanSession, go_to_field: Callable[[str], object]) -> list[Entry]:
    """Commands first, then fields by their titles, then the best option of each accelerator."""
    found = [
        Entry(one.text, one.menu, one.shortcut_words, one.why_not(), one.handler)
        for one in actions.actions
        if one.id != "palette"
    ]
    if session.profile is not None:
        for info in fields(session.profile):
            go = partial(go_to_field, session.path(info.path))
            found.append(Entry(info.title, f"Field, {info.group}", "", "", go))
    for result in session.results.best_per_accelerator if session.results else ():
        candidate = result.candidate
        found.append(Entry(candidate.name, candidate.place, "", "", partial(session.select, result.id)))
    return found
