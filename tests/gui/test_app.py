"""Starting: which plan is shown, and what a crash left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def test_a_plan_that_cannot_be_opened_is_told_on_the_start_page(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.roofplan").write_text("no plan", encoding="utf-8")
    told = _run(monkeypatch, tmp_path / "bad.roofplan")
    assert "a file of another kind" in told[0][1]
    assert told[0][0] == "Roofplan"


def test_a_plan_is_opened_to_be_looked_at(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(sample_plan(), tmp_path / "mine.roofplan")
    told = _run(monkeypatch, tmp_path / "mine.roofplan", read_only=True)
    assert told == [("mine[*] (read-only) - Roofplan", "This plan is open read-only. It was opened so on request.")]


def test_a_plan_open_in_another_window_opens_no_second_one(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "is_shown_elsewhere", lambda _: True)
    assert _run(monkeypatch, tmp_path / "mine.roofplan") == []


def _run(monkeypatch: pytest.MonkeyPatch, path: Path, read_only: bool = False) -> list[tuple[str, str]]:
    """Title and message of the window that a start shows, which is closed at once."""
    told: list[tuple[str, str]] = []
    make = app.make_window

    def made(*args: Any, **kwargs: Any) -> MainWindow:
        window = make(*args, **kwargs)

        def end(_: object) -> int:
            told.append((window.windowTitle(), window.message.text.text()))
            window.close()
            window.deleteLater()
            return 0

        monkeypatch.setattr(QApplication, "exec", end)
        return window

    monkeypatch.setattr(app, "make_window", made)
    monkeypatch.setattr(app, "calm_collector", lambda: None)
    assert app.run(path, read_only=read_only) == 0
    return told
