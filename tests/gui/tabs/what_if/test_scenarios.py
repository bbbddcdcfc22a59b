"""Scenarios side by side, driven as a person would: read, edit in place, reset, rename, scroll, copy, stop."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import Cancelled
from core.comparison.result import CandidateResult, ResultSet
from core.plan.plan import Plan, Scenario
from core.plan.scenario import resolve
from core.throughput.correction import Corrections
from core.workload.profile import Profile
from gui.charts.paint.brush import Ink
from gui.session.plan_session import PlanSession
from gui.tabs.what_if.panel import SCENARIOS, WhatIfPanel
from gui.tabs.what_if.scenarios_page import ScenariosPage
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import themes
from tests.gui.tabs.what_if.works import works

DEADLINE = "profiles.0.limits.deadline_days"
SELLERS, MANY = "profiles.0.places.providers", ("aws", "gcp", "azure", "oci", "lambda", "nebius", "crusoe")
BASIS = sample_results()
PLAN = Plan(
    id="test",
    profiles=(BASIS.profile,),
    scenarios=(
        Scenario(id="base", name="Base"),
        Scenario(id="soon", name="Done in 30 days", overrides={DEADLINE: 30}),
        Scenario(id="cheap", name="Small & cheap", overrides={"profiles.0.limits.budget_usd": 1.6e6}),
    ),
)


@dataclass
class Engine:
    """Answers at once; in 30 days nothing fits, with ``times`` as many chips. Notes the deadlines that were asked."""

    asked: list[float | None] = field(default_factory=list)
    holds: bool = False
    times: int = 1

    def counted(self, result: CandidateResult) -> CandidateResult:
        """An option with so many times the chips."""
        candidate = replace(result.candidate, n_chips=self.times * result.candidate.n_chips)
        return replace(result, candidate=candidate)

    def __call__(self, profile: Profile, _: Catalogue, __: Corrections, cancelled: Callable[[], bool]) -> ResultSet:
        self.asked.append(profile.limits.deadline_days)
        while self.holds and profile.limits.budget_usd == 1.6e6:
            if cancelled():
                raise Cancelled
        if profile.limits.deadline_days == 30:
            none = replace(BASIS.recommendation, choice=None, runner_up=None, headline="No option meets every limit.")
            told = replace(sample_results(n_feasible=0), profile=profile, recommendation=none)
            return replace(told, results=tuple(map(self.counted, told.results)))
        return replace(BASIS, profile=profile)


@dataclass
class Shown:
    """The tab on screen, with the engine behind it."""

    panel: WhatIfPanel
    engine: Engine
    qtbot: QtBot

    @property
    def page(self) -> ScenariosPage:
        return self.panel.scenarios

    @property
    def session(self) -> PlanSession:
        return self.page.session

    def texts(self, title: str) -> list[str]:
        """The cells of a line, as they are copied."""
        assert self.page.view.sheet is not None
        return next(line[1:] for line in self.page.view.sheet.grid() if line[0].startswith(title))

    def click(self, kind: str, number: int, column: int) -> None:
        at = self.page.view.middle_of(kind, number, column).toPoint()
        self.qtbot.mouseClick(self.page.view, Qt.MouseButton.LeftButton, pos=QPoint(at))

    def settle(self) -> None:
        if not self.page.is_settled:
            with self.qtbot.waitSignal(self.page.settled, timeout=10_000):
                pass


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    """The tab on a plan with two scenarios, all answered."""
    engine = Engine()
    session = PlanSession(PLAN, load_catalogue(), engine)
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.start()
    panel = WhatIfPanel(session, themes())
    panel.show_view(SCENARIOS)
    qtbot.addWidget(panel)
    panel.resize(1250, 720)
    made = Shown(panel, engine, qtbot)
    with qtbot.waitExposed(panel):
        panel.show()
    made.settle()
    yield made
    session.close()


def test_all_scenarios_stand_side_by_side(shown: Shown) -> None:
    assert shown.texts("Pick")[0].startswith("256 × B200")
    assert shown.texts("Pick")[1] == "None fits, nearest: 512 × H200 SXM, 3.0\u202fd late"
    assert shown.texts("Deadline") == ["60 days", "30 days", "60 days"]
    assert shown.page.view.sheet is not None
    assert shown.page.view.sheet.head == 'The pick changes in one of two; nothing fits in "Done in 30 days"'


@pytest.mark.parametrize(("sellers", "is_taller"), [(("aws",), False), (MANY, True)])
def test_an_input_of_many_words_stands_in_a_taller_line(
    shown: Shown, sellers: tuple[str, ...], is_taller: bool
) -> None:
    changed = PLAN.scenarios[1].model_copy(update={"overrides": {DEADLINE: 30, SELLERS: sellers}})
    plan = PLAN.model_copy(update={"scenarios": (PLAN.scenarios[0], changed)})
    shown.session.replace_plan(plan, "Sellers")
    shown.settle()
    sheet = shown.page.view.sheet
    assert sheet is not None
    bands = [band for band in sheet.bands if band.kind == "input"]
    heights = {row.info.path: band.height for row, band in zip(sheet.inputs.rows, bands, strict=True)}
    assert (heights[SELLERS.removeprefix("profiles.0.")] > heights["limits.deadline_days"]) is is_taller


def test_what_was_asked_goes_with_its_answer(shown: Shown) -> None:
    gc.collect()
    assert works() == []


def test_nothing_is_asked_while_the_tab_is_hidden_and_going_back_asks_nothing(shown: Shown) -> None:
    n_asked = len(shown.engine.asked)
    shown.panel.hide()
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.edit(DEADLINE, 45)
    assert len(shown.engine.asked) == n_asked + 1  # what is on screen elsewhere
    shown.panel.show()
    shown.settle()
    assert shown.engine.asked[n_asked:] == [45, 45]  # the third scenario; the second has a deadline of its own
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.undo_stack.undo()
    shown.settle()
    assert len(shown.engine.asked) == n_asked + 2
    assert shown.texts("Deadline")[0] == "60 days"


def test_a_cell_is_edited_where_it_stands_as_one_step(shown: Shown) -> None:
    shown.click("input", 0, 1)
    line = shown.page.findChild(QLineEdit, "field-limits.deadline_days")
    assert line is not None and line.text() == "30" and line.hasFocus()
    line.selectAll()
    shown.qtbot.keyClicks(line, "40")
    shown.qtbot.keyClick(line, Qt.Key.Key_Return)
    shown.settle()
    assert resolve(shown.session.plan, "soon").profiles[0].limits.deadline_days == 40
    assert shown.session.plan.profiles == PLAN.profiles
    assert shown.texts("Pick")[1].startswith("256 × B200")
    assert shown.session.undo_stack.count() == 1
    shown.session.undo_stack.undo()
    assert shown.texts("Deadline") == ["60 days", "30 days", "60 days"]


def test_a_grey_cell_that_is_edited_differs_from_then_on(shown: Shown) -> None:
    shown.click("input", 0, 2)
    line = shown.page.findChild(QLineEdit, "field-limits.deadline_days")
    assert line is not None
    line.selectAll()
    shown.qtbot.keyClicks(line, "50")
    shown.qtbot.keyClick(line, Qt.Key.Key_Return)
    shown.settle()
    assert resolve(shown.session.plan, "cheap").profiles[0].limits.deadline_days == 50


def test_esc_and_what_is_no_value_change_nothing(shown: Shown) -> None:
    shown.click("input", 0, 1)
    line = shown.page.findChild(QLineEdit, "field-limits.deadline_days")
    assert line is not None
    shown.qtbot.keyClicks(line, "x")
    shown.qtbot.keyClick(line, Qt.Key.Key_Return)
    assert line.isVisible()
    shown.qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert not line.isVisible()
    assert shown.session.plan == PLAN and shown.page.view.hasFocus()


def test_the_arrow_brings_the_base_s_value_back(shown: Shown) -> None:
    reset = shown.page.findChild(QToolButton, "scenario-reset-soon-limits.deadline_days")
    assert reset is not None and reset.isVisible()
    shown.qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert shown.session.plan.scenarios[1].overrides == {}
    shown.settle()


def test_keys_walk_edit_reset_and_copy(shown: Shown) -> None:
    view = shown.page.view
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.accessibleDescription() == "Deadline, Base: 60 days"
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right):
        shown.qtbot.keyClick(view, key)
    assert view.accessibleDescription() == "Deadline, Done in 30 days: 30 days"
    shown.qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "30 days"
    shown.qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert shown.session.plan.scenarios[1].overrides == {}
    shown.settle()


def test_the_menu_duplicates_moves_makes_base_and_deletes(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(column: int, words: str) -> None:
        menu = shown.page.menu(column)
        next(action for action in menu.actions() if action.text() == words).trigger()
        menu.deleteLater()
        shown.settle()

    choose(1, "Duplicate")
    assert [one.name for one in shown.session.plan.scenarios][-1] == "Done in 30 days (copy)"
    choose(3, "Move left")
    assert shown.session.plan.scenarios[2].name == "Done in 30 days (copy)"
    choose(2, "Delete")
    assert shown.session.plan == PLAN
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Sooner", True))
    choose(1, "Rename…")
    assert shown.session.plan.scenarios[1].name == "Sooner"
    choose(1, "Make base")
    assert shown.session.plan.profiles[0].limits.deadline_days == 30
    assert shown.texts("Pick")[0].startswith("None fits")


def test_a_head_is_dragged_to_another_place(shown: Shown) -> None:
    view = shown.page.view
    first, second = (view.middle_of("head", 0, column).toPoint() for column in (1, 2))
    shown.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=first)
    shown.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=second)
    assert [one.id for one in shown.session.plan.scenarios] == ["base", "cheap", "soon"]


def test_an_option_that_is_clicked_is_shown_in_its_scenario(shown: Shown) -> None:
    shown.click("option", 1, 2)
    assert shown.session.scenario_id == "cheap"
    assert shown.page.view.sheet is not None
    point = shown.page.view.sheet.options[1].points[2]
    assert point is not None and shown.session.selected_id == point.result.id


def test_another_number_of_chips_is_told_with_what_it_misses(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """A black "1 024 chips" stood in place of how late they are."""
    shown.engine.times = 2
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.edit("profiles.0.limits.budget_usd", 2.9e6)
    shown.settle()
    sheet, view = shown.page.view.sheet, shown.page.view
    assert sheet is not None
    number = [one.first.candidate.name for one in sheet.options].index("512 × H200 SXM")
    assert shown.texts("512 × H200 SXM")[1] == "1\u202f024 chips, 3.0\u202fd late"
    shown.click("option", number, 1)
    assert view.accessibleDescription() == "512 × H200 SXM, Done in 30 days: 1\u202f024 chips, 3.0\u202fd late"
    painted: dict[str, str] = {}
    paint = Ink.text

    def text(ink: Ink, x: float, y: float, words: str, key: str = "ink2", align: str = "left", **more: Any) -> float:
        painted[words] = key
        return paint(ink, x, y, words, key, align, **more)

    monkeypatch.setattr(Ink, "text", text)
    view.grab()
    assert painted["1\u202f024 ×"] == "ink2" and painted["3.0\u202fd late"] == "err"


def test_differences_are_to_the_scenario_chosen(shown: Shown) -> None:
    shown.page.differences.setCurrentIndex(1)
    shown.page.differences.activated.emit(1)
    assert shown.page.view.sheet is not None and shown.page.view.sheet.reference == 1


def test_where_there_is_no_room_the_others_scroll_and_the_base_stays(shown: Shown) -> None:
    assert not shown.page.sideways.isVisible()
    shown.panel.resize(800, 600)
    assert shown.page.sideways.isVisible()
    base = shown.page.view.columns.left(0)
    shown.page.sideways.setValue(shown.page.sideways.maximum())
    columns = shown.page.view.columns
    assert columns.left(0) == base and columns.left(2) + columns.column_px <= columns.width


def test_the_first_columns_come_early_and_the_rest_can_be_stopped(shown: Shown) -> None:
    shown.engine.holds = True
    with shown.qtbot.waitSignal(shown.session.results_changed):
        shown.session.edit(DEADLINE, 45)
    shown.qtbot.waitUntil(lambda: shown.page.view.sheet is not None and shown.texts("Pick")[0].startswith("256"))
    sheet = shown.page.view.sheet
    assert sheet is not None and sheet.faded == {2}  # the last picture stays, faded
    stop = shown.panel.findChild(QPushButton, "scenario-cancel")
    assert stop is not None and stop.isVisible()
    shown.qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    assert shown.page.is_settled and shown.page.progress.text() == "Stopped"
    shown.engine.holds = False
    shown.qtbot.mouseClick(shown.page.again, Qt.MouseButton.LeftButton)
    shown.settle()
    assert shown.page.view.sheet is not None and not shown.page.view.sheet.faded


def test_before_all_is_typed_the_inputs_stand_alone(qtbot: QtBot) -> None:
    empty = empty_results()
    session = PlanSession(PLAN, load_catalogue(), lambda profile, *_: replace(empty, profile=profile))
    panel = WhatIfPanel(session, themes())
    panel.show_view(SCENARIOS)
    qtbot.addWidget(panel)
    panel.show()
    with qtbot.waitSignal(panel.scenarios.settled):
        session.start()
    sheet = panel.scenarios.view.sheet
    assert sheet is not None and len(sheet.inputs.rows) == 2 and not sheet.rows
    session.close()
