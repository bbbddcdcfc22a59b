"""The self-test tells what is wrong, and can fail: each of its checks is shown something broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from core import paths
from core.errors import InputError
from gui.selftest import engine_checks, file_checks, run, window_checks
from gui.selftest.stored import MANIFEST, counts, stored
from gui.tabs.registry import TABS

A_PICK = {"pick": "h100", "candidates": 7, "cost_usd": 100.0}


def test_a_line_or_json_tells_each_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.run(only=["logs"]) == 0
    assert capsys.readouterr().out == "ok    logs: power_w 400, tflops_per_chip 395\n"
    assert run.run(as_json=True, only=["logs"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] and told["counts"] == counts()
    assert [(one["check"], one["ok"]) for one in told["checks"]] == [("logs", True)]


def test_a_check_that_breaks_is_a_check_that_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(run.CHECKS, "logs", lambda: (1 / 0, ""))
    assert run.run(only=["logs"]) == 3
    assert capsys.readouterr().out == "FAIL  logs: ZeroDivisionError: division by zero\n"


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(InputError, match="found 'engine', expected one of versions, "):
        run.run(only=["engine"])


def test_the_users_folder_is_left_alone(own_user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Path] = []
    monkeypatch.setitem(run.CHECKS, "logs", lambda: (seen.append(paths.user_data()) is None, ""))
    assert run.run(only=["logs"]) == 0
    assert seen[0] != own_user_folder and not seen[0].exists()
    assert paths.user_data() == own_user_folder


def test_more_fewer_and_no_entries_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"charts": 16, "panels": 8, "log formats": 0}
    monkeypatch.setattr(engine_checks, "counts", lambda: here)
    monkeypatch.setattr(engine_checks, "stored", lambda: {"counts": {"charts": 17, "panels": 8, "fonts": 1}})
    expected = "charts 16 instead of 17; fonts 0 instead of 1; log formats 0 instead of 0; no log formats"
    assert engine_checks.parts() == (False, expected)


def test_what_was_stored_is_read_beside_the_resources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "program_root", lambda: tmp_path)
    assert stored() == {}
    (tmp_path / MANIFEST).write_text('{"counts": {"charts": 1}}', encoding="utf-8")
    assert stored() == {"counts": {"charts": 1}}


@pytest.mark.parametrize(
    ("here", "told"),
    [
        ({}, ""),
        ({"cost_usd": 100.00000001}, ""),
        ({"cost_usd": 100.001}, "cost_usd 100.001 instead of 100.0"),
        ({"pick": "b200", "candidates": 8}, "pick b200 instead of h100, candidates 8 instead of 7"),
    ],
)
def test_a_pick_that_moved_is_told(here: dict[str, str | float], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_checks, "answers", lambda: {"mine": A_PICK | here})
    monkeypatch.setattr(engine_checks, "stored", lambda: {"answers": {"mine": A_PICK}})
    is_well, detail = engine_checks.picks()
    assert is_well is not bool(told)
    assert detail == (f"mine: {told}" if told else "1 of 1 profiles have a pick, as stored")


def test_a_lost_profile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_checks, "answers", dict)
    monkeypatch.setattr(engine_checks, "stored", lambda: {"answers": {"mine": {"pick": "h100"}}})
    assert engine_checks.picks() == (False, "mine: pick None instead of h100")


def test_an_error_in_the_catalogue_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_checks, "check_record", lambda: {"errors": ["offers.csv, row 7"]})
    assert engine_checks.catalogue() == (False, "offers.csv, row 7")


@pytest.mark.parametrize("check", [file_checks.document, file_checks.csv_table, file_checks.workbook, file_checks.pdf])
def test_files_are_read_back(qtbot: QtBot, check: Callable[[], tuple[bool, str]]) -> None:
    assert check()[0]


def test_a_workbook_without_a_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_rows(results: object, path: Path, top: int) -> None:
        from openpyxl import Workbook

        book = Workbook()
        book.active.title = "Candidates"
        book.save(path)

    monkeypatch.setattr(file_checks, "write_xlsx", without_rows)
    assert not file_checks.workbook()[0]


@pytest.fixture
def one_tab(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(window_checks, "TABS", TABS[:1])


@pytest.mark.usefixtures("one_tab")
def test_an_empty_tab_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    is_well, detail = window_checks.window()
    assert is_well and detail.startswith("1 tabs, ")
    monkeypatch.setattr(window_checks, "LEAST_COLOURS", 10**9)
    assert window_checks.window() == (False, "nothing on describe")


@pytest.mark.usefixtures("one_tab")
def test_an_error_in_a_slot_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("in a slot")

    def wait_and_break(session: object) -> None:
        QTimer.singleShot(0, broken)

    monkeypatch.setattr(window_checks, "wait_for_results", wait_and_break)
    is_well, detail = window_checks.window()
    assert not is_well and detail.endswith("ValueError: in a slot")
