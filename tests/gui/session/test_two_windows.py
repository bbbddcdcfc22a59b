"""Two windows on one file, and files that change under a window."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.errors import MachineError
from core.paths import user_data_trouble
from core.plan import recovery
from core.plan.holder import holder
from core.plan.sample_plan import sample_plan
from core.plan.store import USER_VERSION, load, save
from core.writing.whole_file import beside
from gui.session import calls, working_copy
from gui.session.calls import Calls, call
from gui.session.disk import Job
from gui.session.file_session import FileChangedError, FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from tests.gui.sample_results import sample_results
from tests.repository_files import ROOT

DEADLINE = "profiles.0.limits.deadline_days"
OTHERS = {"user": "ann", "machine": "mill", "owner": "elsewher-0-7-7", "since": "2026-11-20T10:00:00+00:00"}


@pytest.fixture
def made(qapp: object) -> Iterator[Callable[[], FileSession]]:
    """Sessions of windows, each with its own undo and its own working copy."""
    windows: list[FileSession] = []

    def one() -> FileSession:
        session = PlanSession(sample_plan(), load_catalogue(), lambda *_: sample_results())
        windows.append(FileSession(session, Settings()))
        return windows[-1]

    yield one
    for files in windows:
        files.close()
        files.session.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plan.roofplan"
    save(sample_plan(), path)
    return path


def _theirs(file: Path, name: str = "Theirs") -> None:
    save(sample_plan().model_copy(update={"name": name}), file)


def test_saving_over_anothers_change_is_refused_and_nothing_is_lost(
    made: Callable[[], FileSession], file: Path
) -> None:
    files = made()
    files.open(file)
    files.session.edit(DEADLINE, 41)
    _theirs(file)
    with pytest.raises(FileChangedError, match="changed by somebody else"):
        files.save()
    assert load(file).name == "Theirs"
    assert files.is_dirty
    assert files.theirs().name == "Theirs"
    files.save(over_theirs=True)
    assert load(file).profiles[0].limits.deadline_days == 41
    files.session.edit(DEADLINE, 42)
    files.save()


def test_two_windows_of_one_program_do_not_overwrite_each_other(made: Callable[[], FileSession], file: Path) -> None:
    one, two = made(), made()
    one.open(file)
    two.open(file)
    one.session.edit(DEADLINE, 41)
    one.save()
    two.session.edit(DEADLINE, 42)
    with pytest.raises(FileChangedError):
        two.save()


def test_a_file_that_was_only_touched_is_nobodys_change(made: Callable[[], FileSession], file: Path) -> None:
    """A clock set back, or a copy that brings the same content under another inode, changes nothing."""
    files = made()
    files.open(file)
    os.utime(file, (1, 1))
    files.session.edit(DEADLINE, 41)
    files.save()
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    files.session.edit(DEADLINE, 42)
    files.save()
    assert load(file).profiles[0].limits.deadline_days == 42


def test_a_change_of_the_same_size_and_time_is_noticed_under_another_inode(
    made: Callable[[], FileSession], file: Path
) -> None:
    save(sample_plan().model_copy(update={"note": "ab"}), file)
    before = file.stat()
    files = made()
    files.open(file)
    save(sample_plan().model_copy(update={"note": "cd"}), file)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    files.session.edit(DEADLINE, 41)
    with pytest.raises(FileChangedError):
        files.save()


def test_a_changed_file_is_noticed_once(qtbot: QtBot, made: Callable[[], FileSession], file: Path) -> None:
    files = made()
    files.open(file)
    told: list[int] = []
    files.changed_on_disk.connect(lambda: told.append(1))
    _theirs(file)
    with qtbot.waitSignal(files.changed_on_disk):
        files.look_at_file()
    files.look_at_file()
    assert files._looking is not None
    qtbot.waitUntil(lambda: files._looking is not None and files._looking.is_ended)
    qtbot.wait(1)
    assert told == [1]


def test_a_file_that_is_gone_is_saved_anew(made: Callable[[], FileSession], file: Path) -> None:
    files = made()
    files.open(file)
    file.unlink()
    files.session.edit(DEADLINE, 41)
    files.save()
    assert load(file) == files.session.plan


def test_who_has_it_is_told_and_it_opens_read_only(made: Callable[[], FileSession], file: Path) -> None:
    beside(file, ".lock").write_text(json.dumps(OTHERS), encoding="utf-8")
    files = made()
    files.open(file)
    assert files.read_only is not None
    assert files.read_only.words.startswith("ann on mill has had it open since 20 Nov, ")
    assert files.title == "plan[*] (read-only) - Roofplan"
    before = files.session.plan
    files.session.edit(DEADLINE, 41)
    assert files.session.plan == before
    assert not files.is_dirty
    with pytest.raises(MachineError, match="read-only"):
        files.save()
    files.edit_anyway()
    files.session.edit(DEADLINE, 41)
    files.save()
    assert load(file).profiles[0].limits.deadline_days == 41


def test_a_plan_that_another_has_is_not_saved_over(made: Callable[[], FileSession], file: Path) -> None:
    beside(file, ".lock").write_text(json.dumps(OTHERS), encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(MachineError, match="ann on mill has had it open"):
        made().save_as(file)
    assert file.read_bytes() == before


def test_what_was_locked_hears_of_the_end_of_read_only(
    qtbot: QtBot, made: Callable[[], FileSession], file: Path, tmp_path: Path
) -> None:
    files = made()
    files.open(file, read_only=True)
    with qtbot.waitSignal(files.session.plan_changed, timeout=1000):
        files.save_as(tmp_path / "mine.roofplan")
    assert not files.session.is_read_only


def test_read_only_by_wish_ends_with_another_name(made: Callable[[], FileSession], file: Path, tmp_path: Path) -> None:
    files = made()
    files.open(file, read_only=True)
    assert holder(file) is None and not beside(file, ".lock").exists(), "who only looks is in nobody's way"
    assert files.read_only is not None and not files.read_only.can_end
    with pytest.raises(MachineError, match="choose another name"):
        files.save_as(file)
    files.save_as(tmp_path / "mine.roofplan")
    assert files.read_only is None
    files.session.edit(DEADLINE, 41)
    files.save()


def test_a_newer_plan_opens_read_only_with_words(made: Callable[[], FileSession], file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("INSERT INTO meta VALUES ('mood', '1')")
    connection.execute(f"PRAGMA user_version = {USER_VERSION + 1}")
    connection.commit()
    connection.close()
    files = made()
    files.open(file)
    assert files.read_only is not None
    assert (
        files.read_only.words == f"A newer Roofplan made it (format {USER_VERSION + 1}); 1 part unknown here left out."
    )
    assert files.session.plan == sample_plan()


def test_a_plan_is_marked_while_it_is_open_and_free_afterwards(
    made: Callable[[], FileSession], file: Path, tmp_path: Path
) -> None:
    files = made()
    files.open(file)
    assert beside(file, ".lock").exists()
    files.save_as(tmp_path / "other.roofplan")
    assert not beside(file, ".lock").exists()
    assert beside(tmp_path / "other.roofplan", ".lock").exists()
    files.new()
    assert not list(tmp_path.glob(".*.lock"))


def test_a_recovered_plan_knows_its_file(made: Callable[[], FileSession], file: Path) -> None:
    files = made()
    files.open(file)
    files.session.edit(DEADLINE, 41)
    files.keep_working_copy()
    _orphan(files)
    [draft] = working_copy.left_over()
    assert draft.belonging.file == file
    files.new()
    files.open_copy(draft.plan(), is_unsaved=True, belonging=draft.belonging)
    assert (files.path, files.is_dirty) == (file, True)
    _theirs(file)
    with pytest.raises(FileChangedError):
        files.save()
    files.save(over_theirs=True)
    assert load(file).profiles[0].limits.deadline_days == 41


def _orphan(files: FileSession) -> None:
    """What a crash leaves: plan and note of a window whose lock nobody holds."""
    copy = files._copy.path
    assert copy is not None
    for ending in (".roofplan", ".json"):
        source = copy.with_suffix(ending)
        source.with_name(f"gone{ending}").write_bytes(source.read_bytes())


def test_a_draft_whose_file_somebody_has_is_a_plan_of_its_own(made: Callable[[], FileSession], file: Path) -> None:
    beside(file, ".lock").write_text(json.dumps(OTHERS), encoding="utf-8")
    files = made()
    files.open_copy(sample_plan(), is_unsaved=True, belonging=working_copy.Belonging(file, "x"))
    assert files.path is None


@pytest.mark.parametrize("note", [b"", b"{", b"7", b'{"file": 7}', b"[" * 5000])
def test_a_note_that_makes_no_sense_loses_no_draft(file: Path, note: bytes) -> None:
    folder = working_copy.private_folder("open")
    save(sample_plan(), folder / "gone.roofplan")
    (folder / "gone.json").write_bytes(note)
    [draft] = working_copy.left_over()
    assert draft.belonging == working_copy.NEW
    draft.forget()
    assert list(folder.iterdir()) == []


LOCKED = """
    import os, sys
    from PySide6.QtCore import QLockFile
    lock = QLockFile(sys.argv[1])
    lock.setStaleLockTime(0)
    lock.tryLock(0)
    os._exit(0)
"""


def test_what_dead_windows_left_is_swept() -> None:
    folder = working_copy.private_folder("open")
    subprocess.run([sys.executable, "-c", textwrap.dedent(LOCKED), str(folder / "gone.lock")], check=True)
    (folder / "lost.json").write_text("{}", encoding="utf-8")
    (folder / "empty.lock").touch()
    os.utime(folder / "empty.lock", (0, 0))
    (folder / "new.lock").touch()
    assert (folder / "gone.lock").stat().st_size
    assert working_copy.left_over() == []
    assert [path.name for path in folder.iterdir()] == ["new.lock"]


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from core.catalogue.loading import load_catalogue
    from core.plan.sample_plan import sample_plan
    from gui.session.file_session import FileSession
    from gui.session.plan_session import PlanSession
    from gui.settings import Settings

    app = QApplication(["roofplan", "-platform", "offscreen"])
    session = PlanSession(sample_plan(), load_catalogue(), lambda *_: None)
    files = FileSession(session, Settings())
    files.open(Path(sys.argv[1]))
    def edit(days):
        session.edit("profiles.0.limits.deadline_days", days)
    for n in range(10):
        QTimer.singleShot(50 * n, lambda n=n: edit(20 + n))
    QTimer.singleShot(450 + 300, lambda: os.kill(os.getpid(), signal.SIGKILL))
    app.exec()
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is of POSIX")
def test_an_edit_three_tenths_of_a_second_before_a_kill_is_kept(file: Path) -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(file)], cwd=ROOT, check=False)
    assert done.returncode == -9
    [draft] = working_copy.left_over()
    assert draft.plan().profiles[0].limits.deadline_days == 29
    assert draft.belonging.file == file


def test_a_window_is_called_to_the_front(qtbot: QtBot) -> None:
    receiver = Calls()
    words = "import sys; from gui.session.calls import call; sys.exit(not call(int(sys.argv[1])))"
    with (
        qtbot.waitSignal(receiver.raised, timeout=20_000),
        subprocess.Popen([sys.executable, "-c", words, str(os.getpid())], cwd=ROOT) as caller,
    ):
        qtbot.waitUntil(lambda: caller.poll() is not None, timeout=20_000)
    assert caller.returncode == 0
    receiver.deleteLater()


def test_a_window_that_does_not_answer_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "PATIENCE_S", 0.05)
    assert not call(999_999_999)
    assert list(working_copy.private_folder("calls").iterdir()) == []


def test_without_a_folder_of_the_users_own_the_window_works(
    made: Callable[[], FileSession], file: Path, own_user_folder: Path, qapp: object
) -> None:
    own_user_folder.write_text("in its place", encoding="utf-8")
    files = made()
    told: list[str] = []
    files.failed.connect(told.append)
    files.open(file)
    files.session.edit(DEADLINE, 41)
    files.keep_working_copy()
    files.save()
    Calls().deleteLater()
    assert load(file) == files.session.plan
    assert told == [], "it is told once, when the program begins; until it ends copies lie in a temporary folder"
    assert user_data_trouble()
    assert not call(1)


def test_nothing_of_what_was_done_stays(qtbot: QtBot, made: Callable[[], FileSession], file: Path) -> None:
    files = made()
    files.open(file)
    earlier, others = set(threading.enumerate()), set(Job._under_way)
    before = sum(isinstance(one, Job) for one in gc.get_objects())
    for days in range(20, 40):
        files.look_at_file()
        with qtbot.waitSignal(files.kept):
            files.session.edit(DEADLINE, days)
    for thread in set(threading.enumerate()) - earlier:  # each holds its job until it has told of its end
        thread.join(20)
    qtbot.waitUntil(lambda: Job._under_way <= others)
    gc.collect()
    assert sum(isinstance(one, Job) for one in gc.get_objects()) <= before + 2


def test_a_copy_is_kept_every_five_minutes(qtbot: QtBot, made: Callable[[], FileSession]) -> None:
    files = made()
    assert files._snapshot_timer.interval() == 5 * 60_000
    files._snapshot_timer.timeout.emit()
    qtbot.waitUntil(lambda: len(recovery.snapshots()) == 1)
    assert load(recovery.snapshots()[0].path) == files.session.plan


def test_a_closed_session_keeps_no_step_for_the_collector(qapp: object) -> None:
    session = PlanSession(sample_plan(), load_catalogue(), lambda *_: sample_results())
    for days in (20, 30):
        session.edit(DEADLINE, days)
        session.end_step()
    assert session.undo_stack.count() == 2
    session.close()
    assert session.undo_stack.count() == 0
