"""The Flexibility tab."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from core.comparison.result import ResultSet
from gui.charts.paint.picture import LEAST_ROW_PX, title_left
from gui.charts.paint.rows import row_band
from gui.tabs.flexibility.panel import FlexibilityPanel, hard_limit_lines
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot, results: ResultSet | None = None) -> FlexibilityPanel:
    panel = FlexibilityPanel(sample_session(qtbot, results or sample_results()), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 640)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def text_of(panel: FlexibilityPanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_score_and_exit_bill_follow_the_selection(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert text_of(panel, "flexibility-score") == "71"
    assert text_of(panel, "exit-bill") == "$120\u202fk and 6 weeks"
    assert text_of(panel, "exit-bill-rival").startswith("512 × H200 SXM")
    panel.session.select(sample_results().results[3].id)
    assert text_of(panel, "flexibility-score") == "47"
    assert text_of(panel, "exit-bill-rival").startswith("256 × B200")
    panel.session.close()


def test_the_day_for_which_the_exit_bill_counts_stands_below_it(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    told = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert "On the last day of the plan; an earlier end also loses what is committed" in told
    panel.session.close()


def test_rows_of_a_low_window_lie_below_each_other_and_scroll(qtbot: QtBot) -> None:
    """Nine bills lay on top of each other at the least size of the window."""
    panel = shown(qtbot)
    panel.resize(800, 360)
    scroll = panel.findChild(QScrollArea, "flexibility-charts")
    assert scroll is not None
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() > 0)
    for chart in panel.charts():
        picture = chart.picture()
        assert picture is not None
        first, second = (row_band(number, picture.view).center().y() for number in range(2))
        assert second - first >= LEAST_ROW_PX - 0.5, chart.kind.id
    panel.session.close()


def test_a_click_on_a_criterion_opens_its_formula_with_live_inputs(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    picture = panel.bars.picture()
    assert picture is not None
    y = round(row_band(2, picture.view).center().y())
    qtbot.mouseClick(panel.bars._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, y))
    text = text_of(panel, "criterion-formula")
    assert text.startswith("Frameworks: 71") and "= min(1, n / 9)" in text and "Sellers: 5" in text
    assert panel.bars.lit.selected == "frameworks"
    panel.session.close()


def test_a_click_on_an_exit_bill_selects_its_candidate(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    picture = panel.by_id["exit-bill"].picture()
    assert picture is not None
    y = round(row_band(3, picture.view).center().y())
    qtbot.mouseClick(panel.by_id["exit-bill"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, y))
    assert panel.session.selected_id == panel.by_id["exit-bill"].figure.rows[3].id
    panel.session.close()


def test_a_part_of_an_exit_bill_asks_for_its_formula_here_too(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    exits = panel.by_id["exit-bill"]
    exits.setFocus()
    qtbot.keyClick(exits, Qt.Key.Key_Down)
    qtbot.keyClick(exits, Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.keyClick(exits, Qt.Key.Key_Return)
    assert asked.args == ["exit:porting@any"]
    panel.session.close()


def test_a_criterion_is_no_candidate_to_select_or_pin(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    before = panel.session.selected_id
    panel.bars.pick("frameworks")
    panel.bars.pin("frameworks")
    assert panel.session.selected_id == before and panel.session.pinned == ()
    panel.session.close()


def test_limits_that_ruled_options_out_are_counted() -> None:
    assert hard_limit_lines(sample_results()) == ["Deadline: 3 candidates"]


def test_limits_are_counted_on_the_road_and_told_when_they_are_known(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    told = panel.findChild(QLabel, "hard-limits")
    assert told is not None
    qtbot.waitUntil(lambda: told.text() == "Deadline: 3 candidates")
    panel.session.close()


def headings(panel: FlexibilityPanel) -> list[str]:
    return [one.text() for one in panel.findChildren(QLabel) if one.property("kind") == "section" and one.isVisible()]


def test_without_a_candidate_only_the_weights_can_be_set(qtbot: QtBot) -> None:
    """A score could be set by hand of no chip, which ended in an exception; headings stood over nothing."""
    panel = shown(qtbot, empty_results())
    assert headings(panel) == ["Weights"]
    points, apply = panel.findChild(QLineEdit, "by-hand-points"), panel.findChild(QPushButton, "by-hand-set")
    assert points is not None and apply is not None and not points.isVisible()
    panel.by_hand.show()
    panel._show_sections(True)
    qtbot.keyClicks(points, "50")
    qtbot.keyClicks(panel.by_hand.note, "because")
    assert not apply.isEnabled()
    with qtbot.assertNotEmitted(panel.by_hand.set_by_hand):
        qtbot.keyClick(panel.by_hand.note, Qt.Key.Key_Return)
    panel.session.close()


def test_a_title_keeps_its_place_while_there_are_no_bars(qtbot: QtBot) -> None:
    """It stood 16 px further left, at the page's edge."""
    full, empty = shown(qtbot), shown(qtbot, empty_results())
    for chart, bare in zip(full.charts(), empty.charts(), strict=True):
        assert bare.figure.empty and bare._term.isVisible()
        assert bare._term.x() == chart._term.x() == title_left(chart.figure) == 20
    for panel in (full, empty):
        panel.session.close()


def test_what_misses_a_limit_is_not_told_to_fit_nor_to_cost_nothing_to_leave(qtbot: QtBot) -> None:
    nothing_fits = sample_results(n_feasible=0)
    told = replace(nothing_fits.recommendation, choice=None, runner_up=None)
    panel = shown(qtbot, replace(nothing_fits, recommendation=told, results=nothing_fits.results[:3]))
    order = panel.findChild(QLabel, "flexibility-order")
    assert order is not None
    qtbot.waitUntil(lambda: bool(order.text()))
    assert order.text() == "It misses a limit, and no chip fits"
    assert not text_of(panel, "exit-bill")
    assert text_of(panel, "exit-bill-rival") == "256 × B200 misses a limit, so there is nothing to leave"
    panel.session.close()


def test_a_rejected_one_beside_the_pick_says_so(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    panel.session.select(sample_results().results[9].id)
    order = panel.findChild(QLabel, "flexibility-order")
    assert order is not None
    qtbot.waitUntil(lambda: order.text().startswith("It misses a limit. First of 9 chips in "))
    assert "nothing to leave\n256 × B200: $120" in text_of(panel, "exit-bill-rival")
    panel.session.close()
