"""The page of phases by itself: keys, bodies, dialog, states, and nothing worked out while it is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.over_time.printed import cost_words, printed_costs
from core.comparison.over_time.words import owned_words
from core.plan.sample_plan import sample_plan
from core.report.masking import KEPT
from core.workload.library import more_profiles
from core.workload.phase_edits import days_until, new_phase, with_phase, without_phase
from core.workload.phase_templates import phases_from, template
from core.workload.phases import MOST_DAYS, Measure, Phase
from gui.charts.figure.ticks import month_ticks
from gui.frame.project_rows import rows_of
from gui.session.plan_session import PlanSession
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.over_time.phase_plots import money_ticks
from gui.tabs.over_time.phase_rows import CostColumn
from gui.tabs.over_time.template_cards import WITHOUT_WORK, TemplateCards
from tests.gui.sample_session import themes
from tests.gui.tabs.conftest import Engine

PATIENCE_MS = 60_000


@pytest.fixture
def panel(qtbot: QtBot, engine: Engine) -> Iterator[OverTimePanel]:
    plan = sample_plan()
    phases = phases_from(template("gpu-then-tpu"), plan.profiles)
    session = PlanSession(plan.model_copy(update={"phases": phases}), load_catalogue(), engine)
    made = OverTimePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(984, 682)
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        session.start()
    yield made
    session.close()


def _shown(qtbot: QtBot, panel: OverTimePanel) -> None:
    panel.show()
    qtbot.waitUntil(lambda: panel.phases.answer is not None, timeout=PATIENCE_MS)
    _idle(qtbot, panel)


def _idle(qtbot: QtBot, panel: OverTimePanel) -> None:
    qtbot.waitUntil(lambda: panel.session.road.is_idle, timeout=PATIENCE_MS)


def test_nothing_is_worked_out_while_nobody_looks(qtbot: QtBot, panel: OverTimePanel) -> None:
    _idle(qtbot, panel)
    assert panel.phases.answer is None
    _shown(qtbot, panel)
    first = panel.phases.answer
    panel.hide()
    panel.session.edit("phases.0.days", 70.0)
    _idle(qtbot, panel)
    assert panel.phases.answer is first
    panel.show()
    qtbot.waitUntil(lambda: panel.phases.answer is not first, timeout=PATIENCE_MS)


def test_keys_walk_and_move(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    page, plots = panel.phases, panel.phases.plots
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(plots, key)
    assert page.selected == "explore"
    QTest.keyClick(page.ways, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("\tMixed\tAll-TPU\tAll-GPU")
    page.ways.may_leave = lambda: False
    QTest.keyClick(page.ways, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == KEPT
    QTest.keyClick(plots, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert panel.session.plan.phases[0].days == 57.0
    QTest.keyClick(plots, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)  # before the answer to the first
    explore = panel.session.plan.phases[0]
    assert (explore.days, explore.start) == (57.0, date(2026, 12, 2))
    QTest.keyClick(plots, Qt.Key.Key_Delete)
    assert [one.id for one in panel.session.plan.phases] == ["port", "pilot", "scale", "serve"]
    assert [panel.session.undo_stack.text(n) for n in range(3)] == [
        "Length of Explore", "Start of Explore", "Remove phase",
    ]  # fmt: skip


def test_the_costs_of_the_screen_add_up_and_are_those_of_the_paper(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    assert panel.phases.answer is not None
    for way in panel.phases.answer.ways:
        column, printed = CostColumn(), printed_costs(way)
        qtbot.addWidget(column)
        scale = column.show_way(way, "", themes().theme)
        shown = [one.text() for one in column.findChildren(QLabel)][::2]
        assert shown == [scale.text(one) for one in printed]
        *parts, total = (float(text.replace("\u202f", "")) for text in shown)
        assert round(sum(parts), 6) == total
        assert [cost_words(value * scale.divisor) for value in (*parts, total)] == [cost_words(one) for one in printed]


def test_bought_hardware_and_broken_limits_are_told_below_the_ways(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    assert not panel.phases.limits.isVisible()
    bank = more_profiles()["bank-on-premises"]
    pilot = Phase(id="p", name="Pilot", stage="pilot", workload=bank.id, days=60.0)
    serve = Phase(id="s", name="Serve", stage="serve", workload=bank.id)
    panel.session.edit("profiles", (*panel.session.plan.profiles, bank))
    panel.session.edit("phases", (pilot, serve))
    qtbot.waitUntil(lambda: panel.phases.limits.isVisible(), timeout=PATIENCE_MS)
    answer = panel.phases.answer
    assert answer is not None and answer.best == 0
    told = panel.phases.limits.text()
    assert told.startswith("All-TPU breaks 2 hard limits: ") and told.endswith(owned_words(answer))
    (curve,) = (one for one in panel.phases.plots.cash.items if isinstance(one, pg.FillBetweenItem))
    assert panel.phases.plots.cash.viewRange()[1][1] >= curve.path().boundingRect().bottom()


def test_a_phase_is_typed_in_a_form(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    dialog = panel.phases.edit_phase("pilot")
    assert dialog is not None
    rows = dialog.form.rows
    assert {"name", "stage", "platform", "chips", "start", "days", "measures.0.threshold"} <= set(rows)
    assert "people" not in rows
    rows["chips"].editor.edited.emit(64)
    options = rows["candidate"].info.choices
    assert list(options)[0] == "" and panel.session.selected_id in options
    dialog.add.click()
    assert "measures.4.quantity" in dialog.form.rows
    dialog.remove.click()
    dialog.accept()
    pilot = panel.session.plan.phases[2]
    assert (pilot.chips, len(pilot.measures)) == (64, 4)


def test_a_phase_that_cannot_run_is_told_and_one_alone_has_no_table(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    panel.session.edit("phases.3.workload", "gone")
    qtbot.waitUntil(lambda: panel.phases.answer is None, timeout=PATIENCE_MS)
    assert "Phase Scale" in panel.phases.empty.text()
    panel.session.edit("phases", panel.session.plan.phases[:1])
    qtbot.waitUntil(lambda: panel.phases.answer is not None, timeout=PATIENCE_MS)
    assert not panel.phases.ways.isVisible()


def test_a_pilot_without_measures_says_so(qtbot: QtBot, panel: OverTimePanel) -> None:
    panel.session.edit("phases.2.measures", ())
    _shown(qtbot, panel)
    assert "no pass or fail set" in panel.phases.plots.accessibleDescription()


def test_phases_are_put_in_place_added_and_taken_out() -> None:
    first, second = Phase(id="a"), Phase(id="b")
    assert with_phase((first, second), Phase(id="a", days=3.0))[0].days == 3.0
    assert with_phase((first,), second) == (first, second)
    assert without_phase((first, second), "a") == (second,)
    assert new_phase((Phase(id="phase-1"),), "w").id == "phase-2"
    assert days_until(10.4, 7.0) == 3.0 and days_until(5.0, 7.0) == 1.0 and days_until(1e6, 0.0) == MOST_DAYS
    assert Measure(quantity="loss_gap_pct").is_open


def test_ticks_are_few_and_round() -> None:
    ticks = month_ticks(date(2026, 12, 1), 500.0)
    assert len(ticks) <= 9 and ticks[:2] == [(0.0, "Dec"), (62.0, "Feb 2027")]
    assert month_ticks(date(2026, 12, 8), 40.0) == [(0.0, "Dec"), (24.0, "Jan 2027")]
    assert month_ticks(date(2026, 12, 9), 40.0) == [(23.0, "Jan 2027")]
    assert month_ticks(date(2026, 2, 1), 30.0) == [(0.0, "Feb 2026"), (28.0, "Mar")]
    assert "Jan 2028" in [words for _, words in month_ticks(date(2026, 12, 1), 800.0, 30)]
    assert money_ticks(3.48e6, 1e6) == [0.0, 1e6, 2e6, 3e6]
    assert money_ticks(0.0, 1.0)[0] == 0.0
    assert month_ticks(date(9999, 12, 31), 500.0) == [] and month_ticks(date(9998, 11, 2), 1e6)


def test_the_project_lists_phases_and_their_typed_lengths() -> None:
    plan = sample_plan()
    phases = phases_from(template("gpu-then-tpu"), plan.profiles)
    rows = rows_of(plan.model_copy(update={"phases": phases}), load_catalogue())
    told = [(one.text, one.note) for one in rows if one.kind == "phase"]
    assert told[:3] == [("Explore", "56 d"), ("Port", ""), ("Pilot", "")]
    assert not [one for one in rows_of(plan, load_catalogue()) if one.kind == "phase"]


def test_a_plan_without_phases_begins_with_a_card(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    panel.session.edit("phases", ())
    cards = panel.phases.cards
    qtbot.waitUntil(cards.isVisible)
    mixed = cards.cards["gpu-then-tpu"]
    assert mixed.phases.text() == "Explore on GPU, Port to TPU, Pilot on TPU, Scale on TPU, Serve on TPU"
    QTest.mouseClick(mixed.use, Qt.MouseButton.LeftButton)
    assert panel.session.plan.phases == phases_from(template("gpu-then-tpu"), panel.session.plan.profiles)
    qtbot.waitUntil(lambda: not cards.isVisible(), timeout=PATIENCE_MS)
    assert panel.session.undo_stack.undoText() == "Template Explore on GPU, scale on TPU"


def test_cards_without_a_workload_ask_for_one(qtbot: QtBot) -> None:
    cards = TemplateCards()
    qtbot.addWidget(cards)
    cards.show_for((), True)
    assert cards.words.text() == WITHOUT_WORK
    assert not any(card.use.isEnabled() for card in cards.cards.values())


def test_cards_of_a_low_window_keep_all_words_and_scroll(qtbot: QtBot) -> None:
    cards = TemplateCards()
    qtbot.addWidget(cards)
    cards.show_for(sample_plan().profiles, True)
    cards.resize(771, 382)
    with qtbot.waitExposed(cards):
        cards.show()
    qtbot.waitUntil(lambda: cards.verticalScrollBar().maximum() > 0)
    for told in cards.findChildren(QLabel):
        assert told.height() >= told.heightForWidth(told.width()), told.text()


def test_what_is_spent_has_a_band_that_is_seen(qtbot: QtBot, panel: OverTimePanel) -> None:
    _shown(qtbot, panel)
    assert panel.phases.answer is not None
    cash = panel.phases.answer.own.cash
    (band,) = (one for one in panel.phases.plots.cash.items if isinstance(one, pg.FillBetweenItem))
    seen = band.path().boundingRect()
    assert (seen.width(), seen.height()) == pytest.approx((float(cash.days[-1]), float(cash.high_usd[-1])))


def test_phases_that_follow_are_outlined_while_an_end_is_dragged(panel: OverTimePanel, qtbot: QtBot) -> None:
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: panel.phases.answer is not None, timeout=PATIENCE_MS)
    plots = panel.phases.plots
    assert plots.way is not None
    end = float(plots.way.runs[0].end[0])
    start, over = (plots.place_of(0, day).toPoint() for day in (end, end + 20))
    QTest.mousePress(plots.viewport(), Qt.MouseButton.LeftButton, pos=start)
    move = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(over), plots.mapToGlobal(QPointF(over)), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    plots.mouseMoveEvent(move)
    assert len(plots.followers) > 0
    QTest.mouseRelease(plots.viewport(), Qt.MouseButton.LeftButton, pos=start)
    assert plots.followers == []


def test_in_a_narrow_window_nothing_lies_beyond_its_edge(qtbot: QtBot, panel: OverTimePanel) -> None:
    """As in a window of 960 px: what has no room is cut with an ellipsis, and the whole text shows on hovering."""
    panel.resize(771, 520)
    _shown(qtbot, panel)
    area = panel.phases.findChild(QScrollArea, "phases-scroll")
    assert area is not None and area.horizontalScrollBar().maximum() == 0
    bars = panel.phases.plots.bars

    def words() -> list[pg.TextItem]:
        return [item for item in bars.items if isinstance(item, pg.TextItem) and item.toolTip()]

    def all_inside() -> None:
        view = bars.getViewBox().sceneBoundingRect()
        for item in words():
            place = item.mapRectToScene(item.boundingRect())
            assert view.left() - 1 <= place.left() and place.right() <= view.right() + 1, item.toPlainText()

    assert len(words()) == len(panel.phases.phases)
    qtbot.waitUntil(all_inside, timeout=PATIENCE_MS)
    cut = [item for item in words() if item.toPlainText().endswith("\u2026")]
    assert cut and all(item.toPlainText()[:-1] in item.toolTip() for item in cut)
