"""How tables of rows look: no grid, whole rows chosen, even heights, and a painted header that sorts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from core.learning.glossary import term_in
from gui.charts.paint.brush import Ink, text_width
from gui.theme.theme import Theme

ROW_PX = 26
Index = QModelIndex | QPersistentModelIndex


def style_rows(table: QTableView) -> None:
    """What all tables share: no grid, whole rows chosen, one at a time, even heights."""
    table.setShowGrid(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW_PX)


def style_table(table: QTableView, chooses_several: bool = False) -> None:
    """Gives a table of candidates or entries its look; sorting starts in the order of the model."""
    style_rows(table)
    if chooses_several:
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)


HEIGHT_PX = 28
PAD = 8.0
DOTS, DOTS_PX = (1.0, 2.0), 8.0
"""Below a term: dot and gap in widths of the line, and how far below the middle of the title."""


class TitledColumn(Protocol):
    """What the header must know of a column."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def is_number(self) -> bool:
        """True for one that stands at the right."""


class HasColumns(Protocol):
    """A model that knows its columns."""

    @property
    def columns(self) -> Sequence[TitledColumn]:
        """Left to right."""


class PlainHeader(QHeaderView):
    """Horizontal header of a table; the first title stands over the names, behind their glyphs."""

    first_px = 36.0

    def __init__(self, model: HasColumns, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._titled = model
        self._theme: Theme | None = None
        self.setFixedHeight(HEIGHT_PX)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setMinimumSectionSize(0)

    def set_theme(self, theme: Theme) -> None:
        """Paint in these colours from now on."""
        if theme != self._theme:
            self._theme = theme
            self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """One title."""
        if self._theme is None or not rect.isValid() or section >= len(self._titled.columns):
            return
        ink, box = Ink(painter, self._theme), QRectF(rect)
        column = self._titled.columns[section]
        ink.fill(box, "bg")
        ink.fill(QRectF(box.left(), box.bottom() - 1, box.width(), 1), "line2")
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        start = box.left() + (PAD if section else self.first_px)
        if column.is_number:
            ink.text(box.right() - PAD, box.center().y(), column.title, "ink2", "right")
            start = box.right() - PAD - text_width(column.title)
            self._paint_dots(ink, start, box.center().y(), column.title)
            self._paint_arrow(ink, start - 9, box.center().y(), section)
        else:
            ink.text(start, box.center().y(), column.title, "ink2")
            self._paint_dots(ink, start, box.center().y(), column.title)
            self._paint_arrow(ink, start + text_width(column.title) + 9, box.center().y(), section)
        painter.restore()

    def _paint_dots(self, ink: Ink, x: float, y: float, title: str) -> None:
        """Below a term of the glossary, which the tip explains: a click sorts."""
        if term_in(title) is not None:
            ink.line(x, y + DOTS_PX, x + text_width(title), y + DOTS_PX, ink.pen("ink2", 1.0, 0.55, DOTS))

    def _paint_arrow(self, ink: Ink, x: float, y: float, section: int) -> None:
        if self.sortIndicatorSection() != section:
            return
        tip = -3.0 if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder else 3.0
        ink.painter.setPen(Qt.PenStyle.NoPen)
        ink.painter.setBrush(ink.colour("ink2"))
        ink.painter.drawPolygon(
            QPolygonF([QPointF(x - 3.5, y - tip / 2), QPointF(x + 3.5, y - tip / 2), QPointF(x, y + tip)])
        )
