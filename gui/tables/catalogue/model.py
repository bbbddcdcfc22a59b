"""A table of catalogue entries: texts and sort keys are made once, so that thousands of rows scroll at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from core.catalogue.details.facts import entry_key, estimated_figures
from core.catalogue.entries import Entry
from core.learning.glossary import meaning_of
from gui.tables.style import Index
from gui.theme.plain import tip

_ROOT = QModelIndex()
MARKS = "marks"
"""Key of the column that says what must be known of a row at a glance."""

ESTIMATE_TIP = "An estimate, not read from a source"


@dataclass(frozen=True)
class EntryColumn:
    """A column: its title, its text, and for numbers the value to sort by.

    ``wide`` ones take the room that is left; where it is narrow those with the highest ``gives_way`` go first.
    ``field`` is the figure of the entry that it shows, whose mark as an estimate it bears.
    """

    key: str
    title: str
    width_px: int
    text: Callable[[Any], str]
    value: Callable[[Any], float | None] | None = None
    wide: bool = False
    tip: str = ""
    gives_way: int = 0
    field: str = ""

    @property
    def is_number(self) -> bool:
        """True for columns that stand at the right."""
        return self.value is not None


@dataclass(frozen=True, eq=False)
class EntryRow:
    """One entry with its texts; ``marks`` says what must be known of it, ``mark_words`` says so on screen.

    ``chip`` is the chip it is about, if it is about one: it decides on the row's glyph. ``search_words`` gives what
    a search looks through.
    """

    entry: Entry
    columns: tuple[EntryColumn, ...]
    marks: frozenset[str] = frozenset()
    mark_words: str = ""
    search_words: Callable[[Any, Any], str] = lambda _entry, _chip: ""
    chip: Any = None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Cells, left to right."""
        return tuple(self.text(number) for number in range(len(self.columns)))

    @cached_property
    def words(self) -> str:
        """Everything that a search looks through, in lower case."""
        return f"{self.search_words(self.entry, self.chip)} {self.mark_words}".lower()

    @cached_property
    def estimated(self) -> frozenset[int]:
        """Columns whose figure is an estimate."""
        fields = estimated_figures(self.entry)
        return frozenset(n for n, column in enumerate(self.columns) if column.field in fields)

    @cached_property
    def key(self) -> str:
        """What tells the row from others of its table, also after the catalogue was laid anew."""
        return entry_key(self.entry) or " ".join(self.texts)

    @cached_property
    def _cells(self) -> dict[int, str]:
        return {}

    def text(self, number: int) -> str:
        """One cell, made when it is first asked for: columns out of sight cost nothing."""
        if number not in self._cells:
            column = self.columns[number]
            self._cells[number] = self.mark_words if column.key == MARKS else column.text(self.entry)
        return self._cells[number]

    def sort_value(self, number: int) -> float | str | None:
        """What a column sorts by: the number, or the text in lower case; None where it is not known."""
        read = self.columns[number].value
        return read(self.entry) if read is not None else self.text(number).lower() or None


class EntryModel(QAbstractTableModel):
    """Rows that a search and a filter let through."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[EntryColumn, ...] = ()
        self.rows: list[EntryRow] = []
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
        """Orders by a column; below 0 the order of the catalogue comes back. Unknown values stay last.

        Qt asks twice for each click, so an order that holds already is left alone.
        """
        wanted = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        if wanted == self._sorted_by:
            return
        self._sorted_by = wanted
        self.layoutAboutToBeChanged.emit()
        before, kept = self.persistentIndexList(), [self.rows[index.row()] for index in self.persistentIndexList()]
        self.rows = self._in_order(self._all)
        place = {id(row): number for number, row in enumerate(self.rows)} if kept else {}
        after = [self.index(place[id(row)], index.column()) for row, index in zip(kept, before, strict=True)]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _in_order(self, rows: Sequence[EntryRow]) -> list[EntryRow]:
        if self._sorted_by is None or self._sorted_by[0] >= len(self.columns):
            return list(rows)
        number, falling = self._sorted_by
        values: list[Any] = [row.sort_value(number) for row in rows]
        known = [place for place, value in enumerate(values) if value is not None]
        known.sort(key=values.__getitem__, reverse=falling)
        unknown = [place for place, value in enumerate(values) if value is None]
        return [rows[place] for place in known + unknown]

    def rows_of(self, keys: Sequence[str]) -> list[int]:
        """Row numbers of entries by their keys; those not listed are left out."""
        if not keys:
            return []
        wanted = set(keys)
        return [number for number, row in enumerate(self.rows) if row.key in wanted]

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Entries listed."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment, and on hover the whole text with the mark of an estimate."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.rows[index.row()].text(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            row = self.rows[index.row()]
            text = row.text(index.column())
            whole = f"{text}. {ESTIMATE_TIP}" if index.column() in row.estimated else text
            return tip(whole) if role == Qt.ItemDataRole.ToolTipRole else whole
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Column titles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.columns[section].tip or meaning_of(self.columns[section].title)) or None
        return self.columns[section].title if role == Qt.ItemDataRole.DisplayRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.columns[column].is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def grid(self, rows: Sequence[int] = ()) -> list[list[str]]:
        """Header and cells of these rows, or of all, as texts to copy."""
        chosen = [self.rows[number] for number in rows] or self.rows
        return [[column.title for column in self.columns], *(list(row.texts) for row in chosen)]
