"""The road: numbered works, newest wins, batches that can be cancelled, and an end that waits for all."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from core.breath import breathe, tell_share
from core.errors import InputError
from gui.session.road import Cancelled, Priority, Progress, Road, Step, StoppedError, stoppable, whole

N_WORKS = 200


@pytest.fixture
def road(qtbot: QtBot) -> Iterator[Road]:
    made = Road()
    yield made
    made.stop()


def giving(value: object) -> Step:
    return whole(lambda: value)


def raising(error: BaseException) -> Step:
    def step(_: Cancelled, __: Progress) -> None:
        raise error

    return step


class Gate:
    """A step that waits at a gate and tells when it came there."""

    def __init__(self, value: object = "through") -> None:
        self.reached, self.open, self.was_cancelled = threading.Event(), threading.Event(), False
        self._value = value

    def __call__(self, cancelled: Cancelled, _: Progress) -> object:
        self.reached.set()
        assert self.open.wait(10)
        self.was_cancelled = cancelled()
        return self._value


def n_threads_at_work(road: Road) -> int:
    return road._pool.activeThreadCount()


def test_a_batch_answers_in_order_and_tells_how_far_it_is(qtbot: QtBot, road: Road) -> None:
    answers: list[object] = []
    shares: list[float] = []
    work = road.start_batch("draws", (giving(number) for number in range(N_WORKS)), N_WORKS, "Drawing")
    work.done.connect(answers.append)
    work.progressed.connect(shares.append)
    with qtbot.waitSignal(work.ended) as ended:
        assert work.words == "1 of 200"
    assert answers == list(range(N_WORKS)) == ended.args[0]
    assert shares == [number / N_WORKS for number in range(1, N_WORKS + 1)]
    assert road.listed == ()


def test_a_batch_cancelled_half_way_tells_nothing_more(qtbot: QtBot, road: Road) -> None:
    answers: list[object] = []
    begun: list[int] = []
    shares: list[float] = []
    ends: list[object] = []

    def step_of(number: int) -> Step:
        return whole(lambda: begun.append(number) or number)  # type: ignore[func-returns-value]

    def take(answer: int) -> None:
        answers.append(answer)
        if answer == N_WORKS // 2:
            road.cancel("draws")

    work = road.start_batch("draws", map(step_of, range(N_WORKS)), N_WORKS, "Drawing")
    work.done.connect(take)
    work.progressed.connect(shares.append)
    work.ended.connect(ends.append)
    qtbot.waitUntil(lambda: not road.is_busy("draws"))
    with qtbot.waitSignal(road.start(None, giving("after")).done):
        pass
    road.stop()
    assert answers == begun == list(range(N_WORKS // 2 + 1))
    assert shares[-1] == 0.5 and ends == []
    assert n_threads_at_work(road) == 0


def test_stopping_in_the_middle_of_a_batch_ends_every_thread(qtbot: QtBot, road: Road) -> None:
    gate, answers = Gate(), []  # type: Gate, list[object]
    work = road.start_batch("draws", (gate for _ in range(N_WORKS)), N_WORKS)
    work.done.connect(answers.append)
    qtbot.waitUntil(gate.reached.is_set)
    gate.open.set()
    road.stop()
    assert n_threads_at_work(road) == 0
    assert answers == [] and not road.is_busy("draws")
    late = road.start("late", giving(1))
    late.done.connect(answers.append)
    assert not road.is_busy("late"), "nothing goes on the road any more"


def test_the_newest_request_of_an_owner_wins(qtbot: QtBot, road: Road) -> None:
    gate, answers = Gate("old"), []  # type: Gate, list[object]
    road.start("question", gate).done.connect(answers.append)
    qtbot.waitUntil(gate.reached.is_set)
    newer = road.start("question", giving("new"))
    newer.done.connect(answers.append)
    gate.open.set()
    with qtbot.waitSignal(newer.ended):
        pass
    assert gate.was_cancelled
    assert answers == ["new"]


def test_requests_of_nobody_do_not_replace_each_other(qtbot: QtBot, road: Road) -> None:
    answers: list[object] = []
    for number in range(3):
        road.start(None, giving(number)).done.connect(answers.append)
    qtbot.waitUntil(lambda: len(answers) == 3)
    assert answers == [0, 1, 2], "the oldest goes first"


def test_what_the_user_waits_for_overtakes_a_batch(qtbot: QtBot, road: Road) -> None:
    gate, order = Gate("batch"), []  # type: Gate, list[object]
    batch = road.start_batch("draws", iter([gate, giving("batch")]), 2)
    batch.done.connect(order.append)
    qtbot.waitUntil(gate.reached.is_set)
    road.start(None, giving("file")).done.connect(order.append)
    now = road.start("shown", giving("now"), priority=Priority.NOW)
    now.done.connect(order.append)
    with qtbot.waitSignal(now.ended):
        pass
    assert order == ["now"], "it has a thread of its own"
    gate.open.set()
    with qtbot.waitSignal(batch.ended):
        pass
    assert order == ["now", "batch", "file", "batch"], "a file gets in between two works of a batch"


def test_a_crash_in_one_work_of_a_batch_is_told_and_the_others_go_on(qtbot: QtBot, road: Road) -> None:
    told: list[object] = []
    steps = [giving(1), raising(ZeroDivisionError("ours")), raising(InputError("a", "b", "c")), giving(4)]
    work = road.start_batch("draws", steps, len(steps))
    for signal in (work.done, work.crashed, work.refused):
        signal.connect(told.append)
    with qtbot.waitSignal(work.ended) as ended:
        pass
    assert ended.args == [[1, 4]]
    assert [type(one) for one in told] == [int, ZeroDivisionError, InputError, int]


def test_who_waits_hears_why_there_is_no_answer_and_no_more_of_a_fault_than_that(qtbot: QtBot, road: Road) -> None:
    told: list[str] = []
    steps = [raising(ZeroDivisionError("ours")), raising(InputError("a", "b", "c")), giving(3)]
    work = road.start_batch("draws", steps, len(steps))
    work.failed.connect(lambda error: told.append(str(error)))
    with qtbot.waitSignal(work.ended):
        pass
    assert told == ["a fault in Roofplan", "a: found b, expected c"]


def test_a_step_may_tell_what_share_of_it_is_done(qtbot: QtBot, road: Road) -> None:
    shares: list[float] = []

    def step(_: Cancelled, progress: Progress) -> None:
        progress(0.25)
        progress(0.75)

    work = road.start("file", step)
    work.progressed.connect(shares.append)
    with qtbot.waitSignal(work.ended):
        pass
    assert shares == [0.25, 0.75, 1.0]


def test_the_user_stops_a_work_and_its_owner_hears_of_it(qtbot: QtBot, road: Road) -> None:
    gate, told = Gate(), []  # type: Gate, list[RoofplanError]
    work = road.start("file", gate, "Reading a.csv")
    work.refused.connect(told.append)
    qtbot.waitUntil(gate.reached.is_set)
    assert [one.title for one in road.listed] == ["Reading a.csv"]
    road.give_up(work.number)
    assert [type(one) for one in told] == [StoppedError] and road.listed == ()
    gate.open.set()
    road.give_up(work.number)
    assert len(told) == 1


def test_what_breathes_tells_its_share_and_can_be_stopped(qtbot: QtBot, road: Road) -> None:
    reached, shares, ended = threading.Event(), [], []  # type: threading.Event, list[float], list[BaseException]

    def read() -> None:
        tell_share(0.004)
        tell_share(0.5)
        reached.set()
        try:
            while True:
                breathe()
        except StoppedError as error:
            ended.append(error)
            raise

    work = road.start("file", stoppable(read), "Reading a.csv")
    work.progressed.connect(shares.append)
    qtbot.waitUntil(lambda: bool(shares))
    assert reached.wait(10)
    road.give_up(work.number)
    qtbot.waitUntil(lambda: bool(ended))
    assert shares == [0.5]


def test_a_pause_before_the_work_is_part_of_it(qtbot: QtBot, road: Road) -> None:
    asked: list[int] = []

    def asking(number: int) -> Callable[[], object]:
        return lambda: asked.append(number)

    for number in range(5):
        work = road.start("typing", whole(asking(number)), after_paint=True)
        assert road.is_busy("typing")
    with qtbot.waitSignal(work.ended):
        pass
    assert asked == [4], "only the last of quick requests begins at all"


def test_closing_waits_for_a_file_and_what_follows_from_it(qtbot: QtBot, road: Road) -> None:
    written: list[str] = []

    def write(answers: list[str]) -> None:
        road.start(None, whole(lambda: written.extend(answers)), finishes=True)

    batch = road.start_batch(None, [giving("a"), giving("b")], 2, finishes=True)
    batch.ended.connect(write)
    road.stop()
    assert written == ["a", "b"]


def test_work_runs_without_collecting_cycles(qtbot: QtBot, road: Road) -> None:
    work = road.start("any", whole(gc.isenabled))
    with qtbot.waitSignal(work.done) as told:
        pass
    road.stop()
    assert told.args == [False]
    assert gc.isenabled()
