"""The command palette: what it finds, and that Enter runs it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.plan.plan import Plan
from gui.actions import match_score
from gui.dialogs.command_palette import CommandPalette, palette_entries, ranked
from gui.dialogs.help import TextDialog
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker
from tests.gui.person import answer


def typing(text: str, then: Qt.Key = Qt.Key.Key_Return) -> object:
    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, CommandPalette)
        QTest.keyClicks(dialog.field, text)
        QTest.keyClick(dialog.field, then)
        if dialog.isVisible():
            dialog.reject()

    return act


def test_letters_in_order_fit_and_better_fits_come_first() -> None:
    assert match_score("xyz", "Export PDF") is None
    exact, spread = match_score("cost", "Cost"), match_score("cost", "Checkpoint other state")
    assert exact is not None
    assert spread is None or exact > spread
    begins, inside = match_score("ex", "Export PDF"), match_score("ex", "Next area")
    assert begins is not None
    assert inside is not None
    assert begins > inside


def test_typing_and_enter_opens_a_tab(window: MainWindow) -> None:
    answer(typing("flexib"))
    window.commands.qt("palette").trigger()
    assert window.tabs.shown == "flexibility"


def test_it_finds_options(window: MainWindow) -> None:
    answer(typing("h200 sxm"))
    window.commands.qt("palette").trigger()
    assert window.session.results is not None
    assert window.session.results.by_id[window.session.selected_id or ""].candidate.accelerator.short_name == "H200 SXM"


def test_it_finds_a_page_of_help_and_opens_it_there(window: MainWindow) -> None:
    """Nothing fitted "glossary"."""
    answer(typing("glossary"))
    window.commands.qt("palette").trigger()
    [dialog] = [one for one in window.findChildren(TextDialog) if one.isVisible()]
    assert dialog.titles.currentItem().text() == "Glossary" and "Accelerator" in dialog.text.toPlainText()
    dialog.reject()


def test_escape_runs_nothing(window: MainWindow) -> None:
    before = window.tabs.shown
    answer(typing("cost", Qt.Key.Key_Escape))
    window.commands.qt("palette").trigger()
    assert window.tabs.shown == before


def test_what_cannot_be_used_says_why_and_stands_last(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="none"))
    entries = palette_entries(window.commands, window.session, window.tabs.show_field)
    save = next(entry for entry in entries if entry.text == "Save")
    assert save.reason == "Open or begin a plan first"
    assert [bool(entry.reason) for entry in ranked(entries, "sa")] == sorted(
        bool(entry.reason) for entry in ranked(entries, "sa")
    )
