"""A plain table of texts for dialogs: rows with a key each, and, where wished, a tick box in the first column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTableView, QWidget

from gui.tables.style import Index, style_rows
from gui.theme.naming import named
from gui.theme.plain import as_text, tip

_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column: title, width, and whether it holds numbers."""

    title: str
    width_px: int
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row. ``can_tick`` shows a box in its first cell; ``is_marked`` writes it in the colour of a warning."""

    key: str
    cells: tuple[str, ...]
    can_tick: bool = False
    is_marked: bool = False


class TextModel(QAbstractTableModel):
    """``unticked`` holds the keys whose box was cleared; ``ticked`` tells of a change."""

    ticked = Signal()

    def __init__(self, columns: Sequence[TextColumn], colour: QColor | None = None) -> None:
        super().__init__()
        self.columns, self.colour = tuple(columns), colour
        self.rows: list[TextRow] = []
        self.unticked: set[str] = set()

    def show(self, rows: Sequence[TextRow], columns: Sequence[TextColumn] | None = None) -> None:
        """Lists other rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self.columns = tuple(columns) if columns is not None else self.columns
        self.endResetModel()

    def forget_ticks(self, unticked: Collection[str] = ()) -> None:
        """Begins with these boxes cleared."""
        self.unticked = set(unticked)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Boxes can be ticked."""
        can_tick = index.column() == 0 and self.rows[index.row()].can_tick
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if can_tick else Qt.ItemFlag.NoItemFlags)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, its side, its box."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(row.cells[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.cells[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(self.columns[index.column()])
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0 and row.can_tick:
            return Qt.CheckState.Unchecked if row.key in self.unticked else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.ForegroundRole and row.is_marked and index.column() == len(self.columns) - 1:
            return self.colour
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ticks or clears a box."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        key = self.rows[index.row()].key
        change = self.unticked.discard if Qt.CheckState(value) == Qt.CheckState.Checked else self.unticked.add
        change(key)
        self.dataChanged.emit(index, index)
        self.ticked.emit()
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Column titles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(self.columns[section])
        return self.columns[section].title if role == Qt.ItemDataRole.DisplayRole else None


class TextTable(QTableView):
    """The rows; one at a time is selected."""

    def __init__(self, name: str, title: str, columns: Sequence[TextColumn], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = TextModel(columns)
        self.setModel(self.rows)
        named(self, name, title, "text")
        style_rows(self)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self._set_widths()

    def show_rows(self, rows: Sequence[TextRow], columns: Sequence[TextColumn] | None = None) -> None:
        """Lists other rows, under other columns where they are given."""
        self.rows.show(rows, columns)
        self._set_widths()

    @property
    def selected_key(self) -> str:
        """Key of the selected row; empty when none is."""
        index = self.currentIndex()
        return self.rows.rows[index.row()].key if index.isValid() else ""

    def _set_widths(self) -> None:
        for number, column in enumerate(self.rows.columns):
            self.setColumnWidth(number, column.width_px)


def _side(column: TextColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
