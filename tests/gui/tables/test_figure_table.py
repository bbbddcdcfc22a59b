"""A table of figures: walked, copied, and its columns chosen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.report.masking import KEPT
from gui.tables.figure_table import Figures, FigureTable, Sheet
from tests.gui.sample_session import themes

ROWS = (
    ("Total", (Figures("$1.9 M", "1.8 to 2.1"), Figures("$2.4 M", "", "err"))),
    ("Chips", (Figures("64"), Figures("72", "2 kinds"))),
)
SHEET = Sheet("", ("One pool", "Split"), ROWS, marked=0, drawn=1)


@pytest.fixture
def table(qtbot: QtBot) -> FigureTable:
    made = FigureTable("t", "Ways")
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show_sheet(SHEET, themes().theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_cells_are_read_marked_and_painted(table: FigureTable) -> None:
    model = table.rows
    assert [model.data(model.index(0, column)) for column in range(3)] == ["Total", "$1.9 M 1.8 to 2.1", "$2.4 M"]
    assert model.is_strong(model.index(1, 1)) and not model.is_strong(model.index(1, 2))
    ground = Qt.ItemDataRole.BackgroundRole
    assert model.data(model.index(0, 1), ground) is not None and model.data(model.index(0, 2), ground) is None
    bold = [model.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.FontRole) is not None for n in range(3)]
    assert bold == [False, False, True]
    assert "Total, $1.9 M 1.8 to 2.1, $2.4 M" in table.accessibleDescription()
    assert not table.grab().isNull()


def test_arrows_walk_and_enter_chooses_a_column(qtbot: QtBot, table: FigureTable) -> None:
    table.setCurrentIndex(table.rows.index(0, 0))
    with qtbot.assertNotEmitted(table.chosen):
        QTest.keyClick(table, Qt.Key.Key_Return)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(table, key)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 2)
    with qtbot.waitSignal(table.chosen) as chosen:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert chosen.args == [1]
    table.show_sheet(Sheet("", ("One pool", "Split"), ROWS[::-1]), themes().theme)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 2), "one stays where one stands"


def test_a_click_on_a_head_chooses_its_column(qtbot: QtBot, table: FigureTable) -> None:
    head = table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(1) + 20, head.height() // 2)
    with qtbot.waitSignal(table.chosen) as chosen:
        QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == [0]


def test_all_of_it_is_copied_unless_it_must_not_leave(table: FigureTable) -> None:
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == ["\tOne pool\tSplit", "Total\t$1.9 M 1.8 to 2.1\t$2.4 M", "Chips\t64\t72 2 kinds"]
    table.may_leave = lambda: False
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == KEPT


def test_one_wide_value_takes_no_room_from_what_stands_beside_the_others(table: FigureTable) -> None:
    before = table.rows.likely_px[0]
    wide = ("Lacking", (Figures("1 043 776 chip hours", "in 88 h"), Figures("none")))
    table.show_sheet(Sheet("", ("One pool", "Split"), (*ROWS, wide)), themes().theme)
    assert table.rows.likely_px[0] == before and not table.grab().isNull()


def test_an_empty_sheet_is_no_fault(table: FigureTable) -> None:
    table.show_sheet(Sheet("", (), ()), themes().theme)
    assert table.rows.rowCount() == 0
