"""A fault of our own in a worker: the page that waits stops to look busy and says so in its own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.result import Basis, ResultSet
from core.plan.plan import Plan, Scenario
from core.throughput.correction import NO_CORRECTIONS
from core.workload.phase_templates import phases_from, template
from gui.session.plan_session import PlanSession
from gui.tabs.actuals import page as actuals
from gui.tabs.calibrate import published
from gui.tabs.over_time import phases_page
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.portfolio import page as portfolio
from gui.tabs.report import panel as report
from gui.tabs.report import plan_diff
from gui.tabs.what_if.trade_page import TradeEngine, TradePage
from gui.widgets.busy_line import BusyLine
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes

FAULT = "a fault in Roofplan"
WAIT_MS = 15_000


def _fails(*_: object, **__: object) -> NoReturn:
    raise ZeroDivisionError("made up")


class Watched:
    """A session, the faults that it reported, and what must live as long as it."""

    def __init__(self, session: PlanSession) -> None:
        self.session, self.faults, self.kept = session, list[object](), list[QWidget]()
        session.crashed.connect(self.faults.append)


@pytest.fixture
def watched(qtbot: QtBot) -> Iterator[Watched]:
    """Two workloads whose results are there, phases, and a scenario."""
    made = Watched(sample_session(qtbot, replace(sample_results(), basis=Basis(load_catalogue(), NO_CORRECTIONS))))
    made.session.replace_plan(_plan(sample_results()), "Test")
    _idle(qtbot, made.session)
    yield made
    made.session.close()


def _plan(results: ResultSet) -> Plan:
    profiles = (results.profile, results.profile.model_copy(update={"id": "another", "name": "Another"}))
    longer = Scenario(id="longer", name="Longer", overrides={"profiles.0.limits.deadline_days": 99.0})
    plan = Plan(id="test", profiles=profiles, phases=phases_from(template("gpu-then-tpu"), profiles))
    return plan.model_copy(update={"scenarios": (*plan.scenarios, longer)})


def _idle(qtbot: QtBot, session: PlanSession) -> None:
    qtbot.waitUntil(lambda: session.road.is_idle, timeout=WAIT_MS)


def _told(qtbot: QtBot, watched: Watched, page: QWidget) -> str:
    """What stands on a page when all has ended; nothing looks busy then, and the fault was reported."""
    qtbot.waitUntil(lambda: bool(watched.faults), timeout=WAIT_MS)
    _idle(qtbot, watched.session)
    qtbot.waitUntil(lambda: not any(one.is_busy for one in page.findChildren(BusyLine)), timeout=WAIT_MS)
    return "\n".join(one.text() for one in page.findChildren(QLabel) if one.isVisible())


def _over_time(qtbot: QtBot, watched: Watched, title: str) -> OverTimePanel:
    made = OverTimePanel(watched.session, themes())
    qtbot.addWidget(made)
    made.resize(984, 682)
    made.show_page(title)
    made.show()
    watched.kept.append(made)
    return made


def test_phases_and_an_undone_edit_brings_them(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phases_page, "_answered", _fails)
    page = _over_time(qtbot, watched, "Phases").phases
    assert f"The phases were not worked out: {FAULT}" in _told(qtbot, watched, page)
    monkeypatch.undo()
    page.follow()
    qtbot.waitUntil(lambda: page.answer is not None, timeout=WAIT_MS)
    assert not page.empty.isVisible()


def test_a_template_of_phases_just_used(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phases_page, "_answered", _fails)
    watched.session.edit("phases", ())
    page = _over_time(qtbot, watched, "Phases").phases
    assert page.cards.isVisible()
    page.use_template("gpu-then-tpu")
    assert f"The phases were not worked out: {FAULT}" in _told(qtbot, watched, page)
    assert not page.cards.isVisible()


def test_portfolio(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "answered", _fails)
    page = _over_time(qtbot, watched, "Portfolio").portfolio
    assert f"The portfolio was not worked out: {FAULT}" in (said := _told(qtbot, watched, page))
    assert portfolio.AT_WORK not in said


@pytest.mark.parametrize("title", ["Phases", "Portfolio"])
def test_where_no_workload_is_evaluated_by_a_fault_that_is_said(qtbot: QtBot, title: str) -> None:
    session = PlanSession(_plan(sample_results()), load_catalogue(), _fails)
    watched = Watched(session)
    page = _over_time(qtbot, watched, title).pages[title]
    assert FAULT in _told(qtbot, watched, page)
    session.close()


def test_actuals_until_there_is_an_answer(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    page = _over_time(qtbot, watched, "Actuals").actuals
    real = actuals.actuals_answer
    monkeypatch.setattr(actuals, "actuals_answer", _fails)
    page.start_tracking()
    assert f"Where this leads was not worked out: {FAULT}" in _told(qtbot, watched, page)
    assert {page.done.figure.empty, page.spend.figure.empty} == {"Nothing to show"}
    monkeypatch.setattr(actuals, "actuals_answer", real)
    page.add_entry()
    qtbot.waitUntil(lambda: page.answer is not None, timeout=WAIT_MS)
    assert not page.message.isVisible()


class Failing(TradeEngine):
    """Asked, and counted how often."""

    n_asked = 0

    def study(self, results: ResultSet) -> Any:
        self.n_asked += 1
        _fails()


def test_trade_offs_are_not_asked_again_at_every_click(qtbot: QtBot, watched: Watched) -> None:
    page = TradePage(watched.session, themes())
    page.engine = engine = Failing()
    for one in (page, page.controls):
        qtbot.addWidget(one)
    page.show()
    assert f"The trade-offs were not worked out: {FAULT}" in _told(qtbot, watched, page)
    page.mark_dirty()
    _idle(qtbot, watched.session)
    assert engine.n_asked == 1 and len(watched.faults) == 1


def test_published_rows_are_asked_for_again(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "n_rows", lambda _: 0)
    monkeypatch.setattr(published, "read_published", _fails)
    page = published.CalibratePublished(watched.session, themes())
    qtbot.addWidget(page)
    page.show()
    assert "The rows were not predicted: a fault in Roofplan" in (said := _told(qtbot, watched, page))
    assert "Predicting" not in said and page.chart.figure.empty == "Nothing to show"
    first = page.chip.currentIndex()
    page.chip.setCurrentIndex(first + 1)
    qtbot.waitUntil(lambda: len(watched.faults) == 2, timeout=WAIT_MS)
    page.chip.setCurrentIndex(first)
    qtbot.waitUntil(lambda: len(watched.faults) == 3, timeout=WAIT_MS)


def test_published_rows_that_cannot_be_counted(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "n_rows", _fails)
    page = published.CalibratePublished(watched.session, themes())
    qtbot.addWidget(page)
    page.show()
    assert f"The published rows were not counted: {FAULT}" in _told(qtbot, watched, page)


def test_two_plans_compared(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_diff, "_laid_out", _fails)
    dialog = plan_diff.PlanDiffDialog(watched.session, lambda *_: None)
    dialog.show()
    said = _told(qtbot, watched, dialog)
    dialog.close()
    assert f"The two were not compared: {FAULT}" in said and plan_diff.WAITING not in said


def test_pages_of_the_report(qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_laid_out", _fails)
    panel = report.ReportPanel(watched.session, themes())
    qtbot.addWidget(panel)
    panel.show()
    assert f"No pages: {FAULT}" in _told(qtbot, watched, panel)
