"""Errors of our own: from slots, timers, paint and threads, told once, without what is private, the plan kept first."""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from core.errors import MachineError
from core.paths import user_data
from core.version import VERSION
from gui.crash.dialog import FaultDialog
from gui.crash.faults import KEPT, NOT_KEPT, Faults
from gui.window.main_window import MainWindow
from tests.gui.hostile.hostile_plan import own_entries

pytestmark = pytest.mark.logs_errors
N_PAINTS = 150


@pytest.fixture
def faults(qapp: object, window: MainWindow) -> Iterator[Faults]:
    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    made = Faults()
    made.show_in(window)
    yield made
    made.end()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before, "the hooks are given back"


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught


def dialogs(window: MainWindow) -> list[FaultDialog]:
    """What is open, once what is due has happened and was told in its turn."""
    for _ in range(3):
        QCoreApplication.processEvents()
    return [one for one in window.findChildren(FaultDialog) if one.isVisible()]


def the_report(window: MainWindow) -> str:
    [dialog] = dialogs(window)
    return dialog.report.toPlainText()


def log_text() -> str:
    logging.getLogger().handlers[-1].flush()
    return (user_data() / "logs" / "roofplan.log").read_text(encoding="utf-8")


def fail() -> None:
    raise ZeroDivisionError("ours")


def from_a_slot(window: MainWindow) -> None:
    button = QPushButton(window)
    button.clicked.connect(fail)
    button.click()


def from_a_timer(window: MainWindow) -> None:
    QTimer.singleShot(0, fail)


def from_a_thread(window: MainWindow) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


def from_the_road(window: MainWindow) -> None:
    window.session.crashed.emit(raised(ZeroDivisionError("ours")))


class Broken(QWidget):
    """Cannot be painted, and asks for it again and again."""

    def __init__(self, parent: QWidget, loop: QEventLoop) -> None:
        super().__init__(parent)
        self._loop, self._left = loop, N_PAINTS

    def paintEvent(self, event: QPaintEvent) -> None:
        self._left -= 1
        QTimer.singleShot(0, self, self.update if self._left else self._loop.quit)
        fail()


def from_paint(window: MainWindow) -> None:
    """In an event loop, as in the program; without one the error comes back to who asked for the paint."""
    loop = QEventLoop()
    broken = Broken(window, loop)
    broken.resize(50, 50)
    broken.show()
    loop.exec()
    broken.hide()
    broken.deleteLater()


SOURCES = (from_a_slot, from_a_timer, from_a_thread, from_the_road, from_paint)


@pytest.mark.parametrize("happen", SOURCES, ids=lambda source: source.__name__)
def test_an_error_from_anywhere_reaches_one_dialog(
    window: MainWindow, faults: Faults, happen: Callable[[MainWindow], None]
) -> None:
    happen(window)
    report = the_report(window)
    assert "ZeroDivisionError: ours" in report and "tests/gui/crash/test_faults.py" in report
    assert f"Roofplan {VERSION}" in report
    assert "a fault of our own" in log_text() and "ZeroDivisionError: ours" in log_text()


def test_a_widget_that_cannot_be_painted_opens_one_dialog(window: MainWindow, faults: Faults) -> None:
    from_paint(window)
    assert len(dialogs(window)) == 1
    assert max(faults.counts.values()) >= N_PAINTS
    assert log_text().count("Traceback") == 0
    assert log_text().count("test_faults.py") < 12, "the first, and every tenth power"
    dialogs(window)[0].close()
    from_paint(window)
    assert dialogs(window) == [], "the same fault is told once"


def test_other_faults_are_added_to_the_open_dialog(window: MainWindow, faults: Faults) -> None:
    faults.take(raised(ZeroDivisionError("first")))
    [dialog] = dialogs(window)
    faults.take(raised(KeyError("second")))
    assert dialogs(window) == [dialog]
    assert "1 further fault" in dialog.more.text()
    assert "KeyError: 'second'" in dialog.report.toPlainText()


def test_the_plan_is_kept_aside_before_the_dialog_opens(
    window: MainWindow, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.edit("profiles.0.limits.deadline_days", 41)
    order: list[str] = []
    keep, show = window.files.keep_working_copy, FaultDialog.show
    monkeypatch.setattr(window.files, "keep_working_copy", lambda: (order.append("kept"), keep())[1])
    monkeypatch.setattr(FaultDialog, "show", lambda one: (order.append("shown"), show(one))[1])
    faults.take(raised(ZeroDivisionError("ours")))
    assert dialogs(window)[0].heading.text() == KEPT
    assert order == ["kept", "shown"]


def test_a_plan_that_could_not_be_kept_is_told_so(
    window: MainWindow, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.files, "keep_working_copy", lambda: window.files.failed.emit("disk full"))
    faults.take(raised(ZeroDivisionError("ours")))
    assert dialogs(window)[0].heading.text() == NOT_KEPT


def test_a_fault_in_keeping_the_plan_does_not_stop_the_telling(
    window: MainWindow, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise MachineError("save", "no disk")

    monkeypatch.setattr(window.files, "keep_working_copy", broken)
    faults.take(raised(ZeroDivisionError("ours")))
    assert dialogs(window)[0].heading.text() == NOT_KEPT


def test_a_fault_in_telling_faults_is_only_noted(
    window: MainWindow, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FaultDialog, "show", lambda _: fail())
    faults.take(raised(KeyError("first")))
    assert dialogs(window) == []
    assert "a fault could not be told" in log_text()


def test_reports_hold_nothing_of_the_user(window: MainWindow, faults: Faults, tmp_path: Path) -> None:
    """Names, sellers, notes, sources, prices, files: in the dialog, on the clipboard, in the log and in the file."""
    plan = window.session.plan.model_copy(update={"name": "Merger of X", "note": "tell nobody", "own": own_entries()})
    window.session.replace_plan(plan, "Test")
    window.files.save_as(tmp_path / "Project Falcon.roofplan")
    offer = plan.own.offers[0]
    words = [
        plan.name, plan.note, plan.profiles[0].name, offer.provider, offer.region, offer.note, offer.source,
        offer.instance, plan.own.accelerators[0].short_name, "1.11", "0.7", "1,250.40", str(tmp_path), "Project Falcon",
        "unknown words just typed",
    ]  # fmt: skip
    faults.take(raised(ValueError(f"cannot take {' | '.join(words)} for {words!r} in {tmp_path}/a b.csv")))
    [dialog] = dialogs(window)
    dialog.findChild(QPushButton, "fault-copy").click()
    [file] = (user_data() / "logs").glob("fault-*.txt")
    texts = [dialog.report.toPlainText(), QGuiApplication.clipboard().text(), log_text(), file.read_text("utf-8")]
    private = [word for word in words[:-1] if any(word in text.replace(f"{VERSION}", "") for text in texts)]
    assert private == []
    assert all("ValueError: cannot take [private]" in text for text in texts)


def test_the_report_can_be_read_and_nothing_in_it_is_obeyed(window: MainWindow, faults: Faults) -> None:
    faults.take(raised(ValueError("<img src=x>")))
    [dialog] = dialogs(window)
    assert isinstance(dialog.report, QPlainTextEdit) and dialog.report.isReadOnly()
    assert "<img src=x>" in dialog.report.toPlainText()


def test_an_error_while_letting_go_is_noted(window: MainWindow, faults: Faults) -> None:
    class Clinging:
        def __del__(self) -> None:
            fail()

    made = Clinging()
    del made
    gc.collect()
    assert "a fault while letting go" in log_text()
    assert dialogs(window) == []


def test_stopping_by_the_keyboard_is_no_fault(window: MainWindow, faults: Faults) -> None:
    with capture_exceptions():
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert dialogs(window) == [] and not faults.counts


def test_an_error_that_fails_at_its_own_message(window: MainWindow, faults: Faults) -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    faults.take(raised(MuteError()))
    assert "its message raised ValueError" in the_report(window)


def test_causes_are_told_first(window: MainWindow, faults: Faults) -> None:
    def chained() -> Exception:
        try:
            fail()
        except ZeroDivisionError as error:
            try:
                raise KeyError("after") from error
            except KeyError as later:
                return later

    faults.take(chained())
    report = the_report(window)
    assert report.index("ZeroDivisionError: ours") < report.index("while this was dealt with") < report.index("'after'")


def test_where_nothing_can_be_written_faults_are_still_told(
    window: MainWindow, faults: Faults, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def refused() -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gui.crash.faults.new_report", refused)
    faults.take(raised(ZeroDivisionError("ours")))
    promise = dialogs(window)[0].findChild(QWidget, "fault-promise")
    assert "could not be written" in promise.text()


def test_a_message_can_be_dismissed_and_the_next_one_waits_for_it(window: MainWindow, qtbot: QtBot) -> None:
    window.say("Something", "Do it", None)
    window.message.say_after("Something else")
    assert window.message.text.text() == "Something"
    window.message.dismiss.click()
    qtbot.waitUntil(lambda: window.message.text.text() == "Something else")
    assert window.message.isVisible()
    window.message.dismiss.click()
    QCoreApplication.processEvents()
    assert not window.message.isVisible()
