"""The one road off the GUI thread: evaluations, questions, files, and batches of thousands of small works.

Worker threads only run steps and put what they have to tell into a queue; everything else happens on the GUI thread.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from core.breath import breathing, heard_by
from core.errors import RoofplanError
from gui.session.garbage_collection import hold_collection, let_collect
from gui.session.gui_thread import serve
from gui.session.right_of_way import RightOfWay

THREADS = 2
"""One is kept for what the user waits for; batches and files share the other."""

SWITCH_INTERVAL_S = 0.0005
"""How long plain Python in a worker may hold the interpreter; the default makes a 2 ms redraw take 33-55 ms."""

LEAST_SHARE = 0.01
"""Of a work: what is less is not worth telling."""

SERVED_EVERY_MS = 10
"""While the GUI thread waits for its workers, which may wait for it."""

Cancelled = Callable[[], bool]
Progress = Callable[[float], None]
Step = Callable[[Cancelled, Progress], Any]
"""Asks its first argument now and then whether to give up, and may tell the second what share of it is done."""


class Priority(IntEnum):
    """What goes first. ``NOW`` may use every thread, the others leave one free."""

    NOW = 0
    SOON = 1
    BATCH = 2


class StoppedError(RoofplanError):
    """The user stopped the work."""

    def __str__(self) -> str:
        return "it was stopped"


class FaultError(RoofplanError):
    """A fault of our own ended the work. What it was is reported elsewhere; who waits is told no more than that."""

    def __str__(self) -> str:
        return "a fault in Roofplan"


class Work(QObject):
    """One request: a single step, or a batch of them, taken in order.

    ``done`` brings the answer of each step, ``refused`` the RoofplanError of one that cannot be answered, ``crashed``
    any other exception; the rest of a batch goes on. ``failed`` comes after both, with what is to be said of a step
    without an answer: the refusal, or a FaultError in the place of what crashed. ``progressed`` tells the share that is
    done. ``ended`` comes last, with the answers in their order. Once cancelled, nothing is told any more.
    """

    done = Signal(object)
    refused = Signal(object)
    crashed = Signal(object)
    failed = Signal(object)
    progressed = Signal(float)
    ended = Signal(object)

    def __init__(self, number: int, owner: Hashable, title: str, steps: Iterator[Step], n_steps: int) -> None:
        super().__init__()
        self.number, self.owner, self.title = number, owner, title
        self.steps, self.n_steps, self.n_done = steps, n_steps, 0
        self.priority, self.finishes, self.is_due = Priority.SOON, False, True
        self.step_share = 0.0
        self.answers: list[Any] = []

    def refuse(self, error: RoofplanError) -> None:
        """Tells that a step has no answer, and why."""
        self.refused.emit(error)
        self.failed.emit(error)

    def crash(self, error: BaseException) -> None:
        """Tells of a fault of our own in a step."""
        self.crashed.emit(error)
        self.failed.emit(FaultError())

    @property
    def share(self) -> float:
        """How much is done, 0 to 1; a step in the middle counts as far as it told."""
        return (self.n_done + self.step_share) / max(self.n_steps, 1)

    @property
    def words(self) -> str:
        """Which step of a batch is at work, such as ``2 of 3``; empty for a single step."""
        return f"{min(self.n_done + 1, self.n_steps)} of {self.n_steps}" if self.n_steps > 1 else ""


class _Kind(Enum):
    PROGRESS = auto()
    ANSWER = auto()
    REFUSAL = auto()
    CRASH = auto()


@dataclass(frozen=True, slots=True)
class _Told:
    """What a worker has to tell of a numbered work."""

    number: int
    kind: _Kind
    value: Any


class _Run:
    """A step in a thread. The pool is given its bound method, so that it lives as long as it runs."""

    def __init__(self, number: int, step: Step, tell: Callable[[_Told], None], way: RightOfWay) -> None:
        self.cancelled = threading.Event()
        self._number, self._step, self._tell, self._way = number, step, tell, way

    def run(self) -> None:
        """Work and tell the outcome; an error never leaves the thread, where nobody would see it."""
        hold_collection()
        try:
            self._tell(_Told(self._number, *self._outcome()))
        finally:
            let_collect()

    def _outcome(self) -> tuple[_Kind, Any]:
        try:
            return _Kind.ANSWER, self._step(self._is_cancelled, self._on_progress)
        except RoofplanError as error:
            return _Kind.REFUSAL, error
        except BaseException as error:
            return _Kind.CRASH, error

    def _is_cancelled(self) -> bool:
        """Asked between two steps: a good moment to let the window go first."""
        self._way.give_way()
        return self.cancelled.is_set()

    def _on_progress(self, share: float) -> None:
        self._tell(_Told(self._number, _Kind.PROGRESS, share))


class _Bell(QObject):
    """Rung by workers, heard on the GUI thread."""

    rang = Signal()


class Road(QObject):
    """Runs works in a few threads. ``changed``: one came, went on or left."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._n_begun = 0
        self._is_closing = False
        self._works: dict[int, Work] = {}
        self._runs: dict[int, _Run] = {}
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(THREADS)
        self._pool.setExpiryTimeout(-1)  # threads that come and go each bring memory of their own
        self._told: SimpleQueue[_Told] = SimpleQueue()
        self._bell = _Bell(self)
        self._after_paint = QTimer(self, singleShot=True, interval=0)
        self._after_paint.timeout.connect(self._on_painted)
        self._bell.rang.connect(self._after_paint.start)
        self.way = RightOfWay(self)

    @property
    def listed(self) -> tuple[Work, ...]:
        """Works that have a title, oldest first; the others are too short to be worth a line."""
        return tuple(work for work in self._works.values() if work.title)

    @property
    def is_idle(self) -> bool:
        """True while there is nothing to wait for, listed or not."""
        return not self._works

    def is_busy(self, owner: Hashable) -> bool:
        """True from a request of this owner until its end."""
        return any(work.owner == owner for work in self._works.values())

    def start(
        self,
        owner: Hashable,
        step: Step,
        title: str = "",
        priority: Priority = Priority.SOON,
        after_paint: bool = False,
        finishes: bool = False,
    ) -> Work:
        """Puts one step on the road; it may wait until what is due is painted, the letter of a key before all.

        What its owner (None: nobody) asked before is cancelled.
        Work that ``finishes`` is not cancelled when the program closes: closing waits for it.
        """
        return self._put(self._new(owner, title, (step,), 1), priority, after_paint, finishes)

    def start_batch(
        self,
        owner: Hashable,
        steps: Iterable[Step],
        n_steps: int,
        title: str = "",
        priority: Priority = Priority.BATCH,
        finishes: bool = False,
    ) -> Work:
        """As :meth:`start` for ``n_steps`` steps, one at a time; each is asked of ``steps`` when its turn comes."""
        return self._put(self._new(owner, title, steps, n_steps), priority, False, finishes)

    def cancel(self, owner: Hashable) -> None:
        """Drops what this owner asked; nothing of it is told any more."""
        for work in [work for work in self._works.values() if work.owner == owner]:
            self._drop(work)

    def give_up(self, number: int) -> None:
        """The user stops a work: as :meth:`cancel`, but its owner is told, by a refusal."""
        work = self._works.get(number)
        if work is not None:
            self._drop(work)
            work.refuse(StoppedError())

    def stop(self) -> None:
        """Cancels what may be cancelled, finishes the rest, and waits; nothing goes on the road afterwards."""
        self._is_closing = True
        self.way.give_up()
        for work in [work for work in self._works.values() if not work.finishes]:
            self._drop(work)
        while self._works:
            self._wait()
            self._hear()
        self._wait()

    def _wait(self) -> None:
        while not self._pool.waitForDone(SERVED_EVERY_MS):
            serve()

    def _new(self, owner: Hashable, title: str, steps: Iterable[Step], n_steps: int) -> Work:
        if owner is not None:
            self.cancel(owner)
        self._n_begun += 1
        return Work(self._n_begun, owner, title, iter(steps), n_steps)

    def _put(self, work: Work, priority: Priority, after_paint: bool, finishes: bool) -> Work:
        work.priority, work.finishes, work.is_due = priority, finishes, not after_paint
        if self._is_closing and not finishes:
            return work
        self._works[work.number] = work
        if after_paint:
            self._after_paint.start()
        self._go_on()
        return work

    def _on_painted(self) -> None:
        for work in self._works.values():
            work.is_due = True
        self._hear()

    def _go_on(self) -> None:
        """Starts what there is room for, the most urgent first, then the oldest."""
        waiting = [work for work in self._works.values() if work.is_due and work.number not in self._runs]
        for work in sorted(waiting, key=lambda work: (work.priority, work.number)):
            room = THREADS if work.priority is Priority.NOW else THREADS - 1
            if len(self._runs) < room:
                run = _Run(work.number, next(work.steps), self._tell, self.way)
                self._runs[work.number] = run
                self._pool.start(run.run)
        self.changed.emit()

    def _drop(self, work: Work) -> None:
        """The thread may go on for a while; its number keeps its place until then."""
        del self._works[work.number]
        if run := self._runs.get(work.number):
            run.cancelled.set()
        self.changed.emit()

    def _tell(self, told: _Told) -> None:
        """In the worker's thread."""
        self._told.put(told)
        self._bell.rang.emit()

    def _hear(self) -> None:
        self.way.claim()
        while not self._told.empty():
            told = self._told.get()
            work = self._works.get(told.number)
            if told.kind is not _Kind.PROGRESS:
                del self._runs[told.number]
            if work is not None:
                self._take(work, told)
        self._go_on()

    def _take(self, work: Work, told: _Told) -> None:
        if told.kind is _Kind.PROGRESS:
            work.step_share = told.value
            work.progressed.emit(work.share)
            return
        work.n_done, work.step_share = work.n_done + 1, 0.0
        is_last = work.n_done == work.n_steps
        if is_last:
            del self._works[work.number]
        self._pass_on(work, told)
        if is_last or work.number in self._works:
            work.progressed.emit(work.share)
        if is_last:
            work.ended.emit(work.answers)

    @staticmethod
    def _pass_on(work: Work, told: _Told) -> None:
        if told.kind is _Kind.ANSWER:
            work.answers.append(told.value)
            work.done.emit(told.value)
        else:
            (work.refuse if told.kind is _Kind.REFUSAL else work.crash)(told.value)


def stoppable(work: Callable[[], Any]) -> Step:
    """A step that breathes and tells how far it is (:mod:`core.breath`), such as reading a file."""

    def step(cancelled: Cancelled, progress: Progress) -> Any:
        told = 0.0

        def stop_if_unwanted() -> None:
            if cancelled():
                raise StoppedError

        def hear(share: float) -> None:
            nonlocal told
            if share - told >= LEAST_SHARE:
                told = share
                progress(share)

        with breathing(stop_if_unwanted), heard_by(hear):
            return work()

    return step


def whole(work: Callable[[], Any]) -> Step:
    """A step that can neither be cut short nor tell how far it is, such as writing one."""

    def step(_: Cancelled, __: Progress) -> Any:
        return work()

    return step
