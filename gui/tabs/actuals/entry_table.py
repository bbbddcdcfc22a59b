"""The table of entries, edited in place: typed, added, taken out, copied, and pasted from a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from core.report.masking import KEPT
from core.workload.actuals import Entry
from gui.forms.choice_editors import NoWheelComboBox
from gui.tables.copying import as_tsv
from gui.tables.style import Index, style_rows
from gui.tabs.actuals.cells import COLUMNS, EDITED, PHASE, Phases, editable, read, shown
from gui.theme.naming import named
from gui.theme.plain import as_text, tip

_ROOT = QModelIndex()
SHARES = (100, 98, 86, 84, 84, 68)
"""Widths of the columns to each other, where every title, day and number has room."""


def shared_out(room: int, shares: Sequence[int], least: Sequence[int]) -> list[int]:
    """Widths in proportion to ``shares`` that leave no column less than its ``least``, px; in proportion to these where
    there is no room for all of them."""
    if room <= sum(least):
        return [int(room * px / sum(least)) for px in least]
    held: dict[int, int] = {}
    while True:
        share = (room - sum(held.values())) / sum(part for n, part in enumerate(shares) if n not in held)
        narrow = {n: px for n, px in enumerate(least) if n not in held and share * shares[n] < px}
        if not narrow:
            return [held.get(n, int(share * part)) for n, part in enumerate(shares)]
        held |= narrow


class EntryModel(QAbstractTableModel):
    """``edited`` brings a row, a column and its new value; ``refused`` what is wrong with a cell."""

    edited = Signal(int, str, object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[Entry, ...] = ()
        self.heads: tuple[str, ...] = COLUMNS
        self.phases: Phases = {}
        self.can_edit = True

    def show(self, entries: Sequence[Entry], heads: Sequence[str], phases: Phases) -> None:
        """Lists other entries; ``phases`` are names by id."""
        self.beginResetModel()
        self.entries, self.heads, self.phases = tuple(entries), tuple(heads), dict(phases)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Entries."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """All but where an entry is from can be typed into."""
        can_edit = self.can_edit and index.column() < EDITED
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if can_edit else Qt.ItemFlag.NoItemFlags)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles with units."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return as_text(self.heads[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts; an editor begins with the exact value."""
        entry, column = self.entries[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.EditRole:
            return (editable if index.column() < EDITED else shown)(entry, column, self.phases)
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(shown(entry, column, self.phases))
        if role == Qt.ItemDataRole.ToolTipRole and entry.source == "log":
            return tip(f"{entry.file_name}, SHA-256 {entry.sha256[:12]}")
        return _side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes what was typed, or says what is wrong with it."""
        row, column = index.row(), COLUMNS[index.column()]
        text = str(value)
        if role != Qt.ItemDataRole.EditRole or text == editable(self.entries[row], column, self.phases):
            return False
        try:
            new = read(text, column, row + 1, self.heads[index.column()], self.phases)
        except ValueError as error:
            self.refused.emit(str(error.args[0]))
            return False
        self.edited.emit(row, column, new)
        return True


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if 0 < column < PHASE else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class PhaseDelegate(QStyledItemDelegate):
    """Phases are chosen from a list."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The names of the phases, and none."""
        model = index.model()
        editor = NoWheelComboBox(parent)
        editor.addItems(["", *map(as_text, model.phases.values())] if isinstance(model, EntryModel) else [])
        editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))
        return named(editor, "actuals-phase", "Phase")

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """The name chosen."""
        if isinstance(editor, NoWheelComboBox):
            model.setData(index, editor.currentText())


class EntryTable(QTableView):
    """``pasted`` brings text from the clipboard, ``removed`` the rows that are chosen."""

    pasted = Signal(str)
    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "actuals-entries", "Entries: what was done and spent")
        self.entries = EntryModel()
        self.may_leave: Callable[[], bool] = lambda: True
        self.setModel(self.entries)
        style_rows(self)
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        triggers = QTableView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        self.setItemDelegateForColumn(PHASE, PhaseDelegate(self))

    def show_entries(self, entries: Sequence[Entry], heads: Sequence[str], phases: Phases) -> None:
        """Lists other entries; phases have a column where the plan has any."""
        self.entries.show(entries, heads, phases)
        self.setColumnHidden(PHASE, not phases)
        self._share_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns share the width."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        shown = [column for column in range(len(SHARES)) if not self.isColumnHidden(column)]
        least = [self._least_px(column) for column in shown]
        widths = shared_out(self.viewport().width(), [SHARES[column] for column in shown], least)
        for column, width in zip(shown, widths, strict=True):
            self.setColumnWidth(column, width)

    def _least_px(self, column: int) -> int:
        """Room for the title, and for what is read below it where that is a day or a number."""
        title = self.horizontalHeader().sectionSizeHint(column)
        return max(title, self.sizeHintForColumn(column)) if column < PHASE else title

    @property
    def rows(self) -> tuple[int, ...]:
        """Numbers of the rows that are chosen."""
        return tuple(sorted({index.row() for index in self.selectionModel().selectedIndexes()}))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies, pastes and takes rows out; any other key begins an edit."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text() if self.may_leave() else KEPT)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.rows:
            self.removed.emit(self.rows)
        else:
            super().keyPressEvent(event)

    def as_text(self) -> str:
        """The rows that are chosen, all without any, with titles and exact values, as spreadsheets paste them."""
        rows = self.rows or range(len(self.entries.entries))
        columns = COLUMNS[: EDITED if self.entries.phases else PHASE]
        lines = [[editable(self.entries.entries[row], one, self.entries.phases) for one in columns] for row in rows]
        return as_tsv([list(self.entries.heads[: len(columns)]), *lines])
