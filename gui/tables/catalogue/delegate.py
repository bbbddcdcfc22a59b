"""Paints the catalogue's lists: glyph and name, figures, estimates in italics, marks in words and colour."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.units import DASH
from gui.charts.figure.shown import colour_key, shape_of
from gui.charts.paint.brush import Ink
from gui.tables.catalogue.model import MARKS, EntryModel, EntryRow
from gui.tables.style import Index
from gui.theme.fonts import font
from gui.theme.plain import as_text
from gui.theme.theme import Theme

PAD_PX = 8
GLYPH_AT_PX, NAME_AT_PX, FIRST_PAD_PX = 20, 36, 20
CALM_MARKS = frozenset({"yours", "price book"})
_DATES = frozenset({"as_of", "age"})
_OLD = frozenset({"old", "undated"})


class EntryDelegate(QStyledItemDelegate):
    """Needs the theme before it can paint; reads rows straight from the model, which is what makes it quick."""

    def __init__(self, model: EntryModel) -> None:
        super().__init__()
        self._model = model
        self._theme: Theme | None = None
        self._colours: dict[str, QColor] = {}

    def set_theme(self, theme: Theme) -> None:
        """Paint in these colours from now on."""
        self._theme = theme
        self._colours = {name: theme.color(name) for name in ("sel", "line", "ink", "ink2", "ink3", "warn")}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        if self._theme is None:
            return
        number, row, rect, colours = index.column(), self._model.rows[index.row()], option.rect, self._colours
        is_selected = QStyle.StateFlag.State_Selected in option.state
        if is_selected:
            painter.fillRect(rect, colours["sel"])
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours["line"])
        if number == 0:
            self._paint_first(painter, rect, row, is_selected)
            return
        is_number = row.columns[number].is_number
        typeface = _font(13 if is_number else 12, False, number in row.estimated)
        box = rect.adjusted(PAD_PX, 0, -PAD_PX, 0)
        _write(painter, box, row.text(number), typeface, colours[cell_colour(row, number)], is_number)

    def _paint_first(self, painter: QPainter, rect: QRect, row: EntryRow, is_selected: bool) -> None:
        if is_selected:
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), self._colours["ink"])
        if row.chip is not None:
            self._paint_glyph(painter, rect, row)
        box = rect.adjusted(NAME_AT_PX if row.chip is not None else FIRST_PAD_PX, 0, -4, 0)
        _write(painter, box, row.text(0), _font(13, True, 0 in row.estimated), self._colours["ink"], False)

    def _paint_glyph(self, painter: QPainter, rect: QRect, row: EntryRow) -> None:
        """The chip's shape in its colour; hollow for one that is only announced."""
        assert self._theme is not None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, y = Ink(painter, self._theme), rect.top() + rect.height() / 2
        ink.glyph(rect.left() + GLYPH_AT_PX, y, 5.0, shape_of(row.chip), colour_key(row.chip), row.chip.announced)
        painter.restore()


def cell_colour(row: EntryRow, number: int) -> str:
    """Warning colour for what must be confirmed, pale for what is not known, strong for figures."""
    column = row.columns[number]
    if column.key == MARKS:
        return "ink2" if row.marks <= CALM_MARKS else "warn"
    if column.key in _DATES and row.marks & _OLD:
        return "warn"
    if row.text(number) == DASH:
        return "ink3"
    return "ink" if column.is_number else "ink2"


def _write(painter: QPainter, box: QRect, text: str, typeface: QFont, colour: QColor, at_right: bool) -> None:
    """One line of text by its baseline, which is quicker than letting Qt place it in the box."""
    painter.setFont(typeface)
    painter.setPen(colour)
    px = typeface.pixelSize()
    shown, width_px = _fitted(text, box.width(), px, typeface.weight() > QFont.Weight.Normal)
    left = box.right() + 1 - width_px if at_right else box.left()
    painter.drawText(left, box.top() + _baseline_px(box.height(), px), shown)


@lru_cache(maxsize=8)
def _font(px: int, is_strong: bool, is_italic: bool) -> QFont:
    made = font(px, QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
    made.setItalic(is_italic)
    return made


@lru_cache(maxsize=8)
def _metrics(px: int, is_strong: bool) -> QFontMetricsF:
    return QFontMetricsF(_font(px, is_strong, False))


@lru_cache(maxsize=8)
def _baseline_px(height_px: int, px: int) -> int:
    """Where a line of text stands when it is in the middle of its row."""
    metrics = _metrics(px, False)
    return round((height_px + metrics.ascent() - metrics.descent()) / 2)


@lru_cache(maxsize=4_000)
def _fitted(text: str, width_px: int, px: int, is_strong: bool) -> tuple[str, int]:
    """The text, cut with an ellipsis where it has no room, and its width."""
    metrics, text = _metrics(px, is_strong), as_text(text)
    needed_px = ceil(metrics.horizontalAdvance(text))
    if needed_px <= width_px:
        return text, needed_px
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width_px)
    return shown, ceil(metrics.horizontalAdvance(shown))
