"""Published rows as a table: cells as texts, sorted by what the texts mean."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from core.calibration.published_rows import PublishedEntry
from gui.charts.kinds.published_rows import HEADER, table_row
from gui.tables.style import Index, style_rows
from gui.theme.plain import as_text, tip

_NUMBERS = ("Chips", "Measured", "Predicted", "Error")
_WIDTHS_PX = {
    "Model": 126,
    "Chips": 54,
    "Software": 112,
    "Precision": 78,
    "Measured": 90,
    "Predicted": 90,
    "Error": 72,
    "Source": 110,
    "Date": 92,
}
_ROOT = QModelIndex()


class PublishedModel(QAbstractTableModel):
    """Entries of one metric, worst first until a column is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[PublishedEntry] = []

    def show(self, entries: tuple[PublishedEntry, ...]) -> None:
        """Lists other entries."""
        self.beginResetModel()
        self.entries = sorted(entries, key=lambda entry: -abs(entry.scored.error_pct or 0.0))
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Entries."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns of the header."""
        return len(HEADER)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, its alignment, and the whole text on hover."""
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(table_row(self.entries[index.row()])[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(table_row(self.entries[index.row()])[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Column titles."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return HEADER[section] if role == Qt.ItemDataRole.DisplayRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column's value."""
        if column < 0:
            return
        self.layoutAboutToBeChanged.emit()
        self.entries.sort(key=lambda entry: _value(entry, column), reverse=order == Qt.SortOrder.DescendingOrder)
        self.layoutChanged.emit()


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if HEADER[column] in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _value(entry: PublishedEntry, column: int) -> tuple[float, str]:
    scored = entry.scored
    numbers = {
        "Chips": float(entry.n_chips),
        "Measured": scored.measured,
        "Predicted": scored.predicted,
        "Error": scored.error_pct,
    }
    name = HEADER[column]
    return (numbers[name] or 0.0, "") if name in numbers else (0.0, table_row(entry)[column].lower())


class PublishedTable(QTableView):
    """The rows with a header that sorts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = PublishedModel()
        self.setModel(self.rows)
        self.setObjectName("published-table")
        self.setAccessibleName("Published rows")
        style_rows(self)
        self._set_header()

    def _set_header(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setStretchLastSection(True)
        for column, name in enumerate(HEADER):
            self.setColumnWidth(column, _WIDTHS_PX[name])
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.setSortingEnabled(True)

    def select(self, entry_id: str) -> None:
        """Marks and shows the row of an entry."""
        for row, entry in enumerate(self.rows.entries):
            if entry.scored.id == entry_id:
                self.selectRow(row)
                self.scrollTo(self.rows.index(row, 0))
                return
