"""Every dialog on a small screen: its buttons can be reached, and the keyboard begins where one types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from gui.dialogs.prices.form_dialog import FormDialog
from gui.theme.screen_room import within_screen
from gui.window.main_window import MainWindow

FORMS = ("have", "add-offer", "add-server", "add-host", "add-chip")
OTHERS = ("price-book", "import-prices", "scan-code", "comments", "help", "shortcuts", "about", "compare-plans")


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, request: pytest.FixtureRequest) -> Iterator[QDialog]:
    window.commands[request.param].handler()
    qtbot.waitUntil(lambda: bool(_dialogs()))
    dialog = _dialogs()[0]
    yield dialog
    dialog.reject()


def _dialogs() -> list[QDialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]


@pytest.mark.parametrize("opened", [*FORMS, *OTHERS], indirect=True)
def test_a_dialog_fits_its_screen_and_the_smallest_window(opened: QDialog) -> None:
    """A form of 720 px had its buttons below the edge of a screen of that height."""
    room = opened.screen().availableSize()
    assert opened.width() < room.width() and opened.height() < room.height()
    assert opened.minimumSizeHint().width() <= 960 and opened.minimumSizeHint().height() <= 560


@pytest.mark.parametrize("opened", FORMS, indirect=True)
def test_the_keyboard_never_stops_at_what_only_scrolls(opened: QDialog) -> None:
    """The first stop was the bare area around the form, where nothing is seen and nothing typed."""
    stops, one = [], opened.nextInFocusChain()
    while one is not None and one is not opened and one not in stops:
        stops.append(one)
        one = one.nextInFocusChain()
    bare = [stop for stop in stops if isinstance(stop, QScrollArea) and stop.focusPolicy().value]
    assert not bare and any(isinstance(stop, QLineEdit) for stop in stops)
    first = opened.focusWidget()
    assert isinstance(opened, FormDialog) and first is not None and opened.form.isAncestorOf(first)


def test_what_has_room_keeps_its_size(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    within_screen(dialog, 300, 200)
    assert (dialog.width(), dialog.height()) == (300, 200)
    within_screen(dialog, 9000, 9000)
    assert dialog.height() < dialog.screen().availableSize().height()
