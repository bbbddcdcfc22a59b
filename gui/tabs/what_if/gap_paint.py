"""What the page of bars and strips looks like: where its columns stand, and the paint of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPolygonF

from core.comparison.what_if.words import NEVER, value_words
from gui.charts.paint.brush import Ink, text_width
from gui.tabs.what_if.gap_rows import SEEN_RANGES, GapRow, GapTable, Mark, Picked
from gui.theme.chip_colours import TEXT_OF
from gui.widgets.live import PAGE_SIDE_PX

ROW_PX, TOP_PX, FOOT_PX = 26, 52, 44
BODY_PX, SMALL_PX = 13, 12
BAR_PX, MARK_W_PX, MARK_H_PX, GRIP_PX = 13, 5, 13, 8
NARROW_PX, TIGHT_PX = 1150, 860
"""Below the first width the likely range has no column; below the second, columns of words give room to bars and
strips."""
APART_PX = 6
"""Between two texts on one line, at least."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Where the columns stand in a page of some width."""

    now: float
    reach: float | None
    bars: tuple[float, float]
    strip: tuple[float, float]
    value: float
    new: float
    right: float

    @classmethod
    def of(cls, width: float) -> Edges:
        """The bars and strips share what the words leave."""
        right, is_narrow = width - PAGE_SIDE_PX, width < NARROW_PX
        for_new, for_value, now = (142.0, 112.0, 256.0) if width >= TIGHT_PX else (114.0, 100.0, 228.0)
        new = right - for_new
        value = new - for_value
        reach = None if is_narrow else 356.0
        left = (reach or now) + 24
        middle = left + 0.47 * (value - 14 - left)
        return cls(now, reach, (left, middle - 18), (middle + 18, value - 14), value, new, right)

    def strip_x(self, ranges: float) -> float:
        """Where a place on the strips lies."""
        left, right = self.strip
        return (left + right) / 2 + max(-1.0, min(1.0, ranges / SEEN_RANGES)) * (right - left) / 2

    def ranges_at(self, x: float) -> float:
        """The place on the strips at an x."""
        left, right = self.strip
        return max(-1.0, min(1.0, (2 * x - left - right) / (right - left))) * SEEN_RANGES


@dataclass(frozen=True, slots=True)
class Tried:
    """A mark that is being moved: on which row, where, and who is picked there as far as it is known."""

    row: int
    at: float
    value: float
    picked: Picked | None = None


def paint_titles(ink: Ink, edges: Edges, table: GapTable, note: str) -> None:
    """Titles of the columns, and what the bars start from."""
    taken = ink.text(PAGE_SIDE_PX, 14, "What moves the answer", "ink", strong=True, px=BODY_PX)
    room = edges.strip[0] - PAGE_SIDE_PX - taken - 20
    ink.text(PAGE_SIDE_PX + taken + 10, 14, note, "ink3", px=SMALL_PX, room=room)
    ink.text(edges.now, 36, "Now", "ink2", "right", px=SMALL_PX)
    if edges.reach is not None:
        ink.text(edges.reach, 36, "Likely range", "ink2", "right", px=SMALL_PX)
    taken = ink.text(edges.strip[0], 14, "How far until the pick changes", "ink", strong=True, px=BODY_PX)
    if edges.strip[0] + taken + 14 + text_width("drag a mark") + APART_PX < edges.new:
        ink.text(edges.strip[0] + taken + 14, 14, "drag a mark", "ink3", px=SMALL_PX)
    has_room = edges.strip[0] + taken + APART_PX < edges.new
    ink.text(edges.new, 14 if has_room else 36, "New pick", "ink2", px=SMALL_PX)
    if table.now is not None:
        left, right = edges.bars
        x = left + table.share(table.now) * (right - left)
        ink.text(min(max(x, left + 30), right - 10), 42, f"now {table.text(table.now)}", "ink", "centre", px=SMALL_PX)


def paint_grounds(ink: Ink, edges: Edges, table: GapTable, n_rows: int) -> None:
    """What bars and strips stand on."""
    top, height = TOP_PX - 2, n_rows * ROW_PX + 2
    left, right = edges.bars
    zero = left + table.share(0.0) * (right - left)
    ink.fill(QRectF(zero, top, right - zero, height), "limit")
    for place, _ in table.ticks:
        x = left + table.share(place) * (right - left)
        ink.fill(QRectF(x, top, 1, height), "line2" if place == 0 else "grid")
    shaded = edges.strip_x(-1.0), edges.strip_x(1.0)
    ink.fill(QRectF(shaded[0], top, shaded[1] - shaded[0], height), "dock")


def paint_row(
    ink: Ink, edges: Edges, table: GapTable, row: GapRow, y: float, tried: Tried | None, is_current: bool
) -> None:
    """One input: its words, its bar and its strip."""
    ink.text(PAGE_SIDE_PX, y, row.title, "ink", px=BODY_PX, room=edges.now - 56 - PAGE_SIDE_PX)
    ink.text(edges.now, y, row.now, "ink", "right", px=BODY_PX)
    if edges.reach is not None:
        ink.text(edges.reach, y, row.reach, "ink3", "right", px=SMALL_PX)
    _paint_bar(ink, edges, table, row, y)
    _paint_strip(ink, edges, row, y, tried)
    _paint_words(ink, edges, row, y, tried, table.stays)
    ink.fill(QRectF(PAGE_SIDE_PX, y + ROW_PX / 2 - 1, edges.right - PAGE_SIDE_PX, 1), "line")
    if is_current:
        ink.painter.setPen(ink.pen("accent", 2.0))
        ink.painter.setBrush(Qt.BrushStyle.NoBrush)
        rect = QRectF(PAGE_SIDE_PX - 8, y - ROW_PX / 2 + 1, edges.right - PAGE_SIDE_PX + 16, ROW_PX - 3)
        ink.painter.drawRoundedRect(rect, 3, 3)


def _paint_bar(ink: Ink, edges: Edges, table: GapTable, row: GapRow, y: float) -> None:
    """From one end of the range to the other; each side of 0 in the colour of who is better there."""
    known = [one for one in (row.low, row.high, table.now) if one is not None]
    if row.low is None and row.high is None:
        return
    left, right = edges.bars
    ends = min(known), max(known)
    parts = ((ends[0], min(ends[1], 0.0), table.a), (max(ends[0], 0.0), ends[1], table.b))
    for start, end, side in parts:
        if side is not None and end > start:
            x = left + table.share(start) * (right - left)
            width = max(left + table.share(end) * (right - left) - x, 1.5)
            is_alike = table.b is not None and side is table.b and table.b.colour == table.a.colour
            ink.fill(QRectF(x, y - BAR_PX / 2, width, BAR_PX), side.colour, 0.5 if is_alike else 1.0)


def _paint_strip(ink: Ink, edges: Edges, row: GapRow, y: float, tried: Tried | None) -> None:
    left, right = edges.strip
    now = edges.strip_x(0.0)
    ink.line(left, y, right, y, ink.pen("line2", 1.5))
    for mark in row.marks or ():
        _paint_mark(ink, edges, mark, now, y)
    ink.ring(now, y, 4.0, "ink", 1.5, filled=True)
    if tried is not None:
        x = edges.strip_x(tried.at)
        ink.line(now, y, x, y, ink.pen("accent", 2.0))
        ink.ring(x, y, 5.0, "accent", 2.0, filled=True)


def _paint_mark(ink: Ink, edges: Edges, mark: Mark, now: float, y: float) -> None:
    """A line from now to the mark, and beyond it the colour of the new pick; an arrow where it lies off the strip."""
    x, colour = edges.strip_x(mark.at), mark.new.colour or "err"
    end = edges.strip[0] if mark.at < 0 else edges.strip[1]
    ink.line(now, y, x, y, ink.pen("ink", 1.75))
    if mark.is_beyond:
        back = 6.0 if mark.at < 0 else -6.0
        ink.painter.setPen(ink.pen(colour, 1.75))
        ink.painter.drawPolyline(QPolygonF([QPointF(end + back, y - 5), QPointF(end, y), QPointF(end + back, y + 5)]))
        return
    ink.line(x, y, end, y, ink.pen(colour, 3.0, 0.45))
    ink.painter.setPen(Qt.PenStyle.NoPen)
    ink.painter.setBrush(QBrush(ink.colour(colour)))
    ink.painter.drawRoundedRect(QRectF(x - MARK_W_PX / 2, y - MARK_H_PX / 2, MARK_W_PX, MARK_H_PX), 1.5, 1.5)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_words(ink: Ink, edges: Edges, row: GapRow, y: float, tried: Tried | None, stays: str) -> None:
    room = edges.new - edges.value - 8
    if tried is not None:
        ink.text(
            edges.value, y, str(value_words(row.input, tried.value)), "accent", strong=True, px=SMALL_PX, room=room
        )
        if tried.picked is not None:
            _paint_picked(ink, edges, tried.picked, y)
        return
    if row.marks is None:
        ink.text(edges.value, y, "…", "ink3", px=SMALL_PX)
        return
    ink.text(edges.value, y, row.flip_words, "ink3" if row.flip_words == NEVER else "ink", px=SMALL_PX, room=room)
    if row.new is None:
        ink.text(edges.new, y, stays, "ink3", px=SMALL_PX, room=edges.right - edges.new)
    else:
        _paint_picked(ink, edges, row.new, y)


def _paint_picked(ink: Ink, edges: Edges, picked: Picked, y: float) -> None:
    if not picked.fits:
        ink.text(edges.new, y, picked.name, "err", px=SMALL_PX)
        return
    ink.glyph(edges.new + 5, y, 4.5, picked.shape, picked.colour)
    ink.text(
        edges.new + 16, y, picked.name, f"{picked.colour}{TEXT_OF}", px=SMALL_PX, room=edges.right - edges.new - 16
    )


def paint_axes(ink: Ink, edges: Edges, table: GapTable, n_rows: int) -> None:
    """Ticks and words below bars and strips."""
    y = TOP_PX + n_rows * ROW_PX + 11
    left, right = edges.bars
    if table.now is not None:
        x = left + table.share(table.now) * (right - left)
        ink.line(x, TOP_PX - 2, x, TOP_PX + n_rows * ROW_PX, ink.pen("ink", 1.5))
    ticks = sorted(table.ticks, key=lambda tick: abs(tick[0]))
    _paint_apart(ink, y, [(left + table.share(place) * (right - left), words) for place, words in ticks])
    if table.b is not None:
        ink.text(left, y + 17, "A better", f"{table.a.colour}{TEXT_OF}", px=SMALL_PX)
        ink.text(right, y + 17, "B better", f"{table.b.colour}{TEXT_OF}", "right", px=SMALL_PX)
    ends = ((0.0, "now"), (-1.0, "low end"), (1.0, "high end"))
    _paint_apart(ink, y, [(edges.strip_x(at), words) for at, words in ends])
    words = "shaded: 80 % range; beyond it a change is unlikely"
    middle = (edges.strip[0] + edges.strip[1]) / 2
    ink.text(max(middle - text_width(words) / 2, edges.strip[0] - 4), y + 17, words, "ink3", px=SMALL_PX)


def _paint_apart(ink: Ink, y: float, texts: Sequence[tuple[float, str]]) -> None:
    """Texts around their places on one line, the first ones first; what would stand over another is left out."""
    taken: list[tuple[float, float]] = []
    for x, words in texts:
        half = text_width(words, px=SMALL_PX) / 2
        if all(x + half + APART_PX <= left or x - half - APART_PX >= right for left, right in taken):
            taken.append((x - half, x + half))
            ink.text(x, y, words, "ink2", "centre", px=SMALL_PX)
