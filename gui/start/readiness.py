"""Tells a program that waits how far the window is, so that nobody who drives it has to guess."""

from __future__ import annotations

import os
from typing import cast

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gui.session.plan_session import PlanSession
from gui.start.ready_file import VARIABLE, tell


def announce(window: QWidget, session: PlanSession) -> None:
    """Writes a line for each thing worth waiting for.

    ``window TITLE`` after the first paint, ``results N`` after each evaluation, ``focus NAME`` when a widget takes the
    keyboard, ``step LABEL`` after each undo step, ``saved`` when nothing is unsaved any more, ``message TEXT``.
    """
    if os.environ.get(VARIABLE):
        Readiness(window, session)


class Readiness(QObject):
    """Watches one window; belongs to it."""

    def __init__(self, window: QWidget, session: PlanSession) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._is_painted = False
        window.installEventFilter(self)
        session.results_changed.connect(self._on_results)
        session.undo_stack.indexChanged.connect(self._on_step)
        session.undo_stack.cleanChanged.connect(self._on_clean)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._on_focus)
        for message in window.findChildren(QWidget, "message-bar"):
            message.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sees the first paint and each message, and lets every event through."""
        if watched is self._window and event.type() == QEvent.Type.Paint and not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self._on_painted)
        if watched is not self._window and event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            tell(f"message {watched.accessibleName()}")
        return super().eventFilter(watched, event)

    def _on_painted(self) -> None:
        tell(f"window {self._window.windowTitle()}")

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            tell(f"focus {now.objectName()}")

    def _on_step(self, index: int) -> None:
        tell(f"step {self._session.undo_stack.text(index - 1)}")

    def _on_clean(self, is_clean: bool) -> None:
        if is_clean:
            tell("saved")

    def _on_results(self) -> None:
        """Once everyone has heard of the results, which the order of connections does not say."""
        QTimer.singleShot(0, self._tell_results)

    def _tell_results(self) -> None:
        if self._session.results is not None:
            tell(f"results {len(self._session.results.results)}")
