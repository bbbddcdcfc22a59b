"""Evaluation off the GUI thread: a short pause after the last edit, one job at a time, old answers dropped."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from core.comparison.result import ResultSet
from core.errors import RoofplanError
from gui.session.collecting import hold_collection, let_collect

DEBOUNCE_MS = 50
SWITCH_INTERVAL_S = 0.0005
"""How long plain Python in the worker may hold the interpreter; the default makes a 2 ms redraw take 33-55 ms."""

Work = Callable[[Callable[[], bool]], ResultSet]
"""Evaluates one profile; asks its argument now and then whether it should give up."""


class _Signals(QObject):
    done = Signal(int, object)
    refused = Signal(int, str)
    crashed = Signal(int, object)


class _Job:
    """One numbered evaluation. The pool is given its bound method, so that it lives as long as it runs."""

    def __init__(self, number: int, work: Work, signals: _Signals) -> None:
        self.cancelled = threading.Event()
        self._number = number
        self._work = work
        self._signals = signals

    def run(self) -> None:
        """Evaluate and report; an error never leaves the thread, where nobody would see it."""
        hold_collection()
        try:
            results = self._work(self.cancelled.is_set)
        except RoofplanError as error:
            self._signals.refused.emit(self._number, str(error))
        except BaseException as error:
            if not self.cancelled.is_set():
                self._signals.crashed.emit(self._number, error)
        else:
            self._signals.done.emit(self._number, results)
        finally:
            let_collect()


class Recompute(QObject):
    """Runs the newest request and forgets the others."""

    done = Signal(object)
    refused = Signal(str)
    crashed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None, debounce_ms: int = DEBOUNCE_MS) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._number = 0
        self._work: Work | None = None
        self._job: _Job | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._timer = QTimer(self, singleShot=True, interval=debounce_ms)
        self._timer.timeout.connect(self._start)
        self._signals = _Signals(self)
        self._signals.done.connect(self._on_done)
        self._signals.refused.connect(self._on_refused)
        self._signals.crashed.connect(self._on_crashed)

    @property
    def is_busy(self) -> bool:
        """True from a request until its answer."""
        return self._timer.isActive() or self._job is not None

    def request(self, work: Work, at_once: bool = False) -> None:
        """Asks for an evaluation; any earlier one is cancelled and its answer will be dropped."""
        self._number += 1
        self._work = work
        self._cancel_running()
        self.busy_changed.emit(True)
        if at_once:
            self._timer.stop()
            self._start()
        else:
            self._timer.start()

    def forget(self) -> None:
        """Cancels everything; no answer will come."""
        was_busy = self.is_busy
        self._number += 1
        self._timer.stop()
        self._cancel_running()
        self._job = None
        if was_busy:
            self.busy_changed.emit(False)

    def stop(self) -> None:
        """Cancels everything and waits for the worker; needed before the application ends."""
        self.forget()
        self._pool.waitForDone()

    def _cancel_running(self) -> None:
        if self._job is not None:
            self._job.cancelled.set()

    def _start(self) -> None:
        if self._work is not None:
            self._job = _Job(self._number, self._work, self._signals)
            self._pool.start(self._job.run)

    def _is_current(self, number: int) -> bool:
        if number != self._number:
            return False
        self._job = None
        self.busy_changed.emit(False)
        return True

    def _on_done(self, number: int, results: ResultSet) -> None:
        if self._is_current(number):
            self.done.emit(results)

    def _on_refused(self, number: int, reason: str) -> None:
        if self._is_current(number):
            self.refused.emit(reason)

    def _on_crashed(self, number: int, error: BaseException) -> None:
        if self._is_current(number):
            self.crashed.emit(error)
