"""The whole plan's answer in a session: worked out while nothing else is to be done, and only what changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.errors import InputError
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.throughput.correction import Corrections
from core.workload.profile import Profile
from gui.session.plan_session import PlanSession
from tests.gui.sample_results import sample_results

DEADLINE = "profiles.0.limits.deadline_days"
PATIENCE_MS = 30_000


class Engine:
    """Notes what was asked; a name can be refused, and another made to wait until its gate opens."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.cancelled: list[str] = []
        self.refused = self.held = ""
        self.gate = threading.Event()

    def __call__(self, profile: Profile, _: Catalogue, __: Corrections, cancelled: Callable[[], bool]) -> ResultSet:
        self.asked.append(profile.name)
        if profile.name == self.held:
            self.gate.wait(10)
            if cancelled():
                self.cancelled.append(profile.name)
        if profile.name == self.refused:
            raise InputError("Deadline", "that", "another")
        return replace(sample_results(), profile=profile)


@pytest.fixture
def engine() -> Engine:
    return Engine()


def three_workloads() -> Plan:
    plan = sample_plan()
    third = plan.profiles[1].model_copy(update={"id": "third", "name": "Third"})
    return plan.model_copy(update={"profiles": (*plan.profiles, third)})


@pytest.fixture
def session(qtbot: QtBot, engine: Engine) -> Iterator[PlanSession]:
    made = PlanSession(three_workloads(), load_catalogue(), engine)
    yield made
    engine.gate.set()
    made.close()


def watch(qtbot: QtBot, session: PlanSession) -> None:
    session.start()
    session.whole_plan.watch()
    qtbot.waitUntil(lambda: session.whole_plan.answer is not None, timeout=PATIENCE_MS)


def test_every_workload_is_asked_once_and_added_up(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    watch(qtbot, session)
    names = [profile.name for profile in session.plan.profiles]
    assert sorted(engine.asked) == sorted(names)
    alone = answer_of([replace(sample_results(), profile=profile) for profile in session.plan.profiles])
    answer = session.whole_plan.answer
    assert alone is not None and answer is not None
    assert answer.total_usd == alone.total_usd and answer.done == alone.done
    assert [one.name for one in answer.picks] == names


def test_nobody_watches_nobody_asks(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    with qtbot.waitSignal(session.results_changed):
        session.start()
    assert session.road.is_idle and engine.asked == [session.plan.profiles[0].name]
    assert session.whole_plan.answer is None


def test_an_edit_of_one_workload_asks_that_one_alone(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    watch(qtbot, session)
    engine.asked.clear()
    before = session.whole_plan.answer
    session.edit(DEADLINE, 45)
    qtbot.waitUntil(lambda: session.whole_plan.answer is not before, timeout=PATIENCE_MS)
    assert engine.asked == [session.plan.profiles[0].name]
    assert session.whole_plan.n_parts == 3, "those of the plan as it is now, and no older ones"


def test_going_to_another_workload_asks_nothing_for_the_plan(
    qtbot: QtBot, session: PlanSession, engine: Engine
) -> None:
    watch(qtbot, session)
    engine.asked.clear()
    before = session.whole_plan.answer
    session.show_profile(1)
    qtbot.waitUntil(lambda: session.whole_plan.answer is not before, timeout=PATIENCE_MS)
    assert engine.asked == [session.plan.profiles[1].name], "its table, of which the plan keeps a part only"


def test_an_edit_ends_what_is_under_way_and_does_not_wait_for_it(
    qtbot: QtBot, session: PlanSession, engine: Engine
) -> None:
    engine.held = session.plan.profiles[1].name
    session.start()
    session.whole_plan.watch()
    qtbot.waitUntil(lambda: engine.held in engine.asked, timeout=PATIENCE_MS)
    with qtbot.waitSignal(session.results_changed):  # while the other one is still held
        session.edit(DEADLINE, 45)
    assert session.results is not None and session.results.profile.limits.deadline_days == 45
    engine.gate.set()
    qtbot.waitUntil(lambda: session.whole_plan.answer is not None, timeout=PATIENCE_MS)
    assert engine.cancelled[:1] == [engine.held], "it was told to stop"
    run = session.whole_plan.answer.picks[0]
    assert run.profile.limits.deadline_days == 45


def test_a_workload_that_cannot_be_evaluated_has_no_answer(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    engine.refused = "Third"
    watch(qtbot, session)
    answer = session.whole_plan.answer
    assert answer is not None and len(answer.picks) == 2 and answer.n_workloads == 3
    ((name, why),) = answer.unanswered
    assert name == "Third" and "expected another" in why


def test_another_document_leaves_nothing_of_the_old_one(qtbot: QtBot, session: PlanSession) -> None:
    watch(qtbot, session)
    plan = session.plan
    session.open_plan(plan.model_copy(update={"profiles": plan.profiles[:1]}))
    assert session.whole_plan.answer is None and session.whole_plan.n_parts == 0
    with qtbot.waitSignal(session.whole_plan.changed, timeout=PATIENCE_MS):
        pass
    assert session.whole_plan.answer is None and not session.whole_plan.is_working, "one workload is no plan of several"
