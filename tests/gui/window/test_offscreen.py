"""The picture and the paper that are drawn where there is no display."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.errors import MachineError
from core.plan.sample_plan import sample_plan
from gui.offscreen import WINDOW_PX, draw_report, draw_window
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.window.main_window import MainWindow
from tests.gui.sample_session import themes


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    settings, session = Settings(theme="light"), PlanSession(sample_plan(), load_catalogue())
    made = MainWindow(session, FileSession(session, settings), themes(), settings)
    qtbot.addWidget(made)
    return made


def squeezed(panel: QWidget) -> list[str]:
    """Texts that have less height than their lines need."""
    labels = [one for one in panel.findChildren(QLabel) if one.isVisible() and one.wordWrap() and one.text()]
    assert labels
    return [one.text() for one in labels if one.height() < one.heightForWidth(one.width())]


def test_the_picture_shows_a_window_that_is_whole_and_still(window: MainWindow, tmp_path: Path) -> None:
    picture = QImage(str(draw_window(window, tmp_path / "window.png")))
    assert (picture.width(), picture.height()) == WINDOW_PX
    assert squeezed(window) == []
    assert window.session.whole_plan.answer is not None and not window.session.whole_plan.is_working
    QApplication.processEvents()
    later = window.grab().toImage().convertToFormat(picture.format())
    assert later == picture, "nothing moves after the picture was taken"


def test_a_picture_that_cannot_be_written_says_so(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "window.png").mkdir()
    with pytest.raises(MachineError, match="write"):
        draw_window(window, tmp_path / "window.png")


def test_the_paper_has_every_page(window: MainWindow, tmp_path: Path) -> None:
    path = draw_report(window.session, tmp_path / "sample.pdf")
    pages = re.search(rb"/Type/Pages/Count (\d+)", path.read_bytes())
    assert pages is not None and int(pages[1]) >= 18
