"""Currency and price age: typed in a dialog, kept in the plan, undone as one step, seen everywhere."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from core.plan.plan import Currency, Plan
from core.units import THIN
from gui.dialogs.money import MoneyDialog, read_answer
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker

TODAY = date(2026, 11, 21)
PLAN = Plan(id="p")
EURO = Currency(code="EUR", per_usd=0.92, as_of="2026-10-01")


def test_a_rate_is_dated_when_it_is_typed() -> None:
    found = read_answer("eur", "0.92", "60", TODAY, PLAN)
    assert found.currency == Currency(code="EUR", per_usd=0.92, as_of="2026-11-21")
    assert (found.old_price_days, found.problem) == (60, "")


def test_a_rate_that_did_not_change_keeps_its_day() -> None:
    plan = PLAN.model_copy(update={"currency": EURO})
    assert read_answer("EUR", "0.92", "30", TODAY, plan).currency == EURO
    assert read_answer("EUR", "0.93", "30", TODAY, plan).currency.as_of == "2026-11-21"
    assert read_answer("USD", "1", "30", TODAY, plan).currency == Currency()


@pytest.mark.parametrize(("code", "rate", "per_usd"), [("EUR", "0,864", 0.864), ("KRW", "1,380", 1.38)])
def test_a_comma_in_a_rate_parts_decimals(code: str, rate: str, per_usd: float) -> None:
    assert read_answer(code, rate, "90", TODAY, PLAN).currency.per_usd == per_usd


@pytest.mark.parametrize(
    ("code", "rate", "days", "problem"),
    [
        ("EUR", "", "90", "Rate"),
        ("EUR", "cheap", "90", "Rate"),
        ("EUR", "0", "90", "Rate"),
        ("EUR", "-1", "90", "Rate"),
        ("EURO", "0.92", "90", "Currency"),
        ("", "0.92", "90", "Currency"),
        ("USD", "1", "0", "Days"),
        ("USD", "1", "90.5", "Days"),
        ("USD", "1", "soon", "Days"),
        ("USD", "1", "9999", "Days"),
    ],
)
def test_what_cannot_be_taken_is_told_and_nothing_is_changed(code: str, rate: str, days: str, problem: str) -> None:
    found = read_answer(code, rate, days, TODAY, PLAN)
    assert found.problem.startswith(problem)
    assert (found.currency, found.old_price_days) == (PLAN.currency, PLAN.old_price_days)


def test_the_dialog_shows_what_a_million_dollars_would_read(qtbot: QtBot) -> None:
    dialog = MoneyDialog(PLAN, TODAY)
    qtbot.addWidget(dialog)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not dialog.rate.isEnabled()
    dialog.code.setCurrentText("JPY")
    assert dialog.rate.text() == ""
    assert not ok.isEnabled()
    qtbot.keyClicks(dialog.rate, "150")
    assert ok.isEnabled()
    assert f"¥150{THIN}M" in dialog._sample.text()
    dialog.code.setCurrentText("USD")
    assert dialog.rate.text() == "1"
    assert ok.isEnabled()


def _ask(window: MainWindow, button: str, qtbot: QtBot) -> MoneyDialog:
    pressed = window.findChild(QPushButton, button)
    assert pressed is not None
    qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
    dialog = window.findChild(MoneyDialog)
    assert dialog is not None
    return dialog


def test_a_person_changes_the_currency_in_the_status_line_and_takes_it_back(window: MainWindow, qtbot: QtBot) -> None:
    status = window.findChild(QPushButton, "status-money")
    assert status is not None
    assert status.text() == "USD"
    dialog = _ask(window, "status-money", qtbot)
    dialog.code.setCurrentText("EUR")
    qtbot.keyClicks(dialog.rate, "0.92")
    with qtbot.waitSignal(window.session.results_changed):
        dialog.accept()
    assert status.text().startswith("1 USD = 0.92 EUR, typed on ")
    kpi = window.verdict._kpis["cost"].value.text()
    assert kpi.startswith("€")
    with qtbot.waitSignal(window.session.results_changed):
        window.session.undo_stack.undo()
    assert status.text() == "USD"
    assert window.verdict._kpis["cost"].value.text().startswith("$")


def test_the_oldest_price_leads_to_the_days_that_flag_it(open_window: WindowMaker, qtbot: QtBot) -> None:
    from core.plan.sample_plan import sample_plan

    window = open_window(sample_plan())
    dialog = _ask(window, "verdict-price", qtbot)
    dialog.days.setText("3650")
    dialog.accept()
    assert window.session.plan.old_price_days == 3650
    assert window.session.undo_stack.undoText() == "Change days of old prices"
    price = window.findChild(QPushButton, "verdict-price")
    assert price is not None
    assert "3\u202f650 days" in price.toolTip()
