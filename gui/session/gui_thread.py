"""What only the GUI thread may do, asked for by a worker, which waits for the answer.

A worker that connects signals inside Qt while it holds the interpreter can stand still for ever: it waits for a lock of
Qt's that the GUI thread holds while that waits for the interpreter, to cut a connection of something that goes.
``QSvgGenerator`` connects to its device at the end of each drawing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

Answer = TypeVar("Answer")

_asked: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()


def on_gui_thread(work: Callable[[], Answer]) -> Answer:
    """The answer of a work that is done on the GUI thread, or its error: one work a turn, so that keys come between.

    Whoever waits for workers on the GUI thread has to :func:`serve` them meanwhile.
    """
    if threading.current_thread() is threading.main_thread():
        return work()
    answer: Future[Answer] = Future()
    _asked.put((work, answer))
    _door().knocked.emit()
    return answer.result()


def serve() -> None:
    """Does what workers have asked for, if anything. On the GUI thread."""
    try:
        work, answer = _asked.get_nowait()
    except Empty:
        return
    try:
        answer.set_result(work())
    except BaseException as error:  # the worker's to tell, wherever it comes from
        answer.set_exception(error)


class _Door(QObject):
    """Knocked at by workers, opened on the GUI thread."""

    knocked = Signal()

    def open(self) -> None:
        serve()


@cache
def _door() -> _Door:
    """In the thread of the program, whichever thread knocks first."""
    made, program = _Door(), QCoreApplication.instance()
    assert program is not None, "no Qt program, no GUI thread"
    made.moveToThread(program.thread())
    made.knocked.connect(made.open, Qt.ConnectionType.QueuedConnection)
    return made
