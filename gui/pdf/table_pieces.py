"""Tables: one piece a row, with a heading that repeats on every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.report.blocks import Cell, Column, Table
from gui.pdf.canvas import BODY_PX, SMALL_PX, Canvas, line_px, width_of, wrapped
from gui.pdf.piece import INNER_PX, Piece

_GAP_PX = 14.0
_MARK_PX = 20.0
_METER_PX = 26.0
_PAD_PX = 3.5
_SHORT_TEXT = 12
_MOST_TEXT_SHARE = 0.34
_MOST_WORD_SHARE = 0.22
_DENSE_COLUMNS = 6
"""A table of so many columns is set smaller."""
_EVENED_COLUMNS = 5
"""In a table of so many, columns with room to spare give it to those whose texts would break."""
_TONES = {"": "ink", "strong": "ink", "muted": "ink3", "warn": "warn", "bad": "err"}
_BESIDE_PX = 7.0


@dataclass(frozen=True, slots=True)
class _Place:
    """A column on the page: edges, the width of the text beside its values (0: below), and the size of its text."""

    left: float
    right: float
    second_px: float
    px: int
    is_right: bool

    @property
    def width(self) -> float:
        return self.right - self.left


def table_pieces(table: Table) -> list[Piece]:
    """Heading, rows and caption."""
    places = _places(table)
    head = _head_piece(table.columns, places)
    rows = [_row_piece(row, places, head) for row in table.rows]
    for index in {0, len(rows) - 2} if len(rows) > 1 else ():  # no page begins or ends with a single row
        rows[index] = replace(rows[index], holds_next=True)
    first = Piece(head.height_px, head.paint, 12.0, holds_next=True)
    caption = [_caption_piece(table.caption)] if table.caption else []
    return [first, *rows, *caption]


def _places(table: Table) -> list[_Place]:
    px = SMALL_PX if table.is_small or len(table.columns) >= _DENSE_COLUMNS else BODY_PX
    at, places = 0.0, []
    for number, (column, width) in enumerate(zip(table.columns, _widths(table, px), strict=True)):
        is_last = number == len(table.columns) - 1
        cells = [row[number] for row in table.rows]
        right = at + width - (0.0 if is_last else _GAP_PX)
        places.append(_Place(at, right, _second_px(cells, right - at, px), px, column.align == "right"))
        at += width
    return places


def _widths(table: Table, px: int) -> list[float]:
    """The page's width by the columns' weights, but no column narrower than its longest word or short text.

    Columns of many give each other room first.
    """
    total = sum(column.weight for column in table.columns)
    wished = [INNER_PX * column.weight / total for column in table.columns]
    if table.is_aligned:
        return wished
    cells = [[row[n] for row in table.rows] for n in range(len(table.columns))]
    if len(table.columns) >= _EVENED_COLUMNS:
        whole = [_whole_px(column, own, px) for column, own in zip(table.columns, cells, strict=True)]
        wished = _evened(wished, whole)
    least = [_least_px(column, own, px) for column, own in zip(table.columns, cells, strict=True)]
    return _evened(wished, least)


def _evened(widths: Sequence[float], needed: Sequence[float]) -> list[float]:
    """Widths with what some have beyond their need given to those that lack it; the sum stays."""
    lacking = [max(need - width, 0.0) for width, need in zip(widths, needed, strict=True)]
    spare = [max(width - need, 0.0) for width, need in zip(widths, needed, strict=True)]
    moved = min(sum(lacking), sum(spare))
    if moved <= 0:
        return list(widths)
    given, taken = moved / sum(lacking), moved / sum(spare)
    return [width + given * lack - taken * extra for width, lack, extra in zip(widths, lacking, spare, strict=True)]


def _whole_px(column: Column, cells: Sequence[Cell], px: int) -> float:
    """Width at which no cell of a column breaks."""
    texts = [width_of(column.title, SMALL_PX)]
    for cell in cells:
        texts.append(width_of(cell.text, px, cell.tone == "strong") + _indent(cell))
        texts.append(width_of(cell.second, SMALL_PX) + _indent(cell))
    return min(max(texts) + _GAP_PX, _MOST_TEXT_SHARE * INNER_PX)


def _least_px(column: Column, cells: Sequence[Cell], px: int) -> float:
    words = [width_of(word, SMALL_PX) for word in column.title.split(" ")]
    for cell in cells:
        strong = cell.tone == "strong"
        parts = [cell.text] if len(cell.text) <= _SHORT_TEXT else cell.text.split(" ")
        words += [width_of(part, px, strong) + _indent(cell) for part in parts]
        words += [width_of(word, SMALL_PX) + _indent(cell) for word in cell.second.replace("-", "- ").split(" ")]
    return min(max(words) + _GAP_PX, _MOST_WORD_SHARE * INNER_PX)


def _second_px(cells: Sequence[Cell], width: float, px: int) -> float:
    """Room for the texts beside the values; 0 when one of them does not fit and all go below."""
    beside = [cell for cell in cells if cell.second and not cell.below]
    if not beside:
        return 0.0
    seconds = max(width_of(cell.second, SMALL_PX) for cell in beside)
    values = max(width_of(cell.text, px, cell.tone == "strong") for cell in beside)
    return seconds if values + seconds + _BESIDE_PX <= width else 0.0


def _head_piece(columns: Sequence[Column], places: Sequence[_Place]) -> Piece:
    titles = [wrapped(column.title, place.width, SMALL_PX) for column, place in zip(columns, places, strict=True)]
    n_lines = max(len(lines) for lines in titles)
    height = n_lines * line_px(SMALL_PX) + 8

    def paint(canvas: Canvas, x: float, top: float) -> None:
        for lines, place in zip(titles, places, strict=True):
            start = top + (n_lines - len(lines)) * line_px(SMALL_PX)
            edge, align = (place.right, "right") if place.is_right else (place.left, "left")
            canvas.lines(x + edge, start, lines, SMALL_PX, "ink3", align=align)
        canvas.rule(x, top + height, INNER_PX, "line2")

    return Piece(height + 1, paint)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A cell in lines."""

    cell: Cell
    place: _Place
    lines: list[str]
    seconds: list[str]

    @property
    def is_beside(self) -> bool:
        return bool(self.cell.second) and not self.cell.below and self.place.second_px > 0

    @property
    def height_px(self) -> float:
        below = 0.0 if self.is_beside else len(self.seconds) * line_px(SMALL_PX)
        return len(self.lines) * line_px(self.place.px) + below


def _laid(cell: Cell, place: _Place) -> _Laid:
    width = place.width - _indent(cell)
    strong = cell.tone == "strong"
    is_beside = bool(cell.second) and not cell.below and place.second_px > 0
    lines = [cell.text] if is_beside else wrapped(cell.text, width, place.px, strong)
    seconds = wrapped(cell.second, width, SMALL_PX) if cell.second else []
    return _Laid(cell, place, lines, seconds)


def _indent(cell: Cell) -> float:
    return (_MARK_PX if cell.mark else 0.0) + (_METER_PX if cell.meter is not None else 0.0)


def _row_piece(row: Sequence[Cell], places: Sequence[_Place], head: Piece) -> Piece:
    laid = [_laid(cell, place) for cell, place in zip(row, places, strict=True)]
    height = max(one.height_px for one in laid) + 2 * _PAD_PX

    def paint(canvas: Canvas, x: float, top: float) -> None:
        for one in laid:
            _paint_cell(canvas, x, top + (height - one.height_px) / 2, one)
        canvas.rule(x, top + height, INNER_PX)

    return Piece(height + 1, paint, head=head)


def _paint_cell(canvas: Canvas, x: float, top: float, laid: _Laid) -> None:
    cell, place = laid.cell, laid.place
    key, strong = _TONES.get(cell.tone, "ink"), cell.tone == "strong"
    middle = top + line_px(place.px) / 2
    left = x + place.left
    if cell.swing is not None:
        _paint_swing(canvas, left, middle, place.width, cell.swing)
    if cell.mark:
        canvas.mark(left + 6, middle, cell.mark)
    if cell.meter is not None:
        canvas.meter(left + (_MARK_PX if cell.mark else 0.0), middle, cell.meter)
    edge, align = (x + place.right, "right") if place.is_right else (left + _indent(cell), "left")
    second_key = "ink3" if cell.tone in ("", "strong", "muted") else key
    if laid.is_beside:
        _paint_beside(canvas, edge, top, laid, key, align)
        return
    canvas.lines(edge, top, laid.lines, place.px, key, strong, align)
    below = top + len(laid.lines) * line_px(place.px)
    canvas.lines(edge, below, laid.seconds, SMALL_PX, second_key, align=align)


def _paint_swing(canvas: Canvas, x: float, y: float, width: float, swing: tuple[float, float]) -> None:
    """A bar around a line in the middle: what lies below it is lighter."""
    zero, half = x + width / 2, width / 2
    for value, key in zip(swing, ("ink3", "ink2"), strict=True):
        end = zero + value * half
        canvas.painter.fillRect(round(min(zero, end)), round(y - 5), round(abs(end - zero)), 10, canvas.ink.colour(key))
    canvas.ink.line(zero, y - 9, zero, y + 9, canvas.ink.pen("ink", 1.0))


def _paint_beside(canvas: Canvas, edge: float, top: float, laid: _Laid, key: str, align: str) -> None:
    """Value and range in two sub-columns, each aligned at its own edge."""
    cell, place = laid.cell, laid.place
    strong, lift = cell.tone == "strong", (line_px(place.px) - line_px(SMALL_PX)) / 2
    if align == "right":
        canvas.text(edge - place.second_px - _BESIDE_PX, top, cell.text, place.px, key, strong, "right")
        canvas.text(edge, top + lift, cell.second, SMALL_PX, "ink3", align="right")
    else:
        canvas.text(edge, top, cell.text, place.px, key, strong)
        after = edge + width_of(cell.text, place.px, strong) + _BESIDE_PX
        canvas.text(after, top + lift, cell.second, SMALL_PX, "ink3")


def _caption_piece(caption: str) -> Piece:
    lines = wrapped(caption, INNER_PX, SMALL_PX)

    def paint(canvas: Canvas, x: float, top: float) -> None:
        canvas.lines(x, top, lines, SMALL_PX, "ink3")

    return Piece(len(lines) * line_px(SMALL_PX), paint, 6.0)
