"""Workloads of a portfolio, edited in place: ticked to take part, pools, use by month, growth, runs again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableView

from core.report.masking import KEPT
from gui.tables.copying import as_tsv
from gui.tables.style import HEIGHT_PX, ROW_PX, Index, style_rows
from gui.tabs.portfolio.member_cells import COLUMNS, TITLES, Row, can_type, editable, info_of, read, shown
from gui.theme.naming import named
from gui.theme.plain import as_text, tip

_ROOT = QModelIndex()
WIDTHS = (210, 110, 170, 120, 110, 110)
MOST_ROWS = 8
"""Rows in view; more are scrolled."""


class MemberModel(QAbstractTableModel):
    """``edited`` brings a workload's id, a field and its new value; ``refused`` what is wrong with a text."""

    edited = Signal(str, str, object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()
        self.is_split = False
        self.can_edit = True

    def show(self, rows: Sequence[Row], is_split: bool, can_edit: bool) -> None:
        """Lists other workloads; a table that stays the same keeps its editor open."""
        if (tuple(rows), is_split, can_edit) == (self.rows, self.is_split, self.can_edit):
            return
        self.beginResetModel()
        self.rows, self.is_split, self.can_edit = tuple(rows), is_split, can_edit
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Workloads."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The first column is ticked, others are typed into where they mean something."""
        flags = super().flags(index)
        if not self.can_edit:
            return flags
        if not index.column():
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        is_typed = row.member.takes_part and can_type(row, column, self.is_split)
        return flags | (Qt.ItemFlag.ItemIsEditable if is_typed else Qt.ItemFlag.NoItemFlags)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles with units, and what the fields are about."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section:
            return tip(info_of(COLUMNS[section]).help)
        return as_text(TITLES[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts and ticks; an editor begins with the exact value."""
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.EditRole:
            return editable(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(shown(row, column, self.is_split))
        if role == Qt.ItemDataRole.CheckStateRole and not index.column():
            return Qt.CheckState.Checked if row.member.takes_part else Qt.CheckState.Unchecked
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes a tick or what was typed, or says what is wrong with it."""
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.CheckStateRole:
            self.edited.emit(row.profile.id, "takes_part", Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or str(value) == editable(row, column):
            return False
        try:
            new = read(str(value), column)
        except ValueError as error:
            self.refused.emit(f"{row.profile.name}, {TITLES[index.column()]}: {error}")
            return False
        self.edited.emit(row.profile.id, column, new)
        return True


class MemberTable(QTableView):
    """Arrows walk, typing edits, Space ticks, Ctrl+C copies all of it."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "portfolio-members", "Workloads of the portfolio", "text")
        self.members = MemberModel()
        self.may_leave: Callable[[], bool] = lambda: True
        self.setModel(self.members)
        style_rows(self)
        triggers = QTableView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        for column, width in enumerate(WIDTHS):
            self.setColumnWidth(column, width)

    def show_rows(self, rows: Sequence[Row], is_split: bool, can_edit: bool) -> None:
        """Lists workloads; the cell where one stands stays."""
        at = self.currentIndex().row(), self.currentIndex().column()
        self.members.show(rows, is_split, can_edit)
        if at[0] >= 0 and not self.currentIndex().isValid():
            self.setCurrentIndex(self.members.index(*at))
        self.setFixedHeight(HEIGHT_PX + ROW_PX * min(len(rows), MOST_ROWS) + 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies; Space ticks the row, wherever in it one stands; any other key walks or begins an edit."""
        at = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(as_tsv(self.texts()) if self.may_leave() else KEPT)
        elif event.key() == Qt.Key.Key_Space and at.isValid() and self.members.can_edit:
            member = self.members.rows[at.row()].member
            self.members.edited.emit(member.workload, "takes_part", not member.takes_part)
        else:
            super().keyPressEvent(event)

    def texts(self) -> list[list[str]]:
        """The whole table as it is read."""
        model = self.members
        lines = [[shown(row, column, model.is_split) for column in COLUMNS] for row in model.rows]
        return [["Workload", *TITLES[1:]], *lines]
