"""Checks of the window: its typeface, and every tab with results on it, off screen."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

import numpy as np
from PySide6.QtCore import QEvent, QThreadPool
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from core.errors import MachineError
from core.plan.sample_plan import sample_plan
from gui.app import make_window
from gui.offscreen import WINDOW_PX, wait_for_results
from gui.settings import Settings
from gui.tabs.registry import TABS
from gui.theme.fonts import FAMILY, load_fonts
from gui.theme.removal import take_away
from gui.window.main_window import MainWindow

LEAST_COLOURS = 100
"""A page that shows fewer has drawn no text: letters alone have hundreds of shades, a bare page one."""

_PATIENCE_MS = 30_000


def fonts() -> tuple[bool, str]:
    """The shipped typeface can be loaded."""
    families = load_fonts()
    return FAMILY in families, ", ".join(sorted(set(families))) or "none"


def window() -> tuple[bool, str]:
    """Opens the sample plan, waits for its results and looks at every tab."""
    with _faults() as faults:
        shown = make_window(sample_plan(), settings=Settings())
        shown.resize(*WINDOW_PX)
        shown.show()
        pages = _pages(shown)
        _let_go(shown)
    wrong = [*faults, *(f"nothing on {name}" for name, n_colours in pages.items() if n_colours < LEAST_COLOURS)]
    return not wrong, "; ".join(wrong) or f"{len(TABS)} tabs, {min(pages.values())} colours or more on each"


def _let_go(shown: MainWindow) -> None:
    """Ends the window and all that works for it."""
    shown.close()
    QThreadPool.globalInstance().waitForDone(_PATIENCE_MS)
    take_away(shown)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _pages(shown: MainWindow) -> dict[str, int]:
    """How many colours each tab shows; none where no results came, for which a fault is noted."""
    try:
        wait_for_results(shown.session)
    except MachineError as error:
        sys.excepthook(MachineError, error, None)
        return {}
    return {tab.id: _colours(shown, tab.id) for tab in TABS}


def _colours(shown: MainWindow, tab_id: str) -> int:
    """How many colours the tab's page shows."""
    shown.tabs.show_tab(tab_id)
    for _ in range(3):  # what a page begins when it is first shown may begin something more
        QApplication.processEvents()
    picture = shown.tabs.panel(tab_id).grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return len(np.unique(np.frombuffer(picture.constBits(), np.uint32)))


@contextmanager
def _faults() -> Iterator[list[str]]:
    """Errors in slots and paint events, which Qt would print and pass over."""
    seen: list[str] = []

    def note(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        seen.append(" ".join(traceback.format_exception(kind, error, trace)[-2:]).strip())

    hook, sys.excepthook = sys.excepthook, note
    try:
        yield seen
    finally:
        sys.excepthook = hook
