"""The table widget of catalogue entries: several rows can be chosen, columns give way, Ctrl+C copies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from core.catalogue.entries import Entry
from gui.tables.copying import FORMATS
from gui.tables.entry_model import EntryColumn, EntryModel, EntryRow
from gui.theme.theme import Theme

ROW_PX = 26
WIDE_MIN_PX = 130


class EntryTable(QTableView):
    """Entries of one kind; ``chosen`` names the entry at hand."""

    chosen = Signal(object)
    several_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = EntryModel()
        self._quiet = False
        self.setModel(self.entries)
        self.setObjectName("entry-table")
        self.setAccessibleName("Entries of the catalogue")
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self._set_headers()
        self.selectionModel().selectionChanged.connect(self._on_selection)

    def _set_headers(self) -> None:
        rows, header = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setDefaultSectionSize(ROW_PX)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(0)
        self.setSortingEnabled(True)

    @property
    def entry(self) -> Entry | None:
        """The entry at hand."""
        row = self.currentIndex().row()
        return self.entries.rows[row].entry if 0 <= row < len(self.entries.rows) else None

    @property
    def selected(self) -> list[Entry]:
        """Every chosen entry, top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.entries.rows[row].entry for row in rows]

    def show_rows(self, columns: tuple[EntryColumn, ...], rows: Sequence[EntryRow], theme: Theme) -> None:
        """Lists other rows; the entry at hand and the place stay where they still exist."""
        kept, at = self.entry, self.verticalScrollBar().value()
        is_same = [c.key for c in columns] == [c.key for c in self.entries.columns]
        self._quiet = True
        self.entries.mark_colour = theme.color("warn")
        self.entries.show(columns, rows)
        if not is_same:
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._set_widths()
        self._mark(kept)
        self.verticalScrollBar().setValue(at if is_same else 0)
        self._quiet = False
        self.chosen.emit(self.entry)

    def select(self, entry: Entry | None) -> None:
        """Chooses an entry and shows its row."""
        self._mark(entry)
        self.scrollTo(self.currentIndex())

    def _mark(self, entry: Entry | None) -> None:
        row = max(self.entries.row_of(entry), 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(self.entries.index(row, 0), flags)

    def _on_selection(self, *_: object) -> None:
        if not self._quiet:
            self.chosen.emit(self.entry)
            self.several_chosen.emit()

    def _set_widths(self) -> None:
        header, columns = self.horizontalHeader(), self.entries.columns
        hidden = self._giving_way()
        for number, column in enumerate(columns):
            mode = QHeaderView.ResizeMode.Stretch if column.wide else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(number, mode)
            self.setColumnHidden(number, number in hidden)
            if not column.wide:
                header.resizeSection(number, column.width_px)

    def _giving_way(self) -> set[int]:
        """Columns that are left out until the rest fits."""
        columns = self.entries.columns
        needed = sum(WIDE_MIN_PX if column.wide else column.width_px for column in columns)
        hidden: set[int] = set()
        for number in sorted(range(len(columns)), key=lambda n: (columns[n].gives_way, n), reverse=True):
            if needed <= self.viewport().width() or not columns[number].gives_way:
                break
            hidden.add(number)
            needed -= columns[number].width_px
        return hidden

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns give way or come back."""
        super().resizeEvent(event)
        self._set_widths()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the chosen rows, or all of them when one is chosen."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy("Copy table")
        else:
            super().keyPressEvent(event)

    def copy(self, kind: str) -> None:
        """Copies what is listed as text; of several chosen rows only those."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        QGuiApplication.clipboard().setText(FORMATS[kind](self.entries.grid(rows if len(rows) > 1 else ())))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ways to copy."""
        menu = QMenu(self)
        kinds = {menu.addAction(kind): kind for kind in FORMATS}
        asked = menu.exec(event.globalPos())
        if asked in kinds:
            self.copy(kinds[asked])
        menu.deleteLater()
