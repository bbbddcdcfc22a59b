"""What is asked of an answer for two of its options, piece by piece on the road: each piece is shown when it comes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from core.comparison.recommendation.flip_points import flip_told, study_of
from core.comparison.result import ResultSet
from core.comparison.what_if.checked import checked
from core.comparison.what_if.cloud import Cloud, cloud
from core.comparison.what_if.flips import Flip, flips, nearest_of
from core.comparison.what_if.goal_seek import Goal, Target, goal_seek
from core.comparison.what_if.heat_map import HeatMap, heat_map
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Move, Study, Verdict
from core.comparison.what_if.tornado import GapIn, TornadoRow, tornado
from core.errors import InputError, RoofplanError
from gui.session.road import Priority, Road, Step, Work, stoppable, whole

MOST_KEPT = 2
"""Studies that are kept for going back."""
TITLE = "What would change the answer"
Axes = tuple[str, str]
"""Ids of the inputs across and up."""
N_CELLS = 24
AT_ONCE = 4
"""Inputs of a step that takes little time: the window is painted after each."""
Piece = TornadoRow | Flip | None


class Engine:
    """The questions, each asked in a worker's thread. Tests put canned answers in its place."""

    def study(self, results: ResultSet, a: str, b: str | None) -> Any:
        """What the others are asked of."""
        return study_of(results, a, b) or Study(results, a, b)

    def cloud(self, study: Any) -> Cloud | None:
        """The draws of A and B."""
        return cloud(study)

    def tornado(self, study: Any, one: Input) -> TornadoRow | None:
        """The gap at the ends of an input."""
        return next(tornado(study, [one]), None)

    def flip(self, study: Any, one: Input) -> Flip:
        """Where an input changes the pick: a first look, or as the answer tells it where that is known."""
        return flip_told(study.results, one.id, where_known=True) or next(flips(study.quick, [one]))

    def check(self, study: Any, flip: Flip) -> Flip:
        """A flip as the answer tells it, else as evaluations of all options have it, the nearest of those that a closer
        look finds."""
        told = flip if flip.is_checked else flip_told(study.results, flip.input.id)
        return told or next(checked(study, [nearest_of(study.quick, flip)]))

    def maps(self, study: Any, x: Input, y: Input) -> Iterator[HeatMap]:
        """A coarse map, then the whole one."""
        return heat_map(study, x, y, N_CELLS, N_CELLS)

    def verdict(self, study: Any, *moves: Move) -> Verdict:
        """Who is picked where inputs have other values."""
        verdict: Verdict = study.verdict(*moves)
        return verdict

    def goal(self, study: Any, side: Literal["a", "b"], target: Target, wanted: float, one: Input) -> Goal:
        """Which value reaches a target."""
        return goal_seek(study, side, target, wanted, one)

    def rest(self, study: Any) -> None:
        """A study of which nothing more is on its way keeps what it told, not what it worked with."""
        study.rest()


@dataclass
class Told:
    """What is known of one study so far. ``is_whole`` once nothing more is on its way."""

    results: ResultSet
    a: str
    b: str | None
    study: Any = None
    inputs: tuple[Input, ...] = ()
    now: Verdict | None = None
    cloud: Cloud | None = None
    rows: dict[str, TornadoRow] = field(default_factory=dict)
    flips: dict[str, Flip] = field(default_factory=dict)
    maps: dict[Axes, HeatMap] = field(default_factory=dict)
    problem: str = ""
    is_whole: bool = False

    @property
    def checked(self) -> frozenset[str]:
        """Ids of the inputs whose flip was held against all options."""
        return frozenset(name for name, flip in self.flips.items() if flip.is_checked)

    def input(self, input_id: str) -> Input | None:
        """An input by its id."""
        return next((one for one in self.inputs if one.id == input_id), None)

    def widest(self, gap_in: GapIn = "regret") -> list[Input]:
        """Inputs by how far they move the gap; those of which that is not known yet come last, in their order."""
        spans = {one: row.span(gap_in) for one, row in self.rows.items()}
        return sorted(self.inputs, key=lambda one: -spans.get(one.id, -1.0))


class Studies(QObject):
    """Asks one study at a time. ``changed``: another piece is known; ``tried``: values that are tried and who is picked
    there; ``sought``: which value reaches a goal; ``progressed``: the work, None once it is over."""

    changed = Signal()
    tried = Signal(object, object)
    sought = Signal(object)
    progressed = Signal(object)
    stopped = Signal()
    crashed = Signal(object)

    def __init__(self, road: Road, parent: QObject) -> None:
        super().__init__(parent)
        self.engine = Engine()
        self.told: Told | None = None
        self._road = road
        self._kept: OrderedDict[Hashable, Told] = OrderedDict()
        self._work: Work | None = None
        self._mapping: Axes | None = None

    @property
    def is_working(self) -> bool:
        """True while pieces are on their way."""
        return self._work is not None

    def show(self, question: Hashable, results: ResultSet, a: str, b: str | None) -> None:
        """Turns to two options of an answer: what is known of them is there at once, the rest is asked."""
        key = question, a, b
        told = self._kept.pop(key, None)
        if told is None or told.results is not results:
            told = Told(results, a, b)
        self._kept[key] = told
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        if told is self.told and (told.is_whole or self.is_working):
            return
        self.stop()
        self.told = told
        if not told.is_whole:
            self._begin(told)
        self.changed.emit()

    def stop(self) -> None:
        """Asks nothing more; what is known stays."""
        for owner in (self, *(f"what-if {name}" for name in ("map", "try", "goal"))):
            self._road.cancel(owner)
        if self.is_working and self.told is not None:
            self._rest(self.told)
        self._work = self._mapping = None
        self.progressed.emit(None)

    def forget(self) -> None:
        """Another plan: nothing of the old one is left."""
        self.stop()
        self._kept.clear()
        self.told = None

    def give_up(self) -> None:
        """The user stops the work."""
        if self._work is not None:
            self._road.give_up(self._work.number)

    def ask_map(self, axes: Axes) -> None:
        """The map over two inputs, unless it is known or on its way; a newer question takes the place of an older."""
        told = self.told
        if told is None or told.study is None or self._is_mapped(told, axes) or self._mapping == axes:
            return
        x, y = (told.input(one) for one in axes)
        if x is None or y is None or x is y:
            return
        self._mapping = axes
        maps = self.engine.maps(told.study, x, y)
        steps: list[Step] = [stoppable(partial(next, maps)) for _ in range(2)]
        # Before the study's own works but never beside them: a study is asked from one thread at a time.
        work = self._road.start_batch("what-if map", steps, len(steps), priority=Priority.SOON)
        work.done.connect(partial(self._on_map, told, axes))
        work.crashed.connect(self.crashed)
        work.ended.connect(partial(self._on_map_ended, axes))

    def try_values(self, *moves: Move) -> None:
        """Who is picked where inputs have values that are tried."""
        told = self.told
        if told is not None and told.study is not None:
            ask = partial(self.engine.verdict, told.study, *moves)
            work = self._road.start("what-if try", stoppable(ask), priority=Priority.SOON)
            work.done.connect(partial(self.tried.emit, moves))

    def seek(self, side: Literal["a", "b"], target: Target, wanted: float, one: Input) -> None:
        """Which value of an input brings A or B to a target."""
        told = self.told
        if told is not None and told.study is not None:
            ask = partial(self.engine.goal, told.study, side, target, wanted, one)
            work = self._road.start("what-if goal", stoppable(ask), priority=Priority.SOON)
            work.done.connect(self.sought)
            work.crashed.connect(self.crashed)

    def _is_mapped(self, told: Told, axes: Axes) -> bool:
        return axes in told.maps and told.maps[axes].is_whole

    def _begin(self, told: Told) -> None:
        if told.study is not None:
            self._go_on(told)
            return
        step = stoppable(partial(_first, self.engine, told))
        self._follow(self._road.start(self, step, TITLE, Priority.BATCH), told)

    def _go_on(self, told: Told) -> None:
        n_left = len(list(self._pieces(told)))
        if not n_left:
            self._end(told)
            return
        self._follow(self._road.start_batch(self, self._pieces(told), n_left, TITLE, Priority.BATCH), told)

    def _pieces(self, told: Told) -> Iterator[Step]:
        """What moves the gap first, then how far until the pick changes, the widest first, then each flip held against
        all options: the road asks for each when its turn comes."""
        known, sided = told.checked, told.inputs if told.b is not None else ()
        yield from _asked(self._row, told, [one for one in sided if one.id not in told.rows], AT_ONCE)
        yield from _asked(self._flip, told, [one for one in told.widest() if one.id not in told.flips], AT_ONCE)
        yield from _asked(self._check, told, [one for one in told.widest() if one.id not in known])

    def _row(self, told: Told, one: Input) -> Piece:
        return self.engine.tornado(told.study, one)

    def _flip(self, told: Told, one: Input) -> Piece:
        return self.engine.flip(told.study, one)

    def _check(self, told: Told, one: Input) -> Piece:
        flip = told.flips.get(one.id) or self.engine.flip(told.study, one)  # where it is still on its way
        return self.engine.check(told.study, flip)

    def _follow(self, work: Work, told: Told) -> None:
        self._work = work
        work.done.connect(partial(self._on_pieces, told))
        work.refused.connect(partial(self._on_refused, told))
        work.crashed.connect(self._on_crashed)
        work.progressed.connect(lambda _: self.progressed.emit(self._work))  # it would never go if it held itself
        work.ended.connect(partial(self._on_ended, told))
        self.progressed.emit(work)

    def _on_pieces(self, told: Told, pieces: tuple[Piece, ...]) -> None:
        for piece in pieces:
            if isinstance(piece, Flip):
                told.flips[piece.input.id] = piece
            elif piece is not None:
                told.rows[piece.input.id] = piece
        self.changed.emit()

    def _on_ended(self, told: Told, answers: list[Any]) -> None:
        self._work = None
        if told.study is not None and not told.is_whole and answers and not answers[0]:
            self._go_on(told)
        elif told.study is not None:
            self._end(told)

    def _rest(self, told: Told) -> None:
        """In its turn, since a study is asked from one thread at a time: after what may still be under way."""
        if told.study is not None:
            self._road.start(None, whole(partial(self.engine.rest, told.study)), priority=Priority.BATCH)

    def _end(self, told: Told) -> None:
        told.is_whole, self._work = True, None
        self._rest(told)
        self.progressed.emit(None)
        self.changed.emit()

    def _on_map(self, told: Told, axes: Axes, heat: HeatMap) -> None:
        told.maps[axes] = heat
        if heat.is_whole and self._mapping == axes:
            self._mapping = None
            if told.is_whole:
                self._rest(told)
        self.changed.emit()

    def _on_map_ended(self, axes: Axes, answers: object) -> None:
        """One that a fault ended may be asked again."""
        if self._mapping == axes:
            self._mapping = None

    def _on_refused(self, told: Told, error: RoofplanError) -> None:
        told.problem, self._work = str(error), None
        self.progressed.emit(None)
        self.stopped.emit()

    def _on_crashed(self, error: BaseException) -> None:
        self._work = None
        self.progressed.emit(None)
        self.crashed.emit(error)


def _asked(ask: Callable[[Told, Input], Piece], told: Told, inputs: Sequence[Input], n: int = 1) -> Iterator[Step]:
    """Steps that ask about so many inputs each."""
    for start in range(0, len(inputs), n):
        yield stoppable(partial(_all, ask, told, inputs[start : start + n]))


def _all(ask: Callable[[Told, Input], Piece], told: Told, inputs: Sequence[Input]) -> tuple[Piece, ...]:
    return tuple(ask(told, one) for one in inputs)


def _first(engine: Engine, told: Told) -> tuple[Piece, ...]:
    """The study itself with what is cheapest to know: who is picked now, and the draws; no piece of it yet."""
    try:
        study = engine.study(told.results, told.a, told.b)
    except ValueError as error:
        raise InputError("Option", f"one that is not asked again: {error}", "another option") from error
    told.inputs, told.cloud = study.inputs, engine.cloud(study)
    told.now = study.verdict()
    told.study = study
    return ()
