"""The first picture of a start: quick to import, painted before the rest is loaded, gone when the window is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.settings import Settings
from gui.start.glimpse import Glimpse
from gui.start.ready_file import VARIABLE
from gui.theme.tokens import tokens
from tests.repository_files import ROOT

HEAVY = ("numpy", "pydantic", "pyqtgraph", "sqlite3", "gui.window", "core.catalogue")


def test_nothing_heavy_is_loaded_for_it() -> None:
    code = "import sys, gui.start.application, gui.start.glimpse; print([n for n in sys.argv[1:] if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code, *HEAVY], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["light", "dark"])
def test_it_is_painted_in_the_theme_s_colours_when_it_returns(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "ready"))
    glimpse = Glimpse("Opening <b>plan</b>.roofplan", Settings(theme=name))
    qtbot.addWidget(glimpse)
    glimpse.show_painted()
    assert (tmp_path / "ready").read_text() == "glimpse Roofplan\n"
    surface = tokens()[name]["surface_and_text"]
    picture = glimpse.grab().toImage()
    assert picture.pixelColor(2, 2).name().upper() == surface["bg"]
    assert picture.pixelColor(2, 200).name().upper() == surface["dock"]
    assert glimpse.accessibleName() == "Roofplan. Opening <b>plan</b>.roofplan"


def test_it_stands_where_the_window_stood(qtbot: QtBot) -> None:
    first = Glimpse("", Settings())
    qtbot.addWidget(first)
    first.setGeometry(40, 30, 700, 400)
    again = Glimpse("", Settings(geometry=bytes(first.saveGeometry().toHex().data()).decode()))
    qtbot.addWidget(again)
    assert again.size() == first.size()
