"""A long name gives way where it stands; what stands beside it stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.paint.brush import Ink
from gui.tabs.cost.answers import CELL_PX
from gui.window.main_window import MainWindow
from tests.gui.hostile.hostile_plan import hostile_plan
from tests.gui.sample_session import themes
from tests.gui.whole_window import settled, show_cost, shown_window

LONG = "Accelerator" * 8 + " of a name that goes on and on"


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    plan = hostile_plan(tmp_path)
    chip = plan.own.accelerators[0].model_copy(update={"short_name": LONG, "name": LONG})
    profiles = tuple(one.model_copy(update={"name": LONG[:80]}) for one in plan.profiles)
    own = plan.own.model_copy(update={"accelerators": (chip,)})
    plan = plan.model_copy(update={"name": LONG * 20, "own": own, "profiles": profiles})
    with shown_window(qtbot, plan, 1280, 800) as made:
        yield made


def test_everything_beside_a_long_name_stays_in_the_window(qtbot: QtBot, window: MainWindow) -> None:
    results = window.session.results
    assert results is not None
    mine = next(one for one in results.results if one.candidate.accelerator.id == "own-chip")
    window.session.select(mine.id)
    window.why.pin()
    window.why.explain("part:compute")
    show_cost(window, "By part")
    settled(qtbot, window)
    assert (window.width(), window.height()) == (1280, 800)
    for area in window.why.dock.findChildren(QScrollArea):
        inside = area.widget()
        assert inside is None or inside.width() <= area.viewport().width(), "values would be out of sight"
    cells = [one for one in window.tabs.findChildren(QWidget) if one.objectName().startswith("answer-")]
    assert min(cell.width() for cell in cells if cell.isVisible()) >= CELL_PX - 1
    assert window.verdict.width() <= window.width()


def test_a_text_gives_way_to_the_room_there_is(qtbot: QtBot) -> None:
    image = QImage(400, 20, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    ink = Ink(painter, themes().theme)
    assert ink.text(0, 10, LONG, room=120) <= 120
    assert ink.text(0, 10, "Short", room=120) == ink.text(0, 10, "Short")
    painter.end()
    QCoreApplication.processEvents()
