"""Workbook, charts and hand-off files of the plan on screen, written on the road."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.files import WIDTH_PX
from gui.charts.registry import charts
from gui.window.main_window import MainWindow
from tests.gui.person import answer

PATIENCE_MS = 60_000


@pytest.fixture
def said(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    monkeypatch.setattr(window.ways_out, "_say", lambda text, *_: told.append(text))
    return told


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(path))


def click_entry(qtbot: QtBot, words: str, menu: QWidget) -> None:
    """Clicks an entry of a menu that is up."""
    assert isinstance(menu, QMenu)
    entry = next(one for one in menu.actions() if one.text() == words)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


def test_the_workbook_holds_all_workloads(
    qtbot: QtBot, window: MainWindow, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(monkeypatch, tmp_path / "mine")
    with qtbot.waitSignal(window.ways_out.written, timeout=PATIENCE_MS):
        window.commands.qt("export-workbook").trigger()
    names = {row[0].value for row in load_workbook(tmp_path / "mine.xlsx")["Candidates"].iter_rows(min_row=2)}
    assert names == {profile.name for profile in window.session.plan.profiles}
    assert said == ["Exported mine.xlsx"]


@pytest.mark.parametrize(("command", "ending"), [("export-workbook", "xlsx"), ("export-slide", "pdf")])
def test_no_way_out_takes_the_place_of_the_open_plan(
    qtbot: QtBot,
    window: MainWindow,
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    ending: str,
) -> None:
    """Neither under the plan's own name, which gets an ending, nor where another name leads to it."""
    plan = tmp_path / "ours.roofplan"
    window.files.save_as(plan)
    before = plan.read_bytes()
    choose(monkeypatch, plan)
    with qtbot.waitSignal(window.ways_out.written, timeout=PATIENCE_MS):
        window.commands.qt(command).trigger()
    assert (tmp_path / f"ours.roofplan.{ending}").is_file() and plan.read_bytes() == before
    link = tmp_path / f"link.{ending}"
    link.symlink_to(plan)
    choose(monkeypatch, link)
    said.clear()
    window.commands.qt(command).trigger()
    qtbot.waitUntil(lambda: bool(said), timeout=PATIENCE_MS)
    assert said[0].startswith(f"link.{ending} was not written") and "a plan lies there" in said[0]
    assert plan.read_bytes() == before


def test_the_slide_is_a_picture_or_a_pdf(
    qtbot: QtBot, window: MainWindow, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "s"), "Picture (*.png)"))
    with qtbot.waitSignal(window.ways_out.written, timeout=PATIENCE_MS):
        window.commands.qt("export-slide").trigger()
    assert (QImage(str(tmp_path / "s.png")).width(), said) == (1920, ["Exported s.png"])


def test_every_chart_with_something_to_show_is_a_picture_and_a_drawing(
    qtbot: QtBot, window: MainWindow, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: charts()[name] for name in ("decision-map", "cost-by-part", "spot-risk")}
    monkeypatch.setattr("gui.charts.files.charts", lambda: few)
    choose(monkeypatch, tmp_path / "charts")
    with qtbot.waitSignal(window.ways_out.written, timeout=PATIENCE_MS):
        window.commands.qt("export-charts").trigger()
    files = list((tmp_path / "charts").iterdir())
    pictures = [path for path in files if path.suffix == ".png"]
    assert {path.with_suffix(".svg") for path in pictures} == {path for path in files if path.suffix == ".svg"}
    names = {path.stem.partition("-70b-")[2] for path in pictures}
    assert {"decision-map", "cost-by-part"} <= names <= set(few)
    assert all(QImage(str(path)).width() == 2 * WIDTH_PX for path in pictures)
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in files if path.suffix == ".svg")
    assert said == [f"Exported {len(files)} pictures to charts"]


def test_a_candidate_of_the_table_is_handed_over(
    qtbot: QtBot, window: MainWindow, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(monkeypatch, tmp_path / "out")
    window.tabs.show_tab("compare")
    table = window.tabs.panel("compare").table  # type: ignore[attr-defined]
    place = table.visualRect(table.candidates.index(1, 0)).center()
    answer(partial(click_entry, qtbot, "Hand-off files…"))
    with qtbot.waitSignal(window.ways_out.written, timeout=PATIENCE_MS):
        viewport = table.viewport()
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
        QCoreApplication.sendEvent(viewport, asked)
    name = table.candidates.rows[1].candidate.name
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()]
    assert texts and all(name in text and "FILL IN" in text for text in texts)
    assert said[0].startswith(f"Wrote {len(texts)} hand-off files")


def test_a_folder_that_refuses_is_told(
    qtbot: QtBot, window: MainWindow, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    choose(monkeypatch, tmp_path / "file" / "below")
    window.commands.qt("handoff").trigger()
    qtbot.waitUntil(lambda: bool(said), timeout=PATIENCE_MS)
    assert "was not written" in said[0]
