"""The candidates table under mouse and keyboard."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tables.candidates.columns import FIRST_SPANNED, NAME_PX
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


@pytest.mark.parametrize("width_px", range(560, 1000, 40))
def test_however_narrow_a_table_is_it_names_its_candidates(qtbot: QtBot, table: CandidateTable, width_px: int) -> None:
    """In half of a screen, 960 px wide, rows stood without their names."""
    table.resize(width_px, 360)
    qtbot.waitUntil(lambda: table.width() == width_px)
    shown = [number for number in range(len(table.candidates.columns)) if not table.isColumnHidden(number)]
    assert table.columnWidth(0) >= NAME_PX
    assert sum(table.columnWidth(number) for number in shown) <= table.viewport().width()


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


class PaintedRows(QObject):
    """The rows of a table that paint events touch."""

    def __init__(self, table: CandidateTable) -> None:
        super().__init__(table)
        self.rows: set[int] = set()
        self._table = table
        table.viewport().installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            boxes = [self._table.visualRect(cell(self._table, row, 0)) for row in range(11)]
            boxes = [box.adjusted(0, 0, 2000, 0) for box in boxes]
            self.rows |= {row for row, box in enumerate(boxes) if event.region().intersects(box)}
        return False


def test_other_results_paint_only_the_rows_that_look_other_and_look_as_if_they_were_the_first(
    qtbot: QtBot, table: CandidateTable
) -> None:
    results, chance = sample_results(), sample_results().results[3].chance
    assert chance is not None
    rows = list(results.results)
    rows[3] = replace(rows[3], chance=replace(chance, in_limits=0.31))
    later = replace(results, results=tuple(rows))
    QApplication.processEvents()
    painted = PaintedRows(table)
    table.show_results(later, Filters(), results.results[0].id, themes().theme)
    QApplication.processEvents()
    assert painted.rows == {table.candidates.row_of(rows[3].id)}
    fresh = CandidateTable()
    qtbot.addWidget(fresh)
    fresh.resize(table.size())
    fresh.show_results(later, Filters(), results.results[0].id, themes().theme)
    with qtbot.waitExposed(fresh):
        fresh.show()
    assert table.viewport().grab().toImage() == fresh.viewport().grab().toImage()


def test_pins_a_theme_and_staleness_are_painted_though_the_results_are_the_same(table: CandidateTable) -> None:
    results = sample_results()
    show = (results, Filters(), results.results[0].id)
    QApplication.processEvents()
    painted = PaintedRows(table)
    table.show_results(*show, themes().theme, (results.results[2].id,))
    QApplication.processEvents()
    assert painted.rows == {table.candidates.row_of(results.results[2].id)}
    table.set_stale(True)
    QApplication.processEvents()
    assert len(painted.rows) > 2
    painted.rows.clear()
    dark = themes()
    dark.choose("dark")
    table.show_results(*show, dark.theme, (results.results[2].id,))
    QApplication.processEvents()
    assert len(painted.rows) > 2
