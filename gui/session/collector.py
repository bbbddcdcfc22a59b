"""Memory that nobody needs is found and given back when nothing is under way, never in the middle of an answer."""

from __future__ import annotations

import ctypes
import gc
import sys

from PySide6.QtCore import QObject, QTimer

from gui.session.garbage_collection import never_by_itself
from gui.session.road import Road

FIRST_MS, EVERY_MS = 2_000, 30_000
"""Until the first time, as a start leaves much, and between two times."""

SOON_MS = 200
"""When it tries again after a moment at which something was under way."""

REST_MS = 300
"""Nothing began or ended for so long: whoever types has stopped for a moment."""

MOST_YOUNG, YOUNG_MS = 30_000, 500
"""Objects after which what is young is looked through without a rest, in some 8 ms: ten answers, all of which are kept;
and how often they are counted."""

M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -8, -3, -1
"""What mallopt(3) calls the most pools of memory that threads have each for themselves, the size from which a piece
lies apart and goes back to the system when it is free, and the free end of the pool that goes back at once."""

APART_BYTES, END_BYTES = 1 << 20, 64 << 20


class Collector(QObject):
    """Looks through what is young at each rest, some 5 ms, and through everything now and then, some 20 ms for a plan
    with its results, on the GUI thread.

    By itself Python would do the one in the middle of an answer, between two keys, and the other hardly ever: its
    oldest generation waits for so many young ones that memory grows for hours. Worse, it would do it while Qt asks
    Python about an object that goes, under a lock that another object may need to go: the window stood still for ever.
    Here the event loop has just called, and Qt holds nothing. Nor would the C library give back what is free between
    pieces in use.
    """

    def __init__(self, road: Road) -> None:
        super().__init__(road)
        self._road = road
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._on_rest)
        road.changed.connect(self._rest.start)
        self._timer = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._timer.timeout.connect(self._on_time)
        self._timer.start()
        self._young = QTimer(self, interval=YOUNG_MS)
        self._young.timeout.connect(self._on_young)
        self._young.start()

    def collect(self) -> None:
        """Clears the few cycles that dialogs and exceptions leave, and gives free pages back to the system."""
        gc.collect()
        _tell_c_library("malloc_trim", 0)

    def _on_rest(self) -> None:
        if self._road.is_idle:
            gc.collect(0)

    def _on_young(self) -> None:
        if gc.get_count()[0] > MOST_YOUNG:
            gc.collect(0)

    def _on_time(self) -> None:
        is_quiet = self._road.is_idle and not self._rest.isActive()
        self._timer.start(EVERY_MS if is_quiet else SOON_MS)
        if is_quiet:
            self.collect()


def calm_collector() -> None:
    """Lets the garbage collector pass over what stays anyway, such as the catalogue, and come only when it is called.

    An evaluation makes tens of thousands of short-lived objects; without this the collector walks through everything
    in the middle of some of them, and every tenth edit takes twice as long to show. :class:`Collector` calls it.
    """
    gc.collect()
    gc.freeze()
    never_by_itself()


def share_memory() -> None:
    """All threads take memory from one pool, where the C library can be told so; call it before there are threads.

    Answers are made by workers and freed by the GUI thread: a pool a thread would keep its gaps for that thread alone.
    Pictures lie apart: by itself the library soon puts pieces of up to 32 MiB into the pool, where they leave gaps.
    """
    _tell_c_library("mallopt", M_ARENA_MAX, 1)
    _tell_c_library("mallopt", M_MMAP_THRESHOLD, APART_BYTES)
    _tell_c_library("mallopt", M_TRIM_THRESHOLD, END_BYTES)


def _tell_c_library(name: str, *numbers: int) -> None:
    """Calls a function of the GNU C library; others have neither the function nor the need."""
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*numbers)
