"""Choosing: what has no room ends in dots."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.forms.choice_editors import NoWheelComboBox

LONG = "Llama 3.1 405B Instruct, mixture of everything"


def test_a_long_choice_ends_in_dots_and_a_short_one_stands_whole(qtbot: QtBot) -> None:
    """The box cut through a letter, so that a longer name read like a shorter one."""
    combo = NoWheelComboBox()
    qtbot.addWidget(combo)
    combo.addItems([LONG, "Own"])
    combo.setFixedWidth(140)
    combo.show()
    assert combo.shown.endswith("…") and LONG.startswith(combo.shown[:-1])
    combo.setCurrentIndex(1)
    assert combo.shown == "Own"
    combo.setPlaceholderText("Choose one")
    combo.setCurrentIndex(-1)
    assert combo.shown == "Choose one" and not combo.grab().isNull()
