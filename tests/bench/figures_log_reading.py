"""How responsive the window stays while a log of a million rows is read and shown."""

from __future__ import annotations

from functools import cache

import numpy as np
from figures_fingers import BEAT_MS, _heart, shown_window
from figures_logs import _log
from PySide6.QtCore import QEventLoop

from gui.tabs.calibrate.panel import CalibratePanel


@cache
def _turns_ms() -> tuple[float, ...]:
    """How long the window answered to nothing, beat by beat, from the drop of the file to its proposal."""
    with _log() as path, shown_window("calibrate") as window:
        panel = window.findChild(CalibratePanel)
        assert panel is not None
        loop, beats = QEventLoop(), _heart()
        panel.proposed.connect(loop.quit)
        panel.importing.files([path])
        loop.exec()
        return tuple(1000 * np.diff(beats) - BEAT_MS)


def log_turn_p95_ms() -> float:
    """95th percentile of a turn of the event loop meanwhile."""
    return float(np.percentile(_turns_ms(), 95))


def log_longest_turn_ms() -> float:
    """The longest of them: the log is drawn for the first time."""
    return max(_turns_ms())


FIGURES = {"log_turn_p95_ms": (log_turn_p95_ms, "ms"), "log_longest_turn_ms": (log_longest_turn_ms, "ms")}
