"""The page of the portfolio in its tab: settings, lines that are dragged, states, and nothing done while hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.scenario import add_scenario
from core.workload.portfolio import Portfolio
from gui.charts.paint.brush import TEXT_PX
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tables.figure_table import GAP_PX, PAD_PX
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.portfolio import page as portfolio_page
from gui.tabs.portfolio.page import PortfolioPage
from gui.theme.fonts import width_px
from tests.gui.sample_session import themes
from tests.gui.tabs.conftest import Engine
from tests.gui.tabs.portfolio.conftest import by_the_year
from tests.gui.tabs.portfolio.eight_models import eight_models

PATIENCE_MS = 60_000
PORTFOLIO = 1


@pytest.fixture
def panel(qtbot: QtBot, engine: Engine) -> Iterator[OverTimePanel]:
    session = PlanSession(eight_models(by_the_year()), load_catalogue(), engine)
    made = OverTimePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(984, 682)
    made.views.setCurrentIndex(PORTFOLIO)
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        session.start()
    yield made
    session.close()


@pytest.fixture
def page(qtbot: QtBot, panel: OverTimePanel) -> PortfolioPage:
    """On screen, with its answer."""
    with qtbot.waitExposed(panel):
        panel.show()
    _idle(qtbot, panel.session)
    assert panel.portfolio.answer is not None
    return panel.portfolio


def _idle(qtbot: QtBot, session: PlanSession) -> None:
    QGuiApplication.processEvents()
    qtbot.waitUntil(lambda: session.road.is_idle, timeout=PATIENCE_MS)


def _steps(session: PlanSession) -> list[str]:
    return [session.undo_stack.text(number) for number in range(session.undo_stack.count())]


def _settings(session: PlanSession) -> Portfolio:
    assert session.plan.portfolio is not None
    return session.plan.portfolio


def test_nothing_is_worked_out_while_nobody_looks(qtbot: QtBot, panel: OverTimePanel) -> None:
    session, page = panel.session, panel.portfolio
    _idle(qtbot, session)
    assert page.answer is None
    panel.show()
    _idle(qtbot, session)
    first = page.answer
    assert first is not None
    panel.views.setCurrentIndex(0)
    session.edit("portfolio", by_the_year().model_copy(update={"months": 6}))
    _idle(qtbot, session)
    assert page.answer is first
    panel.views.setCurrentIndex(PORTFOLIO)
    _idle(qtbot, session)
    assert page.answer is not first


def test_pages_turn_by_keys_and_bring_their_own_controls(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    assert page.show_box.isVisible() and not panel.template.isVisible()
    QTest.keyClick(panel.views, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert panel.views.currentIndex() == 0 and panel.template.isVisible() and not page.show_box.isVisible()
    for _ in range(3):
        QTest.keyClick(panel.views, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert panel.views.currentIndex() == 2 and not page.show_box.isVisible()


def test_another_way_is_drawn_from_the_list_and_from_the_table(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    told: list[bool] = []
    page.story_told.connect(lambda story, opens: told.append(opens) if story else None)
    assert page.drawing is not None and page.drawing.scheme is page.drawing.answer.chosen
    page.show_box.activated.emit(page.show_box.findData("own"))
    _idle(qtbot, panel.session)
    assert page.drawing.scheme.id == "own" and page.show_box.currentData() == "own"
    assert len(page.demand) == len(page.drawing.demand) > 1
    page.ways.setCurrentIndex(page.ways.rows.index(0, 0))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(page.ways, key)
    _idle(qtbot, panel.session)
    assert page.drawing.scheme.id == page.drawing.answer.schemes[1].id and told == [False, True]
    assert len(page.demand) == len(page.drawing.demand)
    QTest.keyClick(page.quarters, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines()[0].endswith("\tTotal")


def _drag(chart: ChartView, start: QPoint, goal: QPoint) -> None:
    view = chart._plot.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for at in (QPoint((start.x() + goal.x()) // 2, (start.y() + goal.y()) // 2), goal):
        QTest.mouseMove(view, at)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=goal)


@pytest.mark.parametrize("is_curve", [False, True])
def test_the_base_is_dragged_in_either_picture_as_one_step(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage, is_curve: bool
) -> None:
    chart = page.commit if is_curve else page.demand[0]
    picture = chart.picture()
    assert picture is not None and page.answer is not None
    before = page.answer.one_pool.account.base_chips
    view, goal = picture.view, before - 3
    across, up = view.left + view.width / 2, view.top + view.height / 2
    places = [
        QPoint(round(view.px(at)), round(up)) if is_curve else QPoint(round(across), round(view.py(at)))
        for at in (before, goal)
    ]
    told: list[str] = []
    chart.limit_moved.connect(lambda *_: told.append(page.commit_words.text()))
    _drag(chart, *places)
    assert told and told[-1].startswith(f"{goal} chips committed, $")
    _idle(qtbot, panel.session)
    assert _settings(panel.session).base_chips == goal and _steps(panel.session) == ["Committed base"]
    assert page.answer.one_pool.account.base_chips == goal and page.least.isVisible()
    assert {one.at for one in (*page.commit.figure.limits, *page.demand[0].figure.limits)} == {float(goal)}
    page.least.click()
    _idle(qtbot, panel.session)
    assert _settings(panel.session).base_chips is None and not page.least.isVisible()
    panel.session.undo_stack.undo()
    assert _settings(panel.session).base_chips == goal


def test_keys_move_the_base_by_a_host(qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage) -> None:
    assert page.answer is not None
    before = page.answer.one_pool.account.base_chips
    QTest.keyClick(page.demand[0], Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    step = page.answer.one_pool.site.chips_per_host
    assert _settings(panel.session).base_chips == before + step
    _idle(qtbot, panel.session)
    QTest.keyClick(page.commit, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert _settings(panel.session).base_chips == before and len(_steps(panel.session)) == 2
    _idle(qtbot, panel.session)


def test_arrows_walk_workloads_and_weeks(page: PortfolioPage) -> None:
    chart = page.demand[0]
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert page.answer is not None
    assert chart.accessibleDescription().startswith(f"{page.answer.bands[0].name}, week of ")
    chart.grab()


def test_each_setting_is_a_step_of_its_own_and_typing_is_one(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    session = panel.session
    page.settings_button.click()
    cells = page.settings.cells
    assert cells["months"].isVisible() and page.members.isVisible()
    line = cells["months"].editor.findChild(QLineEdit)
    assert line is not None
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "18")
    line.returnPressed.emit()
    assert _settings(session).months == 18 and len(_steps(session)) == 1
    box = cells["lends_quiet_hours"].editor.findChild(QCheckBox)
    assert box is not None
    box.click()
    cells["pooling"].editor.edited.emit("split")
    cells["pooling"].editor.finished.emit()
    assert (_settings(session).lends_quiet_hours, _settings(session).pooling) == (False, "split")
    assert _steps(session) == [
        f"{cells[one].info.title} of the portfolio" for one in ("months", "lends_quiet_hours", "pooling")
    ]
    _idle(qtbot, session)
    assert page.drawing is not None and page.drawing.scheme.id == "split"
    session.undo_stack.undo()
    _idle(qtbot, session)
    assert _settings(session).pooling == "one" and page.drawing.scheme.id == "base"


def test_what_is_no_value_is_told_below_its_field_and_changes_nothing(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    page.settings_button.click()
    cell = page.settings.cells["months"]
    line = cell.editor.findChild(QLineEdit)
    assert line is not None
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "180")
    assert cell.message.isVisible() and "60" in cell.message.text()
    assert _settings(panel.session).months == 12
    line.selectAll()
    QTest.keyClicks(line, "9")
    assert not cell.message.isVisible() and _settings(panel.session).months == 9
    _idle(qtbot, panel.session)


def test_workloads_take_part_or_not_and_two_are_needed(qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage) -> None:
    session = panel.session
    page.settings_button.click()
    model = page.members.members
    for row in range(7):
        model.setData(model.index(row, 0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
        QGuiApplication.processEvents()
    _idle(qtbot, session)
    assert page.answer is None and page.empty.text() == portfolio_page.TOO_FEW_TAKE_PART and not page.add.isVisible()
    assert page.members.isVisible() and _steps(session)[0] == "Takes part of Chat 70B"
    for _ in range(7):
        session.undo_stack.undo()
    _idle(qtbot, session)
    assert page.answer is not None


def test_a_plan_with_one_workload_says_what_to_do(qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage) -> None:
    plan = panel.session.plan
    panel.session.replace_plan(plan.model_copy(update={"profiles": plan.profiles[:1]}), "One left")
    _idle(qtbot, panel.session)
    assert page.empty.isVisible() and page.empty.text() == portfolio_page.TOO_FEW
    with qtbot.waitSignal(panel.workload_wanted):
        page.add.click()


def test_a_chip_on_which_nothing_runs_is_told(qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage) -> None:
    panel.session.edit("portfolio", Portfolio(chip="no-such-chip"))
    _idle(qtbot, panel.session)
    assert page.empty.isVisible() and page.empty.property("kind") == "err" and "no-such-chip" in page.empty.text()
    panel.session.undo_stack.undo()
    _idle(qtbot, panel.session)
    assert page.headline.isVisible()


def test_a_plan_of_which_nothing_was_set_has_an_answer_too(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    panel.session.edit("portfolio", None)
    _idle(qtbot, panel.session)
    assert page.answer is not None and page.headline.text()
    page.settings_button.click()
    page.settings.cells["copies"].editor.edited.emit(2)
    assert _settings(panel.session) == Portfolio(copies=2)
    _idle(qtbot, panel.session)


def test_a_model_goes_to_another_chip_and_back_as_steps(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    session, view = panel.session, page.packing.view
    assert page.answer is not None and page.answer.packing is not None
    first = view.bins[0].pills[0].placed.workload
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        modifiers = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_Down else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(view, key, modifiers)
    _idle(qtbot, session)
    assert [(one.workload, one.chip) for one in _settings(session).pins] == [(first, 2)]
    assert len(page.answer.packing.chips) == 2
    moved = view.place_of(first)
    assert moved is not None and moved.placed.is_pinned and moved in view.bins[1].pills
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert _settings(session).pins == () and len(_steps(session)) == 2
    _idle(qtbot, session)


def test_a_scenario_has_settings_of_its_own(qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage) -> None:
    session = panel.session
    session.replace_plan(add_scenario(session.plan, "Smaller"), "Add scenario")
    session.set_scenario(session.plan.scenarios[-1].id)
    page.settings_button.click()
    page.settings.cells["months"].editor.edited.emit(6)
    _idle(qtbot, session)
    assert _settings(session).months == 12 and session.shown_plan.portfolio is not None
    assert session.shown_plan.portfolio.months == 6 and page.answer is not None
    assert page.answer.calendar.n_days < 200
    session.set_scenario("base")
    _idle(qtbot, session)
    assert page.answer.calendar.n_days > 360
    line = page.settings.cells["months"].editor.findChild(QLineEdit)
    assert line is not None and line.text() == "12"


def test_a_plan_open_read_only_is_only_looked_at(qtbot: QtBot, panel: OverTimePanel) -> None:
    panel.session.is_read_only = True
    with qtbot.waitExposed(panel):
        panel.show()
    _idle(qtbot, panel.session)
    page = panel.portfolio
    assert not page.demand[0].figure.limits[0].draggable and not page.packing.view.can_edit
    page.settings_button.click()
    assert not page.settings.cells["months"].isEnabled() and not page.members.members.can_edit


def test_every_figure_and_its_note_is_read_whole_in_a_small_window(
    qtbot: QtBot, panel: OverTimePanel, page: PortfolioPage
) -> None:
    panel.resize(1092, 600)
    _idle(qtbot, panel.session)
    table = page.ways
    for column, cells in enumerate(zip(*(cells for _, cells in table.rows.sheet.rows), strict=True)):
        room = table.columnWidth(column + 1) - 2 * PAD_PX - GAP_PX - table.rows.likely_px[column]
        for cell in cells:
            assert width_px(cell.beside, TEXT_PX, False) <= room, cell.beside


def test_a_click_on_a_layer_opens_its_workload(qtbot: QtBot, page: PortfolioPage, panel: OverTimePanel) -> None:
    session, ids = panel.session, [one.id for one in panel.session.plan.profiles]
    chart = page.demand[0]
    for area in (one for one in chart.figure.areas if one.id in ids[1:]):
        step = max(area.steps, key=lambda one: one.high - one.low)
        if step.high > step.low:
            _click(chart, (step.start + step.end) / 2, step.low + 0.3 * (step.high - step.low))
            assert session.profile_index == ids.index(area.id)
    assert session.profile_index > 0
    before, packed = session.profile_index, next(one for one in chart.figure.areas if one.id == "packed")
    _click(chart, packed.steps[0].end / 2, packed.steps[0].high / 2)
    assert session.profile_index == before
    _idle(qtbot, session)


def _click(chart: ChartView, x: float, y: float) -> None:
    picture = chart.picture()
    assert picture is not None
    at = QPoint(round(picture.view.px(x)), round(picture.view.py(y)))
    QTest.mouseClick(chart._plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
