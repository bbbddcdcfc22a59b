"""What the page does to a plan: one setting of the portfolio changed, a member, a model put on a chip by hand."""

from __future__ import annotations

from typing import Any

from core.errors import InputError
from core.plan.edit import set_value
from core.workload.portfolio import Member, Portfolio, with_member, with_pin
from gui.session.plan_session import PlanSession

PATH = "portfolio"


def settings_of(session: PlanSession) -> Portfolio:
    """The settings as the active scenario sees them; the usual ones where nothing was set yet."""
    return session.shown_plan.portfolio or Portfolio()


def edit(session: PlanSession, field: str, value: Any, words: str) -> str | None:
    """Changes one setting in the active scenario. Returns None, or what is wrong with the value.

    All settings are put in together, since there may be none yet: a scenario has all of its own, or none.
    """
    try:
        new = set_value(settings_of(session), field, value)
    except InputError as error:
        return f"Expected {error.expected}"
    return session.edit(PATH, new, words)


def edit_once(session: PlanSession, field: str, value: Any, words: str) -> str | None:
    """The same as an undo step of its own, apart from what comes before and after it."""
    session.end_step()
    told = edit(session, field, value, words)
    session.end_step()
    return told


def put_member(session: PlanSession, member: Member, words: str) -> str | None:
    """How one workload takes part: one undo step."""
    return edit_once(session, "members", with_member(settings_of(session), member).members, words)


def put_on_chip(session: PlanSession, workload: str, chip: int | None, words: str) -> str | None:
    """A small model on a chip by hand, or with None where the engine puts it: one undo step."""
    return edit_once(session, "pins", with_pin(settings_of(session), workload, chip).pins, words)
