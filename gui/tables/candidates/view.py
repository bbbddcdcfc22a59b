"""The candidates table: selection, sorting, pinning, copying, and columns that give way when it is narrow."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView, QWidget

from core.comparison.result import ResultSet
from core.report.masking import KEPT
from gui.tables.candidates.columns import FIRST_KEY, FIRST_SPANNED, GIVE_WAY, grid_of
from gui.tables.candidates.delegate import CandidateDelegate
from gui.tables.candidates.filters import Filters
from gui.tables.candidates.model import CandidateModel
from gui.tables.copying import FORMATS
from gui.tables.style import PlainHeader, style_table
from gui.theme.plain import caption
from gui.theme.theme import Theme

SPARE_PX = 60
"""Room that goes to the names before other columns grow."""
MOST_GROWTH = 1.4


class CandidateTable(QTableView):
    """Best candidates, or all of them, as rows that select the candidate for every panel."""

    picked = Signal(str)
    pin_requested = Signal(str)
    handoff_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.candidates = CandidateModel()
        self._delegate = CandidateDelegate(self.candidates)
        self._header = PlainHeader(self.candidates, self)
        self._quiet = False
        self._selected_id: str | None = None
        self._spanned: set[int] = set()
        self.may_leave: Callable[[], bool] = lambda: True
        self._laid_out: tuple[object, ...] = ()
        self.setModel(self.candidates)
        self.setHorizontalHeader(self._header)
        self.setItemDelegate(self._delegate)
        self.setObjectName("candidate-table")
        self.setAccessibleName("Candidates")
        style_table(self)
        self.selectionModel().currentRowChanged.connect(self._on_row)
        self.candidates.layoutChanged.connect(self._set_spans)
        self.verticalScrollBar().valueChanged.connect(self._span_shown)

    def show_results(
        self, results: ResultSet, filters: Filters, selected_id: str | None, theme: Theme, pinned: tuple[str, ...] = ()
    ) -> None:
        """List other results, keeping sorting, scrolling and selection; another selection is scrolled into view."""
        at, before = self.verticalScrollBar().value(), self._looks()
        self._quiet = True
        self._header.set_theme(theme)
        if self._delegate.set_theme(theme):
            self.viewport().update()
        if self.candidates.show(results, filters, selected_id, pinned):
            self._set_spans()
            self._set_widths()
        else:
            self.candidates.tell_changed([cell for cell, look in self._looks().items() if before.get(cell) != look])
        self._select_row(selected_id)
        self.verticalScrollBar().setValue(at)
        if selected_id != self._selected_id:
            self._selected_id = selected_id
            self.scrollTo(self.currentIndex())
        self._quiet = False

    def select(self, candidate_id: str | None) -> None:
        """Mark a candidate's row without announcing it."""
        self._quiet = True
        self._select_row(candidate_id)
        self._quiet = False

    def set_stale(self, stale: bool) -> None:
        """Fade the rows while they are from before an error."""
        if stale != self._delegate.stale:
            self._delegate.stale = stale
            self.viewport().update()

    def _select_row(self, candidate_id: str | None) -> None:
        row = self.candidates.row_of(candidate_id)
        if row < 0:
            self.clearSelection()
            return
        index = self.candidates.index(row, 0)
        if self.currentIndex() != index or not self.selectionModel().isRowSelected(row):
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
        if not self.viewport().rect().contains(self.visualRect(index)):
            self.scrollTo(index)

    def _on_row(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self.picked.emit(self.candidates.rows[current.row()].id)

    def _set_spans(self) -> None:
        """The reason why a row was rejected runs over all columns from one on.

        Only rows that have been in view are spanned: thousands of spans would take longer than all the rest.
        """
        self.clearSpans()
        self._spanned.clear()
        self._span_shown()

    def _span_shown(self) -> None:
        rows, n_spanned = self.candidates.rows, self.candidates.columnCount() - FIRST_SPANNED
        for number in self._rows_in_view() if n_spanned > 1 else ():
            if number not in self._spanned and not rows[number].feasible:
                self._spanned.add(number)
                self.setSpan(number, FIRST_SPANNED, 1, n_spanned)

    def _rows_in_view(self) -> range:
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        return range(max(first, 0), (last if last >= 0 else len(self.candidates.rows) - 1) + 1)

    def _looks(self) -> dict[tuple[int, int], tuple[object, ...]]:
        """What the cells in view look like, by row and column."""
        rows, columns = self.candidates.rows, list(enumerate(self.candidates.columns))
        shown = [(number, column) for number, column in columns if not self.isColumnHidden(number)]
        look = self._delegate.look
        return {(row, n): look(rows[row], column, n) for row in self._rows_in_view() for n, column in shown}

    def _set_widths(self) -> None:
        header, columns = self.horizontalHeader(), self.candidates.columns
        if not columns:
            return
        wishes = [(column.key, column.width_px) for column in columns], self.viewport().width()
        if wishes == self._laid_out:
            return
        self._laid_out = wishes
        header.setStretchLastSection(False)
        widths = self._room()
        growth = min(max(self.viewport().width() / (sum(widths.values()) + SPARE_PX), 1.0), MOST_GROWTH)
        for number, column in enumerate(columns):
            stretches = column.key == FIRST_KEY
            mode = QHeaderView.ResizeMode.Stretch if stretches else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(number, mode)
            width_px = widths.get(column.key, 0)
            if not stretches:
                header.resizeSection(number, round(width_px * growth) if width_px == column.width_px else width_px)
            self.setColumnHidden(number, not width_px)

    def _room(self) -> dict[str, int]:
        """Widths by key once columns have given way until the rest fits, in the order of :data:`GIVE_WAY`."""
        columns = {column.key: column for column in self.candidates.columns}
        widths = {key: column.width_px for key, column in columns.items()}
        for key, keeps_value in GIVE_WAY:
            if sum(widths.values()) <= self.viewport().width():
                break
            if keeps_value:
                widths[key] = columns[key].narrow_px
            else:
                del widths[key]
        return widths

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns give way or come back."""
        super().resizeEvent(event)
        self._set_widths()
        self._span_shown()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the table, Shift+Enter pins the row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy("Copy table")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            chosen = self.candidates.rows[self.currentIndex().row()].id
            shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.pin_requested if shifted else self.picked).emit(chosen)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Shift-click pins; any other click selects."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pin_requested.emit(self.candidates.rows[index.row()].id)
            return
        super().mousePressEvent(event)

    def copy(self, kind: str) -> None:
        """Copy the rows shown as text; ``kind`` is a key of :data:`gui.tables.copying.FORMATS`."""
        grid = grid_of(self.candidates.columns, self.candidates.rows)
        text = FORMATS[kind](grid) if self.may_leave() else KEPT
        QGuiApplication.clipboard().setText(text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Pin, hand over, copy."""
        menu = QMenu(self)
        index = self.indexAt(event.pos())
        pin = menu.addAction("Pin as A or B") if index.isValid() else None
        handoff = menu.addAction("Hand-off files…") if index.isValid() else None
        kinds = {menu.addAction(caption(kind)): kind for kind in FORMATS}
        chosen = menu.exec(event.globalPos())
        if chosen is not None and chosen is pin:
            self.pin_requested.emit(self.candidates.rows[index.row()].id)
        elif chosen is not None and chosen is handoff:
            self.handoff_requested.emit(self.candidates.rows[index.row()].id)
        elif chosen in kinds:
            self.copy(kinds[chosen])
        menu.deleteLater()
