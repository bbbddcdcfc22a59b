"""A lab that explores on GPU and scales on TPU, in a real window: from a template to a dragged end, and back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QUndoStack
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.comparison.over_time.words import as_planned, day_words
from core.plan.sample_plan import sample_plan
from core.units import usd
from gui.frame.verdict import KpiView
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.over_time.phases_page import PhasesPage
from gui.tabs.over_time.template_cards import NO_PHASES
from gui.window.main_window import MainWindow
from tests.gui.tabs.conftest import Engine
from tests.gui.whole_window import PATIENCE_MS, shown_window


@pytest.fixture
def window(qtbot: QtBot, engine: Engine) -> Iterator[MainWindow]:
    with shown_window(qtbot, sample_plan(), 1440, 900, engine) as made:
        yield made


def _page(window: MainWindow) -> PhasesPage:
    window.tabs.show_tab("over_time")
    panel = window.tabs.panel("over_time")
    assert isinstance(panel, OverTimePanel)
    return panel.phases


def _answered(qtbot: QtBot, window: MainWindow, page: PhasesPage) -> None:
    qtbot.waitUntil(lambda: window.session.road.is_idle and page.answer is not None, timeout=PATIENCE_MS)


NO_KEY, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier


def _drag(page: PhasesPage, start: QPointF, by_px: int, keys: Qt.KeyboardModifier = NO_KEY) -> int:
    """How many followers are outlined before it is let go."""
    view, at = page.plots.viewport(), start.toPoint()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, keys, at)
    for step in (by_px // 2, by_px):
        event_at = QPointF(at + QPoint(step, 0))
        _move(page, event_at, keys)
    n_outlined = len(page.plots.followers)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, keys, at + QPoint(by_px, 0))
    return n_outlined


def _move(page: PhasesPage, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    """With the button held, which QTest does not tell."""
    button = Qt.MouseButton.LeftButton
    page.plots.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, button, modifiers))


def _steps(window: MainWindow) -> list[str]:
    stack: QUndoStack = window.session.undo_stack
    return [stack.text(number) for number in range(stack.count())]


def test_the_story_of_a_lab_that_explores_on_gpu_and_scales_on_tpu(qtbot: QtBot, window: MainWindow) -> None:
    session, page = window.session, _page(window)
    assert page.cards.isVisible() and page.cards.words.text() == NO_PHASES

    panel = window.tabs.panel("over_time")
    assert isinstance(panel, OverTimePanel)
    panel.template.activated.emit(1)
    _answered(qtbot, window, page)
    assert page.answer is not None
    own = page.answer.own
    assert _strip(window, "cost").startswith(f"Cost: {usd(own.total.likely)}, ")
    assert _strip(window, "finish").startswith(f"Work done: {day_words(own, own.ready.likely)}")
    assert _headline(window) == str(as_planned(page.answer)) and "Mixed, as planned" in _headline(window)
    assert [way.title for way in page.answer.ways] == ["Mixed", "All-TPU", "All-GPU"]
    assert page.ways.isVisible()
    assert "3 Pilot" not in _texts(window)

    page.choose("pilot")
    assert {"3 Pilot", "Pass or fail", "After the gate"} <= _texts(window)

    run = page.answer.own.runs[0]
    before_end, start = float(run.end[0]), page.plots.place_of(0, float(run.end[0]))
    followers = [float(one.begin[0]) for one in page.answer.own.runs[1:]]
    assert _drag(page, start, 30) == 4
    _answered(qtbot, window, page)
    assert _steps(window)[-1] == "Length of Explore"
    assert len(_steps(window)) == 2
    explore = page.answer.own.runs[0]
    assert float(explore.end[0]) > before_end + 10
    moved = [float(one.begin[0]) for one in page.answer.own.runs[1:]]
    assert [now - old for now, old in zip(moved, followers, strict=True)] == pytest.approx(
        [float(explore.end[0]) - before_end] * 4, abs=1e-6
    )

    session.undo_stack.undo()
    _answered(qtbot, window, page)
    qtbot.waitUntil(lambda: page.answer is not None and float(page.answer.own.runs[0].end[0]) == before_end)
    assert session.plan.phases[0].days == 56.0

    start = page.plots.place_of(0, before_end)
    assert _drag(page, start, -40, ALT) == 0
    _answered(qtbot, window, page)
    assert _steps(window)[-1] == "Length of Explore, those after it stay"
    qtbot.waitUntil(lambda: page.answer is not None and float(page.answer.own.runs[0].end[0]) < before_end - 10)
    stayed = [float(one.begin[0]) for one in page.answer.own.runs[1:]]
    assert stayed == pytest.approx(followers, abs=1.0)
    session.undo_stack.undo()
    _answered(qtbot, window, page)

    window.tabs.show_tab("compare")
    assert session.results is not None and session.results.choice is not None
    assert _strip(window, "cost").startswith(f"Cost: {usd(session.results.choice.cost.total.likely)}, ")
    assert "as planned" not in _headline(window)
    window.project.phase_wanted.emit("scale")
    _answered(qtbot, window, page)
    assert (window.tabs.shown, page.selected) == ("over_time", "scale")
    assert "4 Scale" in _texts(window)

    page.plots.deadline_moved.emit(200.0)
    assert session.plan.phases_deadline == date(2026, 12, 1) + timedelta(days=200)
    page.draw_way(2)
    assert not page.plots.can_edit
    session.select(session.results.results[1].id if session.results else None)
    assert not _texts(window) & {"3 Pilot", "4 Scale"}


def _strip(window: MainWindow, figure: str) -> str:
    view = window.verdict.findChild(KpiView, f"kpi-{figure}")
    assert view is not None and view.isVisible()
    return view.accessibleName()


def _headline(window: MainWindow) -> str:
    label = window.verdict.findChild(QLabel, "verdict-headline")
    assert label is not None
    return label.accessibleName()


def _texts(window: MainWindow) -> set[str]:
    return {one.text() for one in window.why.dock.findChildren(QLabel) if one.isVisible()}
