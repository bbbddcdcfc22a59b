"""The session: undo, results that follow, results that are dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.errors import InputError
from core.plan.plan import Currency, Plan
from core.plan.sample_plan import sample_plan
from core.plan.workloads import remove_workload
from core.throughput.correction import Corrections
from core.units import usd
from core.workload.profile import Profile
from gui.session.plan_session import PlanSession
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session

EURO = Currency(code="EUR", per_usd=0.92, as_of="2026-11-21")
DEADLINE = "profiles.0.limits.deadline_days"


class Engine:
    """Counts evaluations; can be made to wait, to refuse and to fail."""

    def __init__(self) -> None:
        self.asked: list[Profile] = []
        self.refuse_days: float | None = None
        self.second_wins_days: float | None = None
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, profile: Profile, _: Catalogue, __: Corrections, cancelled: Callable[[], bool]) -> ResultSet:
        self.asked.append(profile)
        self.gate.wait(10)
        if self.refuse_days is not None and profile.limits.deadline_days == self.refuse_days:
            raise InputError("Deadline", "that", "another")
        results = replace(sample_results(), profile=profile)
        if profile.limits.deadline_days != self.second_wins_days:
            return results
        return replace(results, recommendation=replace(results.recommendation, choice=results.results[1].id))


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def session(qtbot: QtBot, engine: Engine) -> Iterator[PlanSession]:
    made = PlanSession(sample_plan(), load_catalogue(), engine)
    with qtbot.waitSignal(made.results_changed):
        made.start()
    yield made
    engine.gate.set()
    made.close()


def deadline(session: PlanSession) -> float | None:
    return session.plan.profiles[0].limits.deadline_days


def test_an_edit_changes_the_plan_and_the_results(qtbot: QtBot, session: PlanSession) -> None:
    with qtbot.waitSignal(session.results_changed):
        assert session.edit(DEADLINE, 45) is None
    assert deadline(session) == 45
    assert session.results is not None
    assert session.results.profile.limits.deadline_days == 45


def test_undo_and_redo_take_the_same_road(qtbot: QtBot, session: PlanSession) -> None:
    before = session.plan
    session.edit(DEADLINE, 45)
    with qtbot.waitSignal(session.results_changed):
        session.undo_stack.undo()
    assert session.plan == before
    with qtbot.waitSignal(session.results_changed):
        session.undo_stack.redo()
    assert deadline(session) == 45


def test_typing_in_one_field_is_one_step_until_the_focus_leaves(session: PlanSession) -> None:
    for days in (5, 55, 55.5):
        session.edit(DEADLINE, days)
    assert session.undo_stack.count() == 1
    session.end_step()
    session.edit(DEADLINE, 70)
    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    assert deadline(session) == 55.5


def test_steps_are_named_as_the_form_names_the_field(session: PlanSession) -> None:
    session.edit(DEADLINE, 45)
    assert session.undo_stack.undoText() == "Change deadline"


def test_a_bad_value_is_told_and_nothing_else_happens(session: PlanSession) -> None:
    before = session.plan
    message = session.edit(DEADLINE, -3)
    assert message is not None
    assert "above 0" in message
    assert session.plan == before
    assert session.undo_stack.count() == 0
    assert session.stale
    assert [problem.path for problem in session.problems] == [DEADLINE]
    session.edit(DEADLINE, 50)
    assert not session.stale
    assert session.problems == ()


def test_only_the_newest_results_are_shown(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    seen: list[float | None] = []
    session.results_changed.connect(lambda: seen.append(session.results.profile.limits.deadline_days))
    engine.gate.clear()
    session.edit(DEADLINE, 41)
    qtbot.waitUntil(lambda: any(p.limits.deadline_days == 41 for p in engine.asked))
    session.edit(DEADLINE, 42)
    engine.gate.set()
    qtbot.waitUntil(lambda: seen != [])
    qtbot.waitUntil(lambda: not session.is_busy)
    assert seen == [42]


def test_a_refusal_keeps_the_last_results_and_says_so(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    good = session.results
    engine.refuse_days = 13.0
    with qtbot.waitSignal(session.problems_changed):
        session.edit(DEADLINE, 13.0)
    assert session.results is good
    assert session.stale
    assert "found that, expected another" in session.problems[0].text
    with qtbot.waitSignal(session.problems_changed):
        session.edit(DEADLINE, 14.0)
    assert not session.stale


def test_a_fault_in_the_engine_is_reported_and_keeps_the_results(qtbot: QtBot, engine: Engine) -> None:
    def broken(*_: object) -> ResultSet:
        raise ZeroDivisionError("ours")

    session = PlanSession(sample_plan(), load_catalogue(), broken)
    with qtbot.waitSignal(session.crashed) as told:
        session.start()
    assert isinstance(told.args[0], ZeroDivisionError)
    assert session.stale
    session.close()


def test_going_back_to_a_workload_evaluates_nothing_again(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    with qtbot.waitSignal(session.results_changed):
        session.show_profile(1)
    asked = len(engine.asked)
    with qtbot.waitSignal(session.results_changed):
        session.show_profile(0)
    assert len(engine.asked) == asked


def test_selection_begins_at_the_pick_and_pins_hold_two(session: PlanSession) -> None:
    assert session.results is not None
    assert session.selected_id == session.results.recommendation.choice
    first, second, third = [result.id for result in session.results.results[:3]]
    for one in (first, second, third):
        session.pin(one)
    assert session.pinned == (first, third)
    session.pin(first)
    assert session.pinned == (third,)


def test_selection_follows_the_pick_until_the_user_chooses(qtbot: QtBot, session: PlanSession, engine: Engine) -> None:
    assert session.results is not None
    first, second, third = [result.id for result in session.results.results[:3]]
    assert session.selected_id == first
    engine.second_wins_days = 41.0
    with qtbot.waitSignal(session.results_changed):
        session.edit(DEADLINE, 41.0)
    assert session.selected_id == second
    session.select(third)
    with qtbot.waitSignal(session.results_changed):
        session.edit(DEADLINE, 42.0)
    assert session.selected_id == third


def test_a_scenario_keeps_edits_to_itself(session: PlanSession) -> None:
    other = session.plan.scenarios[1].id
    base = deadline(session)
    session.set_scenario(other)
    session.edit(DEADLINE, 33)
    assert deadline(session) == base
    assert session.shown_plan.profiles[0].limits.deadline_days == 33


def test_another_plan_leaves_nothing_of_the_old_one(qtbot: QtBot, session: PlanSession) -> None:
    session.edit(DEADLINE, 45)
    session.report("profiles.0.job.n_tokens", "Expected a number")
    session.open_plan(Plan(id="empty"))
    assert session.results is None
    assert session.problems == ()
    assert session.selected_id is None
    assert not session.undo_stack.canUndo()
    qtbot.waitUntil(lambda: not session.is_busy)
    assert session.results is None


def test_a_currency_is_one_step_that_repaints_and_evaluates_nothing(
    session: PlanSession, engine: Engine, qtbot: QtBot
) -> None:
    asked, results = len(engine.asked), session.results
    with qtbot.waitSignal(session.results_changed):
        session.replace_plan(session.plan.model_copy(update={"currency": EURO}), "Change currency")
    assert usd(100) == "€92.00"
    with qtbot.waitSignal(session.results_changed):
        session.undo_stack.undo()
    assert usd(100) == "$100"
    qtbot.waitUntil(lambda: not session.is_busy)
    assert len(engine.asked) == asked and session.results is results


def test_a_currency_repaints_results_from_before_a_wrong_input(session: PlanSession) -> None:
    session.report("profiles.0.job.n_tokens", "Expected a number")
    repaints: list[bool] = []
    session.results_changed.connect(lambda: repaints.append(session.stale))
    session.replace_plan(session.plan.model_copy(update={"currency": EURO}), "Change currency")
    assert repaints == [True], "at once, whether or not an answer comes"


def test_another_plan_brings_its_own_currency(session: PlanSession, qtbot: QtBot) -> None:
    with qtbot.waitSignal(session.results_changed):
        session.open_plan(sample_plan().model_copy(update={"currency": Currency(code="HKD", per_usd=7.8)}))
    assert usd(1) == "HK$7.80"
    with qtbot.waitSignal(session.results_changed):
        session.open_plan(sample_plan())
    assert usd(1) == "$1.00"


def test_results_of_every_workload_are_gathered_on_the_road_and_known_ones_are_not_made_again(
    qtbot: QtBot, session: PlanSession, engine: Engine
) -> None:
    asked = len(engine.asked)
    with qtbot.waitSignal(session.gather("paper", "Evaluating workloads").ended) as ended:
        pass
    [results] = ended.args
    assert {one.profile.id for one in results} == {profile.id for profile in session.plan.profiles}
    assert len(engine.asked) == asked + 1, "the one on screen was known"
    with qtbot.waitSignal(session.gather("paper", "Evaluating workloads").ended):
        pass
    assert len(engine.asked) == asked + 1


def test_stopping_the_evaluation_keeps_the_results_and_says_so(
    qtbot: QtBot, session: PlanSession, engine: Engine
) -> None:
    good = session.results
    engine.gate.clear()
    session.edit(DEADLINE, 41)
    [work] = session.road.listed
    assert work.title.startswith("Comparing options for ")
    session.road.give_up(work.number)
    assert session.results is good and session.stale and not session.is_busy
    assert session.problems[0].text == "The comparison was stopped; the results shown are from before"
    engine.gate.set()
    with qtbot.waitSignal(session.results_changed):
        session.edit(DEADLINE, 42)
    assert not session.stale and session.problems == ()


def test_a_question_is_answered_once_and_forgotten_with_its_results(qtbot: QtBot, session: PlanSession) -> None:
    asked: list[str] = []

    def answer() -> str:
        asked.append(threading.current_thread().name)
        return "42"

    with qtbot.waitSignal(session.answers_changed):
        assert session.ask("counts", "a", answer) is None
        assert session.ask("counts", "a", answer) is None, "asked once however often it is looked for"
    assert session.ask("counts", "a", answer) == "42"
    assert len(asked) == 1 and asked[0] != threading.main_thread().name
    with qtbot.waitSignal(session.results_changed):
        session.edit(DEADLINE, 41)
    assert session.ask("counts", "a", answer) is None


def test_a_newer_question_of_a_kind_takes_the_place_of_an_older_one(qtbot: QtBot, session: PlanSession) -> None:
    gate = threading.Event()
    session.ask("counts", "old", lambda: gate.wait(10))
    with qtbot.waitSignal(session.answers_changed):
        session.ask("counts", "new", lambda: "new")
        gate.set()
    assert session.ask("counts", "new", lambda: "again") == "new"
    assert session.ask("counts", "old", lambda: "old") is None, "its answer was dropped"


def test_a_fault_in_a_question_is_reported_and_not_asked_again(qtbot: QtBot, session: PlanSession) -> None:
    asked: list[int] = []

    def broken() -> float:
        asked.append(1)
        return 1 / 0

    with qtbot.waitSignal(session.crashed) as told:
        session.ask("counts", "a", broken)
    assert isinstance(told.args[0], ZeroDivisionError)
    assert session.ask("counts", "a", broken) is None
    assert len(asked) == 1


def test_a_question_that_what_was_entered_gives_no_answer_to_is_told_to_the_user(
    qtbot: QtBot, session: PlanSession
) -> None:
    def refused() -> float:
        raise InputError("Deadline", "that", "another")

    told: list[object] = []
    session.crashed.connect(told.append)
    with qtbot.waitSignal(session.problems_changed):
        session.ask("counts", "a", refused)
    assert [(one.text, one.severity) for one in session.problems] == [
        ("Deadline: found that, expected another", "warning")
    ]
    assert (told, session.stale) == ([], False)
    with qtbot.waitSignal(session.results_changed):
        session.edit(DEADLINE, 41)
    assert session.problems == ()


def test_results_come_with_those_put_together_that_every_view_looks_at(qtbot: QtBot) -> None:
    results = sample_results()
    assert not {"best_per_accelerator", "best_trusted"} & set(vars(replace(results)))
    session = sample_session(qtbot, results)
    assert session.results is not None
    assert {"best_per_accelerator", "best_trusted"} <= set(vars(session.results))
    session.close()


def test_the_workload_on_screen_stays_when_one_before_it_goes_and_comes_back(session: PlanSession) -> None:
    for name in ("second", "third"):
        more = Profile(id=name, name=name.capitalize())
        session.replace_plan(session.plan.model_copy(update={"profiles": (*session.plan.profiles, more)}), "Add")
    session.show_profile(1)
    shown = session.profile
    session.report(session.path("job.n_tokens"), "Expected a number")
    session.replace_plan(remove_workload(session.plan, 0), "Delete")
    assert session.profile is not None and shown is not None
    assert (session.profile.id, session.profile_index) == (shown.id, 0)
    assert session.problems == (), "what was said of the second workload is not said of the third"
    session.undo_stack.undo()
    assert (session.profile.id, session.profile_index) == (shown.id, 1)
    session.replace_plan(remove_workload(session.plan, 1), "Delete")
    assert session.profile.id == "second"
