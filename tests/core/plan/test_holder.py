"""Who has a plan open."""

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.plan import holder as holding
from core.plan.holder import holder, take_hold
from core.writing.whole_file import beside
from tests.repository_files import ROOT

OTHER = """
    import sys
    from pathlib import Path
    from core.plan.holder import take_hold

    hold = take_hold(Path(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.readline()
    hold.let_go()
"""


@contextmanager
def other_program(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another program that has the plan open until it is told to go."""
    command = [sys.executable, "-c", textwrap.dedent(OTHER), str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdin is not None
        assert child.stdout.readline() == "ready\n"
        yield child
        child.stdin.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "plan.roofplan"


def test_who_has_it_is_told_until_it_is_let_go(file: Path) -> None:
    assert holder(file) is None
    with other_program(file) as child:
        known = holder(file)
        assert known is not None
        assert (known.process, known.is_here) == (child.pid, True)
    assert holder(file) is None
    assert list(file.parent.iterdir()) == []


def test_a_program_that_was_killed_has_nothing_open(file: Path) -> None:
    with other_program(file) as child:
        child.kill()
    assert beside(file, ".lock").exists()
    assert holder(file) is None
    assert list(file.parent.iterdir()) == []
    hold = take_hold(file)
    assert hold is not None
    hold.let_go()
    assert list(file.parent.iterdir()) == []


def test_oneself_is_nobody_else(file: Path) -> None:
    hold = take_hold(file)
    assert holder(file) is None
    assert hold is not None
    hold.let_go()


def test_what_another_took_over_stays_its_own(file: Path) -> None:
    mine = take_hold(file)
    assert mine is not None
    with other_program(file):
        mine.let_go()
        assert holder(file) is not None


def test_a_colleague_elsewhere_is_believed(file: Path) -> None:
    told = {"user": "ann", "machine": "mill", "owner": "elsewher-0-7-7", "since": "2026-11-20T10:00:00+00:00"}
    beside(file, ".lock").write_text(json.dumps(told), encoding="utf-8")
    known = holder(file)
    assert known is not None
    assert (known.user, known.machine, known.is_here) == ("ann", "mill", False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "7",
        "[" * 5000,
        '{"user": "a"}',
        '{"user":"a","machine":"b","owner":"c","since":"yesterday"}',
        "x" * 9000,
    ],
)
def test_a_mark_that_makes_no_sense_is_nobody(file: Path, text: str) -> None:
    beside(file, ".lock").write_text(text, encoding="utf-8")
    assert holder(file) is None


def test_words_of_a_mark_are_cut_and_plain(file: Path) -> None:
    told = {"user": "a\n\x1b[2J" * 90, "machine": "b", "owner": "c", "since": "2026-11-20T10:00:00+00:00"}
    beside(file, ".lock").write_text(json.dumps(told), encoding="utf-8")
    known = holder(file)
    assert known is not None
    assert len(known.user) == 60 and known.user.isprintable()


def test_where_nothing_can_be_written_there_is_no_mark(tmp_path: Path) -> None:
    assert take_hold(tmp_path / "no such folder" / "plan.roofplan") is None


def test_a_user_without_a_name_is_somebody(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("uid")

    monkeypatch.setattr(holding.getpass, "getuser", nameless)
    hold = take_hold(file)
    assert json.loads(beside(file, ".lock").read_text(encoding="utf-8"))["user"] == "somebody"
    assert hold is not None
    hold.let_go()
