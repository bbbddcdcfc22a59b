"""Paints the candidates table: glyph and place, value with range, evidence meter, rejected rows."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.comparison.result import CandidateResult
from gui.charts.figure.shown import colour_key, fill_of, shape_of
from gui.charts.figure.texts import reason_text
from gui.charts.paint.brush import Ink
from gui.tables.candidates.columns import FIRST_KEY, FIRST_SPANNED, Column
from gui.tables.candidates.model import COLUMN_ROLE, RESULT_ROLE, CandidateModel
from gui.tables.style import Index
from gui.theme.theme import Theme

BODY_PX = 13
PAD = 8.0
METER_BARS = 4


class CandidateDelegate(QStyledItemDelegate):
    """Needs the theme before it can paint; :meth:`set_theme` also follows a switch."""

    def __init__(self, model: CandidateModel) -> None:
        super().__init__()
        self._model = model
        self._theme: Theme | None = None
        self.stale = False

    def set_theme(self, theme: Theme) -> bool:
        """Paint in these colours from now on; True where they are others."""
        is_other, self._theme = theme != self._theme, theme
        return is_other

    def look(self, result: CandidateResult, column: Column, number: int) -> tuple[object, ...]:
        """All that tells a cell from what it was, but for theme and selection."""
        if column.key == FIRST_KEY:
            chip, pinned = result.candidate.accelerator, self._model.pinned
            place = pinned.index(result.id) if result.id in pinned else None
            return shape_of(chip), colour_key(chip), result.feasible, fill_of(result), place, column.cell(result)
        if not result.feasible and number >= FIRST_SPANNED:
            return (reason_text(result),) if number == FIRST_SPANNED else ()
        evidence = result.evidence.strength if column.key == "evidence" else 0
        return result.feasible, evidence, column.cell(result)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        if self._theme is None:
            return
        ink = Ink(painter, self._theme)
        result, column = index.data(RESULT_ROLE), index.data(COLUMN_ROLE)
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink.fill(rect, "sel" if selected else "bg")
        if selected and index.column() == 0:
            ink.fill(QRectF(rect.left(), rect.top(), 3, rect.height()), "ink")
        painter.setOpacity(0.45 if self.stale else 1.0)
        painter.setClipRect(rect)
        self._paint_cell(ink, rect, result, column, index.column())
        painter.restore()
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self._theme.color("line"))

    def _paint_cell(self, ink: Ink, rect: QRectF, result: CandidateResult, column: Column, number: int) -> None:
        if column.key == FIRST_KEY:
            self._paint_candidate(ink, rect, result, column)
        elif not result.feasible and number == FIRST_SPANNED:
            _paint_rejected(ink, rect, result)
        elif column.key == "evidence":
            _paint_evidence(ink, rect, result, rect.width() < column.width_px)
        else:
            _paint_value(ink, rect, result, column)

    def _paint_candidate(self, ink: Ink, rect: QRectF, result: CandidateResult, column: Column) -> None:
        chip, y = result.candidate.accelerator, rect.center().y()
        look = shape_of(chip), colour_key(chip), not result.feasible, fill_of(result)
        ink.glyph(rect.left() + 20, y, 5.0, *look)
        cell, x = column.cell(result), rect.left() + 36
        if result.id in self._model.pinned:
            letter = "AB"[self._model.pinned.index(result.id) % 2]
            ink.text(rect.left() + 6, y, letter, "ink", strong=True)
        edge, key = rect.right() - 4, "ink" if result.feasible else "ink3"
        x += ink.text(x, y, cell.text, key, strong=result.feasible, px=BODY_PX, room=edge - x) + 8
        if x < edge:
            ink.text(x, y, cell.detail, "ink3", room=edge - x)


def _paint_value(ink: Ink, rect: QRectF, result: CandidateResult, column: Column) -> None:
    cell, y = column.cell(result), rect.center().y()
    key = "ink" if result.feasible else "ink3"
    if not column.is_number:
        plain_key = "ink2" if result.feasible else "ink3"
        ink.text(rect.left() + PAD, y, cell.text, "warn" if cell.is_warning else plain_key, px=12)
        return
    right = rect.right() - PAD
    is_narrow = rect.width() < column.width_px
    if result.feasible and not is_narrow:
        ink.text(right, y, cell.detail, "ink3", "right")
    x = right if is_narrow else right - column.detail_px
    ink.text(x, y, cell.text, key, "right", strong=cell.is_strong, px=BODY_PX)


def _paint_rejected(ink: Ink, rect: QRectF, result: CandidateResult) -> None:
    y, x = rect.center().y(), rect.left() + PAD + 12
    x += ink.text(x, y, "Rejected", "err") + 10
    room = rect.right() - x - 4
    ink.text(x, y, reason_text(result), "ink2", room=room)


def _paint_evidence(ink: Ink, rect: QRectF, result: CandidateResult, is_narrow: bool) -> None:
    x, y = rect.left() + PAD, rect.center().y()
    for bar in range(METER_BARS):
        box = QRectF(x + bar * 5 + 0.5, y - 4.5, 4, 9)
        if bar < result.evidence.strength:
            ink.fill(box, "ink2")
        else:
            ink.painter.setPen(ink.pen("line2", 1.0))
            ink.painter.drawRect(box.adjusted(0, 0.5, -1, -0.5))
    words = "" if is_narrow else result.evidence.value.capitalize()
    ink.text(x + 28, y, words, "ink2")
