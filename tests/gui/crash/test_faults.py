"""Faults of our own: noted, told, never fatal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from core.version import VERSION
from gui.faults import Faults, redacted
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.logs_errors


@pytest.fixture
def faults(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    before = sys.excepthook
    made = Faults()
    yield made
    made.end()
    assert sys.excepthook is before, "the hook is given back"


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as found:
        return found


def test_a_fault_is_written_to_the_log_file(faults: Faults) -> None:
    faults.take(raised(ZeroDivisionError("ours")))
    text = faults.file.read_text(encoding="utf-8")
    assert "ZeroDivisionError: ours" in text
    assert "raised" in text, "with the way it came about"


def test_an_exception_nobody_took_arrives(faults: Faults) -> None:
    seen: list[str] = []
    faults.seen.connect(seen.append)
    error = raised(KeyError("lost"))
    sys.excepthook(type(error), error, error.__traceback__)
    assert "KeyError: 'lost'" in seen[0]


def test_the_window_tells_and_copies_it(faults: Faults, window: MainWindow) -> None:
    faults.show_in(window)
    window.session.crashed.emit(raised(ZeroDivisionError("ours")))
    assert "our fault" in window.message.text.text()
    window.message.button.click()
    copied = QGuiApplication.clipboard().text()
    assert f"Roofplan {VERSION}" in copied
    assert "ZeroDivisionError: ours" in copied


def test_the_home_folder_is_left_out_of_reports() -> None:
    assert redacted(f"File {Path.home()}/plans/a.py") == "File ~/plans/a.py"


def test_a_message_can_be_dismissed(window: MainWindow) -> None:
    act: Callable[[], None] = window.message.dismiss.click
    window.say("Something", "Do it", None)
    assert window.message.isVisible()
    act()
    assert not window.message.isVisible()
