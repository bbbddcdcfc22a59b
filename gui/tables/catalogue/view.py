"""The table widget of catalogue entries: several rows can be chosen, columns give way, Ctrl+C copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView, QWidget

from core.catalogue.entries import Entry
from core.report.masking import KEPT
from gui.tables.catalogue.delegate import FIRST_PAD_PX, NAME_AT_PX, EntryDelegate
from gui.tables.catalogue.model import EntryColumn, EntryModel, EntryRow
from gui.tables.copying import FORMATS
from gui.tables.style import PlainHeader, style_table
from gui.theme.plain import caption
from gui.theme.theme import Theme

MOST_GROWTH = 1.35


class EntryTable(QTableView):
    """Entries of one kind; ``chosen`` names the entry at hand, ``several_chosen`` tells of any other selection."""

    chosen = Signal(object)
    several_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = EntryModel()
        self._delegate = EntryDelegate(self.entries)
        self._header = PlainHeader(self.entries, self)
        self._quiet = False
        self.may_leave: Callable[[], bool] = lambda: True
        self.setModel(self.entries)
        self.setHorizontalHeader(self._header)
        self.setItemDelegate(self._delegate)
        self.setObjectName("entry-table")
        self.setAccessibleName("Entries of the catalogue")
        style_table(self, chooses_several=True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self.selectionModel().currentRowChanged.connect(self._on_selection)

    @property
    def entry(self) -> Entry | None:
        """The entry at hand."""
        row = self.currentIndex().row()
        return self.entries.rows[row].entry if 0 <= row < len(self.entries.rows) else None

    @property
    def selected(self) -> list[Entry]:
        """Every chosen entry, top to bottom."""
        return [self.entries.rows[row].entry for row in self._selected_rows()]

    def show_rows(self, columns: tuple[EntryColumn, ...], rows: Sequence[EntryRow], theme: Theme) -> None:
        """Lists other rows; what is chosen and the place stay where they still exist."""
        at, current = self.verticalScrollBar().value(), self.currentIndex().row()
        kept = [self.entries.rows[row].key for row in self._selected_rows()]
        first = self.entries.rows[current].key if 0 <= current < len(self.entries.rows) else ""
        is_same = [c.key for c in columns] == [c.key for c in self.entries.columns]
        self._quiet = True
        self._delegate.set_theme(theme)
        self._header.first_px = NAME_AT_PX if any(row.chip is not None for row in rows[:1]) else FIRST_PAD_PX
        self._header.set_theme(theme)
        self.entries.show(columns, rows)
        if not is_same:
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._set_widths()
        self._mark(first if is_same else "", kept if is_same else [])
        self.verticalScrollBar().setValue(at if is_same else 0)
        self._quiet = False
        self.chosen.emit(self.entry)

    def select(self, entry: Entry | None) -> None:
        """Chooses an entry and shows its row."""
        row = next((row for row in self.entries.rows if row.entry is entry), None)
        row = row or next((row for row in self.entries.rows if row.entry == entry), None)
        self._mark(row.key if row else "", [])
        self.scrollTo(self.currentIndex())

    def _selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def _mark(self, first: str, others: Sequence[str]) -> None:
        """Chooses rows by their keys, the first of the table where none of them is listed."""
        rows = self.entries.rows_of([first]) or [0]
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(self.entries.index(rows[0], 0), flags)
        chosen = QItemSelection()
        for row in self.entries.rows_of(others):
            chosen.select(self.entries.index(row, 0), self.entries.index(row, 0))
        both = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().select(chosen, both)

    def _on_selection(self, *_: object) -> None:
        if not self._quiet:
            self.chosen.emit(self.entry)
            self.several_chosen.emit()

    def _set_widths(self) -> None:
        """Names take what is left; where the last columns leave them too little, the list scrolls sideways."""
        header, columns = self.horizontalHeader(), self.entries.columns
        hidden = self._giving_way()
        needed = sum(column.width_px for number, column in enumerate(columns) if number not in hidden)
        has_room = needed <= self.viewport().width()
        growth = min(max(self.viewport().width() / needed, 1.0), MOST_GROWTH) if needed else 1.0
        for number, column in enumerate(columns):
            is_stretched = column.wide and has_room
            mode = QHeaderView.ResizeMode.Stretch if is_stretched else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(number, mode)
            self.setColumnHidden(number, number in hidden)
            if not is_stretched:
                header.resizeSection(number, round(column.width_px * growth))

    def _giving_way(self) -> set[int]:
        """Columns that are left out until the rest fits."""
        columns = self.entries.columns
        needed = sum(column.width_px for column in columns)
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
        rows = self._selected_rows()
        text = FORMATS[kind](self.entries.grid(rows if len(rows) > 1 else ()))
        QGuiApplication.clipboard().setText(text if self.may_leave() else KEPT)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ways to copy."""
        menu = QMenu(self)
        kinds = {menu.addAction(caption(kind)): kind for kind in FORMATS}
        asked = menu.exec(event.globalPos())
        if asked in kinds:
            self.copy(kinds[asked])
        menu.deleteLater()
