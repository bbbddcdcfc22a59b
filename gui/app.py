"""The application: sets up Qt, logging and the exception hook, opens the window, and ends in good order."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QApplication, QWidget

from core import paths
from core.catalogue.loading import load_catalogue
from core.errors import RoofplanError
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from gui.crash.dialog import FaultDialog
from gui.crash.faults import Faults
from gui.crash.traces import CrashTrace, left_traces, trace_of_death
from gui.dialogs.files import is_shown_elsewhere
from gui.dialogs.waiting import Waiting
from gui.session.collector import Collector, calm_collector, share_memory
from gui.session.file_session import FileSession, Opened, open_file
from gui.session.plan_session import PlanSession
from gui.settings import Settings, load_settings
from gui.start.ahead import read_ahead_soon
from gui.start.application import application
from gui.start.readiness import announce
from gui.theme.manager import ThemeManager
from gui.theme.tokens import choice_of
from gui.window.main_window import MainWindow

NO_PLAN = Plan(id="none")
FORGOTTEN = (
    "Settings, recent plans, recovery copies and changes of the price book are not kept beyond this session. "
    "Plans are saved as usual."
)


def run(plan: Path | None = None, sample: bool = False, read_only: bool = False, glimpse: QWidget | None = None) -> int:
    """Opens the window on a plan file, the sample or the start page; returns the exit status when it is closed.

    ``glimpse`` stands in its place until then, and goes. A plan that another window of this user has is shown there.
    """
    share_memory()
    app = application()
    if plan is not None and _is_shown(plan):
        return 0
    faults, death = Faults(), trace_of_death()
    opened, trouble = _opened(plan, read_only)
    window = make_window(sample_plan() if sample else NO_PLAN, plan if opened else None, opened=opened)
    faults.show_in(window)
    window.show()
    if glimpse is not None:
        glimpse.close()
    calm_collector()
    Collector(window.session.road)
    read_ahead_soon(window.session.road)
    if trouble:
        window.message.say(trouble)
    else:
        window.dialogs.tell_read_only()
        window.dialogs.offer_drafts()
    tell_of_folder(window)
    offer_trace(window)
    status = app.exec()
    faults.end()
    if death is not None:
        death.end()
    return status


def make_window(
    plan: Plan, path: Path | None = None, settings: Settings | None = None, opened: Opened | None = None
) -> MainWindow:
    """A window on a plan, or on the one that was opened from a file, not shown yet. Needs a QApplication."""
    known = settings or load_settings()
    app = cast(QApplication, QApplication.instance())
    themes = ThemeManager(app, choice_of(known.theme))
    session = PlanSession(opened.file.plan if opened else plan, load_catalogue())
    window = MainWindow(session, FileSession(session, known, path, opened), themes, known)
    announce(window, session)
    if path is not None:
        known.add_recent(path)
    return window


def tell_of_folder(window: MainWindow) -> None:
    """Says once what will be forgotten where the user's own folder cannot be written."""
    trouble = paths.user_data_trouble()
    if trouble:
        window.message.say_after(f"{trouble}. {FORGOTTEN}")


def offer_trace(window: MainWindow) -> None:
    """After the whole process died, offers the report that was kept; once."""
    traces = left_traces()
    if traces:
        last = traces[0]
        when = f"{last.died_at.astimezone():%d %b, %H:%M}"
        files = [trace.put_away() for trace in traces]
        text = f"Roofplan ended unexpectedly on {when}. What it was doing was kept on this machine."
        window.message.say_after(text, "Show report", partial(_show_trace, window, last, files[0]))


def _show_trace(window: MainWindow, trace: CrashTrace, file: Path) -> None:
    window.message.hide()
    FaultDialog("The last time Roofplan ended in the middle of its work.", trace.text, file, window).show()


def _opened(path: Path | None, read_only: bool) -> tuple[Opened | None, str]:
    """The plan to begin with, and what went wrong on the way."""
    try:
        return (Waiting()(partial(open_file, path, read_only), f"open {path}") if path else None), ""
    except RoofplanError as error:
        return None, str(error)


def _is_shown(path: Path) -> bool:
    try:
        return Waiting()(partial(is_shown_elsewhere, path), f"look at {path}")
    except RoofplanError:
        return False  # Opening it says what is the matter.
