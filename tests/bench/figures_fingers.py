"""What the person at the keys feels: the echo of a key, the charts after it, the longest silence, opening the sample.

Keys are due at given times. A key that has to wait because the program is busy counts as late, as it does for the one
who pressed it. Everything is drawn off screen, in a window of 1440 x 900 with the whole catalogue.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsView, QLineEdit, QWidget

from core.plan.sample_plan import sample_plan
from gui.app import NO_PLAN, make_window
from gui.charts.view.chart_view import ChartView
from gui.forms.line_edit import UnitLineEdit
from gui.headless import application
from gui.offscreen import WINDOW_PX, wait_for_results
from gui.session.collector import Collector, calm_collector
from gui.window.main_window import MainWindow

FIELD = "limits.deadline_days"
TEXTS = tuple(str(days) for days in range(61, 91))
KEY_GAPS_MS = (40, 160)
"""Of fast typing; an evaluation takes about as long, so that most keys meet one."""

N_EDITS = 10
CHART_TABS = ("describe", "compare", "cost", "performance", "flexibility")
BEAT_MS = 2
SETTLED_MS = 60
"""Nothing is painted for so long once all is shown."""

PATIENCE_MS = 20_000


class Painted(QObject):
    """When each of some widgets of a window was on screen anew, first and last since it was forgotten, in s."""

    def __init__(self, window: QWidget, *widgets: QWidget) -> None:
        super().__init__()
        self.first_s: dict[QObject, float] = {}
        self.last_s: dict[QObject, float] = {}
        self._window, self._in_frame = window, set[QObject]()
        for widget in (window, *widgets):
            widget.installEventFilter(self)

    def forget(self) -> None:
        """From now on."""
        self.first_s.clear()
        self.last_s.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._in_frame.add(watched)
        if event.type() != QEvent.Type.UpdateRequest or watched is not self._window:
            return False
        self._in_frame.clear()
        self._window.event(event)  # paints the frame and hands it over
        self.last_s |= dict.fromkeys(self._in_frame, time.perf_counter())
        self.first_s = self.last_s | self.first_s
        return True


@contextmanager
def shown_window(tab: str) -> Iterator[MainWindow]:
    """The sample plan in a window, results shown."""
    application()
    window = make_window(sample_plan())
    window.resize(*WINDOW_PX)
    window.show()
    wait_for_results(window.session)
    window.tabs.show_tab(tab)
    wait_ms(300)
    calm_collector()
    Collector(window.session.road)  # as in the app
    yield window
    window.session.undo_stack.setClean()  # else closing asks whether to save
    window.close()


def wait_ms(pause_ms: float) -> None:
    """The program lives on meanwhile."""
    loop, timer = QEventLoop(), QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    timer.start(max(round(pause_ms), 0))
    loop.exec()


def wait_until(at_s: float) -> None:
    """Returns at a time, or as soon as the program is free after it."""
    wait_ms(1000 * (at_s - time.perf_counter()))


@cache
def typed() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Milliseconds from due to painted of each key typed into a form, and of each silence of the program meanwhile."""
    with shown_window("describe") as window:
        field = _field(window)
        painted, rng = Painted(window, field), random.Random(10)
        beats = _heart()
        echoes_ms, due_s = [], time.perf_counter() + 0.05
        for text in TEXTS:
            for key in ("", *text):
                wait_until(due_s)
                painted.forget()
                _press(field, key)
                while field not in painted.first_s:
                    QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
                echoes_ms.append(1000 * (painted.first_s[field] - due_s))
                due_s = max(due_s, time.perf_counter() - 0.001) + rng.uniform(*KEY_GAPS_MS) / 1000
        wait_ms(500)
        silences_ms = 1000 * np.diff(beats) - BEAT_MS
        return tuple(echoes_ms), tuple(silences_ms)


def _heart() -> list[float]:
    """Times at which the program was free to do something else, from now on; lives as long as the window."""
    beats: list[float] = []
    timer = QTimer(QApplication.activeWindow() or QApplication.instance())
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start(BEAT_MS)
    return beats


def key_echo_p95_ms() -> float:
    """From a key that is due to its letter in the field, while evaluations run; 95th percentile of 90 keys."""
    return float(np.percentile(typed()[0], 95))


def longest_turn_ms() -> float:
    """The longest time in which the window answered to nothing while these keys were typed."""
    return max(typed()[1])


def edit_to_repaint_p95_ms() -> float:
    """From an edit to the last chart on screen painted with its results; 95th percentile over five tabs."""
    return float(np.percentile([taken for tab in CHART_TABS for taken in _edits_to_repaint_ms(tab)], 95))


def _edits_to_repaint_ms(tab: str) -> list[float]:
    with shown_window(tab) as window:
        painted, results_s = Painted(window, *_canvases(window)), list[float]()
        window.session.results_changed.connect(lambda: results_s.append(time.perf_counter()))
        return [_edit_to_repaint_ms(window, painted, results_s, 61.0 + step) for step in range(N_EDITS)]


def _canvases(window: MainWindow) -> list[QWidget]:
    """What the charts on screen are painted on."""
    charts = [chart for chart in window.tabs.findChildren(ChartView) if chart.isVisible()]
    return [chart.findChild(QGraphicsView).viewport() for chart in charts]


def _edit_to_repaint_ms(window: MainWindow, painted: Painted, results_s: list[float], days: float) -> float:
    """A chart that the edit does not change is not painted; then what counts is when its results were there. What else
    the window paints, such as Why in its own turn and that the plan was kept, is waited for and not counted."""
    painted.forget()
    results_s.clear()
    due_s = time.perf_counter()
    window.session.edit(f"profiles.0.{FIELD}", days)
    while not results_s or time.perf_counter() - max((*results_s, *painted.last_s.values())) < SETTLED_MS / 1000:
        wait_ms(2)
    charts_s = (at_s for widget, at_s in painted.last_s.items() if widget is not window)
    return 1000 * (max((*results_s, *charts_s)) - due_s)


def open_sample_ms() -> float:
    """From "Open sample" on the start page to the first charts, painted; the slowest of three windows."""
    return max(_open_once()[0] for _ in range(3))


def sign_of_work_ms() -> float:
    """From the same click to the first sign that it is at work; the slowest of three windows."""
    return max(_open_once()[1] for _ in range(3))


def _open_once() -> tuple[float, float]:
    application()
    window = make_window(NO_PLAN)
    window.resize(*WINDOW_PX)
    window.show()
    wait_ms(500)
    start_s = time.perf_counter()
    signs = Painted(window, window.tabs)
    window.dialogs.open_example(sample_plan)
    wait_for_results(window.session)
    canvases = _canvases(window)
    painted = Painted(window, *canvases)
    for canvas in canvases:
        canvas.update()
    while not set(canvases) <= set(painted.last_s):
        wait_ms(1)
    taken = 1000 * (max(painted.last_s.values()) - start_s), 1000 * (signs.first_s[window.tabs] - start_s)
    window.session.undo_stack.setClean()
    window.close()
    return taken


def _field(window: MainWindow) -> UnitLineEdit:
    window.tabs.show_field(window.session.path(FIELD))
    field = window.findChild(QLineEdit, f"field-{FIELD}")
    field.setFocus()
    wait_ms(200)
    return field


def _press(field: QLineEdit, key: str) -> None:
    """A letter; nothing stands for selecting all and deleting it."""
    screen = field.window().windowHandle()  # as a keyboard does: the widget with the focus gets it
    if key:
        QTest.keyClick(screen, Qt.Key(ord(key)))
    else:
        field.selectAll()
        QTest.keyClick(screen, Qt.Key.Key_Delete)


FIGURES = {
    "key_echo_p95_ms": (key_echo_p95_ms, "ms"),
    "longest_turn_ms": (longest_turn_ms, "ms"),
    "edit_to_repaint_p95_ms": (edit_to_repaint_p95_ms, "ms"),
    "open_sample_ms": (open_sample_ms, "ms"),
    "sign_of_work_ms": (sign_of_work_ms, "ms"),
}
