"""The window's commands as data: what they are called, where they stand, their keys, and what they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from gui.actions import Action
from gui.session.plan_session import PlanSession
from gui.tabs.registry import TABS


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table. ``needs`` names what must be there: plan, a plan to edit, results, undo or redo."""

    id: str
    text: str
    menu: str
    shortcut: str = ""
    needs: str = ""
    new_group: bool = False


COMMANDS = (
    Command("new", "New plan", "File", "Ctrl+N"),
    Command("open-sample", "Open the sample plan", "File"),
    Command("open-eight-models", "Open the example of eight models on one pool", "File"),
    Command("open", "Open…", "File", "Ctrl+O"),
    Command("open-read-only", "Open read-only…", "File"),
    Command("start", "Start page", "File", needs="plan"),
    Command("save", "Save", "File", "Ctrl+S", "plan", new_group=True),
    Command("save-as", "Save as…", "File", "Ctrl+Shift+S", "plan"),
    Command("versions", "Earlier versions…", "File", needs="plan"),
    Command("import-log", "Import log…", "File", "Ctrl+I", "edit", new_group=True),
    Command("import-prices", "Import prices…", "File", "Ctrl+Shift+I", "edit"),
    Command("import-config", "Model from config.json…", "File", needs="edit"),
    Command("export-pdf", "Export PDF…", "File", "Ctrl+E", "results"),
    Command("export-workbook", "Export workbook…", "File", needs="results"),
    Command("export-slide", "Export summary slide…", "File", needs="results"),
    Command("export-charts", "Export all charts…", "File", needs="results"),
    Command("compare-plans", "Compare two plans…", "File", needs="plan"),
    Command("handoff", "Hand-off files…", "File", needs="results"),
    Command("quit", "Quit", "File", "Ctrl+Q", new_group=True),
    Command("undo", "Undo", "Edit", "Ctrl+Z", "undo"),
    Command("redo", "Redo", "Edit", "Ctrl+Shift+Z", "redo"),
    Command("rename", "Rename plan…", "Edit", needs="edit", new_group=True),
    Command("comments", "Comments…", "Edit", needs="edit"),
    Command("add-workload", "Add workload…", "Edit", "Ctrl+Shift+N", "edit"),
    Command("add-scenario", "Add scenario…", "Edit", needs="edit"),
    Command("scan-code", "Scan source code…", "Edit", needs="edit"),
    Command("price-book", "Price book…", "Edit", "Ctrl+B", "plan", new_group=True),
    Command("have", "I have hardware…", "Edit", needs="edit"),
    Command("add-offer", "Add an offer…", "Edit", "Ctrl+Shift+O", "edit"),
    Command("add-server", "Add a server of your own…", "Edit", needs="edit"),
    Command("add-host", "Add a host…", "Edit", needs="edit"),
    Command("add-chip", "Add a chip…", "Edit", needs="edit"),
    Command("palette", "Search or run a command", "View", "Ctrl+K"),
    Command("why", "Why this result", "View", "F9", "results", new_group=True),
    Command("problems", "Problems", "View", "F8"),
    Command("history", "History", "View"),
    Command("jobs", "Jobs", "View"),
    Command("next-area", "Next area", "View", "F6", new_group=True),
    Command("money", "Currency and price age…", "View", needs="plan", new_group=True),
    Command("toggle-theme", "Light or dark", "View", "Ctrl+Shift+L", new_group=True),
    Command("theme-light", "Theme: light", "View"),
    Command("theme-dark", "Theme: dark", "View"),
    Command("theme-system", "Theme: as the system", "View"),
    Command("help", "Help", "Help", "F1"),
    Command("tour", "Tour", "Help", needs="plan"),
    Command("shortcuts", "Shortcuts", "Help", "Ctrl+?"),
    Command("about", "About Roofplan", "Help", new_group=True),
)
_READ_ONLY = "The plan is open read-only: save it under another name to change it"
_MISSING = {
    "plan": "Open or begin a plan first",
    "edit": "Open or begin a plan first",
    "results": "There is no ranking yet",
    "undo": "Nothing to undo",
    "redo": "Nothing to redo",
}


def actions_of(
    session: PlanSession, handlers: Mapping[str, Callable[[], object]], show_tab: Callable[[str], object]
) -> list[Action]:
    """Every command with what it does, and one for each tab, in the order of the table."""
    made = [_action(one, session, handlers[one.id]) for one in COMMANDS]
    for number, tab in enumerate(TABS, start=1):
        needs_plan = partial(missing, session, "plan")
        handler = partial(show_tab, tab.id)
        made.append(Action(f"tab-{tab.id}", tab.title, handler, "View", f"Ctrl+{number % 10}", needs_plan, number == 1))
    return made


def _action(one: Command, session: PlanSession, handler: Callable[[], object]) -> Action:
    why_not = partial(missing, session, one.needs)
    return Action(one.id, one.text, handler, one.menu, one.shortcut, why_not, one.new_group)


def missing(session: PlanSession, needs: str) -> str:
    """Why a command with this need cannot be used now; empty when it can."""
    met = {
        "": True,
        "plan": session.has_plan,
        "edit": session.has_plan and not session.is_read_only,
        "results": session.results is not None and bool(session.results.results),
        "undo": session.undo_stack.canUndo(),
        "redo": session.undo_stack.canRedo(),
    }
    is_locked = needs == "edit" and session.has_plan
    return "" if met[needs] else _READ_ONLY if is_locked else _MISSING[needs]
