"""The table of entries by itself: a phase chosen from the list, columns that share the width."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from core.workload.actuals import Entry
from gui.tabs.actuals.cells import COLUMNS, PHASE
from gui.tabs.actuals.entry_table import EntryTable, shared_out

HEADS = ("Up to", "Done, tokens", "Spent, $", "Chip hours", "Phase", "From")
PHASES = {"a": "Explore", "b": "Scale"}
ENTRIES = (Entry(day=date(2027, 1, 31), done=5.0, phase="a"),)


@pytest.fixture
def table(qtbot: QtBot) -> EntryTable:
    made = EntryTable()
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    return made


def test_a_phase_is_chosen_from_the_plan_s_phases(qtbot: QtBot, table: EntryTable) -> None:
    table.show_entries(ENTRIES, HEADS, PHASES)
    cell = table.entries.index(0, PHASE)
    table.edit(cell)
    editor = table.findChild(QComboBox, "actuals-phase")
    assert editor is not None and [editor.itemText(n) for n in range(editor.count())] == ["", "Explore", "Scale"]
    assert editor.currentText() == "Explore"
    with qtbot.waitSignal(table.entries.edited) as told:
        QTest.keyClick(editor, Qt.Key.Key_Down)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert told.args == [0, "phase", "b"]


def test_every_title_and_day_has_room_on_half_of_a_small_screen(table: EntryTable) -> None:
    """At 1280 px the table has 514; "Done, requests" and "16 Mar 2027" were cut."""
    heads = ("Up to", "Done, requests", "Spent, $", "Chip hours", "Phase", "From")
    table.resize(514, 200)
    table.show_entries((Entry(day=date(2027, 3, 16), done=2.59e6, spend_usd=300_000.0),), heads, PHASES)
    for column in range(PHASE):
        wanted = max(table.horizontalHeader().sectionSizeHint(column), table.sizeHintForColumn(column))
        assert table.columnWidth(column) >= wanted


def test_widths_leave_each_column_its_least_while_there_is_room() -> None:
    assert shared_out(300, (1, 1, 1), (50, 50, 50)) == [100, 100, 100]
    assert shared_out(300, (1, 1, 1), (160, 75, 10)) == [160, 75, 65], "the second is narrow once the first has room"
    assert shared_out(100, (1, 1), (150, 50)) == [75, 25]


def test_without_phases_there_is_no_column_of_them_and_the_others_fill_the_width(table: EntryTable) -> None:
    for phases, width in (({}, 600), ({}, 900), (PHASES, 900)):
        table.resize(width, 200)
        table.show_entries(ENTRIES, HEADS, phases)
        assert table.isColumnHidden(PHASE) == (not phases)
        widths = [table.columnWidth(column) for column in range(len(COLUMNS)) if not table.isColumnHidden(column)]
        room = table.viewport().width()
        assert room - len(widths) <= sum(widths) <= room and max(widths) < 1.5 * min(widths)
    assert table.as_text().splitlines()[0].split("\t")[-1] == "Phase"
