"""Questions about the results on screen that only the engine can answer, asked on the road and kept while they last."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from core.comparison.result import ResultSet
from gui.session.road import Priority, Road, stoppable

T = TypeVar("T")


class Answers(QObject):
    """Of each kind of question only the newest is on the road. ``changed``: another answer is known; ``refused``: what
    the user entered has none."""

    changed = Signal()
    refused = Signal(object)
    crashed = Signal(object)

    def __init__(self, road: Road, parent: QObject) -> None:
        super().__init__(parent)
        self._road = road
        self._results: ResultSet | None = None
        self._known: dict[tuple[str, Hashable], Any] = {}
        self._asked: dict[str, Hashable] = {}

    def ask(self, results: ResultSet, kind: str, about: Hashable, answer: Callable[[], T]) -> T | None:
        """What ``answer`` gives (never None) once it is known, None until then. Other results: all is forgotten."""
        if results is not self._results:
            self.forget()
            self._results = results
        if (kind, about) in self._known:
            known: T = self._known[kind, about]
            return known
        if self._asked.get(kind) != about:
            self._asked[kind] = about
            step = stoppable(answer)  # which gives way: results are painted before what is asked about them
            work = self._road.start(self._owner(kind), step, priority=Priority.NOW, after_paint=True)
            work.done.connect(partial(self._on_answer, kind, about))
            work.refused.connect(self.refused)
            work.crashed.connect(self.crashed)
        return None

    def forget(self) -> None:
        """Drops all answers and questions."""
        for kind in self._asked:
            self._road.cancel(self._owner(kind))
        self._results = None
        self._known.clear()
        self._asked.clear()

    def _on_answer(self, kind: str, about: Hashable, answer: object) -> None:
        self._known[kind, about] = answer
        del self._asked[kind]
        self.changed.emit()

    @staticmethod
    def _owner(kind: str) -> tuple[str, str]:
        return "answer", kind
