"""Leads under the candidates: what they say, how one is looked at, and how its seller's answer becomes an own offer."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.comparison.evaluate import evaluate
from core.comparison.result import Lead, ResultSet
from core.plan.plan import Plan
from core.report.having_words import ask_words, letter_words
from core.workload.library import load_profiles
from gui.dialogs.prices.entry_editor import EntryDialog
from gui.session.plan_session import PlanSession
from gui.tabs.compare.lead_line import lead_rows
from gui.tabs.compare.leads import FEW, Edges
from gui.tabs.compare.panel import ComparePanel
from tests.gui.conftest import WindowMaker
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def with_leads(n_leads: int = 3) -> ResultSet:
    """The samples, of which the fifth and its neighbours would be better than the pick if they held."""
    results = sample_results()
    told = (
        Lead(results.results[4].id, 300_000.0, 4.0, ("size", "price"), 2.7459, 0.784),
        Lead(results.results[5].id, -20_000.0, 6.0, ("speed",), None, 0.999),
        Lead(results.results[6].id, 50_000.0, -3.0, ("fabric", "date"), 1.5, 0.3),
    )
    advice = replace(results.recommendation, leads=told[:n_leads])
    return replace(results, recommendation=advice)


def shown(qtbot: QtBot, session: PlanSession) -> ComparePanel:
    panel = ComparePanel(session, themes())
    qtbot.addWidget(panel)
    panel.resize(1200, 800)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    made = sample_session(qtbot, with_leads())
    yield made
    made.close()


def test_a_row_says_what_is_saved_asked_and_up_to_which_price() -> None:
    first, second, third = lead_rows(with_leads())
    assert (first.saving, first.later, first.ask) == ("$300\u202fk", "4 days sooner", "512 at once? At what price?")
    assert (first.better_up_to, first.best_then) == ("$2.74", "78")  # rounded down: $2.75 would be no better
    assert (second.saving, second.better_up_to, second.best_then) == ("\u2212$20\u202fk", "–", ">99")
    assert (third.later, third.ask) == ("3 days later", "On one network? Price of today?")
    assert "saves $300\u202fk, 4 days sooner" in first.spoken and "better up to $2.74 per chip hour" in first.spoken


def test_one_chip_is_asked_about_as_one() -> None:
    results = with_leads()
    lead = results.recommendation.leads[0]
    result = results.by_id[lead.id]
    single = replace(result, candidate=replace(result.candidate, n_chips=1))
    assert ask_words(single, lead) == "Can it be had? At what price?"
    assert "Is 1 free at once" in letter_words(single, lead, date(2026, 12, 1))


def test_two_are_shown_and_the_others_on_demand(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    leads = panel.leads
    assert [row.isVisible() for row in leads.rows] == [True] * FEW + [False] * 3
    assert leads.more.text() == "1 more"
    qtbot.mouseClick(leads.more, Qt.MouseButton.LeftButton)
    assert [row.isVisible() for row in leads.rows] == [True] * 3 + [False] * 2
    qtbot.mouseClick(leads.more, Qt.MouseButton.LeftButton)
    assert leads.more.text() == "1 more" and not leads.rows[2].isVisible()


def test_without_leads_the_area_is_absent(qtbot: QtBot) -> None:
    session = sample_session(qtbot, with_leads(0))
    panel = shown(qtbot, session)
    assert not panel.leads.isVisible() and panel.table.isVisible()
    session.close()


def test_a_click_selects_the_option_everywhere(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    row, wanted = panel.leads.rows[1], with_leads().recommendation.leads[1].id
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 12))
    assert session.selected_id == wanted == panel.map.lit.selected
    assert panel.table.candidates.rows[panel.table.currentIndex().row()].id == wanted
    image = row.grab().toImage()
    assert image.pixelColor(10, 4) == themes().theme.color("sel")
    assert panel.leads.rows[0].grab().toImage().pixelColor(10, 4) == themes().theme.color("bg")


def test_rows_are_walked_and_chosen_by_keyboard_and_have_names(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    first, second = panel.leads.rows[:2]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Up)
    assert first.hasFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert session.selected_id == with_leads().recommendation.leads[1].id
    QTest.keyClick(second, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is second.button
    with qtbot.waitSignal(panel.answer_wanted) as asked:
        qtbot.keyClick(second.button, Qt.Key.Key_Space)
    assert asked.args == [session.selected_id]
    assert first.accessibleName().startswith("Lead: 512 × H100 SXM, GCP us-central1, 1-year: saves $300\u202fk")
    assert first.button.accessibleName() == "Enter the answer of the seller of 512 × H100 SXM, GCP us-central1, 1-year"


def test_the_same_leads_make_no_widget_and_paint_no_row(qtbot: QtBot, session: PlanSession) -> None:
    panel = shown(qtbot, session)
    before = panel.leads.findChildren(QLabel), panel.leads.rows
    QApplication.processEvents()
    painted: list[int] = []
    for number, row in enumerate(panel.leads.rows):
        row.paintEvent = lambda _, number=number: painted.append(number)  # type: ignore[method-assign]
    assert session.profile is not None
    with qtbot.waitSignal(session.results_changed):
        session.edit(session.path("limits.budget_usd"), 2_900_000.0, "Budget")
    QApplication.processEvents()
    assert painted == [] and (panel.leads.findChildren(QLabel), panel.leads.rows) == before
    session.select(with_leads().recommendation.leads[0].id)
    QApplication.processEvents()
    assert painted == [0]


def test_the_chance_of_being_best_gives_way_in_a_narrow_row() -> None:
    narrow, wide = Edges.of(1090), Edges.of(1600)
    assert narrow.best is None and wide.best is not None
    for at in (narrow, wide):
        edges = [at.name, at.saving, at.ask, at.price] + ([at.best] if at.best else [])
        assert edges == sorted(edges)


def write(dialog: EntryDialog, path: str, text: str) -> None:
    line: Any = dialog.form.rows[path].editor.target()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)


@pytest.mark.parametrize("place", [0, 1])
def test_the_sellers_answer_becomes_an_own_offer_and_the_pick_in_one_undo_step(
    qtbot: QtBot, open_window: WindowMaker, place: int
) -> None:
    """A lead on paper, at its own price: so many chips on one network, in writing, and it can be had."""
    window = open_window(Plan(id="test", profiles=(load_profiles()["llama3-8b-pretraining"],)))
    session = window.session
    session.evaluations.evaluate = evaluate
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.edit(session.path("limits.budget_usd"), 140_000.0, "Budget")
    assert session.results is not None
    lead = session.results.recommendation.leads[place]
    asked = session.results.by_id[lead.id]
    assert asked.obtainable.status == "on paper"
    window.tabs.show_tab("compare")
    panel = window.tabs.panel("compare")
    assert isinstance(panel, ComparePanel)
    qtbot.waitUntil(panel.leads.rows[place].isVisible)
    steps = session.undo_stack.count()
    qtbot.mouseClick(panel.leads.rows[place].button, Qt.MouseButton.LeftButton)
    dialog = window.prices.dialog
    assert isinstance(dialog, EntryDialog) and asked.candidate.name in dialog.windowTitle()
    assert dialog.form.value.attested_chips == asked.candidate.n_chips
    assert dialog.form.value.amount_usd == pytest.approx(asked.candidate.usd_per_chip_hour, abs=1e-4)
    write(dialog, "amount_usd", "1.9")
    write(dialog, "source", "Quote 2211")
    qtbot.keyClicks(dialog.form.rows["joined"].editor.target(), "Yes")
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    [offer] = session.plan.own.offers
    assert (offer.attested_chips, offer.joined, offer.usd_per_chip_hour) == (asked.candidate.n_chips, True, 1.9)
    now = session.results.by_id[lead.id]
    assert now.obtainable.status == "attested" and now.obtainable.source == "Quote 2211" and now.obtainable.is_firm
    assert session.undo_stack.count() == steps + 1
    session.undo_stack.undo()
    assert session.plan.own.offers == ()


def test_an_answer_about_what_is_gone_opens_nothing(open_window: WindowMaker) -> None:
    window = open_window(Plan(id="test", profiles=(load_profiles()["llama3-8b-pretraining"],)))
    assert window.prices.enter_answer("no such option") is None and window.prices.dialog is None
