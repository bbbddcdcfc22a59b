"""Starting: which plan is shown, and what a crash left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core.paths import user_data
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from gui import app
from gui.window.main_window import MainWindow


@pytest.fixture
def window(qapp: QApplication) -> Iterator[MainWindow]:
    made = app.make_window(app.NO_PLAN)
    made.show()
    yield made
    made.session.undo_stack.setClean()
    made.close()
    made.deleteLater()


def test_a_crash_is_told_and_the_plan_can_be_had_back(window: MainWindow) -> None:
    lost = sample_plan().model_copy(update={"name": "Nearly lost"})
    place = user_data() / "open"
    place.mkdir(exist_ok=True)
    save(lost, place / "dead.roofplan")
    window.dialogs.offer_drafts()
    assert "Nearly lost" in window.message.text.text()
    window.message.button.click()
    assert window.session.plan.name == "Nearly lost"
    assert window.isWindowModified(), "it counts as unsaved"
    assert not (place / "dead.roofplan").exists()


def test_nothing_is_offered_after_a_good_end(window: MainWindow) -> None:
    window.dialogs.offer_drafts()
    assert not window.message.isVisible()


def test_closing_leaves_no_working_copy(qapp: QApplication) -> None:
    made = app.make_window(sample_plan())
    made.show()
    made.session.edit("profiles.0.limits.deadline_days", 41)
    made.files.keep_working_copy()
    assert list((user_data() / "open").glob("*.roofplan"))
    made.session.undo_stack.setClean()
    made.close()
    assert not list((user_data() / "open").iterdir())
    made.deleteLater()


def test_a_file_is_opened_under_its_name(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "mine.roofplan"
    save(sample_plan(), path)
    made = app.make_window(sample_plan(), path)
    assert made.windowTitle() == "mine[*] - Roofplan"
    assert made.settings.recent == [str(path)]
    made.close()
    made.deleteLater()
