"""Calls from one window of a user to another, as files in the user's own folder: no socket, and nothing to listen to.

A second start on a plan that is open leaves a call for the window that has it, and ends once the call is answered.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from core.errors import MachineError
from core.plan.recovery import private_folder

PATIENCE_S = 1.5
_STEP_S = 0.02
_RAISE_MS = 500


class Calls(QObject):
    """Calls for the window of this process. ``raised``: somebody wants to see it."""

    raised = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._look)
        with suppress(MachineError):  # A user without a folder of their own opens a second window read-only.
            self._watcher.addPath(str(private_folder("calls")))
        QTimer.singleShot(_RAISE_MS, self, self._look)

    def _look(self) -> None:
        with suppress(MachineError, OSError):
            call = private_folder("calls") / str(os.getpid())
            if call.exists():
                call.unlink()
                self.raised.emit()


def call(process: int) -> bool:
    """Asks the window of a process to come to the front; False when it does not answer."""
    with suppress(MachineError, OSError):
        mark = private_folder("calls") / str(process)
        mark.touch(mode=0o600)
        end_s = time.monotonic() + PATIENCE_S
        while mark.exists() and time.monotonic() < end_s:
            time.sleep(_STEP_S)
        is_answered = not mark.exists()
        mark.unlink(missing_ok=True)
        return is_answered
    return False
