"""Cycles are looked for when nothing is under way: the few that dialogs and exceptions leave, never in mid-answer."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from gui.session.road import Road

EVERY_MS = 30_000
SOON_MS = 200
"""When it tries again after a moment at which something was under way."""


class Collector(QObject):
    """Looks through everything now and then, some 20 ms for a plan with its results, on the GUI thread.

    By itself Python would not: its oldest generation waits for so many young ones that memory grows for hours.
    """

    def __init__(self, road: Road) -> None:
        super().__init__(road)
        self._road = road
        self._timer = QTimer(self, singleShot=True, interval=EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Clears what only the collector finds, unless something is under way."""
        if self._road.is_idle:
            gc.collect()
        self._timer.start(EVERY_MS if self._road.is_idle else SOON_MS)
