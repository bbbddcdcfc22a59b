"""What is said under the buttons of an empty Calibrate tab is never cut."""

import pytest
from pytestqt.qtbot import QtBot

from gui.tabs.calibrate.start import CalibrateStart


@pytest.mark.parametrize("n_words", [3, 120])
def test_a_reason_has_all_the_room_it_needs(qtbot: QtBot, n_words: int) -> None:
    start = CalibrateStart()
    qtbot.addWidget(start)
    start.resize(1280, 700)
    start.show()
    start.say("reason " * n_words)
    message = start.message
    assert message.height() >= message.heightForWidth(message.width())
    assert message.geometry().bottom() < start.height()
