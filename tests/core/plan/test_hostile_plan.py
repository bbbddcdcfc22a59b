"""A plan is a file from anybody: nothing in it is run, nothing is followed, and nothing is taken without end."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, MachineError, RoofplanError
from core.plan import database, store
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.plan.store import USER_VERSION, load, open_plan, save, title
from core.workload.profile import Profile
from tests.repository_files import ROOT

PLAN = Plan(id="p", name="Plan", profiles=(Profile(),))
DEEP = "[" * 200_000 + "]" * 200_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A saved plan."""
    path = tmp_path / "plan.roofplan"
    save(PLAN, path)
    return path


def _execute(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def _view(path: Path) -> None:
    _execute(path, "DROP TABLE choices")
    _execute(
        path, "CREATE VIEW choices AS SELECT 0 AS position, 'a' AS id, 'b' AS name, load_extension('x') AS document"
    )


def _trigger(path: Path) -> None:
    _execute(path, "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM profiles; END")


def _virtual(path: Path) -> None:
    _execute(path, "CREATE VIRTUAL TABLE more USING fts5(a)")


def _generated(path: Path) -> None:
    _execute(path, "DROP TABLE choices")
    _execute(
        path,
        "CREATE TABLE choices (position INTEGER, id TEXT, name TEXT, document TEXT AS (hex(zeroblob(1000))))",
    )
    _execute(path, "INSERT INTO choices (position) VALUES (1)")


def _keyed(path: Path) -> None:
    _execute(path, "DROP TABLE choices")
    _execute(path, "CREATE TABLE choices (position INT PRIMARY KEY, id, name, document) WITHOUT ROWID")


def _column(path: Path) -> None:
    _execute(path, "ALTER TABLE profiles DROP COLUMN document")


def _deep_meta(path: Path) -> None:
    _execute(path, "UPDATE meta SET document = ? WHERE name = 'own'", DEEP)


def _deep_row(path: Path) -> None:
    _execute(path, "UPDATE profiles SET document = ?", f'{{"id": {DEEP}}}')


def _deep_series(path: Path) -> None:
    _execute(path, "INSERT INTO log_series VALUES (0, 'a', 'time_s', ?)", DEEP)


def _long_number(path: Path) -> None:
    _execute(path, "UPDATE meta SET document = ? WHERE name = 'old_price_days'", "9" * 5_000)


def _long_number_in_a_row(path: Path) -> None:
    document = json.dumps({"id": "a", "name": "A"})[:-1] + ', "model": {"n_layers": ' + "9" * 4_200 + "}}"
    _execute(path, "UPDATE profiles SET document = ?", document)


def _long_number_in_a_series(path: Path) -> None:
    _execute(path, "INSERT INTO log_series VALUES (0, 'a', 'time_s', ?)", f"[{'9' * 4_000}]")


def _endless(path: Path) -> None:
    _execute(path, "INSERT INTO log_series VALUES (0, 'a', 'time_s', '[1e999]')")


def _bytes(path: Path) -> None:
    _execute(path, "UPDATE profiles SET document = ?", b"\xff\xfe")


def _number(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript("ALTER TABLE meta RENAME TO old; CREATE TABLE meta (name, document);")
    connection.executescript("INSERT INTO meta SELECT name, 7 FROM old; DROP TABLE old;")
    connection.close()


def _broken_text(path: Path) -> None:
    _execute(path, "UPDATE profiles SET document = CAST(X'ff41' AS TEXT)")


def _many_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript("".join(f"CREATE TABLE t{n} (a);" for n in range(80)))
    connection.close()


def _many_columns(path: Path) -> None:
    _execute(path, f"CREATE TABLE wide ({', '.join(f'c{n}' for n in range(100))})")


def _newer_without_a_table(path: Path) -> None:
    _execute(path, "DROP TABLE profiles")
    _execute(path, "PRAGMA user_version = 1")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_view, "view with code of its own, 'choices', expected tables alone"),
        (_trigger, "trigger with code of its own, 't'"),
        (_virtual, "table with code of its own, 'more'"),
        (_generated, "table choices: found columns that no plan has"),
        (_keyed, "damaged file"),
        (_column, "table profiles: found no column document"),
        (_deep_meta, "table meta, row 6: found '[[["),
        (_deep_row, "table profiles, row 1"),
        (_deep_series, "table log_series, row 1: found '[[["),
        (_long_number, "table meta, row 10: found '999"),
        (_long_number_in_a_row, "table profiles, row 1, model.n_layers"),
        (_long_number_in_a_series, "table log_series, row 1: found something else, expected a list of numbers"),
        (_endless, "table log_series, row 1: found something else, expected a list of numbers"),
        (_bytes, "table profiles, row 1: found b'"),
        (_number, "table meta, row 1: found 7, expected JSON text"),
        (_broken_text, "damaged file"),
        (_many_tables, "too many tables, expected at most 64"),
        (_many_columns, "table wide: found columns that no plan has"),
        (_newer_without_a_table, "table profiles: found no such table"),
    ],
)
@pytest.mark.parametrize("read", [load, open_plan])
def test_a_file_made_to_harm_is_refused_in_words(
    file: Path, harm: Callable[[Path], None], words: str, read: Callable[[Path], object]
) -> None:
    harm(file)
    before = file.read_bytes()
    with pytest.raises(InputError) as caught:
        read(file)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(file))
    assert file.read_bytes() == before


def test_the_command_line_says_so_too(file: Path) -> None:
    _deep_meta(file)
    command = [sys.executable, "-m", "core.cli.program", "export", str(file), "--pdf", str(file.with_suffix(".pdf"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


def test_what_takes_too_long_is_stopped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _execute(file, "INSERT INTO logs WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
             "SELECT i, 'a', 'b', 'c' FROM n")  # fmt: skip
    monkeypatch.setattr(database, "MOST_S", -1.0)
    with pytest.raises(InputError, match="more than a plan can hold"):
        load(file)


def test_rows_and_values_have_limits(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MOST_ROWS", 5)
    with pytest.raises(InputError, match="table meta: found more than 5 rows"):
        load(file)
    monkeypatch.undo()
    monkeypatch.setattr(store, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="it is larger than 0 MiB"):
        load(file)


def test_a_value_longer_than_any_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _execute(file, "UPDATE meta SET document = ? WHERE name = 'note'", json.dumps("n" * 100_000))
    monkeypatch.setattr(database, "MOST_VALUE_BYTES", 50_000)
    with pytest.raises(InputError, match="more than a plan can hold"):
        load(file)


def test_a_locked_plan_is_called_locked_not_damaged(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_LOCK_WAIT_S", 0.01)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(MachineError, match="another program has it locked"):
        load(file)
    other.close()
    assert load(file) == PLAN


def test_a_plan_left_in_write_ahead_mode_opens(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE meta SET document = '\"Elsewhere\"' WHERE name = 'name'")
    connection.commit()
    with pytest.raises(MachineError, match="some of it lies in a file beside it"):
        load(file)
    connection.close()
    assert load(file).name == "Elsewhere"


def test_a_journal_planted_beside_a_plan_is_not_obeyed(file: Path) -> None:
    other = file.with_name("other.roofplan")
    save(PLAN.model_copy(update={"name": "Planted"}), other)
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE meta SET document = zeroblob(100000)")
    journal = other.with_name(f"{other.name}-journal").read_bytes()
    connection.close()
    planted = file.with_name(f"{file.name}-journal")
    planted.write_bytes(journal)
    before = file.read_bytes()
    try:
        assert load(file) == PLAN
    except MachineError as error:
        assert "in the middle of changing it" in str(error)
    assert (file.read_bytes(), planted.read_bytes()) == (before, journal)


def test_title_refuses_as_well(file: Path) -> None:
    _execute(file, "ALTER TABLE meta RENAME TO old")
    _execute(file, "CREATE VIEW meta AS SELECT name, document FROM old")
    with pytest.raises(InputError, match="no name"):
        title(file)


def test_rows_that_this_program_does_not_know_stay_in_the_file(file: Path) -> None:
    _execute(file, "INSERT INTO meta VALUES ('reviewer', '\"Ann\"')")
    _execute(file, 'CREATE TABLE "odd ""name" (a, b BLOB)')
    _execute(file, 'INSERT INTO "odd ""name" VALUES (1.5, ?)', b"\x00\xff")
    opened = load(file)
    assert [one.table for one in opened.kept] == ['odd "name', "meta"]
    copy = file.with_name("copy.roofplan")
    save(opened.model_copy(update={"name": "Edited"}), copy)
    assert load(copy).kept == opened.kept
    connection = sqlite3.connect(copy)
    assert connection.execute('SELECT a, b FROM "odd ""name"').fetchall() == [(1.5, b"\x00\xff")]
    assert connection.execute("SELECT document FROM meta WHERE name = 'reviewer'").fetchall() == [('"Ann"',)]
    connection.close()


def test_a_newer_plan_is_shown_as_far_as_it_is_known_and_never_loaded_to_be_saved(file: Path) -> None:
    plan = set_value(PLAN, "profiles.0.job.sequence_length", 4096)
    save(plan, file)
    _execute(file, f"PRAGMA user_version = {USER_VERSION + 1}")
    _execute(file, "CREATE TABLE comments (a)")
    _execute(file, "INSERT INTO meta VALUES ('mood', '1')")
    _execute(file, "UPDATE profiles SET document = json_set(document, '$.colour', 'red', '$.job.pace', 7)")
    _execute(file, "UPDATE meta SET document = json_set(document, '$.symbol', '$') WHERE name = 'currency'")
    opened = open_plan(file)
    assert (opened.plan, opened.is_newer, opened.version) == (plan, True, USER_VERSION + 1)
    assert opened.n_left_out == 5
    with pytest.raises(InputError, match="made by a newer Roofplan"):
        load(file)


def test_a_newer_plan_that_means_something_else_is_refused(file: Path) -> None:
    _execute(file, f"PRAGMA user_version = {USER_VERSION + 1}")
    _execute(file, "UPDATE meta SET document = '[1]' WHERE name = 'name'")
    with pytest.raises(InputError, match="table meta, name"):
        open_plan(file)


def test_an_older_plan_is_kept_beside_the_new_one_once(file: Path) -> None:
    _execute(file, "PRAGMA user_version = 1")
    before = file.read_bytes()
    save(load(file), file)
    kept = file.with_name("plan.format-1.roofplan")
    assert kept.read_bytes() == before
    save(PLAN.model_copy(update={"name": "Again"}), file)
    assert kept.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == ["plan.format-1.roofplan", "plan.roofplan"]


def test_a_newer_plan_is_never_replaced_by_an_older_format(file: Path) -> None:
    _execute(file, f"PRAGMA user_version = {USER_VERSION + 1}")
    before = file.read_bytes()
    with pytest.raises(MachineError, match="a newer Roofplan made the file there"):
        save(PLAN, file)
    assert file.read_bytes() == before


@settings(max_examples=150)
@given(
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from(["set", "cut", "put"]), st.binary(max_size=300)),
        min_size=1,
        max_size=8,
    ),
    in_the_head=st.booleans(),
)
def test_any_change_of_any_bytes_ends_in_a_plan_or_in_words(
    tmp_path_factory: pytest.TempPathFactory,
    changes: list[tuple[float, str, bytes]],
    in_the_head: bool,
) -> None:
    file = tmp_path_factory.getbasetemp() / "changed.roofplan"
    file.unlink(missing_ok=True)
    save(PLAN, file)
    content = bytearray(file.read_bytes())
    for where, kind, new in changes:
        at = int(where * (min(200, len(content)) if in_the_head else len(content)))
        content[at : at + (0 if kind == "put" else len(new))] = b"" if kind == "cut" else new
    file.write_bytes(content)
    for read in (load, open_plan, title):
        with suppress(RoofplanError):
            assert read(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ('{"base_chips": -4}', "portfolio.base_chips: found -4"),
        ('{"members": [{"workload": "a", "use_pct": [1e999]}]}', "portfolio.members"),
        ('{"pins": {"a": 1}}', "portfolio.pins"),
        ("[1, 2]", "portfolio: found [1, 2]"),
        ('{"no_such": 1}', "portfolio.no_such"),
        (DEEP, "expected JSON text"),
    ],
)
def test_a_bad_portfolio_is_told_and_the_file_stays_as_it_is(file: Path, document: str, found: str) -> None:
    _execute(file, "UPDATE meta SET document = ? WHERE name = 'portfolio'", document)
    before = file.read_bytes()
    with pytest.raises(InputError, match=re.escape("table meta")) as told:
        load(file)
    assert found in str(told.value)
    assert file.read_bytes() == before
    _execute(file, "UPDATE meta SET document = 'null' WHERE name = 'portfolio'")
    assert load(file) == PLAN
