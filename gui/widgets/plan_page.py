"""Base of pages about all workloads of the plan: results are gathered, then a question is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from core.comparison.result import ResultSet
from core.errors import RoofplanError
from gui.session.plan_session import PlanSession
from gui.session.road import FaultError, Priority, stoppable
from gui.theme.manager import ThemeManager
from gui.widgets.busy_line import PageBusyLine

Ask = Callable[[], Any]


class PlanPage(QWidget):
    """Asks while it is seen. ``story_told``: what Why shows of what is selected, and whether Why is to open;
    ``verdict_told``: what the plan comes to, None while that is not seen.

    A subclass says what to :meth:`ask_of` results, takes the answer by :meth:`show_answer`, and says why there is none
    by :meth:`say_failed`, in its own words.
    """

    story_told = Signal(object, bool)
    verdict_told = Signal(object)

    def __init__(self, session: PlanSession, themes: ThemeManager, about: str) -> None:
        super().__init__()
        self._session, self._themes = session, themes
        self._gathering, self._answering = f"{about}: results", f"{about}: answer"
        self._lacks_by_fault = False
        self.busy = PageBusyLine(themes, self, session.road, self._gathering, self._answering)

    def ask_of(self, results: Mapping[str, ResultSet]) -> Ask:
        """What a worker is to answer from the results of the shown plan's workloads, by id; some may be missing."""
        raise NotImplementedError

    def show_answer(self, answer: Any) -> None:
        """Takes the answer; None where there is too little to answer from."""
        raise NotImplementedError

    def say_failed(self, error: RoofplanError) -> None:
        """Says in a sentence that there is no answer, and why."""
        raise NotImplementedError

    def gather(self) -> None:
        """Has the answer of the plan as it is now worked out; what is on screen stays until it is there."""
        self._lacks_by_fault = False
        work = self._session.gather(self._gathering, "")
        work.crashed.connect(self._on_fault)
        work.ended.connect(self._on_results)

    def start(self, ask: Ask, done: Callable[[Any], object]) -> None:
        """Has one question answered in a worker's thread, in the place of the one before."""
        work = self._session.road.start(self._answering, stoppable(ask), priority=Priority.SOON)
        self._session.hear(work, done, self.say_failed)

    def stop(self) -> None:
        """Wants no answer any more."""
        for owner in (self._gathering, self._answering):
            self._session.road.cancel(owner)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for what nobody sees, and Why is about candidates again."""
        super().hideEvent(event)
        self.stop()
        self.tell_nothing()

    def tell_nothing(self) -> None:
        """Neither Why nor the verdict speaks of this page."""
        self.story_told.emit(None, False)
        self.verdict_told.emit(None)

    def _on_fault(self, error: BaseException) -> None:
        """A workload is missing by a fault of our own, and not because of what is entered."""
        self._lacks_by_fault = True
        self._session.crashed.emit(error)

    def _on_results(self, results: Sequence[ResultSet]) -> None:
        by_id = {one.profile.id: one for one in results}
        known = {one.id: by_id[one.id] for one in self._session.shown_plan.profiles if one.id in by_id}
        self.start(self.ask_of(known), self._on_answer)

    def _on_answer(self, answer: Any) -> None:
        if answer is None and self._lacks_by_fault:
            self.say_failed(FaultError())
        else:
            self.show_answer(answer)
