"""Fails a test in which the window enters the engine, reads a log or writes a PDF on the GUI thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

from core.calibration.published_rows import published
from core.calibration.speed_factors import propose
from core.comparison.evaluate import evaluate
from core.logs.drop import read_drop
from core.logs.read import read_log
from core.throughput.predict import predict
from gui.pdf.writer import write_pdf

DOORS = (predict, evaluate, propose, published, read_log, read_drop, write_pdf)
WINDOW_ROOMS = (
    "gui.tabs.", "gui.frame.", "gui.session.", "gui.dialogs.", "gui.window.", "gui.widgets.", "gui.charts.view.",
    "gui.tables.", "gui.forms.",
)  # fmt: skip
WITHOUT_A_USER = ("gui.offscreen", "gui.selftest", "gui.session.paper")
"""Programs before which nobody sits, and what they share with the road; a test may call it as well."""


def is_of_the_window(frame: FrameType | None) -> bool:
    """True where this frame or one below it belongs to the window."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(WINDOW_ROOMS) and name not in WITHOUT_A_USER:
            return True
        frame = frame.f_back
    return False


def guarded(door: Callable[..., Any]) -> Callable[..., Any]:
    """The door, closed to the window on the main thread."""

    @wraps(door)
    def enter(*args: Any, **kwargs: Any) -> Any:
        if threading.current_thread() is threading.main_thread() and is_of_the_window(sys._getframe(1)):
            raise AssertionError(f"the GUI thread entered {door.__module__}.{door.__name__}")
        return door(*args, **kwargs)

    return enter


def close_doors() -> None:
    """Puts guards in the place of all doors, in every module that holds one. For as long as the tests run."""
    for door in DOORS:
        guard = guarded(door)
        for name, module in list(sys.modules.items()):
            if name.startswith(("core", "gui", "tests")) and getattr(module, door.__name__, None) is door:
                setattr(module, door.__name__, guard)
