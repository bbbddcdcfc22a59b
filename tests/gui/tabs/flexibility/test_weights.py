"""Weights, scores by hand, the exit target and the order on the Flexibility tab, as a person would use them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from core.comparison.together.part import part_of
from core.comparison.together.plan_answer import plan_answer
from core.plan.scenario import add_scenario
from core.units import MINUS, THIN
from core.workload.freedom import Freedom
from gui.tabs.flexibility.panel import TAKE_IN, TAKE_OUT, FlexibilityPanel
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[FlexibilityPanel]:
    made = FlexibilityPanel(sample_session(qtbot, sample_results()), themes())
    qtbot.addWidget(made)
    made.resize(1090, 640)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.session.close()


def freedom(panel: FlexibilityPanel) -> Freedom:
    assert panel.session.profile is not None
    return panel.session.profile.freedom


def child(panel: FlexibilityPanel, kind: type, name: str) -> object:
    made = panel.findChild(kind, name)
    assert made is not None
    return made


def text_of(panel: FlexibilityPanel, name: str) -> str:
    told = child(panel, QLabel, name)
    assert isinstance(told, QLabel)
    return told.text()


def test_a_slider_sets_a_weight_in_one_step_and_a_set_takes_it_back(qtbot: QtBot, panel: FlexibilityPanel) -> None:
    slider = child(panel, QSlider, "weight-F7")
    assert isinstance(slider, QSlider) and slider.value() == 20
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert freedom(panel).f7 == 23 and panel.session.undo_stack.count() == 1
    combo = child(panel, QComboBox, "weights-preset")
    assert isinstance(combo, QComboBox)
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_End)
    combo.activated.emit(combo.currentIndex())
    assert freedom(panel) == Freedom(preset="equal") and panel.session.undo_stack.count() == 2
    panel.session.undo_stack.undo()
    assert freedom(panel).f7 == 23


def test_weights_of_a_scenario_stay_in_it(qtbot: QtBot, panel: FlexibilityPanel) -> None:
    session = panel.session
    session.replace_plan(add_scenario(session.plan, "Free"), "Add")
    session.set_scenario(session.plan.scenarios[-1].id)
    slider = child(panel, QSlider, "weight-F1")
    assert isinstance(slider, QSlider)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert session.plan.scenarios[-1].overrides == {"profiles.0.freedom.f1": 17.0}
    assert session.plan.profiles[0].freedom == Freedom()


def test_a_score_by_hand_needs_a_note_and_can_be_taken_back(qtbot: QtBot, panel: FlexibilityPanel) -> None:
    criterion = replace(sample_results().results[0].flexibility.criteria[0], id="F3", title="Frameworks")
    panel.by_hand.show_criterion("b200", "B200", criterion)
    points, note = child(panel, QLineEdit, "by-hand-points"), child(panel, QLineEdit, "by-hand-note")
    button = child(panel, QPushButton, "by-hand-set")
    assert isinstance(button, QPushButton)
    qtbot.keyClicks(points, "140")
    qtbot.keyClicks(note, "Ported it ourselves")
    assert not button.isEnabled()
    points.setText("40")  # type: ignore[attr-defined]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    [typed] = freedom(panel).overrides
    assert (typed.accelerator_id, typed.criterion_id, typed.points) == ("b200", "F3", 40)
    assert typed.note == "Ported it ourselves"
    panel.by_hand.taken_back.emit("b200", "F3")
    assert freedom(panel).overrides == ()


def test_the_workload_range_is_taken_into_the_ranking_and_out_again(
    qtbot: QtBot, panel: FlexibilityPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    button = child(panel, QPushButton, "flexibility-take-range")
    assert isinstance(button, QPushButton) and not button.isVisible()
    results = sample_results()
    parts = [part_of(results), part_of(replace(results, profile=results.profile.model_copy(update={"id": "two"})))]
    monkeypatch.setattr(panel.session.whole_plan, "answer", plan_answer(parts))
    panel.today = lambda: date(2026, 11, 23)
    panel.mark_dirty()
    qtbot.waitUntil(lambda: button.isVisible() and button.text() == TAKE_IN)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    overrides = freedom(panel).overrides
    assert {one.criterion_id for one in overrides} == {"F5"} and len(overrides) > 50
    assert overrides[0].note == "Range of this plan's 2 workloads on 2026-11-23"
    qtbot.waitUntil(lambda: button.text() == TAKE_OUT)
    assert "as it was when it was taken" in text_of(panel, "flexibility-with-range")
    assert panel.session.undo_stack.count() == 1
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert freedom(panel).overrides == ()


def test_points_are_worth_what_the_user_says_beside_the_cost(qtbot: QtBot, panel: FlexibilityPanel) -> None:
    line = child(panel, QLineEdit, "ten-points-worth")
    with qtbot.waitSignal(panel.session.results_changed):
        qtbot.keyClicks(line, "20000")
    assert text_of(panel, "flexibility-worth") == (
        "9 points less than 512 × H200 SXM: worth $18\u202fk a month as you price it; no part of the cost"
    )


def test_the_order_is_told_when_it_is_known(qtbot: QtBot, panel: FlexibilityPanel) -> None:
    qtbot.waitUntil(lambda: "random weights" in text_of(panel, "flexibility-order"))
    assert f"of 1{THIN}000 random weights" in text_of(panel, "flexibility-order")


def test_new_results_lay_the_bars_out_once(
    qtbot: QtBot, panel: FlexibilityPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out: list[int] = []
    lay_out = panel.bars._lay_out
    monkeypatch.setattr(panel.bars, "_lay_out", lambda: (laid_out.append(1), lay_out())[1])
    panel.session.select(sample_results().results[3].id)
    assert len(laid_out) == 1


@pytest.mark.parametrize("typed", ["150", "abc", "-1"])
def test_points_that_are_none_say_what_is_expected(qtbot: QtBot, panel: FlexibilityPanel, typed: str) -> None:
    """The button stayed grey without a word."""
    problem = child(panel, QLabel, "by-hand-problem")
    assert isinstance(problem, QLabel) and not problem.isVisible()
    qtbot.keyClicks(panel.by_hand.note, "because")
    qtbot.keyClicks(panel.by_hand.points, typed)
    assert problem.isVisible() and problem.text() == "Expected a number from 0 to 100"
    assert not panel.by_hand.apply.isEnabled()
    panel.by_hand.points.selectAll()
    qtbot.keyClicks(panel.by_hand.points, "40")
    assert not problem.isVisible() and panel.by_hand.apply.isEnabled()


@pytest.mark.parametrize(
    ("typed", "words"),
    [("5abc", "'5abc' is not a number from 0"), ("-7", "Expected a number from 0"), ("abc", "such as 120")],
)
def test_a_worth_that_is_none_stays_to_be_mended_and_says_so(
    qtbot: QtBot, panel: FlexibilityPanel, typed: str, words: str
) -> None:
    """It vanished without a message, and what its first letters stood for stayed in the plan."""
    line, problem = panel.weights.worth.line, panel.weights.problem
    line.setFocus()
    qtbot.keyClicks(line, typed)
    qtbot.keyClick(line, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not panel.session.is_busy)
    panel.mark_dirty()
    assert words in problem.text() and line.text().replace(MINUS, "-") == typed
    assert freedom(panel).ten_points_usd_per_month is None and not panel.session.problems
    line.selectAll()
    qtbot.keyClicks(line, "3 k")
    qtbot.waitUntil(lambda: freedom(panel).ten_points_usd_per_month == 3000)
    assert not problem.isVisible()
