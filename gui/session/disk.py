"""File operations off the GUI thread, each in a thread of its own: a drive that stalls keeps no other work waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

T = TypeVar("T")


class Runner(Protocol):
    """How a file operation is run; ``words`` say what it does, such as ``save plan.roofplan``."""

    def __call__(self, act: Callable[[], T], words: str) -> T:
        """What ``act`` gives. Raises what it raises, and MachineError when nobody waits for it any longer."""


def at_once(act: Callable[[], T], words: str) -> T:
    """In this thread, as programs without a user before them do."""
    return act()


class Job(QObject):
    """One operation. ``then`` is called with it on the GUI thread once it has ended, and ``ended`` told.

    A job whose drive never answers is left to itself.
    """

    ended = Signal()
    _under_way: set[Job] = set()

    def __init__(self, act: Callable[[], Any], then: Callable[[Job], object] | None = None) -> None:
        super().__init__()
        self._act: Callable[[], Any] | None = act
        self._then = then
        self._answer: Any = None
        self._error: BaseException | None = None
        self.is_ended = False
        self.ended.connect(self._on_end)

    def start(self) -> Job:
        """Begins it. The interpreter does not wait for the thread when the program ends."""
        self._under_way.add(self)
        threading.Thread(target=self._run, name="file", daemon=True).start()
        return self

    def result(self) -> Any:
        """What it gave; raises what it raised. Only once it has ended."""
        if self._error is not None:
            raise self._error
        return self._answer

    def _run(self) -> None:
        try:
            self._answer = self._act() if self._act else None
        except BaseException as error:
            self._error = error
        self.is_ended = True
        with suppress(RuntimeError):  # The program ended meanwhile, and Qt's part of this object with it.
            self.ended.emit()

    def _on_end(self) -> None:
        """Nothing of it stays: jobs follow each other for as long as the window is open."""
        self._under_way.discard(self)
        then, self._then, self._act = self._then, None, None
        if then is not None:
            then(self)
