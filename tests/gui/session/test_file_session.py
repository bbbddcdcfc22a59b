"""Saving, opening, copies kept against loss."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.errors import InputError, MachineError
from core.plan import recovery
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from gui.session import working_copy
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings, load_settings
from tests.gui.sample_results import sample_results

DEADLINE = "profiles.0.limits.deadline_days"


@pytest.fixture
def files(qapp: object) -> Iterator[FileSession]:
    session = PlanSession(sample_plan(), load_catalogue(), lambda *_: sample_results())
    made = FileSession(session, Settings())
    yield made
    made.close()
    session.close()


def test_saved_and_opened_again_is_the_same_plan(files: FileSession, tmp_path: Path) -> None:
    files.session.edit(DEADLINE, 41)
    assert files.is_dirty
    files.save_as(tmp_path / "mine")
    assert not files.is_dirty
    assert files.title == "mine[*] - Roofplan"
    kept = files.session.plan
    files.session.edit(DEADLINE, 99)
    files.open(tmp_path / "mine.roofplan")
    assert files.session.plan == kept
    assert not files.is_dirty


def test_undo_to_what_was_saved_is_clean(files: FileSession, tmp_path: Path) -> None:
    files.save_as(tmp_path / "mine.roofplan")
    files.session.edit(DEADLINE, 41)
    files.session.undo_stack.undo()
    assert not files.is_dirty


def test_a_refused_save_loses_nothing(files: FileSession, tmp_path: Path) -> None:
    files.session.edit(DEADLINE, 41)
    with pytest.raises(MachineError):
        files.save_as(tmp_path / "no such folder" / "mine.roofplan")
    assert files.is_dirty
    assert files.path is None
    assert files.session.plan.profiles[0].limits.deadline_days == 41


def test_a_damaged_file_leaves_the_plan_on_screen(files: FileSession, tmp_path: Path) -> None:
    bad = tmp_path / "bad.roofplan"
    bad.write_text("nothing of ours")
    before = files.session.plan
    with pytest.raises(InputError):
        files.open(bad)
    assert files.session.plan is before


def test_recent_files_are_remembered_and_gone_ones_forgotten(files: FileSession, tmp_path: Path) -> None:
    for name in ("one", "two"):
        files.save_as(tmp_path / f"{name}.roofplan")
    assert [path.stem for path in load_settings().recent_files()] == ["two", "one"]
    (tmp_path / "two.roofplan").unlink()
    assert [path.stem for path in load_settings().recent_files()] == ["one"]


def test_an_unsaved_edit_is_kept_aside_soon_and_dropped_once_saved(
    qtbot: QtBot, files: FileSession, tmp_path: Path
) -> None:
    with qtbot.waitSignal(files.kept):
        files.session.edit(DEADLINE, 41)
    [copy] = (tmp_path / "roofplan-home" / "open").glob("*.roofplan")
    assert load(copy) == files.session.plan
    files.save_as(tmp_path / "mine.roofplan")
    assert not copy.exists()


def test_a_crash_leaves_a_copy_that_is_offered(files: FileSession, tmp_path: Path) -> None:
    files.session.edit(DEADLINE, 41)
    files.keep_working_copy()
    assert working_copy.left_over() == [], "a living window's copy is not offered"
    orphan = tmp_path / "roofplan-home" / "open" / "gone.roofplan"
    save(files.session.plan, orphan)
    [found] = working_copy.left_over()
    assert found.plan_name == files.session.plan.name
    files.open_copy(found.plan(), is_unsaved=True)
    assert files.is_dirty
    assert files.session.plan.profiles[0].limits.deadline_days == 41
    found.forget()
    assert working_copy.left_over() == []


def test_snapshots_are_taken_on_save_and_open(files: FileSession, tmp_path: Path) -> None:
    files.save_as(tmp_path / "mine.roofplan")
    files.session.edit(DEADLINE, 41)
    files.save()
    assert len(recovery.snapshots()) == 2
    files.save()
    assert len(recovery.snapshots()) == 2, "the same plan is not kept twice"


def test_a_new_plan_has_no_file(files: FileSession, tmp_path: Path) -> None:
    files.save_as(tmp_path / "mine.roofplan")
    files.new()
    assert files.path is None
    assert files.title == "Untitled plan[*] - Roofplan"
    assert not files.is_dirty
    with pytest.raises(MachineError):
        files.save()


def test_settings_survive_a_damaged_file(tmp_path: Path) -> None:
    Settings(theme="dark", recent=["a"]).save()
    assert load_settings() == Settings(theme="dark", recent=["a"])
    path = tmp_path / "roofplan-home" / "settings.json"
    path.write_text("{ not json")
    assert load_settings() == Settings()
    path.write_text('{"theme": 7, "recent": ["x", 3], "unknown": 1}')
    assert load_settings() == Settings(recent=["x"])
