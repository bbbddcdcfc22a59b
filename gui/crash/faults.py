"""Errors of our own that nothing else took, from slots, timers, paint and threads: noted, told once, survived."""

from __future__ import annotations

import logging
import sys
import threading
from collections import Counter
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.crash.redaction import secrets_of
from core.crash.story import key_of, log_folder, new_report, report_of, story_of
from gui.crash.dialog import FaultDialog
from gui.crash.traces import QT
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession

LOG_BYTES = 500_000
KEPT = "Something went wrong: our fault, not yours. Your plan is unharmed, and what is not saved yet was kept aside."
NOT_KEPT = "Something went wrong: our fault, not yours. What is not saved could not be kept aside: save your plan now."
_log = logging.getLogger("roofplan")


class Window(Protocol):
    """What is needed of a window: the plan, and its file."""

    session: PlanSession
    files: FileSession


class Faults(QObject):
    """Takes every exception that nothing else took. One of a kind is told once, however often it comes."""

    happened = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.counts: Counter[tuple[str, str]] = Counter()
        self.dialog: FaultDialog | None = None
        self._handler = _log_handler()
        self._window: Window | None = None
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook, threading.excepthook = self._on_exception, self._on_thread
        sys.unraisablehook = self._on_unraisable
        # Always in a turn of its own: a dialog must not be opened within a paint event.
        self.happened.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def show_in(self, window: Window) -> None:
        """Tells faults over this window from now on, those of its evaluations too."""
        self._window = window
        window.session.crashed.connect(self.take)

    def take(self, error: BaseException) -> None:
        """Notes a fault, from any thread."""
        key = key_of(error)
        self.counts[key] += 1
        times = self.counts[key]
        if times == 1:  # Only then is it worth looking for every word of the user in it.
            story = story_of(error, self._secrets())
            _log.error("a fault of our own\n%s", story)
            self.happened.emit(story)
        elif str(times).strip("0") == "1":
            _log.error("%s at %s has come %d times", *key, times)

    def end(self) -> None:
        """Gives the hooks back; the program ends in good order."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()

    def _secrets(self) -> frozenset[str]:
        if self._window is None:
            return frozenset()
        session = self._window.session
        return secrets_of(session.plan, session.layers.book, self._window.files.path)

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            self.take(error.with_traceback(trace))

    def _on_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            self.take(arguments.exc_value)

    def _on_unraisable(self, told: sys.UnraisableHookArgs) -> None:
        """An error while something was being let go of: noted, since nobody waits for anything there."""
        if told.exc_value is not None:
            _log.warning("a fault while letting go\n%s", story_of(told.exc_value, self._secrets()))

    def _tell(self, story: str) -> None:
        """Keeps the plan first. A fault in here is only noted, or it would go round in circles."""
        try:
            heading = KEPT if self._keep_plan() else NOT_KEPT
            report = report_of(story, QT)
            file = _written(report)
            if self.dialog is not None and isValid(self.dialog):
                self.dialog.add(report)
            else:
                self.dialog = FaultDialog(heading, report, file, self._parent())
                self.dialog.show()
        except Exception as error:
            _log.error("a fault could not be told\n%s", story_of(error, self._secrets()))

    def _keep_plan(self) -> bool:
        """False when what is not saved could not be kept aside either."""
        if self._window is None:
            return True
        files, refusals = self._window.files, list[str]()

        def refuse(words: str) -> None:
            refusals.append(words)

        files.failed.connect(refuse)
        try:
            files.keep_working_copy()
        except Exception as error:
            _log.error("the plan could not be kept aside\n%s", story_of(error, self._secrets()))
            return False
        finally:
            files.failed.disconnect(refuse)
        return not refusals

    def _parent(self) -> QWidget | None:
        return self._window if isinstance(self._window, QWidget) and isValid(self._window) else None


def _written(report: str) -> Path | None:
    """The report in a file of its own; None where nothing can be written."""
    try:
        file = new_report()
        file.write_text(report, encoding="utf-8")
    except OSError:
        return None
    return file


def _log_handler() -> RotatingFileHandler | None:
    """Writes to the log file; None where there can be none."""
    with suppress(OSError):
        file = log_folder() / "roofplan.log"
        handler = RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        logging.getLogger().addHandler(handler)
        return handler
    return None
