"""Edit after edit on every tab: no object, widget, graphics item, answer or plan stays that nobody needs.

The collector is switched off meanwhile: what only it would find is found here. ``make soak`` measures memory itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.recommendation.flip_points import FlipPoints
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from gui.charts.paint.brush import Ink
from gui.session.commands import PlanCommand
from gui.session.plan_session import MOST_STEPS, PlanSession
from gui.session.result_cache import KnownResults
from gui.tabs.registry import TABS
from gui.theme.icons import icon
from gui.theme.theme import theme
from gui.window.main_window import MainWindow
from tests.bench.native_memory import native_mib, needs_mallinfo

FIELDS = ("limits.deadline_days", "limits.budget_usd", "team.engineers")
WARM_UP, EDITS, FEW = 6, 18, 3
BEING_KEPT = 1
"""The plan that is being written aside, in its own time."""
N_PICTURES = 40


@dataclass(frozen=True)
class Counted:
    """What there is of a window."""

    objects: int
    widgets: int
    graphics_items: int
    plans: int


def newer(kind: type) -> int:
    """How many objects of a kind came since the test began."""
    return sum(isinstance(one, kind) for one in gc.get_objects())


def counted(window: MainWindow) -> Counted:
    return Counted(
        len(window.findChildren(QObject)),
        len(QApplication.allWidgets()),
        sum(len(view.items()) for view in window.findChildren(QGraphicsView)),
        newer(Plan),
    )


def edit(qtbot: QtBot, session: PlanSession, number: int) -> None:
    """An edit that typing goes on with, until its results are shown."""
    path = session.path(FIELDS[number % len(FIELDS)])
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        assert session.edit(path, 40 + number) is None
    qtbot.waitUntil(lambda: session.road.is_idle, timeout=30_000)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("tab", [tab.id for tab in TABS])
def test_edits_leave_nothing_behind(by_hand: None, qtbot: QtBot, window: MainWindow, tab: str) -> None:
    window.tabs.show_tab(tab)
    for number in range(WARM_UP):
        edit(qtbot, window.session, number)
    window.session.undo_stack.clear()
    gc.collect()
    before = counted(window)
    for number in range(WARM_UP, WARM_UP + EDITS):
        edit(qtbot, window.session, number)
    window.session.undo_stack.clear()
    assert gc.collect() == 0
    after = counted(window)
    assert after.plans <= before.plans + BEING_KEPT
    assert replace(after, plans=before.plans) == before


def test_answers_of_the_engine_go_when_they_are_forgotten(
    qtbot: QtBot, by_hand: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.session.evaluations.KnownResults", partial(KnownResults, FEW))
    session = PlanSession(sample_plan(), load_catalogue())
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.start()
    edit(qtbot, session, 0)
    gc.collect()
    for number in range(1, 3 * FEW):
        edit(qtbot, session, number)
    assert FEW <= newer(FlipPoints) <= FEW + 1, "one an answer"
    assert gc.collect() == 0
    session.close()


def test_steps_that_edits_were_merged_into_leave_no_plan(qtbot: QtBot, by_hand: None) -> None:
    session = PlanSession(sample_plan(), load_catalogue())
    path = session.path("limits.deadline_days")
    for days in range(40, 60):
        if days % 2:
            session.end_step()
        session.edit(path, float(days))
    assert session.undo_stack.count() == 11
    session.undo_stack.clear()
    gc.collect()
    assert newer(Plan) <= 2
    assert newer(PlanCommand) == 0
    session.close()


def paint_halos(number: int) -> None:
    """A chart's labels with texts of their own."""
    picture = QImage(200, 60, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(picture)
    Ink(painter, theme("light")).text(5, 20, f"${number} a month", halo=True)
    painter.end()


def make_icon(number: int) -> None:
    icon("undo", f"#10{number:04x}")


@needs_mallinfo
@pytest.mark.parametrize(("paint", "most_kib"), [(paint_halos, 40), (make_icon, 10)])
def test_a_picture_that_is_kept_holds_no_memory_of_its_painter(
    qapp: QApplication, paint: Callable[[int], None], most_kib: float
) -> None:
    paint(0)
    before = native_mib()
    for number in range(1, N_PICTURES + 1):
        paint(number)
    assert 1024 * (native_mib() - before) / N_PICTURES < most_kib


def test_a_long_history_keeps_its_last_steps_and_no_plan_of_the_letters_between(qtbot: QtBot, by_hand: None) -> None:
    session = PlanSession(sample_plan(), load_catalogue())
    path = session.path("limits.deadline_days")
    for days in range(50, 90):
        session.edit(path, float(days))
    assert session.undo_stack.count() == 1
    assert newer(Plan) <= 3
    for days in range(MOST_STEPS + 20):
        session.end_step()
        session.edit(path, 100.0 + days)
    assert session.undo_stack.count() == MOST_STEPS
    session.close()
