"""A file operation that the user waits for while the window stays alive, and may stop waiting for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from core.errors import MachineError
from gui.session.disk import Job
from gui.theme.naming import named
from gui.theme.plain import Question

T = TypeVar("T")
PATIENCE_MS = 800
"""After this long the user is told what is waited for."""


class Waiting:
    """Runs operations in a thread. Keys typed within the first moment wait; then a dialog says what takes long."""

    def __init__(self, window: QWidget | None = None) -> None:
        self._window = window
        self.is_waiting = False
        self._stuck: dict[str, Job] = {}

    def __call__(self, act: Callable[[], T], words: str) -> T:
        """What ``act`` gives. Raises what it raises, and MachineError when the user waits no longer."""
        if words in self._stuck and not self._stuck[words].is_ended:
            raise MachineError(words, "the drive still does not answer")
        job = Job(act).start()
        self.is_waiting = True
        try:
            self._wait_quietly(job)
            if not job.is_ended:
                self._ask(job, words)
        finally:
            self.is_waiting = False
        if not job.is_ended:
            self._stuck[words] = job
            raise MachineError(words, "the drive does not answer")
        answer: T = job.result()
        return answer

    def _wait_quietly(self, job: Job) -> None:
        loop = QEventLoop()
        job.ended.connect(loop.quit)
        patience = QTimer(singleShot=True, interval=PATIENCE_MS)
        patience.timeout.connect(loop.quit)
        patience.start()
        if not job.is_ended:
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def _ask(self, job: Job, words: str) -> None:
        box = named(Question(self._window), "waiting", "Waiting for the drive")
        box.setWindowTitle("Roofplan")
        box.setText(f"The drive takes long to {words}.")
        box.setInformativeText("Nothing is lost: unsaved changes are kept aside on this machine.")
        box.addButton("Stop waiting", QMessageBox.ButtonRole.RejectRole)
        job.ended.connect(box.accept)
        if not job.is_ended:
            box.exec()
        box.deleteLater()
