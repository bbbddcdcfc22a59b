"""Draws the rows of the project dock."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QAbstractItemModel, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.frame.project_rows import ADDERS, Row
from gui.tables.style import Index
from gui.theme.fonts import font
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.plain import as_text

ROW = Qt.ItemDataRole.UserRole
SIDE_PX, LEAST_EDGE_PX, NOTE_GAP_PX, SLACK_PX = 16, 2, 8, 4
"""Edges, the gap between a name and its note, and what an elided text needs beyond its width."""
SECTION_GAP_PX = 7
SHOWN_BAR_PX = 3


class ProjectDelegate(QStyledItemDelegate):
    """``shown`` holds (kind, id) of what is on screen: those rows are tinted, the workload with a bar."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self.shown: set[tuple[str, str]] = set()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows of one height; titles stand a little apart from what is above them."""
        row, height_px = index.data(ROW), self._themes.theme.heights_px["dock_item"]
        is_section = isinstance(row, Row) and row.kind == "section"
        return QSize(100, height_px + (SECTION_GAP_PX if is_section else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        row = index.data(ROW)
        if not isinstance(row, Row):
            return
        painter.save()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        self._paint_back(painter, rect, row, bool(state & QStyle.StateFlag.State_MouseOver))
        self._paint_words(painter, rect, row, index.model())
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._themes.theme.color("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_back(self, painter: QPainter, rect: QRect, row: Row, is_hovered: bool) -> None:
        theme = self._themes.theme
        if (row.kind, row.id) in self.shown and row.kind == "workload":
            painter.fillRect(rect, theme.color("sel"))
            painter.fillRect(QRect(rect.left(), rect.top(), SHOWN_BAR_PX, rect.height()), theme.color("ink"))
        elif is_hovered and row.kind != "section" and row.is_enabled:
            painter.fillRect(rect, theme.color("tint"))

    def _font(self, row: Row) -> QFont:
        made = font(12 if row.kind == "section" else 13)
        if (row.kind == "scenario" and (row.kind, row.id) in self.shown) or (row.kind, row.id) == ("whole", "cost"):
            made.setWeight(made.Weight.DemiBold)
        return made

    def most_needed_px(self, model: QAbstractItemModel) -> int:
        """Room for the longest name with its note, so that all notes end in one line."""
        rows = [model.index(number, 0).data(ROW) for number in range(model.rowCount())]
        noted = [row for row in rows if isinstance(row, Row) and row.note]
        return max((_needed_px(as_text(row.text), row.note, self._font(row).weight()) for row in noted), default=0)

    def _paint_words(self, painter: QPainter, rect: QRect, row: Row, model: QAbstractItemModel) -> None:
        theme = self._themes.theme
        made = self._font(row)
        right_px = right_edge_px(rect.width(), self.most_needed_px(model)) if row.note else SIDE_PX
        inside = rect.adjusted(SIDE_PX, SECTION_GAP_PX if row.kind == "section" else 0, -right_px, 0)
        if row.note:
            painter.setFont(font(12))
            painter.setPen(theme.color("ink" if row.kind == "whole" and not row.is_waiting else "ink3"))
            painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row.note)
            inside.setRight(inside.right() - QFontMetrics(font(12)).horizontalAdvance(row.note) - NOTE_GAP_PX)
        quiet = theme.color("ink3" if row.is_enabled else "ctl")
        if row.kind in ADDERS:
            icon("plus", quiet).paint(painter, inside.left(), inside.top(), 12, inside.height())
            inside.setLeft(inside.left() + 19)
        is_quiet = row.kind == "section" or row.kind in ADDERS or (row.kind == "whole" and row.id != "cost")
        painter.setFont(made)
        painter.setPen(quiet if is_quiet else theme.color("ink"))
        words = QFontMetrics(made).elidedText(as_text(row.text), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)


@lru_cache(256)
def _needed_px(text: str, note: str, weight: QFont.Weight) -> int:
    name_px = QFontMetrics(font(13, weight)).horizontalAdvance(text)
    return name_px + NOTE_GAP_PX + SLACK_PX + QFontMetrics(font(12)).horizontalAdvance(note)


def right_edge_px(width_px: int, needed_px: int) -> int:
    """Room at the right of a note: that of the left, or less where a bar to scroll with takes it."""
    return max(min(SIDE_PX, width_px - SIDE_PX - needed_px), LEAST_EDGE_PX)
