"""A table of figures on screen: a likely value with its range or remark beside it, columns that may be chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from core.report.masking import KEPT
from gui.charts.paint.brush import Ink
from gui.tables.copying import as_tsv
from gui.tables.style import HEIGHT_PX, ROW_PX, Index
from gui.theme.fonts import font, width_px
from gui.theme.naming import named
from gui.theme.plain import as_text, tip
from gui.theme.theme import Theme

_ROOT = QModelIndex()
TITLE_PX, LIKELY_PX, WIDEST_PX, PAD_PX, GAP_PX, SCROLL_PX = 148, 44, 72, 6, 6, 12
TEXT_PX = 13
TINT = 0.55
"""Opacity of the ground below the column that is marked."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A value with what stands beside it; ``tone`` is a colour of the theme, such as ``err``."""

    likely: str
    beside: str = ""
    tone: str = ""

    @property
    def words(self) -> str:
        """Both, as they are read and copied."""
        return f"{self.likely} {self.beside}".strip()


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a table shows: heads of the columns but the first, and rows of a title and a cell a column.

    ``marked`` is the column of the pick, ``drawn`` that which other views show; ``strong`` rows are totals.
    """

    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Figures, ...]], ...]
    marked: int = -1
    drawn: int = -1
    strong: tuple[int, ...] = ()
    has_beside: bool = True

    def texts(self) -> list[list[str]]:
        """All of it, for the clipboard."""
        return [[self.corner, *self.heads], *([title, *(cell.words for cell in cells)] for title, cells in self.rows)]


class FigureModel(QAbstractTableModel):
    """A sheet as Qt asks for it."""

    def __init__(self) -> None:
        super().__init__()
        self.sheet = Sheet("", (), ())
        self.theme: Theme | None = None
        self.likely_px: list[int] = []

    def show(self, sheet: Sheet, theme: Theme) -> None:
        """Another sheet."""
        self.beginResetModel()
        self.sheet, self.theme = sheet, theme
        columns = zip(*(cells for _, cells in sheet.rows), strict=True)
        self.likely_px = [_room_px([_width_px(one) for one in cells]) for cells in columns]
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Rows."""
        return 0 if parent.isValid() else len(self.sheet.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The title and the columns."""
        return 0 if parent.isValid() else len(self.sheet.heads) + 1

    def cell(self, index: Index) -> Figures:
        """The figures at a place; a title is one of them."""
        title, cells = self.sheet.rows[index.row()]
        return cells[index.column() - 1] if index.column() else Figures(title)

    def is_strong(self, index: Index) -> bool:
        """True for totals and for the column that is marked."""
        is_marked = index.column() > 0 and index.column() - 1 == self.sheet.marked
        return index.row() in self.sheet.strong or is_marked

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Words, and the ground of the column that is marked."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return as_text(self.cell(index).words)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.cell(index).words)
        if role == Qt.ItemDataRole.BackgroundRole and self.theme and index.column() - 1 == self.sheet.marked >= 0:
            return _tinted(self.theme.color("sel"))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Heads; that of the column drawn elsewhere is bold."""
        if orientation != Qt.Orientation.Horizontal or section > len(self.sheet.heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(self.sheet.heads[section - 1] if section else self.sheet.corner)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if not section or self.sheet.has_beside else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag(Qt.TextFlag.TextWordWrap)
        if role == Qt.ItemDataRole.FontRole and section and section - 1 == self.sheet.drawn:
            return font(TEXT_PX, QFont.Weight.DemiBold)
        return None


class _Painter(QStyledItemDelegate):
    """The likely value at the right of its room, what stands beside it smaller, cut where there is no room."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        style = ground.widget.style()
        style.drawControl(style.ControlElement.CE_ItemViewItem, ground, painter, ground.widget)
        model = index.model()
        if isinstance(model, FigureModel) and model.theme is not None:
            _write(Ink(painter, model.theme), ground.rect.adjusted(PAD_PX, 0, -PAD_PX, 0), model, index)


def _write(ink: Ink, room: QRect, model: FigureModel, index: Index) -> None:
    """A title at the left; a likely value at the right of its room, and what stands beside it."""
    cell, is_strong, middle = model.cell(index), model.is_strong(index), room.center().y() + 1.0
    left, right = float(room.left()), float(room.right())
    if not index.column():
        ink.text(
            left, middle, cell.likely, "ink" if is_strong else "ink2", strong=is_strong, px=TEXT_PX, room=room.width()
        )
        return
    has_beside = model.sheet.has_beside
    own_px = max(model.likely_px[index.column() - 1], _width_px(cell))
    likely_px = min(own_px, room.width()) if has_beside else room.width()
    end = left + likely_px if has_beside else right
    ink.text(end, middle, cell.likely, cell.tone or "ink", "right", is_strong, px=TEXT_PX, room=likely_px)
    if cell.beside:
        ink.text(end + GAP_PX, middle, cell.beside, "ink3", room=right - end - GAP_PX)


class FigureTable(QTableView):
    """Arrows walk the cells, Enter or a click on a head chooses a column, Ctrl+C copies all. ``chosen`` gives the
    number of a column, counted from the first after the titles."""

    chosen = Signal(int)

    def __init__(
        self, name: str, title: str, column_px: int = 0, head_px: int = HEIGHT_PX, title_px: int = TITLE_PX
    ) -> None:
        super().__init__()
        named(self, name, title)
        self.rows = FigureModel()
        self.may_leave: Callable[[], bool] = lambda: True
        self._column_px, self._head_px, self._title_px = column_px, head_px, title_px
        self.setModel(self.rows)
        self.setItemDelegate(_Painter(self))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._choose)
        head.setFixedHeight(head_px)

    def show_sheet(self, sheet: Sheet, theme: Theme) -> None:
        """Another sheet; where one stands stays."""
        at = self.currentIndex().row(), self.currentIndex().column()
        self.rows.show(sheet, theme)
        head = self.horizontalHeader()
        mode = QHeaderView.ResizeMode.Fixed if self._column_px else QHeaderView.ResizeMode.Stretch
        head.setSectionResizeMode(mode)
        if self.rows.columnCount():
            head.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(0, self._title_px)
        for column in range(1, self.rows.columnCount() if self._column_px else 0):
            self.setColumnWidth(column, self._column_px)
        scroll_px = SCROLL_PX if self._column_px else 0
        self.setFixedHeight(self._head_px + ROW_PX * len(sheet.rows) + scroll_px + 2)
        self.setCurrentIndex(self.rows.index(*at) if at[0] >= 0 else QModelIndex())
        self.setAccessibleDescription(". ".join(", ".join(line) for line in sheet.texts()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the table as text; Enter chooses the column."""
        if event.matches(QKeySequence.StandardKey.Copy):
            texts = as_tsv(self.rows.sheet.texts()) if self.may_leave() else KEPT
            QGuiApplication.clipboard().setText(texts)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex().column())
        else:
            super().keyPressEvent(event)

    def _choose(self, column: int) -> None:
        if column > 0:
            self.chosen.emit(column - 1)


def _width_px(cell: Figures) -> int:
    """Of the likely value, as bold as it may be."""
    return math.ceil(width_px(cell.likely, TEXT_PX, True)) + 2


def _room_px(widths_px: Sequence[int]) -> int:
    """Room for the likely values of a column; a wide one takes its own alone."""
    return max(LIKELY_PX, *(width for width in widths_px if width <= WIDEST_PX), LIKELY_PX)


def _tinted(colour: QColor) -> QColor:
    colour.setAlphaF(TINT)
    return colour
