"""The window goes first: while it answers to the user, work in other threads stands still.

Python runs one thread at a time, and Qt gives the turn away in each of its calls. A worker that takes it every time
makes a key of 5 ms one of 60. Therefore workers wait between two steps until the window has painted what it has to.
"""

from __future__ import annotations

import threading

from PySide6.QtCore import QEvent, QObject, QTimer

LONGEST_WAIT_S = 0.25
"""A window that is busy for so long does something that no step of a worker could delay much."""

CLAIMING = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Wheel)


class RightOfWay(QObject):
    """Claimed on the GUI thread, by what the user does in a window it is installed on; heeded by workers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_free = threading.Event()
        self._is_free.set()
        self._is_given_up = False
        self._after_paint = QTimer(self)  # with nothing left to do, so that what is due is painted before
        self._after_paint.setSingleShot(True)
        self._after_paint.setInterval(0)
        self._after_paint.timeout.connect(self._is_free.set)

    def claim(self) -> None:
        """Until what now stands in the queue of events is done, painting included."""
        if self._is_given_up:
            return
        self._is_free.clear()
        self._after_paint.start()

    def give_up(self) -> None:
        """The window closes and waits for the workers: no event will end what it claimed, so nothing is claimed."""
        self._is_given_up = True
        self._is_free.set()

    def give_way(self) -> None:
        """In a worker's thread: waits while the window is at work."""
        self._is_free.wait(LONGEST_WAIT_S)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What the user does claims the way; the event goes on."""
        if event.type() in CLAIMING:
            self.claim()
        return False
