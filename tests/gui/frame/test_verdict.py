"""The verdict strip as it is painted: one state at a time."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.frame.verdict import VerdictStrip
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def facts_on_screen(strip: VerdictStrip) -> list[QLabel]:
    labels = strip.findChildren(QLabel)
    return [label for label in labels if label.property("kind") == "fact" and not label.isHidden()]


def test_old_facts_are_gone_before_new_ones_are_painted(qtbot: QtBot) -> None:
    """Before the event loop turns: until then deleted widgets are still there."""
    themes()
    session = sample_session(qtbot, sample_results())
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    strip.resize(1280, 60)
    with qtbot.waitExposed(strip):
        strip.show()
    before = facts_on_screen(strip)
    assert before
    session.stale = True
    session.results = None
    strip.refresh()
    assert not set(before) & set(facts_on_screen(strip))
    session.close()
