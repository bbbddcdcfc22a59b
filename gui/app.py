"""The application: sets up Qt, logging and the exception hook, opens the window, and ends in good order."""

from __future__ import annotations

import gc
import sys
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core import paths
from core.catalogue.loading import load_catalogue
from core.errors import RoofplanError
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.version import VERSION
from gui.dialogs.files import is_shown_elsewhere
from gui.dialogs.waiting import Waiting
from gui.faults import Faults
from gui.readiness import announce
from gui.session.collector import Collector, share_memory
from gui.session.file_session import FileSession, Opened, open_file
from gui.session.plan_session import PlanSession
from gui.settings import Settings, load_settings
from gui.theme.manager import Choice, ThemeManager
from gui.window.main_window import MainWindow

NO_PLAN = Plan(id="none")


def run(plan: Path | None = None, sample: bool = False, read_only: bool = False) -> int:
    """Opens the window on a plan file, the sample or the start page; returns the exit status when it is closed.

    A plan that another window of this user has is shown there.
    """
    share_memory()
    app = application()
    if plan is not None and _is_shown(plan):
        return 0
    faults = Faults()
    opened, trouble = _opened(plan, read_only)
    window = make_window(sample_plan() if sample else NO_PLAN, plan if opened else None, opened=opened)
    faults.show_in(window)
    window.show()
    calm_collector()
    Collector(window.session.road)
    if trouble:
        window.message.say(trouble)
    else:
        window.dialogs.tell_read_only()
        window.dialogs.offer_drafts()
    status = app.exec()
    faults.end()
    return status


def calm_collector() -> None:
    """Lets the garbage collector pass over what stays anyway, such as the catalogue.

    An evaluation makes tens of thousands of short-lived objects; without this the collector walks through everything
    in the middle of some of them, and every tenth edit takes twice as long to show. What is young is looked through
    often, in a few ms each time: five times as rarely would be a silence of 30 ms. The rest waits for a quiet moment,
    see :class:`gui.session.collector.Collector`.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 500, 100)


def application() -> QApplication:
    """The application object, made when there is none yet."""
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("roofplan")
    app.setApplicationDisplayName("Roofplan")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("roofplan")
    app.setWindowIcon(QIcon(str(paths.resources() / "icons" / "roofplan.png")))
    return app


def make_window(
    plan: Plan, path: Path | None = None, settings: Settings | None = None, opened: Opened | None = None
) -> MainWindow:
    """A window on a plan, or on the one that was opened from a file, not shown yet. Needs a QApplication."""
    known = settings or load_settings()
    app = cast(QApplication, QApplication.instance())
    themes = ThemeManager(app, _choice(known.theme))
    session = PlanSession(opened.file.plan if opened else plan, load_catalogue())
    window = MainWindow(session, FileSession(session, known, path, opened), themes, known)
    announce(window, session)
    if path is not None:
        known.add_recent(path)
    return window


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


def _choice(text: str) -> Choice:
    return "light" if text == "light" else "dark" if text == "dark" else "system"
