"""Tells a program that waits when the window is painted and when results stand in it, so that nobody has to guess."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from gui.session.plan_session import PlanSession

VARIABLE = "ROOFPLAN_READY_FILE"
"""Environment variable with the file (or named pipe) to write to; nothing is written without it."""


def announce(window: QWidget, session: PlanSession) -> None:
    """Writes ``window TITLE`` after the first paint and ``results N`` after each evaluation, one line each."""
    target = os.environ.get(VARIABLE)
    if target:
        Readiness(window, session, Path(target))


class Readiness(QObject):
    """Watches one window; belongs to it."""

    def __init__(self, window: QWidget, session: PlanSession, target: Path) -> None:
        super().__init__(window)
        self._window, self._session, self._target = window, session, target
        self._is_painted = False
        window.installEventFilter(self)
        session.results_changed.connect(self._on_results)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sees the first paint and lets every event through."""
        if event.type() == QEvent.Type.Paint and not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self._on_painted)
        return super().eventFilter(watched, event)

    def _on_painted(self) -> None:
        self._write(f"window {self._window.windowTitle()}")

    def _on_results(self) -> None:
        """Once everyone has heard of the results, which the order of connections does not say."""
        QTimer.singleShot(0, self._tell_results)

    def _tell_results(self) -> None:
        if self._session.results is not None:
            self._write(f"results {len(self._session.results.results)}")

    def _write(self, line: str) -> None:
        with self._target.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
