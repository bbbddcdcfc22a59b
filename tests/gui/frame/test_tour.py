"""The tour: opened with the sample once, gone through tab by tab, left at any time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt
from pytestqt.qtbot import QtBot

from core.learning.tour import STEPS
from core.plan.sample_plan import sample_plan
from gui.forms.term_label import TermCard, TermLabel
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker


def press(qtbot: QtBot, button: object) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_it_goes_through_the_tabs_and_ends(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    seen = []
    for number in range(len(STEPS)):
        assert window.tour.count.text() == f"{number + 1} of {len(STEPS)}"
        seen.append((window.tour.title.text(), window.tabs.shown))
        assert window.tour.back.isEnabled() == (number > 0)
        press(qtbot, window.tour.next)
    assert seen == [(step.title, step.tab) for step in STEPS]
    assert not window.tour.isVisible()


def test_back_and_leave(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    press(qtbot, window.tour.next)
    press(qtbot, window.tour.back)
    assert window.tour.title.text() == STEPS[0].title
    press(qtbot, window.tour.close_button)
    assert not window.tour.isVisible()


def test_the_sample_opens_with_it_once(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(sample_plan())
    assert not window.tour.isVisible()
    window.open_sample()
    assert window.tour.isVisible() and window.settings.has_seen_tour
    window.tour.leave()
    window.open_sample()
    assert not window.tour.isVisible()


def test_it_stays_within_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    for size in (QSize(1024, 700), QSize(1600, 900)):
        window.resize(size)
        qtbot.waitUntil(partial(is_of, window, size))
        host = window.tour.parentWidget()
        assert host is not None and host.rect().contains(window.tour.geometry())


def is_of(window: MainWindow, size: QSize) -> bool:
    return window.size() == size


def test_a_term_is_explained_by_a_click(qtbot: QtBot) -> None:
    label = TermLabel("TTFT limit")
    qtbot.addWidget(label)
    label.show()
    press(qtbot, label)
    card = label.findChild(TermCard)
    assert card is not None and card.isVisible()
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: label.findChild(TermCard) is None)


def test_a_title_without_a_term_says_nothing(qtbot: QtBot) -> None:
    label = TermLabel("Name")
    qtbot.addWidget(label)
    label.show()
    press(qtbot, label)
    assert label.findChild(TermCard) is None and label.cursor().shape() == Qt.CursorShape.ArrowCursor
