"""The document file: whole or not at all, and one clear message for every way in which it can be wrong."""

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.comparison.missing import missing_facts
from core.errors import InputError, MachineError
from core.plan import store
from core.plan.edit import set_value
from core.plan.plan import ImportedLog, Plan
from core.plan.schema import STEPS, Rows
from core.plan.store import APPLICATION_ID, USER_VERSION, load, save, title
from core.workload.profile import Profile
from tests.repository_files import ROOT

PLAN = Plan(id="p", name="Plan", profiles=(Profile(), Profile(id="b", name="B")))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A saved plan."""
    path = tmp_path / "plan.roofplan"
    save(PLAN, path)
    return path


def _execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_any_plan_comes_back_as_it_was(
    plans: st.SearchStrategy[Plan], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.roofplan"
    plan = data.draw(plans)
    save(plan, path)
    assert load(path) == plan


@pytest.mark.parametrize("name", ["load", "=", "a=b", "time_s", ""])
def test_a_series_of_a_log_comes_back_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    band, chips = ((1.0,), (0.5,), (2.0,)), ((1.0,), (3.0,))
    log = ImportedLog(
        id="a", file_name="a.csv", format="csv", imported_at="", accelerator=None, n_accelerators=1, n_lines=1,
        n_skipped=0, duration_s=1.0, quantities={}, series_s=(0.0,), series={name: (1.0,)}, bands={name: band},
        by_chip={name: chips},
    )  # fmt: skip
    save(PLAN.model_copy(update={"logs": (log,)}), tmp_path / "log.roofplan")
    assert load(tmp_path / "log.roofplan").logs == (log,)


def test_file_is_known_by_its_identity_and_holds_no_log(file: Path) -> None:
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (USER_VERSION,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_title_is_read_without_the_rest(file: Path) -> None:
    assert title(file) == ("p", "Plan")


def test_workloads_can_be_found_by_other_programs(file: Path) -> None:
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT id, name FROM profiles ORDER BY position").fetchall() == [
        ("workload", "New workload"),
        ("b", "B"),
    ]
    connection.close()


def test_saving_again_replaces_and_keeps_permissions(file: Path) -> None:
    file.chmod(0o640)
    save(PLAN.model_copy(update={"name": "Second"}), file)
    assert load(file).name == "Second"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_keeps_pointing_to_the_file(file: Path) -> None:
    link = file.with_name("link.roofplan")
    link.symlink_to(file)
    save(PLAN.model_copy(update={"name": "Through the link"}), link)
    assert link.is_symlink()
    assert load(file).name == "Through the link"


def test_what_a_cut_off_save_left_is_removed_at_open_once_it_is_surely_dead(file: Path) -> None:
    """An older Roofplan said nothing about itself in the name; a week later it is not at it any more."""
    stray = file.with_name(f".{file.name}.part-0badc0de")
    journal = file.with_name(f"{stray.name}-journal")
    other = file.with_name(".other.roofplan.part-0badc0de")
    for path in (stray, journal, other):
        path.write_bytes(b"half")
    load(file)
    assert stray.exists() and journal.exists(), "it may be at work in this moment"
    for path in (stray, journal, other):
        os.utime(path, (0, 0))
    load(file)
    assert not stray.exists()
    assert not journal.exists()
    assert other.exists()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _headless(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def _scribbled(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)


def _text(path: Path) -> None:
    path.write_text("not a plan", encoding="utf-8")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    _execute(path, "PRAGMA application_id = 7")


def _newer(path: Path) -> None:
    _execute(path, f"PRAGMA user_version = {USER_VERSION + 1}")


def _older(path: Path) -> None:
    _execute(path, "PRAGMA user_version = 0")


def _tableless(path: Path) -> None:
    _execute(path, "DROP TABLE choices")


def _bad_row(path: Path) -> None:
    deeper = """json_set(document, '$.model', json('{"n_layers":-3}'))"""
    _execute(path, f"UPDATE profiles SET document = {deeper} WHERE id = 'b'")


def _no_json(path: Path) -> None:
    _execute(path, "UPDATE scenarios SET document = '{'")


def _null(path: Path) -> None:
    _execute(path, "UPDATE profiles SET document = NULL WHERE id = 'workload'")


def _bad_meta(path: Path) -> None:
    _execute(path, "UPDATE meta SET document = '7' WHERE name = 'name'")


def _bad_series(path: Path) -> None:
    _execute(path, "INSERT INTO log_series (position, log_id, name, document) VALUES (0, 'a', 'time_s', '[\"x\"]')")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_cut, "plan.roofplan: found a damaged file"),
        (_headless, "plan.roofplan: found a damaged file"),
        (_scribbled, "plan.roofplan: found a damaged file"),
        (_text, "plan.roofplan: found a file of another kind, expected a Roofplan plan"),
        (_empty, "plan.roofplan: found an empty file, expected a Roofplan plan"),
        (_foreign, "plan.roofplan: found a database of another program, expected a Roofplan plan"),
        (_newer, "plan.roofplan: found format 3, made by a newer Roofplan, expected format 2 or older"),
        (_older, "plan.roofplan: found format 0, expected a format from 1 to 2"),
        (_tableless, "plan.roofplan, table choices: found no such table"),
        (_bad_row, "plan.roofplan, table profiles, row 2, model.n_layers: found -3, expected a number of at least 1"),
        (_no_json, "plan.roofplan, table scenarios, row 1, the whole row: found '{'"),
        (_null, "plan.roofplan, table profiles, row 1, the whole row: found ''"),
        (_bad_meta, "plan.roofplan, table meta, name: found 7, expected text"),
        (_bad_series, "plan.roofplan, table log_series, row 1: found something else, expected a list of numbers"),
    ],
)
def test_a_damaged_file_is_refused_with_one_clear_sentence_and_left_alone(
    file: Path, damage: Callable[[Path], None], words: str
) -> None:
    damage(file)
    before = file.read_bytes()
    with pytest.raises(InputError) as caught:
        load(file)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == before


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no such file"):
        load(tmp_path / "nothing.roofplan")
    with pytest.raises(InputError, match="found a folder"):
        load(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_saving_where_no_file_can_be_is_a_fault_of_the_machine(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="save"):
        save(PLAN, tmp_path / "no such folder" / "plan.roofplan")
    with pytest.raises(MachineError, match="it is a folder"):
        save(PLAN, tmp_path)


def test_a_protected_file_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.os, "access", lambda path, mode: False)
    before = file.read_bytes()
    with pytest.raises(MachineError, match="protected against writing"):
        save(PLAN.model_copy(update={"name": "No"}), file)
    assert file.read_bytes() == before


def test_a_full_disk_leaves_the_old_plan_and_no_rest(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(MachineError, match=os.strerror(errno.ENOSPC)):
        save(PLAN.model_copy(update={"name": "No"}), file)
    assert (load(file), [path.name for path in file.parent.iterdir()]) == (PLAN, [file.name])


def test_an_older_file_opens_through_its_steps_and_is_not_changed(file: Path) -> None:
    _execute(file, "ALTER TABLE profiles RENAME TO workloads", "PRAGMA user_version = 0")
    before = file.read_bytes()

    def renamed(rows: Rows) -> Rows:
        return {("profiles" if name == "workloads" else name): table for name, table in rows.items()}

    assert load(file, {0: renamed, **STEPS}) == PLAN
    assert file.read_bytes() == before


CHILD = """
    import os, signal, sys
    from pathlib import Path
    from core.plan import store
    from core.plan.plan import ImportedLog, Plan

    def killed(*args):
        os.kill(os.getpid(), signal.SIGKILL)

    target, moment = Path(sys.argv[1]), sys.argv[2]
    if moment == "backup":
        store.packed = killed
    elif moment == "sync":
        store.os.fsync = killed
    elif moment == "replace":
        Path.replace = killed
    old = store.load(target)
    print("ready", flush=True)
    count = 0
    while True:
        count += 1
        store.save(old.model_copy(update={"name": f"New {count}", "note": "n" * 200_000}), target)
"""


@pytest.mark.parametrize("moment", ["backup", "sync", "replace"])
def test_a_program_killed_in_mid_save_leaves_the_old_file_whole(file: Path, moment: str) -> None:
    child = subprocess.run([sys.executable, "-c", textwrap.dedent(CHILD), str(file), moment], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    assert load(file) == PLAN
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("delay_s", [0.01, 0.023, 0.037, 0.05])
def test_a_program_killed_at_any_time_leaves_a_whole_file(file: Path, delay_s: float) -> None:
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(file), "never"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(delay_s)
        child.kill()
    found = load(file)
    assert found == PLAN or found.name.startswith("New ")
    assert found.profiles == PLAN.profiles


def test_a_copied_file_is_the_whole_plan(file: Path, tmp_path: Path) -> None:
    shutil.copy(file, tmp_path / "copy.roofplan")
    assert load(tmp_path / "copy.roofplan") == PLAN


def test_what_was_never_entered_stays_so_after_saving(tmp_path: Path) -> None:
    untouched = set_value(Plan(id="p", profiles=(Profile(),)), "profiles.0.job.sequence_length", 4096)
    save(untouched, tmp_path / "p.roofplan")
    again = load(tmp_path / "p.roofplan")
    assert again == untouched
    assert missing_facts(again.profiles[0]) == missing_facts(Profile()) == ("Model", "Tokens")


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_disk_that_refuses_is_the_machine_s_fault_and_its_words_are_told(
    file: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(MachineError) as caught:
        load(file)
    assert f"open {file}" in str(caught.value) and str(error.strerror) in str(caught.value)


def test_what_cannot_be_swept_away_stops_no_opening(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.with_name(f".{file.name}.part-0badc0de").write_bytes(b"half")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    assert load(file) == PLAN
