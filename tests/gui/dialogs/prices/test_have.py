"""What the user has, typed in its form: from the start page, from Describe, and opened again from the catalogue."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.comparison.evaluate import evaluate
from core.plan.plan import Plan
from core.workload.library import load_profiles
from gui.app import NO_PLAN
from gui.dialogs.prices.entry_editor import EntryDialog
from gui.tabs.describe.panel import DescribePanel
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker
from tests.gui.dialogs.prices.test_own_entries import choose, click, write


def _typed(dialog: EntryDialog) -> None:
    choose(dialog, "accelerator_id", "NVIDIA H100 SXM5 80GB")
    write(dialog, "held_chips", "64")


def _dialog(window: MainWindow) -> EntryDialog:
    made = window.prices.dialog
    assert isinstance(made, EntryDialog) and made.windowTitle() == "What you have"
    return made


def test_chips_named_in_describe_win_at_what_running_them_costs(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="test", profiles=(load_profiles()["llama3-8b-pretraining"],)))
    window.session.evaluations.evaluate = evaluate  # the real one: what is typed here must be judged for real
    window.tabs.show_tab("describe")
    panel = window.tabs.panel("describe")
    assert isinstance(panel, DescribePanel)
    click(panel.have)
    dialog = _dialog(window)
    _typed(dialog)
    assert "8 servers of 8 chips" in dialog.form.rows["n_chips"]._help.text()
    with qtbot.waitSignal(window.session.results_changed, timeout=30_000):
        click(dialog.take)
    results = window.session.results
    assert results is not None and results.choice is not None
    assert results.choice.candidate.offer.held_chips == 64
    assert any(str(text).startswith("Your 64 × H100 SXM: ") for text in results.recommendation.reasons_for)
    window.session.undo_stack.undo()
    assert window.session.plan.own.servers == ()


def test_what_is_reserved_is_asked_for_when_it_is(window: MainWindow) -> None:
    dialog = window.prices.edit_entry("have")
    assert dialog is not None and "provider" not in dialog.form.rows
    buttons = [one for one in dialog.findChildren(QPushButton) if one.text() == "Reserved"]
    click(buttons[0])
    assert {"provider", "until", "usd_per_chip_hour"} <= set(dialog.form.rows)
    _typed(dialog)
    click(dialog.take)
    assert dialog.isVisible() and dialog.form.rows["provider"].message == "Still needed"
    write(dialog, "provider", "Harbour Racks")
    click(dialog.take)
    (offer,) = window.session.plan.own.offers
    assert (offer.held_chips, offer.usd_per_chip_hour) == (64, 0.0)
    again = window.prices.edit_entry("offers", offer.id)
    assert again is not None and again.windowTitle() == "What you have"
    write(again, "held_chips", "32")
    click(again.take)
    assert [one.held_chips for one in window.session.plan.own.offers] == [32]


def test_the_start_page_begins_a_plan_with_them(open_window: WindowMaker) -> None:
    window = open_window(NO_PLAN)
    button = window.start_page.findChild(QPushButton, "start-have")
    assert isinstance(button, QPushButton)
    click(button)
    assert window.session.has_plan
    _dialog(window).reject()
