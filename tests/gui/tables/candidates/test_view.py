"""The candidates table under mouse and keyboard."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gui.tables.candidates.columns import FIRST_SPANNED
from gui.tables.candidates.filters import Filters
from gui.tables.candidates.view import CandidateTable
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import themes


@pytest.fixture
def table(qtbot: QtBot) -> CandidateTable:
    made = CandidateTable()
    qtbot.addWidget(made)
    made.resize(1000, 360)
    results = sample_results()
    made.show_results(results, Filters(), results.results[0].id, themes().theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def cell(table: CandidateTable, row: int, column: int) -> QModelIndex:
    return table.candidates.index(row, column)


def test_click_picks_and_arrows_walk(qtbot: QtBot, table: CandidateTable) -> None:
    with qtbot.waitSignal(table.picked) as picked:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(cell(table, 3, 1)).center())
    assert picked.args == [table.candidates.rows[3].id]
    with qtbot.waitSignal(table.picked) as picked:
        qtbot.keyClick(table, Qt.Key.Key_Down)
    assert picked.args == [table.candidates.rows[4].id]


def test_shift_click_pins_without_selecting(qtbot: QtBot, table: CandidateTable) -> None:
    with qtbot.waitSignal(table.pin_requested) as pinned, qtbot.assertNotEmitted(table.picked):
        place = table.visualRect(cell(table, 2, 1)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, place)
    assert pinned.args == [table.candidates.rows[2].id]


def test_selecting_from_outside_is_silent(qtbot: QtBot, table: CandidateTable) -> None:
    with qtbot.assertNotEmitted(table.picked):
        table.select(table.candidates.rows[5].id)
    assert table.currentIndex().row() == 5


def test_new_results_keep_the_selection_silent(qtbot: QtBot, table: CandidateTable) -> None:
    results = sample_results()
    with qtbot.assertNotEmitted(table.picked):
        table.show_results(results, Filters(), results.results[2].id, themes().theme)
    assert table.candidates.rows[table.currentIndex().row()].id == results.results[2].id


def test_another_selection_is_scrolled_into_view_and_the_same_stays_where_it_is(table: CandidateTable) -> None:
    results = sample_results()
    table.resize(1000, 160)
    table.show_results(results, Filters(), results.results[10].id, themes().theme)
    at = table.verticalScrollBar().value()
    assert at > 0 and table.visualRect(cell(table, 10, 0)).bottom() < table.viewport().height()
    table.verticalScrollBar().setValue(0)
    table.show_results(results, Filters(), results.results[10].id, themes().theme)
    assert table.verticalScrollBar().value() == 0


def test_header_click_sorts(qtbot: QtBot, table: CandidateTable) -> None:
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(1) + header.sectionSize(1) // 2
    qtbot.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=header.viewport().rect().center().__class__(x, 10)
    )
    chips = [row.candidate.n_chips for row in table.candidates.rows if row.feasible]
    assert chips == sorted(chips) or chips == sorted(chips, reverse=True)


def test_rejected_rows_span_the_last_columns_with_their_reason(table: CandidateTable) -> None:
    last = table.model().rowCount() - 1
    assert table.columnSpan(last, FIRST_SPANNED) == table.model().columnCount() - FIRST_SPANNED
    assert table.columnSpan(0, FIRST_SPANNED) == 1
    assert "Fits with 288 chips" in cell(table, last, FIRST_SPANNED).data()


def test_columns_give_way_one_after_another_and_come_back(qtbot: QtBot, table: CandidateTable) -> None:
    columns = {column.key: (number, column) for number, column in enumerate(table.candidates.columns)}

    def given_way() -> list[str]:
        shown = {key: table.columnWidth(number) for key, (number, _) in columns.items()}
        return [key for key, (_, column) in columns.items() if key != "candidate" and shown[key] < column.width_px]

    for width, gone in ((1300, []), (1200, ["bottleneck"]), (1110, ["unit", "bottleneck"]),
                        (800, ["unit", "flexibility", "bottleneck", "evidence"]), (1300, [])):  # fmt: skip
        table.resize(width, 360)
        qtbot.waitUntil(lambda wanted=gone: given_way() == wanted)
    table.resize(1010, 360)
    qtbot.waitUntil(lambda: table.columnWidth(columns["evidence"][0]) == columns["evidence"][1].narrow_px)
    assert not table.isColumnHidden(columns["flexibility"][0])
    assert all(table.columnWidth(columns[key][0]) for key in ("limits", "best", "having", "price"))


def test_copy_puts_the_table_on_the_clipboard(qtbot: QtBot, table: CandidateTable) -> None:
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[0].startswith("Candidate\tWhere\tChips") and len(text.splitlines()) == 12
    table.copy("Copy as Markdown")
    assert QGuiApplication.clipboard().text().startswith("| Candidate |")


def test_selected_row_has_the_selection_colour_and_its_bar(table: CandidateTable) -> None:
    image = table.viewport().grab().toImage()
    rect = table.visualRect(cell(table, 0, 0))
    assert image.pixelColor(1, rect.center().y()) == themes().theme.color("ink")
    assert image.pixelColor(8, rect.top() + 3) == themes().theme.color("sel")
