"""A table of catalogue entries: texts and sort keys are made once, so that thousands of rows scroll at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from core.catalogue.entries import Entry

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
LAST = (1, 0.0, "")
"""Sort key of an unknown value: behind all others."""


@dataclass(frozen=True)
class EntryColumn:
    """A column: its title, its text, and for numbers the value to sort by.

    ``wide`` ones take the room that is left; where it is narrow those with the highest ``gives_way`` go first.
    """

    key: str
    title: str
    width_px: int
    text: Callable[[Any], str]
    value: Callable[[Any], float | None] | None = None
    wide: bool = False
    tip: str = ""
    gives_way: int = 0

    @property
    def is_number(self) -> bool:
        """True for columns that stand at the right."""
        return self.value is not None


@dataclass(frozen=True)
class EntryRow:
    """One entry with its texts; ``marks`` says what must be known of it: estimate, old, undated, yours."""

    entry: Entry
    columns: tuple[EntryColumn, ...]
    marks: frozenset[str] = frozenset()
    more_words: str = ""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Cells, left to right."""
        return tuple(column.text(self.entry) for column in self.columns)

    @cached_property
    def words(self) -> str:
        """Everything that a search looks through, in lower case."""
        return " ".join((*self.texts, *self.marks, self.entry.note, self.more_words)).lower()

    def sort_key(self, number: int) -> tuple[int, float, str]:
        """What a column sorts by: the number, or the text; unknown ones last."""
        read = self.columns[number].value
        if read is None:
            text = self.texts[number]
            return (0, 0.0, text.lower()) if text else LAST
        value = read(self.entry)
        return LAST if value is None else (0, float(value), "")


class EntryModel(QAbstractTableModel):
    """Rows that a search and a filter let through."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[EntryColumn, ...] = ()
        self.rows: list[EntryRow] = []
        self.mark_colour = QColor()
        self._all: Sequence[EntryRow] = ()
        self._sorted_by: tuple[int, bool] | None = None

    def show(self, columns: tuple[EntryColumn, ...], rows: Sequence[EntryRow]) -> None:
        """Lists other entries; a column sorted by stays so while the columns are the same."""
        self.beginResetModel()
        if [c.key for c in columns] != [c.key for c in self.columns]:
            self._sorted_by = None
        self.columns, self._all = columns, rows
        self.rows = self._in_order(rows)
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Orders by a column; below 0 the order of the catalogue comes back. Unknown values stay last."""
        self._sorted_by = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self.layoutAboutToBeChanged.emit()
        self.rows = self._in_order(self._all)
        self.layoutChanged.emit()

    def _in_order(self, rows: Sequence[EntryRow]) -> list[EntryRow]:
        if self._sorted_by is None or self._sorted_by[0] >= len(self.columns):
            return list(rows)
        number, falling = self._sorted_by
        keyed = [(row.sort_key(number), row) for row in rows]
        known = sorted((pair for pair in keyed if pair[0] != LAST), key=lambda pair: pair[0], reverse=falling)
        return [row for _, row in known] + [row for key, row in keyed if key == LAST]

    def row_of(self, entry: Entry | None) -> int:
        """Row number of an entry; -1 when it is not listed."""
        return next((number for number, row in enumerate(self.rows) if row.entry == entry), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Entries listed."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment, the colour of marks, and the whole text on hover."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.rows[index.row()].texts[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Qt.ItemDataRole.ForegroundRole and self.columns[index.column()].key == "marks":
            return self.mark_colour
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Column titles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].tip or None
        return self.columns[section].title if role == Qt.ItemDataRole.DisplayRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.columns[column].is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def grid(self, rows: Sequence[int] = ()) -> list[list[str]]:
        """Header and cells of these rows, or of all, as texts to copy."""
        chosen = [self.rows[number] for number in rows] or self.rows
        return [[column.title for column in self.columns], *(list(row.texts) for row in chosen)]
