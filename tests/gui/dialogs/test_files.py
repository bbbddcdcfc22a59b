"""What is asked about files: another's change, earlier versions, unsaved plans, a drive that does not answer."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.errors import InputError, MachineError
from core.plan import recovery
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from core.writing.whole_file import beside
from gui.dialogs import waiting
from gui.dialogs.files import DRAFTS, lost_words
from gui.dialogs.versions import ConflictDialog, Version, VersionsDialog
from gui.dialogs.waiting import Waiting
from gui.session.working_copy import LeftOver, left_over, private_folder
from gui.window.main_window import MainWindow
from tests.gui.person import answer, press

DEADLINE = "profiles.0.limits.deadline_days"
OTHERS = {"user": "ann", "machine": "mill", "owner": "elsewher-0-7-7", "since": "2026-11-20T10:00:00+00:00"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plan.roofplan"
    save(sample_plan(), path)
    return path


def _press(name: str) -> Callable[[QWidget], None]:
    def act(dialog: QWidget) -> None:
        button = dialog.findChild(QPushButton, name)
        assert button is not None, name
        button.click()

    return act


def _changed(window: MainWindow, file: Path) -> None:
    """The plan is edited here and saved by somebody else."""
    window.dialogs.open(file)
    window.session.edit(DEADLINE, 41)
    save(set_value(sample_plan(), DEADLINE, 50), file)


def _rows(dialog: QWidget) -> list[tuple[str, ...]]:
    assert isinstance(dialog, ConflictDialog | VersionsDialog)
    return [row.cells for row in dialog.fields.rows.rows]


def test_saving_over_anothers_change_asks_and_shows_what_differs(window: MainWindow, file: Path) -> None:
    _changed(window, file)
    seen: list[list[tuple[str, ...]]] = []

    def act(dialog: QWidget) -> None:
        seen.append(_rows(dialog))
        assert isinstance(dialog, ConflictDialog)
        dialog.reject()

    answer(act)
    assert not window.dialogs.save()
    workload = sample_plan().profiles[0].name
    assert seen == [[(f"Deadline ({workload})", "50 days", "41 days")]]
    assert load(file).profiles[0].limits.deadline_days == 50
    assert window.isWindowModified()


def test_both_are_kept(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _changed(window, file)
    mine = file.with_name("mine.roofplan")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(mine), ""))
    answer(_press("conflict-both"))
    assert window.dialogs.save()
    assert [load(path).profiles[0].limits.deadline_days for path in (file, mine)] == [50, 41]
    assert window.files.path == mine


def test_theirs_is_taken_and_mine_is_an_earlier_version(window: MainWindow, file: Path) -> None:
    _changed(window, file)
    answer(_press("conflict-take"))
    assert not window.dialogs.save()
    assert window.session.plan.profiles[0].limits.deadline_days == 50
    assert not window.isWindowModified()
    kept = [load(one.path).profiles[0].limits.deadline_days for one in recovery.snapshots()]
    assert 41 in kept


def test_mine_is_kept_and_theirs_is_an_earlier_version(window: MainWindow, file: Path) -> None:
    _changed(window, file)
    answer(_press("conflict-replace"))
    assert window.dialogs.save()
    assert load(file).profiles[0].limits.deadline_days == 41
    assert 50 in [load(one.path).profiles[0].limits.deadline_days for one in recovery.snapshots()]


def test_theirs_that_cannot_be_read_is_not_offered(window: MainWindow, file: Path) -> None:
    window.dialogs.open(file)
    window.session.edit(DEADLINE, 41)
    file.write_text("no plan any more", encoding="utf-8")
    seen: list[bool] = []

    def act(dialog: QWidget) -> None:
        take = dialog.findChild(QPushButton, "conflict-take")
        seen.append(take is not None and take.isEnabled())
        _press("conflict-replace")(dialog)

    answer(act)
    assert window.dialogs.save()
    assert (seen, load(file).profiles[0].limits.deadline_days) == ([False], 41)


def test_save_as_to_the_plans_own_file_asks_too(
    window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _changed(window, file)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    answer(_press("conflict-cancel"))
    assert not window.dialogs.save_as()


def test_a_change_on_disk_is_told_with_a_way_to_see_it(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.dialogs.open(file)
    save(set_value(sample_plan(), DEADLINE, 50), file)
    with qtbot.waitSignal(window.files.changed_on_disk):
        window.files.look_at_file()
    assert "plan.roofplan was changed by somebody else" in window.message.text.text()
    answer(_press("conflict-take"))
    window.message.button.click()
    assert window.session.plan.profiles[0].limits.deadline_days == 50
    assert not window.message.isVisible()


def test_a_plan_that_somebody_has_opens_read_only_and_says_who(window: MainWindow, file: Path) -> None:
    beside(file, ".lock").write_text(json.dumps(OTHERS), encoding="utf-8")
    window.dialogs.open(file)
    assert "ann on mill has had it open since" in window.message.text.text()
    assert window.windowTitle() == "plan[*] (read-only) - Roofplan"
    badge = window.findChild(QLabel, "example-badge")
    assert badge is not None and badge.isVisible() and badge.text() == "Read-only"
    assert not window.tabs.describe().form.isEnabled()
    assert not window.commands.qt("rename").isEnabled()
    assert "read-only" in window.commands.qt("rename").toolTip()
    window.message.button.click()
    assert window.windowTitle() == "plan[*] - Roofplan"
    assert window.tabs.describe().form.isEnabled()
    assert window.commands.qt("rename").isEnabled()


def test_an_edit_of_a_read_only_plan_is_told_and_save_asks_for_a_name(
    window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    window.commands.qt("open-read-only").trigger()
    window.message.hide()
    window.session.edit(DEADLINE, 41)
    assert window.message.text.text() == "This plan is open read-only. It was opened so on request."
    mine = file.with_name("mine.roofplan")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(mine), ""))
    assert window.dialogs.save()
    window.session.edit(DEADLINE, 41)
    assert window.isWindowModified()


def test_a_plan_open_in_another_window_is_shown_there(
    window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.dialogs.files.is_shown_elsewhere", lambda path: path == file)
    before = window.session.plan
    window.dialogs.open(file)
    assert window.session.plan is before
    assert (
        window.message.text.text() == "plan.roofplan is open in another window, which was asked to come to the front."
    )


def test_earlier_versions_are_listed_with_what_differs_and_open_as_a_copy(
    qtbot: QtBot, window: MainWindow, file: Path
) -> None:
    window.dialogs.open(file)
    window.session.edit(DEADLINE, 41)
    window.dialogs.save()
    window.session.edit(DEADLINE, 42)
    recovery.take(sample_plan().model_copy(update={"id": "another"}))
    seen: list[tuple[str, ...]] = []

    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, VersionsDialog)
        qtbot.waitUntil(lambda: all(row.cells[2] != "…" for row in dialog.list.rows.rows))
        seen.extend(row.cells[2:] for row in dialog.list.rows.rows)
        dialog.list.selectRow(1)
        seen.extend(row[1:] for row in _rows(dialog))
        window.session.undo_stack.setClean()
        dialog.take.click()

    answer(act)
    window.commands.qt("versions").trigger()
    assert seen == [("1 field differs",), ("1 field differs",), ("42 days", "60 days")]
    assert window.session.plan == sample_plan()
    assert (window.files.path, window.isWindowModified()) == (None, True)


def test_a_version_that_cannot_be_read_is_told_and_cannot_be_taken(
    qtbot: QtBot, window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.dialogs.open(file)
    [one] = recovery.snapshots()
    monkeypatch.setattr(window.dialogs, "snapshots", lambda _: [one])
    one.path.write_text("damaged", encoding="utf-8")

    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, VersionsDialog)
        qtbot.waitUntil(lambda: dialog.list.rows.rows[0].cells[2] == "cannot be read")
        assert not dialog.take.isEnabled()
        dialog.reject()

    answer(act)
    window.dialogs.earlier_versions()
    assert window.files.path == file


def _left(name: str, file: Path | None) -> None:
    folder = private_folder("open")
    save(set_value(sample_plan(), DEADLINE, 41).model_copy(update={"name": name}), folder / f"{name}.roofplan")
    (folder / f"{name}.json").write_text(json.dumps({"file": str(file or ""), "digest": "x"}), encoding="utf-8")


def test_unsaved_plans_are_named_dated_and_compared(window: MainWindow, file: Path) -> None:
    _left("Lost", file)
    window.dialogs.offer_drafts()
    text = window.message.text.text()
    assert "Unsaved changes to Lost (plan.roofplan) from " in text
    assert text.endswith("were kept: 2 fields differ from the saved file.")
    window.message.button.click()
    assert (window.files.path, window.isWindowModified()) == (file, True)
    assert left_over() == [], "the draft is this window's own now"


def test_several_unsaved_plans_are_offered_in_a_list(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    _left("One", file)
    _left("Two", None)
    window.dialogs.offer_drafts()
    assert "Unsaved changes to 2 plans were kept" in window.message.text.text()

    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, VersionsDialog)
        qtbot.waitUntil(lambda: all(row.cells[2] != "…" for row in dialog.list.rows.rows))
        assert sorted(row.cells[1:] for row in dialog.list.rows.rows) == [
            ("One", "2 fields differ"),
            ("Two", "never saved"),
        ]
        at = [row.cells[1] for row in dialog.list.rows.rows].index("Two")
        dialog.list.selectRow(at)
        assert "never saved" in dialog.note.text()
        dialog.remove.click()
        dialog.take.click()

    answer(act)
    window.message.button.click()
    assert window.session.plan.name == "One"
    qtbot.waitUntil(lambda: left_over() == [])


def test_a_drive_that_stalls_leaves_the_list_alive(qtbot: QtBot, tmp_path: Path, stalled: threading.Event) -> None:
    """Every line is a file that may lie anywhere: read off the GUI thread, the chosen one first."""
    readers: list[str] = []

    def slow(name: str) -> Plan:
        readers.append(name)
        assert threading.current_thread() is not threading.main_thread()
        stalled.wait(10)
        return sample_plan()

    names = ("One", "Two", "Three")
    versions = [Version(tmp_path / one, "now", one, "", partial(slow, one), lambda: None) for one in names]
    dialog = VersionsDialog(DRAFTS, versions)
    qtbot.addWidget(dialog)
    dialog.list.selectRow(2)
    assert [row.cells[2] for row in dialog.list.rows.rows] == ["…"] * 3
    assert not dialog.take.isEnabled()
    stalled.set()
    qtbot.waitUntil(lambda: all(row.cells[2] == "never saved" for row in dialog.list.rows.rows))
    assert readers == ["One", "Three", "Two"]
    assert dialog.take.isEnabled() and dialog.current is versions[2]


def test_a_draft_that_cannot_be_deleted_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "a folder is no file"
    folder.mkdir()
    dialog = VersionsDialog(DRAFTS, [Version(folder, "now", "One", "", sample_plan, lambda: None)])
    qtbot.addWidget(dialog)
    dialog.remove.click()
    qtbot.waitUntil(lambda: dialog.note.text().startswith("It could not be deleted: "))


def test_a_draft_whose_file_cannot_be_read_is_told_without_a_comparison(tmp_path: Path) -> None:
    draft = LeftOver(tmp_path / "gone", "Lost", datetime.now(UTC))
    assert lost_words([draft]).endswith("were kept.")


@pytest.fixture
def stalled() -> Iterator[threading.Event]:
    """A drive that answers once the event is set."""
    event = threading.Event()
    yield event
    event.set()


def test_a_drive_that_stalls_freezes_nothing_and_is_told(
    qtbot: QtBot, window: MainWindow, file: Path, stalled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_MS", 20)
    window.dialogs.open(file)
    window.session.edit(DEADLINE, 41)
    written = save

    def slow(*args: object) -> object:
        stalled.wait()
        return written(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("gui.session.file_session.save", slow)
    seen: list[str] = []

    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, QMessageBox)
        seen.append(dialog.text())
        assert not window.dialogs.may_leave(), "nobody closes the window in mid-save"
        press("Stop waiting")(dialog)

    answer(act)
    assert not window.dialogs.save()
    assert seen == [f"The drive takes long to save {file}."]
    assert "the drive does not answer" in window.message.text.text()
    assert window.isWindowModified()
    assert not window.dialogs.save()
    assert "the drive still does not answer" in window.message.text.text()
    stalled.set()
    qtbot.waitUntil(lambda: load(file).profiles[0].limits.deadline_days == 41)
    monkeypatch.setattr("gui.session.file_session.save", written)
    window.session.edit(DEADLINE, 42)
    qtbot.waitUntil(window.dialogs.save)
    assert load(file).profiles[0].limits.deadline_days == 42, "what the drive wrote late is our own"


def test_what_is_waited_for_ends_the_wait(
    window: MainWindow, stalled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_MS", 20)
    answer(lambda _: stalled.set())
    assert Waiting(window)(lambda: stalled.wait() and "done", "open it") == "done"


@pytest.mark.parametrize("error", [InputError("a", "b", "c"), MachineError("a", "b"), KeyError("ours")])
def test_what_goes_wrong_in_the_thread_is_raised_here(window: MainWindow, error: Exception) -> None:
    def act() -> None:
        raise error

    with pytest.raises(type(error)):
        Waiting(window)(act, "open it")


def test_words_from_files_are_shown_as_they_are(window: MainWindow, tmp_path: Path) -> None:
    dialog = ConflictDialog("<b>x</b>", None, sample_plan(), window)
    labels = [label for label in dialog.findChildren(QLabel) if label.text()]
    assert labels and all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    dialog.deleteLater()


def test_a_folder_that_vanished_is_told_with_a_way_out(
    window: MainWindow, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = file.rename(folder / "plan.roofplan")
    window.dialogs.open(file)
    window.session.edit(DEADLINE, 41)
    shutil.rmtree(folder)
    assert not window.dialogs.save()
    assert window.message.text.text() == f"Could not save {file}: its folder is gone. The plan on screen is unchanged."
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.roofplan"), ""))
    window.message.button.click()
    assert load(tmp_path / "mine.roofplan").profiles[0].limits.deadline_days == 41
