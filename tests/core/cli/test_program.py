"""The command line's frame: exit statuses, one clear line, bugs that leave a trace."""

from __future__ import annotations

import argparse
import os
import re
import sys
import types
from pathlib import Path

import pytest

from core import paths
from core.cli import program as cli
from core.errors import InputError, MachineError
from tests.gui.hostile.hostile_plan import hostile_book, hostile_plan
from tests.repository_files import ROOT


@pytest.fixture
def command(monkeypatch):
    """Registers a command ``probe`` that does what the test says."""

    def register(run) -> None:
        module = types.ModuleType("tests_probe_command")

        def add_parser(commands: argparse._SubParsersAction) -> None:
            commands.add_parser("probe").set_defaults(run=run)

        module.add_parser = add_parser
        monkeypatch.setitem(sys.modules, "tests_probe_command", module)
        monkeypatch.setitem(cli.COMMANDS, "probe", "tests_probe_command")

    return register


def _raise(error: BaseException):
    def run(_: argparse.Namespace) -> int:
        raise error

    return run


def test_version(capsys) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("roofplan 0.")


def test_wrong_input_is_one_line_and_status_1(command, capsys) -> None:
    command(_raise(InputError("prices.csv, row 7", "'abc'", "a number above 0")))
    assert cli.main(["probe"]) == 1
    assert capsys.readouterr().err == "roofplan: prices.csv, row 7: found 'abc', expected a number above 0\n"


def test_machine_fault_is_status_1(command, capsys) -> None:
    command(_raise(MachineError("write x.json", "No space left on device")))
    assert cli.main(["probe"]) == 1
    assert capsys.readouterr().err == "roofplan: write x.json: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("n_letters", [3, 1_000_000])
def test_a_full_disk_behind_the_output_is_a_machine_fault(command, capsys, monkeypatch, n_letters: int) -> None:
    """Whether it refuses at once, or only when all is flushed in the end."""
    command(lambda _: print("x" * n_letters) or 0)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert cli.main(["probe"]) == 1
    assert capsys.readouterr().err == "roofplan: write the output: No space left on device\n"


@pytest.mark.parametrize("n_letters", [3, 1_000_000])
def test_a_reader_that_has_seen_enough_is_no_fault(command, capsys, monkeypatch, n_letters: int) -> None:
    command(lambda _: print("x" * n_letters) or 0)
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert cli.main(["probe"]) == 0
    assert capsys.readouterr().err == ""


def test_another_fault_of_the_system_is_a_bug_still(command, capsys, own_user_folder) -> None:
    command(_raise(OSError(9, "Bad file descriptor")))
    assert cli.main(["probe"]) == 3
    assert "a fault of the program" in capsys.readouterr().err


def test_a_bug_is_status_3_and_leaves_its_trace(command, capsys, own_user_folder) -> None:
    command(_raise(ZeroDivisionError("division by zero")))
    assert cli.main(["probe"]) == 3
    told = capsys.readouterr().err
    file = Path(told.rsplit(" ", 1)[1].strip())
    assert file.parent == own_user_folder / "logs"
    assert "ZeroDivisionError: division by zero" in file.read_text(encoding="utf-8")
    assert "Traceback" not in told


def test_interrupt_is_no_bug(command) -> None:
    command(_raise(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        cli.main(["probe"])


def test_usage_is_status_2(command, capsys) -> None:
    command(lambda arguments: 0)
    assert cli.main(["probe", "--nonsense"]) == 2
    assert "usage: roofplan" in capsys.readouterr().err


def test_status_of_the_command_is_passed_on(command) -> None:
    command(lambda arguments: 1)
    assert cli.main(["probe"]) == 1


def test_unknown_word_is_usage(capsys) -> None:
    assert cli.main(["comapre"]) == 2
    assert "'comapre' is neither a plan file nor one of the commands compare" in capsys.readouterr().err


def test_a_plan_opens_the_window(tmp_path) -> None:
    opened = []
    plan = tmp_path / "p.roofplan"
    assert cli.main([str(plan)], open_window=lambda path: opened.append(path) or 0) == 0
    assert cli.main([], open_window=lambda path: opened.append(path) or 0) == 0
    assert opened == [plan, None]


def test_without_a_window_there_is_nothing_to_open(capsys) -> None:
    assert cli.main([]) == 2
    assert "no window" in capsys.readouterr().err


def test_selftest_is_what_the_app_gives() -> None:
    asked = []
    assert cli.main(["selftest", "--json", "--only", "logs"], selftest=lambda *words: asked.append(words) or 3) == 3
    assert asked == [(True, ["logs"])]
    assert cli.main(["selftest"]) == 2


def test_version_is_that_of_the_project() -> None:
    import tomllib

    from core.version import VERSION

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION


def test_a_bug_is_status_3_where_no_trace_can_be_written(command, capsys, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(paths, "user_data", lambda: tmp_path / "file")
    command(_raise(ZeroDivisionError("division by zero at 1.37")))
    assert cli.main(["probe"]) == 3
    told = capsys.readouterr().err
    assert "could not be written (Not a directory)" in told and "division by zero at #" in told


def test_a_trace_tells_nothing_private(command, capsys, own_user_folder, tmp_path: Path) -> None:
    """Neither a price, nor words of a plan, a price book, a line or a file that a call held."""

    def run(arguments: argparse.Namespace) -> int:
        plan, book = hostile_plan(tmp_path), hostile_book()
        lines = ["Harbour Racks,h100,1.37"]
        file = tmp_path / "Falcon deal.csv"
        try:
            raise KeyError(plan.own.offers[0].provider)
        except KeyError as error:
            raise ValueError(f"{lines[0]} of {file.name}: {plan.note}, {book.name}") from error

    command(run)
    assert cli.main(["probe"]) == 3
    [file] = (own_user_folder / "logs").iterdir()
    report = file.read_text(encoding="utf-8")
    assert re.search(r"core/cli/program.py:\d+ in _run", report) and "ValueError: [private] of [private]" in report
    assert [word for word in ("Harbour", "1.37", "Falcon", "R&D", str(ROOT), str(tmp_path)) if word in report] == []
    assert "Harbour" not in capsys.readouterr().err
