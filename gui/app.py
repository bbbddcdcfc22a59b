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
from core.plan.store import load
from core.version import VERSION
from gui.crash.dialog import FaultDialog
from gui.crash.faults import Faults
from gui.crash.traces import CrashTrace, left_traces, trace_of_death
from gui.readiness import announce
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.session.working_copy import left_over
from gui.settings import Settings, load_settings
from gui.theme.manager import Choice, ThemeManager
from gui.window.main_window import MainWindow

NO_PLAN = Plan(id="none")
FORGOTTEN = (
    "Settings, recent plans, recovery copies and changes of the price book are not kept beyond this session. "
    "Plans are saved as usual."
)


def run(plan: Path | None = None, sample: bool = False) -> int:
    """Opens the window on a plan file, the sample or the start page; returns the exit status when it is closed."""
    app = application()
    faults, death = Faults(), trace_of_death()
    opened, path, trouble = _plan_to_show(plan, sample)
    window = make_window(opened, path)
    faults.show_in(window)
    window.show()
    calm_collector()
    if trouble:
        window.message.say(trouble)
    else:
        offer_recovery(window)
    tell_of_folder(window)
    offer_trace(window)
    status = app.exec()
    faults.end()
    if death is not None:
        death.end()
    return status


def calm_collector() -> None:
    """Lets the garbage collector pass over what stays anyway, such as the catalogue.

    An evaluation makes tens of thousands of short-lived objects; without this the collector walks through everything
    in the middle of some of them, and every tenth edit takes twice as long to show. What is young is looked through
    often, in a few ms each time: five times as rarely would be a silence of 30 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 250, 100)


def application() -> QApplication:
    """The application object, made when there is none yet."""
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("roofplan")
    app.setApplicationDisplayName("Roofplan")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("roofplan")
    app.setWindowIcon(QIcon(str(paths.resources() / "icons" / "roofplan.png")))
    return app


def make_window(plan: Plan, path: Path | None = None, settings: Settings | None = None) -> MainWindow:
    """A window on a plan, not shown yet. Needs a QApplication."""
    known = settings or load_settings()
    app = cast(QApplication, QApplication.instance())
    themes = ThemeManager(app, _choice(known.theme))
    session = PlanSession(plan, load_catalogue())
    window = MainWindow(session, FileSession(session, known, path), themes, known)
    announce(window, session)
    if path is not None:
        known.add_recent(path)
    return window


def offer_recovery(window: MainWindow) -> None:
    """After a crash, says which unsaved plan can be had back."""
    lost = left_over()
    if not lost:
        return

    def recover() -> None:
        window.message.hide()
        if window.dialogs.recover(lost[0].path):
            lost[0].forget()

    when = f"{lost[0].written_at.astimezone():%d %b, %H:%M}"
    text = f"Roofplan was not closed properly. Unsaved changes to {lost[0].plan_name} from {when} were kept."
    window.message.say(text, "Recover", recover)


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


def _plan_to_show(path: Path | None, sample: bool) -> tuple[Plan, Path | None, str]:
    """The plan to begin with, its file, and what went wrong on the way."""
    try:
        if sample:
            return sample_plan(), None, ""
        return (load(path), path.resolve(), "") if path else (NO_PLAN, None, "")
    except RoofplanError as error:
        return NO_PLAN, None, str(error)


def _choice(text: str) -> Choice:
    return "light" if text == "light" else "dark" if text == "dark" else "system"
