"""A company with eight models on one pool, in a real window: from no settings at all to a base, a way and a packing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.plan.store import load, save
from core.workload.portfolio import Member
from gui.frame.verdict import KpiView
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.portfolio.member_cells import COLUMNS
from gui.tabs.portfolio.page import PortfolioPage
from gui.window.main_window import MainWindow
from tests.gui.tabs.conftest import Engine
from tests.gui.tabs.portfolio.eight_models import eight_models
from tests.gui.whole_window import PATIENCE_MS, shown_window


@pytest.fixture
def window(qtbot: QtBot, engine: Engine) -> Iterator[MainWindow]:
    with shown_window(qtbot, eight_models(), 1440, 900, engine) as made:
        yield made


def _page(window: MainWindow) -> PortfolioPage:
    window.tabs.show_tab("over_time")
    panel = window.tabs.panel("over_time")
    assert isinstance(panel, OverTimePanel)
    QTest.keyClick(panel.views, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    return panel.portfolio


def _answered(qtbot: QtBot, window: MainWindow, page: PortfolioPage) -> None:
    QGuiApplication.processEvents()
    qtbot.waitUntil(lambda: window.session.road.is_idle and page.drawing is not None, timeout=PATIENCE_MS)


def _why(window: MainWindow) -> set[str]:
    return {one.text() for one in window.why.dock.findChildren(QLabel) if one.isVisible()}


def _type(page: PortfolioPage, field: str, text: str) -> None:
    line = page.settings.cells[field].editor.findChild(QLineEdit)
    assert line is not None
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def _choose(page: PortfolioPage, field: str, value: str) -> None:
    editor = page.settings.cells[field].editor
    editor.edited.emit(value)
    editor.finished.emit()


def test_the_story_of_a_company_with_eight_models_on_one_pool(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session, page = window.session, _page(window)
    stack = session.undo_stack
    _answered(qtbot, window, page)
    assert session.plan.portfolio is None and page.answer is not None, "it says something before anything is set"
    assert page.headline.text().endswith(".") and page.drawing is not None
    assert page.drawing.scheme.title in _why(window)
    assert {use.name for pool in page.answer.chosen.pools for use in pool.uses} == {
        one.name for one in session.plan.profiles
    }

    told = window.verdict.findChild(QLabel, "verdict-headline")
    assert told is not None and told.text() == page.headline.text().removesuffix(".")
    kpis = [window.verdict.findChild(KpiView, f"kpi-{one}") for one in ("cost", "finish", "in-limits", "chance-best")]
    assert [one.title.text() for one in kpis if one] == ["Cost", "Idle", "Chips at the peak", "Stays cheaper"]

    page.settings_button.click()
    _type(page, "months", "12")
    _choose(page, "chip", "h100-sxm")
    _choose(page, "provider", "gcp")
    model = page.members.members
    for row, column, text in ((0, "growth_pct_per_year", "70"), (1, "every_months", "3")):
        assert model.setData(model.index(row, COLUMNS.index(column)), text)
        QGuiApplication.processEvents()
    _answered(qtbot, window, page)
    assert stack.count() == 5 and stack.text(4) == "Runs again every of Retrain 7B"
    assert page.answer.calendar.n_days in (365, 366)
    rounds = {use.name: use.n_rounds for use in page.answer.one_pool.uses}
    assert rounds["Retrain 7B"] == 4
    pool = page.answer.one_pool
    least = pool.account.base_chips
    assert pool.site.chip.id == "h100-sxm" and least == page.answer.curve.base_chips[page.answer.curve.least] > 0

    _type(page, "shared_chips", "24")
    _answered(qtbot, window, page)
    shared = page.answer.scheme("shared")
    assert (
        shared is not None
        and page.ways.rows.columnCount() == 6
        and shared.idle_share > pool.account.idle_h / pool.account.paid_h
    )

    page.demand[0].setFocus()
    QTest.keyClick(page.demand[0], Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    _answered(qtbot, window, page)
    more = page.answer.one_pool.account
    assert more.base_chips > least and more.idle_h > pool.account.idle_h and stack.text(6) == "Committed base"
    assert page.answer.one_pool.account.rent_usd > pool.account.rent_usd
    stack.undo()
    _answered(qtbot, window, page)
    assert page.answer.one_pool.account.base_chips == least

    own = [one.id for one in page.answer.schemes].index("own")
    page.ways.setCurrentIndex(page.ways.rows.index(0, own + 1))
    QTest.keyClick(page.ways, Qt.Key.Key_Return)
    _answered(qtbot, window, page)
    assert page.drawing.scheme.id == "own" and page.drawing.scheme.title in _why(window)
    assert len(page.demand) == len({one.site.chip.id for one in page.drawing.scheme.pools})
    QTest.keyClick(page.ways, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].split("\t")[1:] == [one.title for one in page.answer.schemes] and len(copied) > 5

    packing = page.answer.packing
    assert packing is not None and packing.n_chips < packing.n_alone and len(packing.workloads) == 4

    assert session.plan.portfolio is not None
    save(session.plan, tmp_path / "eight.roofplan")
    again = load(tmp_path / "eight.roofplan").portfolio
    assert again == session.plan.portfolio
    assert again.member("chat-70b") == Member(workload="chat-70b", growth_pct_per_year=70.0)
    assert (again.months, again.chip, again.provider, again.shared_chips) == (12, "h100-sxm", "gcp", 24)

    session.select(session.results.results[1].id if session.results else None)
    assert page.drawing.scheme.title not in _why(window), "Why is about what was chosen last"
    window.tabs.show_tab("compare")
    assert told.text() != page.headline.text().removesuffix("."), "the strip is about the workload again"
    for _ in range(6):
        stack.undo()
    assert session.plan.portfolio is None
    qtbot.waitUntil(lambda: session.road.is_idle, timeout=PATIENCE_MS)
