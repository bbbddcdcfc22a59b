"""Small models on chips: carried by the mouse, by keys and from a menu, and what does not fit is told before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.comparison.portfolio.packing import Refused
from core.report.masking import KEPT
from gui.tabs.portfolio.bins import bins_of, why_not
from gui.tabs.portfolio.packing_panel import HOW, NOTHING, PackingPanel
from gui.tabs.portfolio.packing_view import PackingView
from tests.gui.sample_session import themes
from tests.gui.tabs.portfolio.conftest import packing, placed

CHIPS = packing(
    (placed("Chat", 30.0, 0.4), placed("Rank", 10.0, 0.1)),
    (placed("Speech", 40.0, 0.2, is_pinned=True),),
    (placed("Scan", 60.0, 0.5),),
)


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[PackingPanel]:
    made = PackingPanel()
    qtbot.addWidget(made)
    made.resize(330, 480)
    made.show_packing(CHIPS, "Words.", "nvidia_gpu", themes().theme, True)
    with qtbot.waitExposed(made):
        made.show()
    yield made


@pytest.fixture
def view(panel: PackingPanel) -> PackingView:
    return panel.view


def _middle(view: PackingView, chip: int) -> QPointF:
    return view.bins[chip - 1].rect.center()


def _drag(view: PackingView, workload: str, at: QPointF) -> None:
    """Takes hold of a model and holds it over a place."""
    pill = view.place_of(workload)
    assert pill is not None
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=pill.rect.center().toPoint())
    for place in (pill.rect.center() + QPointF(6, 6), at):
        event = QMouseEvent(
            QEvent.Type.MouseMove, place, view.mapToGlobal(place), Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        view.mouseMoveEvent(event)


def _let_go(view: PackingView, at: QPointF) -> None:
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at.toPoint())


def test_a_model_is_dragged_to_a_chip_on_which_it_fits(qtbot: QtBot, panel: PackingPanel, view: PackingView) -> None:
    at = _middle(view, 2)
    _drag(view, "rank", at)
    assert panel.told.text() == "Rank fits on chip 2." and panel.told.property("kind") == "small"
    with qtbot.waitSignal(panel.put) as put:
        _let_go(view, at)
    assert put.args == ["rank", 2] and view.carry is None and panel.told.text() == HOW


def test_what_does_not_fit_is_told_before_it_is_let_go_and_goes_back(
    qtbot: QtBot, panel: PackingPanel, view: PackingView
) -> None:
    at = _middle(view, 3)
    _drag(view, "chat", at)
    assert panel.told.text() == "Chat does not fit on chip 3: load 90\u202f%, the limit is 70\u202f%."
    assert panel.told.property("kind") == "err"
    view.grab()
    with qtbot.assertNotEmitted(panel.put):
        _let_go(view, at)
    _drag(view, "chat", QPointF(-50, -50))
    with qtbot.assertNotEmitted(panel.put):
        _let_go(view, QPointF(-50, -50))


def test_where_nothing_is_packed_a_sentence_says_what_would_stand_there(panel: PackingPanel, view: PackingView) -> None:
    assert panel.words.text() == "Words." and view.isVisible()
    panel.show_packing(None, "", "nvidia_gpu", themes().theme, True)
    assert panel.words.text() == NOTHING
    assert not view.isVisible() and not panel.told.isVisible()


def test_a_chip_of_its_own_is_the_last_place(qtbot: QtBot, panel: PackingPanel, view: PackingView) -> None:
    at = _middle(view, 4)
    _drag(view, "chat", at)
    assert panel.told.text() == "Chat fits on a chip of its own."
    with qtbot.waitSignal(panel.put) as put:
        _let_go(view, at)
    assert put.args == ["chat", 4]


def test_keys_walk_carry_and_put_down(qtbot: QtBot, panel: PackingPanel, view: PackingView) -> None:
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    assert view.current == ("chat", 1) and view.accessibleDescription().startswith("Chat on chip 1: ")
    for key, workload in ((Qt.Key.Key_Right, "rank"), (Qt.Key.Key_Down, "speech"), (Qt.Key.Key_Up, "chat")):
        QTest.keyClick(view, key)
        assert view.current == (workload, 1)
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    assert panel.told.text().startswith("Chat fits on chip 2")
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    assert view.accessibleDescription().startswith("Chat does not fit on chip 3")
    with qtbot.assertNotEmitted(panel.put):
        QTest.keyClick(view, Qt.Key.Key_Return)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Escape):
        QTest.keyClick(view, key, shift if key == Qt.Key.Key_Down else Qt.KeyboardModifier.NoModifier)
    assert view.carry is None
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    view.grab()
    with qtbot.waitSignal(panel.put) as put:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert put.args == ["chat", 2]


def test_delete_takes_only_what_was_put_by_hand_off(qtbot: QtBot, panel: PackingPanel, view: PackingView) -> None:
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    with qtbot.assertNotEmitted(panel.freed):
        QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.freed) as freed:
        QTest.keyClick(view, Qt.Key.Key_Delete)
    assert freed.args == ["speech"]


def test_the_menu_lists_every_other_chip_with_why_not(qtbot: QtBot, panel: PackingPanel, view: PackingView) -> None:
    view.current = ("chat", 1)
    menu = view.menu()
    told = [(one.text(), one.isEnabled()) for one in menu.actions() if one.text()]
    assert told == [
        ("Put on chip 2", True), ("Put on chip 3: load 90\u202f%, the limit is 70\u202f%", False),
        ("Put on a chip of its own", True), ("Where it fits by itself", False), ("Copy table", True),
        ("Copy picture", True), ("Export\u2026", True),
    ]  # fmt: skip
    with qtbot.waitSignal(panel.put) as put:
        menu.actions()[0].trigger()
    assert put.args == ["chat", 2]


def test_the_table_is_copied_unless_it_must_not_leave(qtbot: QtBot, view: PackingView) -> None:
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Chip\tModel\t") and lines[3] == "2\tSpeech\t32.000\t0.000\t8.000\t20.00\tyes"
    next(one for one in view.menu().actions() if one.text() == "Copy picture").trigger()
    assert QGuiApplication.clipboard().image().width() == 2 * view.width()
    view.may_leave = lambda: False
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == KEPT


def test_nothing_is_moved_in_a_plan_that_is_open_read_only(qtbot: QtBot, panel: PackingPanel) -> None:
    panel.show_packing(CHIPS, "Words.", "nvidia_gpu", themes().theme, False)
    view = panel.view
    assert len(view.bins) == 3 and panel.told.text() == ""
    assert [one.text() for one in view.menu().actions()] == ["Copy table", "Copy picture", "Export\u2026"]
    at = _middle(view, 2)
    _drag(view, "rank", at)
    with qtbot.assertNotEmitted(panel.put):
        _let_go(view, at)


def test_why_not_tells_memory_load_time_and_other_copies() -> None:
    chat, speech = CHIPS.chips[0].items[0], CHIPS.chips[1].items[0]
    assert why_not(CHIPS, chat, 2) == "" and why_not(CHIPS, chat, 4) == ""
    assert why_not(CHIPS, speech, 3) == "22\u202fGiB of memory too much"
    assert why_not(CHIPS, chat, 1) == "another copy is there"
    hurried = tuple(replace(one, limit_step_s=1e-4) for one in CHIPS.items)
    assert why_not(replace(CHIPS, items=hurried), chat, 2) == "answers would miss their limits of time"


def test_chips_stand_in_columns_where_there_is_room() -> None:
    narrow, wide = bins_of(CHIPS, 300.0, True), bins_of(CHIPS, 640.0, True)
    assert {one.rect.left() for one in narrow} == {0.0} and len({one.rect.left() for one in wide}) == 2
    for bins in (narrow, wide):
        for one in bins:
            assert all(one.rect.contains(pill.rect) for pill in one.pills)
            assert not any(one.rect.intersects(other.rect) for other in bins if other is not one)


def test_what_was_put_where_it_does_not_fit_is_told(panel: PackingPanel) -> None:
    refused = replace(CHIPS, pins_refused=(Refused("chat", "Chat", 3, "more load than the chip's limit"),))
    panel.show_packing(refused, "Words.", "nvidia_gpu", themes().theme, True)
    assert (
        panel.refused.text()
        == "Chat was put on chip 3 by hand and does not fit there: more load than the chip's limit."
    )
    assert panel.refused.isVisible()
    panel.show_packing(None, "Nothing small.", "nvidia_gpu", themes().theme, True)
    assert not panel.view.isVisible() and panel.words.text() == "Nothing small."
