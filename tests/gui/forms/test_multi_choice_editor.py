"""Check boxes of a form stand whole in the first picture of the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.fields import fields
from core.plan.sample_plan import sample_plan
from core.workload.profile import Profile
from gui.forms.multi_choice_editor import MultiChoiceEditor
from gui.offscreen import wait_for_results
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.window.main_window import MainWindow
from tests.gui.conftest import prepared
from tests.gui.sample_session import themes


def cut(editor: MultiChoiceEditor) -> list[str]:
    """Boxes that have less room than their text needs, or stand partly outside the editor."""
    return [name_of(box) for box in editor.stops() if not is_whole(box, editor)]


def is_whole(box: QWidget, editor: MultiChoiceEditor) -> bool:
    place = QRect(box.mapTo(editor, box.rect().topLeft()), box.size())
    wanted = box.sizeHint()
    return editor.rect().contains(place) and box.width() >= wanted.width() and box.height() >= wanted.height()


def name_of(box: QWidget) -> str:
    return box.objectName()


def grids(window: MainWindow) -> list[MultiChoiceEditor]:
    return [grid for grid in window.findChildren(MultiChoiceEditor) if grid.isVisible()]


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900)])
def test_every_box_is_whole_in_the_first_picture(qtbot: QtBot, size: tuple[int, int]) -> None:
    session = PlanSession(sample_plan(), load_catalogue(), prepared)
    settings = Settings(theme="light")
    window = MainWindow(session, FileSession(session, settings), themes(), settings)
    qtbot.addWidget(window)
    window.resize(*size)
    window.show()
    wait_for_results(session)
    QApplication.processEvents()
    shown = grids(window)
    assert {grid.info.path for grid in shown} >= {"places.providers", "places.purchase_models"}
    assert [cut(grid) for grid in shown] == [[] for _ in shown]


@pytest.mark.parametrize("width_px", [300, 378, 438, 600])
def test_the_height_is_known_before_the_width_is_given(qtbot: QtBot, width_px: int) -> None:
    info = next(info for info in fields(Profile()) if info.path == "places.purchase_models")
    editor = MultiChoiceEditor(info, is_any_when_empty=True)
    qtbot.addWidget(editor)
    editor.show()
    qtbot.waitExposed(editor)
    editor.resize(width_px, editor.heightForWidth(width_px))
    QApplication.processEvents()
    assert (editor.height(), cut(editor)) == (editor.heightForWidth(width_px), [])
    assert max(box.geometry().bottom() for box in editor.stops()) > editor.height() - 12
