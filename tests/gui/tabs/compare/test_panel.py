"""The Compare tab: one selection through map and table, limits dragged on the map, work only when it can be seen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.figure.kind import rounded_usd
from gui.session.plan_session import PlanSession
from gui.tabs.compare.panel import ComparePanel
from gui.tabs.compare.table_header import TableHead
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot, session: PlanSession) -> ComparePanel:
    panel = ComparePanel(session, themes())
    qtbot.addWidget(panel)
    panel.resize(1000, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    made = sample_session(qtbot, sample_results())
    yield made
    made.close()


def text_of(panel: ComparePanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_a_row_selects_the_mark_and_a_mark_selects_the_row(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    table = panel.table
    place = table.visualRect(table.candidates.index(2, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.selected_id == table.candidates.rows[2].id == panel.map.lit.selected
    panel.map.picked.emit(table.candidates.rows[4].id)
    assert session.selected_id == table.candidates.rows[4].id
    assert table.currentIndex().row() == 4


def test_pinning_marks_both(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    first, second = (row.id for row in panel.table.candidates.rows[:2])
    panel.map.pin_requested.emit(first)
    panel.table.pin_requested.emit(second)
    assert session.pinned == (first, second) == panel.map.lit.pinned == panel.table.candidates.pinned


def test_dragging_the_budget_is_an_undoable_edit(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    picture = panel.map.picture()
    assert picture is not None
    budget = next(limit for limit in panel.map.figure.limits if limit.id == "budget")
    start, view = QPoint(round(picture.view.px(budget.at)), 150), panel.map._plot.viewport()
    with qtbot.waitSignal(session.results_changed):
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(view, start - QPoint(60, 0))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start - QPoint(60, 0))
    assert session.profile is not None
    budget_usd = session.profile.limits.budget_usd
    assert budget_usd is not None and 2e6 < budget_usd < 3e6
    with qtbot.waitSignal(session.results_changed):
        session.undo_stack.undo()
    assert session.profile.limits.budget_usd == 3e6


def test_dragging_the_deadline_gives_whole_days(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    with qtbot.waitSignal(session.results_changed):
        panel.map.limit_moved.emit("time", 44.7)
    assert session.profile is not None and session.profile.limits.deadline_days == 45


def test_a_hidden_tab_draws_nothing_until_it_is_shown(qtbot: QtBot, session: PlanSession) -> None:
    panel = ComparePanel(session, themes())
    qtbot.addWidget(panel)
    session.select(sample_results().results[1].id)
    assert panel.map.figure.ids == () and panel.table.candidates.rowCount() == 0
    with qtbot.waitExposed(panel):
        panel.show()
    assert len(panel.map.figure.marks) == 11 and panel.table.candidates.rowCount() == 11


def test_counts_and_weights_are_told(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    assert text_of(panel, "table-count") == "8 can be had, 3 rejected"
    assert text_of(panel, "table-weights") == "Ranked on the worst third of outcomes, weights 50, 25, 25"


def test_show_all_brings_filters_that_narrow(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    field, button = panel.findChild(QLineEdit, "table-filter"), panel.findChild(QPushButton, "show-all")
    kind = panel.findChild(QComboBox, "filter-kind")
    assert isinstance(field, QLineEdit) and isinstance(button, QPushButton) and isinstance(kind, QComboBox)
    assert not field.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert field.isVisible()
    qtbot.keyClicks(field, "tpu us-east5")
    assert panel.table.candidates.rowCount() == 3
    field.clear()
    kind.setCurrentIndex(kind.findText("TPU"))
    assert panel.table.candidates.rowCount() == 4
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.table.candidates.rowCount() == 11


def test_stale_results_say_why_and_lead_to_the_field(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    session.report("profiles.0.limits.deadline_days", "Deadline is not a number")
    assert panel.map.stale
    assert "Showing results from before: Deadline is not a number." in text_of(panel, "stale-bar")
    with qtbot.waitSignal(panel.field_requested) as asked:
        panel._bar.linkActivated.emit("profiles.0.limits.deadline_days")
    assert asked.args == ["profiles.0.limits.deadline_days"]
    session.settle("profiles.0.limits.deadline_days")
    assert not panel.map.stale and not panel._bar.isVisible()


def test_without_a_ranking_there_are_no_axes(qtbot: QtBot) -> None:
    session = sample_session(qtbot, empty_results())
    panel = shown(qtbot, session)
    assert panel.map.figure.empty.startswith("Fill in tokens")
    assert panel.table.candidates.rowCount() == 0 and not panel.table.isVisible()
    assert 'href="profiles.0.job.n_tokens"' in text_of(panel, "stale-bar")
    session.close()


def test_what_is_wrong_before_there_were_results_is_told_without_any(qtbot: QtBot) -> None:
    session = sample_session(qtbot, empty_results())
    panel = shown(qtbot, session)
    session.report("profiles.0.limits.deadline_days", "Deadline is not a number")
    told = text_of(panel, "stale-bar")
    assert told.startswith("Deadline is not a number.") and "Go to field" in told and "before" not in told
    session.close()


def test_dragged_money_is_round() -> None:
    assert rounded_usd(2_987_654) == 2_990_000 and rounded_usd(0) == 1


@pytest.mark.parametrize(("height_px", "scrolls"), [(320, True), (400, True), (700, False), (900, False)])
def test_a_low_window_cuts_neither_map_nor_table(
    qtbot: QtBot, session: PlanSession, height_px: int, scrolls: bool
) -> None:
    """In a window of 1366 x 700 px the map ended above its axis: half of it was painted where nobody saw it."""
    window, panel = QWidget(), ComparePanel(session, themes())
    qtbot.addWidget(window)
    panel.setParent(window)  # without a layout, as a window that is lower than its panels wish
    panel.setFixedSize(1000, height_px)
    with qtbot.waitExposed(window):
        window.show()
    for part in (panel.map, panel.table):
        inside = part.parentWidget()
        assert inside is not None and part.geometry().bottom() <= inside.height(), part.objectName()
    scroll = panel.findChild(QScrollArea, "compare-scroll")
    assert isinstance(scroll, QScrollArea)
    assert (scroll.verticalScrollBar().maximum() > 0) == scrolls


def test_the_way_to_all_candidates_is_whole_in_a_narrow_window(qtbot: QtBot) -> None:
    """Counts and weights give way in its place, and no longer make the page wider than the window."""
    head = TableHead()
    qtbot.addWidget(head)
    results = sample_results()
    head.show_counts(results, range(len(results.results)))
    head.resize(420, 40)
    with qtbot.waitExposed(head):
        head.show()
    button = head.findChild(QPushButton, "show-all")
    assert button is not None and button.width() >= button.sizeHint().width()
    assert button.geometry().right() <= head.width() and head.minimumSizeHint().width() <= 420
