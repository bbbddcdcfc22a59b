"""The whole plan's answer: kept up beside the workload on screen, worked out while nothing else is to be done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from core.breath import breathing
from core.comparison.chance.errors import draws_forgotten
from core.comparison.evaluate import Cancelled as Stopped
from core.comparison.result import ResultSet
from core.comparison.together.part import PlanPart, part_of
from core.comparison.together.plan_answer import PlanAnswer, plan_answer
from core.comparison.together.ways import Way
from core.errors import RoofplanError
from core.workload.profile import Profile
from gui.session.road import Cancelled, Priority, Progress, Road, Step

OWNER = "whole plan"
IDLE_MS = 400
"""The plan lies still for so long before anything is asked for its sake."""
FEWEST = 2
"""A plan of so many workloads has an answer of its own."""
PartStep = Callable[[Cancelled], PlanPart]


def part_step(profile: Profile, known: ResultSet | None, evaluate: Callable[[Cancelled], ResultSet]) -> PartStep:
    """A workload's part in the plan, from known results or new ones; one that cannot be evaluated has no answer."""

    def step(cancelled: Cancelled) -> PlanPart:
        try:
            with breathing(partial(_stop_if, cancelled)), nullcontext() if known else draws_forgotten():
                return part_of(known or evaluate(cancelled))
        except RoofplanError as error:
            return PlanPart(profile, None, None, {}, {}, str(error))

    return step


def _stop_if(cancelled: Cancelled) -> None:
    if cancelled():
        raise Stopped


class WholePlan(QObject):
    """Follows the plan once it is told to :meth:`watch`. ``changed``: another answer, or it is being worked out.

    Of each workload only its part is kept, and only of those that the plan has now; what an edit did not change is not
    asked again. Anything that happens to the plan meanwhile ends the work, which goes on when it lies still.
    """

    changed = Signal()
    crashed = Signal(object)

    def __init__(self, road: Road, steps: Callable[[], Mapping[Hashable, PartStep] | None], parent: QObject) -> None:
        super().__init__(parent)
        self.answer: PlanAnswer | None = None
        self.is_working = True
        self._road, self._steps = road, steps
        self._parts: dict[Hashable, PlanPart] = {}
        self._is_watching = False
        self._when_still = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._when_still.timeout.connect(self._begin)

    @property
    def n_parts(self) -> int:
        """How many workloads' parts are kept."""
        return len(self._parts)

    def watch(self) -> None:
        """From now on the answer is kept up."""
        self._is_watching = True
        self.follow()

    def follow(self) -> None:
        """Something changed: ends what is under way, and begins when the plan lies still."""
        if self._is_watching:
            self._road.cancel(OWNER)
            self._when_still.start()

    def forget(self) -> None:
        """Another document: nothing of the old one is left."""
        self._parts, self.answer, self.is_working = {}, None, True
        self.follow()
        self.changed.emit()

    def stop(self) -> None:
        """Nothing is asked any more."""
        self._is_watching = False
        self._when_still.stop()
        self._road.cancel(OWNER)

    def _begin(self) -> None:
        steps = self._steps()
        if steps is None:  # the results that are on their way will tell
            return
        self._parts = {key: part for key, part in self._parts.items() if key in steps}
        if len(steps) < FEWEST:
            self._parts = {}
            self._tell(None)
            return
        made = dict(self._parts)
        asked: list[Step] = [partial(_add, made, key, step) for key, step in steps.items() if key not in made]
        works: list[Step] = [*asked, partial(_answer, made, tuple(steps))]
        work = self._road.start_batch(OWNER, works, len(works), priority=Priority.BATCH)
        work.done.connect(self._on_done)
        work.crashed.connect(self.crashed)
        if asked and not self.is_working:
            self.is_working = True
            self.changed.emit()

    def _on_done(self, brought: tuple[Hashable, PlanPart] | PlanAnswer | None) -> None:
        if isinstance(brought, tuple):
            key, part = brought
            self._parts[key] = part
        else:
            self._tell(brought)

    def _tell(self, answer: PlanAnswer | None) -> None:
        self.answer, self.is_working = answer, False
        self.changed.emit()


def _add(
    made: dict[Hashable, PlanPart], key: Hashable, step: PartStep, cancelled: Cancelled, _: Progress
) -> tuple[Hashable, PlanPart]:
    made[key] = step(cancelled)
    return key, made[key]


def _looked_at(way: Way) -> None:
    """Rather than while the window is painted."""
    for figure in (way.total, way.chance_in_limits):
        str(figure)


def _answer(
    made: dict[Hashable, PlanPart], keys: tuple[Hashable, ...], cancelled: Cancelled, _: Progress
) -> PlanAnswer | None:
    """The answer over the parts in the plan's order, with all that is shown of the draws worked out."""
    with breathing(partial(_stop_if, cancelled)):
        answer = plan_answer([made[key] for key in keys if key in made])
        for way in (answer.way, *(one.way for one in answer.others)) if answer else ():
            _looked_at(way)
    return answer
