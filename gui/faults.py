"""Faults of our own: written to a log file, and told without stopping the work."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from core import paths
from core.version import VERSION
from gui.session.plan_session import PlanSession

LOG_BYTES = 500_000
_log = logging.getLogger("roofplan")


class Window(Protocol):
    """What is needed of a window: its session and a place for messages."""

    session: PlanSession

    def say(self, text: str, button: str = "", handler: Callable[[], object] | None = None) -> None:
        """Shows a message."""


class Faults(QObject):
    """Takes every exception that nothing else took, from any thread."""

    seen = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file = log_file()
        self._handler = RotatingFileHandler(self.file, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8", delay=True)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        logging.getLogger().addHandler(self._handler)
        self._window: Window | None = None
        self._last = ""
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread
        self.seen.connect(self._tell)

    def show_in(self, window: Window) -> None:
        """Tells faults in this window from now on, those of its evaluations too."""
        self._window = window
        window.session.crashed.connect(self.take)

    def take(self, error: BaseException) -> None:
        """Notes a fault that was caught elsewhere."""
        self._note("".join(traceback.format_exception(error)))

    def end(self) -> None:
        """Gives the hooks back."""
        sys.excepthook, threading.excepthook = self._hooks
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()

    def copy_report(self) -> None:
        """Puts the fault on the clipboard; the user decides where it goes. Home folders are left out."""
        QGuiApplication.clipboard().setText(f"Roofplan {VERSION}\n{redacted(self._last)}")

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self._note("".join(traceback.format_exception(kind, error, trace)))

    def _on_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            self.take(arguments.exc_value)

    def _note(self, text: str) -> None:
        _log.error("a fault of our own\n%s", text)
        self.seen.emit(text)

    def _tell(self, text: str) -> None:
        """In the GUI thread, whichever thread it happened in."""
        self._last = text
        if self._window is not None:
            words = "Something went wrong: our fault. Your plan is unharmed. It was noted in the log file."
            self._window.say(words, "Copy for report", self.copy_report)


def log_file() -> Path:
    """The log file, in the user's own folder."""
    folder = paths.user_data() / "logs"
    folder.mkdir(exist_ok=True)
    return folder / "roofplan.log"


def redacted(text: str) -> str:
    """The text without the name of the user's home folder."""
    return text.replace(str(Path.home()), "~")
