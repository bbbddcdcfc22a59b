"""The Inputs page, driven as a person would: read, walk, drag, choose, seek, copy, stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.result import Basis, ResultSet
from core.comparison.what_if.flips import FlipEnd
from core.comparison.what_if.goal_seek import Goal, Jump
from core.comparison.what_if.heat_map import HeatMap
from core.comparison.what_if.words import value_words
from core.plan.plan import Plan
from core.throughput.correction import NO_CORRECTIONS
from gui.charts.paint.brush import Ink
from gui.charts.view.graphs import pg
from gui.session.plan_session import PlanSession
from gui.tabs.what_if.gap_paint import Edges
from gui.tabs.what_if.gap_rows import GapRow, gap_table
from gui.tabs.what_if.goal_line import goal_words
from gui.tabs.what_if.inputs_page import NO_TIME, ONE_ONLY, InputsPage
from gui.tabs.what_if.panel import SCENARIOS, WhatIfPanel
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import answering, themes
from tests.gui.tabs.what_if.canned import BUDGET, DEADLINE, OTHER, PRICE, SPEED, Canned
from tests.gui.tabs.what_if.works import none_is_left


@dataclass
class Shown:
    """The page on screen over canned answers."""

    panel: WhatIfPanel
    engine: Canned
    qtbot: QtBot

    @property
    def page(self) -> InputsPage:
        return self.panel.inputs

    @property
    def session(self) -> PlanSession:
        return self.page.session

    def row(self, input_id: str) -> GapRow:
        return next(one for one in self.page.gap_view.rows if one.input.id == input_id)

    def place(self, input_id: str) -> int:
        return [one.input.id for one in self.page.gap_view.rows].index(input_id)

    def whole(self) -> bool:
        told = self.page.studies.told
        return told is not None and told.is_whole and any(one.is_whole for one in told.maps.values())

    def settle(self) -> None:
        self.qtbot.waitUntil(self.whole, timeout=10_000)


def known(results: ResultSet) -> ResultSet:
    """Prepared results that can be asked about."""
    return replace(results, basis=Basis(load_catalogue(), NO_CORRECTIONS))


def opened(qtbot: QtBot, results: ResultSet, engine: Canned) -> Shown:
    plan = Plan(id="test", profiles=(results.profile,))
    session = PlanSession(plan, load_catalogue(), answering(results))
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.start()
    panel = WhatIfPanel(session, themes())
    panel.inputs.studies.engine = engine
    qtbot.addWidget(panel)
    panel.resize(1250, 720)
    with qtbot.waitExposed(panel):
        panel.show()
    return Shown(panel, engine, qtbot)


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    """All answered."""
    made = opened(qtbot, known(sample_results()), Canned())
    made.settle()
    yield made
    made.session.close()


def test_rows_stand_by_what_they_move_with_flips_beside(shown: Shown) -> None:
    assert [one.input.id for one in shown.page.gap_view.rows] == [DEADLINE.id, BUDGET.id, PRICE.id, SPEED.id]
    deadline, budget, speed = (shown.row(one.id) for one in (DEADLINE, BUDGET, SPEED))
    assert (deadline.low, deadline.high, deadline.flip_words) == (-4.2e5, 1.8e5, "40, −33\u202f%")
    assert deadline.marks is not None and deadline.marks[0].at == pytest.approx(-20 / 15)
    assert budget.marks is not None and budget.marks[0].is_beyond and not budget.marks[0].new.fits
    assert (speed.flip_words, speed.new) == ("never", None)
    assert (
        deadline.spoken == "Deadline, days: now 60, likely 45–90. Pick changes at: 40, −33\u202f%, then 512 × TPU v6e"
    )


def test_never_is_told_once_a_closer_look_was_taken_and_a_flip_at_once(shown: Shown) -> None:
    told = shown.page.studies.told
    assert told is not None
    for one in (SPEED, DEADLINE):
        told.flips[one.id] = replace(told.flips[one.id], is_checked=False)
    rows = {row.input.id: row for row in gap_table(told, "regret").rows}
    assert (rows[SPEED.id].flip_words, rows[SPEED.id].marks) == ("", None)
    assert rows[DEADLINE.id].flip_words == shown.row(DEADLINE.id).flip_words != ""


def test_every_flip_is_held_against_all_options_after_what_is_shown_first(qtbot: QtBot) -> None:
    made = opened(qtbot, known(sample_results()), Canned(mended={DEADLINE.id: FlipEnd(50, 51, OTHER)}))
    made.settle()
    kinds = [one.split()[0] for one in made.engine.asked if one.split()[0] in ("row", "flip", "check")]
    assert kinds == ["row"] * 4 + ["flip"] * 4 + ["check"] * 4
    assert made.row(DEADLINE.id).flip_words == "50, −17\u202f%"
    assert made.page.studies.told is not None and len(made.page.studies.told.checked) == 4
    made.session.close()


def test_the_sides_are_the_pick_and_the_best_of_the_other_kind(shown: Shown) -> None:
    assert shown.engine.asked[0] == "study b200-256 tpu-v6e-512"
    assert (shown.page.pick_a.currentText(), shown.page.pick_b.currentText()) == ("256 × B200", "512 × TPU v6e")
    shown.page.pick_b.setCurrentIndex(shown.page.pick_b.findText("512 × H200 SXM"))
    shown.page.pick_b.activated.emit(shown.page.pick_b.currentIndex())
    shown.settle()
    assert "study b200-256 h200-sxm-512" in shown.engine.asked


def test_pins_are_the_sides(qtbot: QtBot) -> None:
    made = opened(qtbot, known(sample_results()), Canned())
    made.session.pin("mi300x-512")
    made.session.pin("b200-256")
    made.settle()
    assert made.engine.asked[-1] != "" and "study mi300x-512 b200-256" in made.engine.asked
    made.session.close()


def test_another_gap_orders_the_rows_anew_and_asks_nothing(shown: Shown) -> None:
    n_asked = len([one for one in shown.engine.asked if not one.startswith("map")])
    cost = shown.panel.findChild(QPushButton, "what-if-gap-cost")
    assert cost is not None
    shown.qtbot.mouseClick(cost, Qt.MouseButton.LeftButton)
    assert shown.page.gap_view.rows[0].input is PRICE
    assert len([one for one in shown.engine.asked if not one.startswith("map")]) == n_asked


def test_a_mark_that_is_dragged_tells_the_pick_and_sets_the_input_as_one_step(shown: Shown) -> None:
    view, number = shown.page.gap_view, shown.place(DEADLINE.id)
    edges, start = Edges.of(view.width()), view.mark_at(number).toPoint()
    end = QPoint(round(edges.strip_x(-1.5)), start.y())
    shown.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    shown.qtbot.mouseMove(view, end)
    shown.qtbot.waitUntil(lambda: view.trying is not None and view.trying.picked is not None and view.trying.at < -1.4)
    assert view.trying is not None and view.trying.picked is not None
    assert view.trying.picked.name == "512 × TPU v6e"
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
    profile = shown.session.profile
    assert profile is not None and profile.limits.deadline_days == pytest.approx(37.5, abs=0.5)
    assert round(profile.limits.deadline_days, 1) == profile.limits.deadline_days  # as a person would type it
    assert shown.session.undo_stack.count() == 1


def test_a_double_click_sets_the_input_where_its_pick_changes(shown: Shown) -> None:
    view = shown.page.gap_view
    at = view.mark_at(shown.place(DEADLINE.id)).toPoint()
    shown.qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    profile = shown.session.profile
    assert profile is not None and profile.limits.deadline_days == 40


def test_what_only_the_engine_knows_cannot_be_entered(shown: Shown) -> None:
    plan = shown.session.plan
    shown.page.gap_view.set_wanted.emit(PRICE, 7.0)
    assert shown.session.plan == plan and "cannot be entered" in shown.page.goal.answer.text()


def test_keys_walk_the_rows_and_move_a_mark(shown: Shown) -> None:
    view = shown.page.gap_view
    view.setFocus()
    shown.qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription().startswith("Budget: now $3\u202fM, likely $2.4–3.75\u202fM")
    shown.qtbot.keyClick(view, Qt.Key.Key_Up)
    for _ in range(8):
        shown.qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    shown.qtbot.waitUntil(lambda: "512 × TPU v6e" in view.accessibleDescription())
    shown.qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.trying is None
    shown.qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[1].split("\t") == [
        "Deadline, days",
        "60",
        "45–90",
        "−420 $k",
        "+180 $k",
        "40, −33\u202f%",
        "512 × TPU v6e",
    ]


@pytest.mark.parametrize(
    ("serving", "name", "note"),
    [(False, "Days", "days to finish"), (True, "Token time", "time per output token, ms")],
)  # fmt: skip
def test_the_gap_in_time_has_the_name_of_the_job_s_time(qtbot: QtBot, serving: bool, name: str, note: str) -> None:
    made = opened(qtbot, known(sample_results(serving=serving)), Canned())
    made.settle()
    button = made.panel.findChild(QPushButton, "what-if-gap-time")
    assert button is not None and button.isEnabled() and button.text() == name
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    table = made.page.gap_view.table
    assert table is not None and table.now == -17.0 and table.title == note
    assert note in made.page.gap_view.note
    made.session.close()


def test_a_gap_in_time_is_none_to_choose_where_an_option_has_no_time(qtbot: QtBot) -> None:
    made = opened(qtbot, known(sample_results()), Canned(has_time=False))
    made.settle()
    button = made.panel.findChild(QPushButton, "what-if-gap-time")
    assert button is not None and not button.isEnabled() and button.toolTip() == NO_TIME
    made.session.close()


def test_the_map_is_an_image_with_the_picks_and_its_ring_edits_both_inputs(shown: Shown) -> None:
    heat = shown.page.heat_view
    assert heat.heat is not None and (heat.heat.x.id, heat.heat.y.id) == (DEADLINE.id, PRICE.id)
    assert heat.name_at(46, 6.2) == "B200" and heat.name_at(89, 6.2) == "TPU v6e"
    shown.page.up.setCurrentIndex(shown.page.up.findData(BUDGET.id))
    shown.page.up.activated.emit(0)
    shown.qtbot.waitUntil(lambda: heat.heat is not None and heat.heat.y is BUDGET)
    heat.setFocus()
    shown.qtbot.keyClick(heat, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    shown.qtbot.keyClick(heat, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.qtbot.keyClick(heat, Qt.Key.Key_Return)
    profile = shown.session.profile
    assert profile is not None and (profile.limits.deadline_days or 60) < 60 and (profile.limits.budget_usd or 0) > 3e6
    assert shown.session.undo_stack.count() == 1


def test_the_map_names_chips_and_the_ring_the_option_that_is_picked_where_it_stands(shown: Shown) -> None:
    """Regions had the number of chips of the cell that was asked first: "8 × B200" below a verdict of four."""
    heat = shown.page.heat_view
    named = [one.toPlainText() for one in heat.items if isinstance(one, pg.TextItem)]
    assert named == ["B200", "TPU v6e"]
    assert heat.accessibleDescription().endswith("B200 and TPU v6e. This plan: 256 × B200")
    heat.setFocus()
    shown.qtbot.keyClick(heat, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert heat.accessibleDescription() == "60, $6.27: B200", "until it is known how many"
    shown.qtbot.waitUntil(lambda: heat.accessibleDescription() == "60, $6.27: 128 × B200")
    assert shown.engine.asked[-1] == f"try {DEADLINE.id} {PRICE.id}"
    shown.qtbot.keyClick(heat, Qt.Key.Key_Home)
    assert heat.accessibleDescription() == "60, $6.20: 256 × B200"


def test_inputs_of_the_map_are_read_whole_in_a_small_window_and_end_in_dots_where_they_cannot(shown: Shown) -> None:
    shown.panel.resize(1092, 640)
    QGuiApplication.processEvents()
    up, across = shown.page.up, shown.page.across
    assert "chip hour" in up.currentText()
    assert (across.shown, up.shown) == (across.currentText(), up.currentText())
    up.setFixedWidth(90)
    QGuiApplication.processEvents()
    assert up.shown.endswith("\u2026") and up.toolTip() == up.currentText()


def test_the_draws_stand_with_their_table(shown: Shown) -> None:
    assert shown.page.hundred.texts[1:] == [
        ["Cheaper", "12", "88"],
        ["Keeps $3\u202fM", "98", "100"],
        ["Better for you", "84", "16"],
    ]
    assert shown.page.cloud_view.accessibleDescription().startswith("Of 100 draws A and B: Cheaper 12 and 88")


def test_a_goal_is_sought_by_the_row_that_is_selected(shown: Shown) -> None:
    goal, view = shown.page.goal, shown.page.gap_view
    shown.qtbot.keyClicks(goal.amount, "1.2 M")
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    shown.qtbot.waitUntil(lambda: goal.answer.text() == "A's cost does not depend on deadline, days")
    shown.qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(60, view.mark_at(2).toPoint().y()))
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    shown.qtbot.waitUntil(lambda: goal.answer.text() == "takes $5.50 (now $6.20)")
    assert shown.engine.asked[-1] == "goal a cost 1.2e+06 price b200"
    shown.qtbot.keyClicks(goal.amount, "x")
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    assert goal.answer.text() == "A number, such as 1.2 M"


def choose(shown: Shown, combo: QComboBox, words: str) -> None:
    """As a person does by keys: the letters of the entry."""
    combo.setFocus()
    shown.qtbot.keyClicks(combo, words)
    assert combo.currentText() == words


def test_an_answer_goes_with_its_question(shown: Shown) -> None:
    """What A's cost took stood beside B's chance."""
    goal = shown.page.goal
    for change in (
        lambda: choose(shown, goal.side, "B"),
        lambda: choose(shown, goal.target, "days to ready"),
        lambda: shown.qtbot.keyClicks(goal.amount, "0"),
        lambda: shown.session.edit("profiles.0.limits.deadline_days", 50.0),
    ):
        goal.amount.clear()
        shown.qtbot.keyClicks(goal.amount, "120")
        shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
        shown.qtbot.waitUntil(lambda: "does not depend on" in goal.answer.text())
        change()
        shown.qtbot.waitUntil(lambda: goal.answer.text() == "")
        shown.settle()


def test_an_answer_that_comes_after_its_question_went_is_not_told(shown: Shown) -> None:
    goal = shown.page.goal
    shown.qtbot.keyClicks(goal.amount, "120")
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    with shown.qtbot.waitSignal(shown.page.studies.sought):
        choose(shown, goal.side, "B")
    assert goal.answer.text() == ""


def test_a_goal_that_is_leapt_over_says_so(shown: Shown) -> None:
    one = PRICE
    goal = Goal(one, 178e3, None, 164e3, True, Jump(one.now, 164e3, 292e3))
    words = f"out of reach: goes from $164\u202fk to $292\u202fk past {value_words(one, one.now)}"
    assert goal_words(goal, "cost", "A") == words


@pytest.mark.parametrize(
    ("target", "typed", "asked", "example"),
    [
        ("total cost", "1.2 M", "goal a cost 1.2e+06", "1.2 M"),
        ("days to ready", "30 days", "goal a days 30", "45"),
        ("days to ready", "30", "goal a days 30", "45"),
        ("chance of keeping limits, %", "50%", "goal a chance 0.5", "90"),
        ("chance of keeping limits, %", "50 %", "goal a chance 0.5", "90"),
    ],
)
def test_a_goal_is_typed_in_its_own_unit(shown: Shown, target: str, typed: str, asked: str, example: str) -> None:
    goal = shown.page.goal
    goal.target.setCurrentText(target)
    assert goal.amount.placeholderText() == f"such as {example}"
    shown.qtbot.keyClicks(goal.amount, typed)
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    shown.qtbot.waitUntil(lambda: any(one.startswith(f"{asked} ") for one in shown.engine.asked))


@pytest.mark.parametrize(
    ("target", "typed", "words"),
    [
        ("total cost", "x", "A number, such as 1.2 M"),
        ("days to ready", "soon", "A number of days, such as 45"),
        ("chance of keeping limits, %", "x", "A chance from 0 to 100, such as 90"),
        ("chance of keeping limits, %", "150", "A chance from 0 to 100, such as 90"),
    ],
)
def test_what_is_no_amount_of_a_goal_says_what_is(shown: Shown, target: str, typed: str, words: str) -> None:
    goal = shown.page.goal
    goal.target.setCurrentText(target)
    shown.qtbot.keyClicks(goal.amount, typed)
    shown.qtbot.keyClick(goal.amount, Qt.Key.Key_Return)
    assert goal.answer.text() == words
    assert not any(one.startswith("goal") for one in shown.engine.asked)


def test_going_back_asks_nothing_and_nothing_is_asked_while_it_is_hidden(shown: Shown) -> None:
    n_asked = len(shown.engine.asked)
    shown.panel.show_view(SCENARIOS)
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.edit("profiles.0.limits.budget_usd", 2.5e6)
    assert len(shown.engine.asked) == n_asked
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.undo_stack.undo()
    shown.panel.show_view("Inputs")
    assert shown.whole() and len(shown.engine.asked) == n_asked


def test_alt_and_arrows_turn_the_pages_and_another_plan_leaves_nothing(shown: Shown) -> None:
    shown.page.gap_view.setFocus()
    shown.qtbot.keyClick(shown.page.gap_view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert shown.panel.views.currentIndex() == 1
    shown.qtbot.keyClick(shown.panel.scenarios.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert shown.panel.views.currentIndex() == 0
    before = shown.page.studies.told
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.open_plan(replace_id(shown.session.plan))
    assert shown.page.studies.told is None or shown.page.studies.told is not before
    shown.settle()


def test_a_page_is_built_when_it_is_first_seen(shown: Shown) -> None:
    """All three were, whichever was opened: a window that stood still for a third of a second."""
    panel = shown.panel
    assert panel.built == [panel.inputs] and panel.inputs.isVisible()
    shown.qtbot.mouseClick(panel.views, Qt.MouseButton.LeftButton, pos=panel.views.tabRect(1).center())
    assert panel.built == [panel.inputs, panel.scenarios]
    assert panel.scenarios.isVisible() and panel.scenarios.controls.isVisible() and not panel.inputs.isVisible()


def test_a_plan_opened_while_nobody_looks_leaves_nothing_of_the_one_before(shown: Shown) -> None:
    """The same document opened again, too: its study stood until somebody came back to the page."""
    shown.panel.show_view("Scenarios")
    assert shown.page.studies.told is not None
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.open_plan(shown.session.plan)
    assert shown.page.studies.told is None
    shown.panel.show_view("Inputs")
    shown.settle()


def test_what_was_asked_goes_with_its_answer(shown: Shown) -> None:
    """Each work held itself through its own signal, and with it all that was asked: 20 MB an edit, for ever."""
    for deadline_days in (50.0, 55.0):
        with shown.qtbot.waitSignal(shown.session.results_changed):
            shown.session.edit("profiles.0.limits.deadline_days", deadline_days)
        shown.settle()
    shown.qtbot.waitUntil(none_is_left)


def replace_id(plan: Plan) -> Plan:
    return plan.model_copy(update={"id": "another"})


def test_a_study_rests_once_it_is_whole(shown: Shown) -> None:
    """It kept some 50 MB of a service that it had worked with, each of the last two."""
    shown.qtbot.waitUntil(lambda: shown.session.road.is_idle)
    assert shown.engine.n_rests > 0


def test_a_study_rests_when_nobody_looks(qtbot: QtBot) -> None:
    made = opened(qtbot, known(sample_results()), Canned(holds=True))
    qtbot.waitUntil(lambda: "flip limits.deadline_days" in made.engine.asked)
    assert made.engine.n_rests == 0
    made.panel.hide()
    qtbot.waitUntil(lambda: made.session.road.is_idle)
    assert made.engine.n_rests == 1
    made.session.close()


def test_the_first_picture_comes_early_and_the_work_can_be_stopped(qtbot: QtBot) -> None:
    made = opened(qtbot, known(sample_results()), Canned(holds=True))
    qtbot.waitUntil(lambda: "flip limits.deadline_days" in made.engine.asked)
    assert made.row(DEADLINE.id).low == -4.2e5 and made.row(DEADLINE.id).marks is None
    stop = made.panel.findChild(QPushButton, "what-if-cancel")
    assert stop is not None and stop.isVisible()
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    assert not made.page.studies.is_working and not stop.isVisible()
    made.session.close()


@pytest.mark.parametrize("n_options", [0, 1])
def test_without_two_options_a_sentence_says_so(qtbot: QtBot, n_options: int) -> None:
    results = known(sample_results())
    alone = replace(
        results, results=results.results[:1], recommendation=replace(results.recommendation, runner_up=None)
    )
    made = opened(qtbot, alone if n_options else known(empty_results()), Canned())
    words = ONE_ONLY if n_options else "Fill in tokens and deadline to see a ranking"
    qtbot.waitUntil(lambda: made.page.sentence.text() == words)
    assert made.page.stack.currentWidget() is made.page.sentence
    made.session.close()


@pytest.mark.parametrize("width_px", [760, 860, 1000, 1150, 1600])
def test_no_words_of_the_bars_stand_over_others(shown: Shown, monkeypatch: pytest.MonkeyPatch, width_px: int) -> None:
    """In half of a screen "drag a mark" stood over "New pick", and "low end" over "now"."""
    told: list[tuple[float, float, float, str]] = []
    paint = Ink.text

    def text(ink: Ink, x: float, y: float, words: str, key: str = "ink2", align: str = "left", **more: Any) -> float:
        width = paint(ink, x, y, words, key, align, **more)
        left = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        told.append((y, left, left + width, words))
        return width

    shown.settle()
    shown.page.gap_view.resize(width_px, shown.page.gap_view.height())
    monkeypatch.setattr(Ink, "text", text)
    shown.page.gap_view.grab()
    lines = sorted(one for one in told if one[3])
    over = [(a[3], b[3]) for a, b in pairwise(lines) if a[0] == b[0] and a[2] > b[1] + 0.5]
    assert len(lines) > 20 and over == []


def test_all_pages_are_named_in_a_narrow_window_also_at_work(shown: Shown) -> None:
    """Trade-offs hid behind two arrows at 960 × 600."""
    strip = shown.panel.views
    shown.panel.resize(771, 418)
    shown.page.cancel.show()
    shown.qtbot.waitUntil(lambda: strip.tabRect(strip.count() - 1).right() <= strip.width())
    assert all(strip.tabRect(number).left() >= 0 for number in range(strip.count()))
    assert not shown.page.progress.isVisible()


def test_without_options_there_is_nothing_to_choose(shown: Shown) -> None:
    assert shown.page.pick_a.isEnabled() and shown.page.pick_b.isEnabled()
    shown.page.show_results(empty_results())
    assert not shown.page.pick_a.isEnabled() and not shown.page.pick_b.isEnabled()


def test_a_map_that_a_fault_ended_is_asked_again(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    studies, axes = shown.page.studies, (SPEED.id, BUDGET.id)
    with monkeypatch.context() as broken:
        broken.setattr(shown.engine, "maps", _breaks)
        with shown.qtbot.waitSignal(studies.crashed):
            studies.ask_map(axes)
        shown.qtbot.waitUntil(lambda: shown.session.road.is_idle)
    studies.ask_map(axes)
    shown.qtbot.waitUntil(lambda: studies.told is not None and axes in studies.told.maps)


def _breaks(*_: object) -> Iterator[HeatMap]:
    raise ZeroDivisionError("made up")
    yield
