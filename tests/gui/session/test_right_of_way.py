"""Workers wait while the window answers to the user, and go on as soon as it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.session import right_of_way
from gui.session.right_of_way import RightOfWay
from gui.session.road import Cancelled, Progress, Road

EVENTS: tuple[Callable[[QWindow], None], ...] = (
    lambda window: QTest.keyClick(window, Qt.Key.Key_A),
    lambda window: QTest.mouseClick(window, Qt.MouseButton.LeftButton),
)


class Worker(threading.Thread):
    """Asks for its way once, and tells when it got it."""

    def __init__(self, way: RightOfWay) -> None:
        super().__init__()
        self.passed, self._way = threading.Event(), way

    def run(self) -> None:
        self._way.give_way()
        self.passed.set()


@pytest.fixture
def way() -> RightOfWay:
    return RightOfWay()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is not let through would wait for good."""
    monkeypatch.setattr(right_of_way, "LONGEST_WAIT_S", 3600.0)


@pytest.fixture
def worker(way: RightOfWay, patient: None) -> Iterator[Worker]:
    made = Worker(way)
    yield made
    made.join(10)
    assert not made.is_alive()


def test_nobody_waits_for_a_window_that_closes(qtbot: QtBot, way: RightOfWay, worker: Worker) -> None:
    """It waits for the workers itself: each of their steps took a quarter of a second, a PDF minutes."""
    way.claim()
    way.give_up()
    way.claim()
    worker.start()
    assert worker.passed.wait(10)


def test_nobody_waits_for_a_window_that_is_idle(worker: Worker) -> None:
    worker.start()
    assert worker.passed.wait(10)


def test_a_claim_holds_until_the_queue_of_events_is_done(qtbot: QtBot, way: RightOfWay, worker: Worker) -> None:
    way.claim()
    worker.start()
    assert not worker.passed.is_set(), "nothing else than the event loop gives the way free"
    qtbot.waitUntil(worker.passed.is_set)


def test_a_window_that_is_busy_for_long_does_not_stop_the_work(
    monkeypatch: pytest.MonkeyPatch, way: RightOfWay
) -> None:
    monkeypatch.setattr(right_of_way, "LONGEST_WAIT_S", 0.001)
    way.claim()
    worker = Worker(way)
    worker.start()
    assert worker.passed.wait(10)
    worker.join(10)


@pytest.mark.parametrize("act", EVENTS)
def test_what_the_user_does_in_the_window_claims_it(
    qtbot: QtBot, way: RightOfWay, monkeypatch: pytest.MonkeyPatch, act: Callable[[QWindow], None]
) -> None:
    claims: list[str] = []
    monkeypatch.setattr(way, "claim", lambda: claims.append("claimed"))
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.windowHandle().installEventFilter(way)
    act(window.windowHandle())
    assert claims


def test_a_step_that_asks_whether_to_go_on_gives_way(qtbot: QtBot, patient: None) -> None:
    road, asked = Road(), threading.Event()

    def step(cancelled: Cancelled, _: Progress) -> bool:
        asked.set()
        return cancelled()

    road.way.claim()
    work = road.start("evaluation", step)
    assert asked.wait(10)
    assert not work.answers
    with qtbot.waitSignal(work.ended):
        pass
    assert work.answers == [False]
    road.stop()
