"""Reference cycles wait while a worker runs: they may hold widgets, which only the GUI thread may destroy."""

from __future__ import annotations

import gc
import threading

_lock = threading.Lock()
_n_working = 0
_was_enabled = False


def hold_collection() -> None:
    """No cycle is cleared until every worker that asked for it has called :func:`let_collect`."""
    global _n_working, _was_enabled
    with _lock:
        if _n_working == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _n_working += 1


def let_collect() -> None:
    """A worker ends. The last thing it does, so that the next allocation is most likely one of the GUI thread."""
    global _n_working
    with _lock:
        _n_working -= 1
        if _n_working == 0 and _was_enabled:
            gc.enable()


def never_by_itself() -> None:
    """From now on cycles are cleared only where somebody asks for it, whichever worker ends."""
    global _was_enabled
    with _lock:
        _was_enabled = False
        gc.disable()
