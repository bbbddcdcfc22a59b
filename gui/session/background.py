"""One piece of work off the GUI thread, such as reading a large log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from core.errors import RoofplanError
from gui.session.collecting import hold_collection, let_collect


class _Signals(QObject):
    done = Signal(object)
    refused = Signal(str)
    crashed = Signal(object)


class _Task(QRunnable):
    def __init__(self, work: Callable[[], Any], signals: _Signals) -> None:
        super().__init__()
        self._work = work
        self._signals = signals

    def run(self) -> None:
        """Work, and report the outcome to the GUI thread."""
        hold_collection()
        try:
            answer = self._work()
        except RoofplanError as error:
            self._signals.refused.emit(str(error))
        except BaseException as error:
            self._signals.crashed.emit(error)
        else:
            self._signals.done.emit(answer)
        finally:
            let_collect()


class Background(QObject):
    """Runs pieces of work one after the other; each ends in ``done``, ``refused`` (words for people) or ``crashed``."""

    done = Signal(object)
    refused = Signal(str)
    crashed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = 0
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._signals = _Signals(self)
        self._signals.done.connect(self._on_done)
        self._signals.refused.connect(self._on_refused)
        self._signals.crashed.connect(self._on_crashed)

    @property
    def is_busy(self) -> bool:
        """True while work waits or runs."""
        return self._waiting > 0

    def start(self, work: Callable[[], Any]) -> None:
        """Puts work into the queue."""
        self._waiting += 1
        self.busy_changed.emit(True)
        self._pool.start(_Task(work, self._signals))

    def stop(self) -> None:
        """Waits for the work under way; call it before the owner goes."""
        self._pool.waitForDone()

    def _ended(self) -> None:
        self._waiting -= 1
        self.busy_changed.emit(self.is_busy)

    def _on_done(self, answer: object) -> None:
        self._ended()
        self.done.emit(answer)

    def _on_refused(self, reason: str) -> None:
        self._ended()
        self.refused.emit(reason)

    def _on_crashed(self, error: object) -> None:
        self._ended()
        self.crashed.emit(error)
