"""What a worker has done on the GUI thread: answers and errors come back, also while closing waits for the worker."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from core.errors import MachineError
from gui.session.gui_thread import on_gui_thread
from gui.session.road import Cancelled, Progress, Road, whole


def refuse() -> None:
    raise MachineError("draw it", "no ink")


def asking(_: Cancelled, __: Progress) -> bool:
    """Where a worker's work was done: on the GUI thread or not."""
    assert threading.current_thread() is not threading.main_thread()
    return on_gui_thread(threading.current_thread) is threading.main_thread()


def test_a_worker_s_work_is_done_on_the_gui_thread(qtbot: QtBot) -> None:
    road = Road()
    work = road.start_batch("pages", [asking] * 3, 3)
    with qtbot.waitSignal(work.ended) as ended:
        pass
    assert ended.args == [[True, True, True]]
    road.stop()


def test_an_error_is_told_to_the_worker(qtbot: QtBot) -> None:
    road = Road()
    work = road.start("pages", whole(lambda: on_gui_thread(refuse)))
    with qtbot.waitSignal(work.refused) as refused:
        pass
    assert refused.args is not None and isinstance(refused.args[0], MachineError)
    road.stop()


def test_closing_serves_the_workers_it_waits_for(qapp: object) -> None:
    road, told = Road(), list[object]()
    road.start("file", asking, finishes=True).done.connect(told.append)
    road.start("pages", asking)
    road.stop()
    assert told == [True]


def test_on_the_gui_thread_it_is_done_at_once(qapp: object) -> None:
    with pytest.raises(MachineError):
        on_gui_thread(refuse)
