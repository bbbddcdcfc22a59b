"""The table of commands: complete, without clashes, and told truthfully."""

from __future__ import annotations

from gui.dialogs.help import about_text, help_pages, shortcut_text
from gui.window.command_table import COMMANDS
from gui.window.main_window import MainWindow


def test_ids_and_shortcuts_are_used_once(window: MainWindow) -> None:
    ids = [action.id for action in window.commands.actions]
    keys = [action.shortcut for action in window.commands.actions if action.shortcut]
    assert len(ids) == len(set(ids))
    assert len(keys) == len(set(keys))


def test_every_command_has_what_it_does(window: MainWindow) -> None:
    assert {one.id for one in COMMANDS} <= {action.id for action in window.commands.actions}
    assert all(callable(action.handler) for action in window.commands.actions)


def test_menus_hold_every_command(window: MainWindow) -> None:
    menu = window.toolbar.menu_button.menu()
    shown = {action.text() for part in menu.actions() for action in part.menu().actions()}
    assert {action.text for action in window.commands.actions} <= shown


def test_greyed_commands_say_why(window: MainWindow) -> None:
    undo = window.commands.qt("undo")
    assert not undo.isEnabled()
    assert undo.toolTip() == "Nothing to undo"
    window.session.edit("profiles.0.limits.deadline_days", 41)
    assert undo.isEnabled()
    assert undo.toolTip() == "Undo (Ctrl+Z)"


def test_the_shortcut_sheet_lists_every_shortcut(window: MainWindow) -> None:
    sheet = shortcut_text(window.commands.actions)
    for action in window.commands.actions:
        if action.shortcut:
            assert f"| {action.shortcut_words} |" in sheet


def test_about_tells_catalogue_and_licence(window: MainWindow) -> None:
    text = about_text(window.session.catalogue)
    assert window.session.catalogue.date in text
    assert "Apache License 2.0" in text


def test_there_are_help_pages() -> None:
    pages = help_pages()
    assert len(pages) >= 3
    assert all(text.startswith("# ") for text in pages.values())
