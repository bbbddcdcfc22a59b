"""Tornado and strips in shared rows: what moves the gap between A and B, and how far until the pick changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from core.comparison.what_if.inputs import Input
from core.comparison.what_if.words import NEVER, value_words
from core.units import rounded
from gui.charts.paint.brush import Ink, text_width
from gui.tabs.what_if.gap_rows import SEEN_RANGES, GapRow, GapTable, Mark, Picked
from gui.tabs.what_if.plots import FADED
from gui.theme.chip_colours import TEXT_OF
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text, tip
from gui.widgets.live import PAGE_SIDE_PX

ROW_PX, TOP_PX, FOOT_PX = 26, 52, 44
BODY_PX, SMALL_PX = 13, 12
BAR_PX, MARK_W_PX, MARK_H_PX, GRIP_PX = 13, 5, 13, 8
NARROW_PX, TIGHT_PX = 1150, 860
"""Below the first width the likely range has no column; below the second, columns of words give room to bars and
strips."""
APART_PX = 6
"""Between two texts on one line, at least."""
FEWEST, FEW = 6, 10
"""Rows that are shown until all are asked for: so many in a low window, and where there is room."""
STEP_SHARE = 0.05
"""Of a strip's range: how far Shift and an arrow move a mark."""


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


def value_at(one: Input, ranges: float) -> float:
    """The value so many lengths of the range from now, as round as a person would type it."""
    side = one.high - one.now if ranges >= 0 else one.now - one.low
    whole = side or (one.most - one.now if ranges >= 0 else one.now - one.least) or 1.0
    return one.settled(rounded(one.now + ranges * whole))


class GapView(QWidget):
    """Arrows walk the rows, Shift and arrows move a mark, Home brings it back, Enter sets the input, Del resets it.

    ``tried`` tells an input and a value that is tried, ``set_wanted`` one that is to be entered, ``selected`` an input,
    ``explain_wanted`` an input of which more is asked.
    """

    tried = Signal(object, float)
    set_wanted = Signal(object, float)
    reset_wanted = Signal(object)
    selected = Signal(object)
    copied = Signal(str)

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "what-if-gaps", "What moves the answer, and how far until the pick changes")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._themes = themes
        self.table: GapTable | None = None
        self.row = 0
        self.trying: Tried | None = None
        self._is_stale, self._shows_all, self._is_dragging = False, False, False
        self.n_few = FEW
        self._note = ""
        self._is_chosen, self._pressed_px = False, 0.0

    def show_table(self, table: GapTable, note: str) -> None:
        """Other rows; an input that somebody selected stays so, else the first one is."""
        before = self.current if self._is_chosen else None
        self.table, self._note = table, note
        ids = [one.input.id for one in self.rows]
        self.row = ids.index(before.input.id) if before and before.input.id in ids else 0
        if not self._is_dragging and self.trying is not None:
            self.trying = None
        self._fit()
        self._tell()

    def fade(self, is_faded: bool) -> None:
        """What is seen is from before."""
        self._is_stale = is_faded
        self.update()

    def make_room(self, room_px: float) -> None:
        """As many of the first rows as have room."""
        n_few = min(max(int((room_px - TOP_PX - FOOT_PX) // ROW_PX), FEWEST), FEW)
        if n_few != self.n_few:
            self.n_few = n_few
            self.row = min(self.row, max(len(self.rows) - 1, 0))
            self._fit()

    def show_all(self, shows_all: bool) -> None:
        """All rows, or the first few."""
        self._shows_all = shows_all
        self.row = min(self.row, max(len(self.rows) - 1, 0))
        self._fit()

    def show_tried(self, input_id: str, value: float, picked: Picked) -> None:
        """Who would be picked at the value that is tried."""
        one = self.trying
        if one is not None and self.rows[one.row].input.id == input_id and one.value == value:
            self.trying = Tried(one.row, one.at, value, picked)
            self._tell()

    @property
    def rows(self) -> tuple[GapRow, ...]:
        """The rows that are shown."""
        every = self.table.rows if self.table else ()
        return every if self._shows_all else every[: self.n_few]

    @property
    def current(self) -> GapRow | None:
        """The selected row."""
        return self.rows[self.row] if self.row < len(self.rows) else None

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(900, TOP_PX + ROW_PX * len(self.rows) + FOOT_PX)

    def mark_at(self, row: int, number: int = 0) -> QPointF:
        """Where the mark of a row stands; that of now without one."""
        marks = self.rows[row].marks or ()
        edges = Edges.of(self.width())
        return QPointF(edges.strip_x(marks[number].at if number < len(marks) else 0.0), self._middle(row))

    def _middle(self, row: int) -> float:
        return TOP_PX + (row + 0.5) * ROW_PX

    def _fit(self) -> None:
        self.setFixedHeight(TOP_PX + ROW_PX * len(self.rows) + FOOT_PX)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grounds, rows, axes."""
        if self.table is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, edges = Ink(painter, self._themes.theme), Edges.of(self.width())
        _paint_titles(ink, edges, self.table, self._note)
        painter.setOpacity(FADED if self._is_stale else 1.0)
        _paint_grounds(ink, edges, self.table, len(self.rows))
        for number, row in enumerate(self.rows):
            tried = self.trying if self.trying and self.trying.row == number else None
            _paint_row(ink, edges, self.table, row, self._middle(number), tried, self.hasFocus() and number == self.row)
        _paint_axes(ink, edges, self.table, len(self.rows))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects a row; on a strip it takes its nearest mark."""
        number = int((event.position().y() - TOP_PX) // ROW_PX)
        if not 0 <= number < len(self.rows):
            return
        self.row, self._is_chosen = number, True
        left, right = Edges.of(self.width()).strip
        if left - GRIP_PX <= event.position().x() <= right + GRIP_PX:
            self._is_dragging = True
            self._drag(event.position().x())
        self.selected.emit(self.rows[number].input)
        self._tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A mark follows; strips say that it can."""
        if self._is_dragging:
            self._drag(event.position().x())
            return
        left, right = Edges.of(self.width()).strip
        is_strip = left <= event.position().x() <= right and TOP_PX <= event.position().y() < self.height() - FOOT_PX
        self.setCursor(Qt.CursorShape.SizeHorCursor if is_strip else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was dragged is entered, in one step."""
        if not self._is_dragging:
            return
        self._is_dragging = False
        tried, self.trying = self.trying, None
        edges = Edges.of(self.width())
        if tried is not None and abs(edges.strip_x(tried.at) - edges.strip_x(0.0)) > GRIP_PX:
            moved_px = abs(event.position().x() - self._pressed_px)
            if moved_px > GRIP_PX / 2:
                self.set_wanted.emit(self.rows[tried.row].input, tried.value)
        self._tell()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Sets the input to where its pick changes."""
        row = self.current
        self._is_dragging, self.trying = False, None
        if row is not None and row.marks:
            self.set_wanted.emit(row.input, min(row.marks, key=lambda mark: abs(mark.at)).value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class."""
        key, is_shifted = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key)
        row = self.current
        if row is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not is_shifted:
            self._walk(1 if key == Qt.Key.Key_Down else -1)
        elif step and is_shifted:
            at = self.trying.at if self.trying else 0.0
            self._try(at + step * STEP_SHARE * 2 * SEEN_RANGES)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_Escape) and self.trying:
            self.trying = None
            self._tell()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.trying:
            tried, self.trying = self.trying, None
            self.set_wanted.emit(row.input, tried.value)
        elif key == Qt.Key.Key_Delete:
            self.reset_wanted.emit(row.input)
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.copied.emit(self.as_text())
        else:
            super().keyPressEvent(event)

    def as_text(self) -> str:
        """All rows as a table."""
        titles = "Input\tNow\tLikely range\tGap at low end\tGap at high end\tPick changes at\tNew pick"
        table = self.table
        lines = [] if table is None else [_as_line(table, row) for row in table.rows]
        return "\n".join([titles, *lines])

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes, and with it what was tried."""
        self.trying = None
        self.update()

    def event(self, event: QEvent) -> bool:
        """A row tells all of itself on hovering."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = int((event.pos().y() - TOP_PX) // ROW_PX)
            words = f"{self.rows[number].spoken}. {self.rows[number].input.range_from}" if self._is_row(number) else ""
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def _is_row(self, number: int) -> bool:
        return 0 <= number < len(self.rows)

    def _walk(self, step: int) -> None:
        self.row, self._is_chosen = min(max(self.row + step, 0), len(self.rows) - 1), True
        self.trying = None
        if self.current:
            self.selected.emit(self.current.input)
        self._tell()

    def _drag(self, x: float) -> None:
        if self.trying is None:
            self._pressed_px = x
        self._try(Edges.of(self.width()).ranges_at(x))

    def _try(self, at: float) -> None:
        row = self.current
        if row is None:
            return
        at = max(-SEEN_RANGES, min(SEEN_RANGES, at))
        value = value_at(row.input, at)
        picked = self.trying.picked if self.trying else None
        self.trying = Tried(self.row, at, value, picked)
        self.tried.emit(row.input, value)
        self._tell()

    def _tell(self) -> None:
        row = self.current
        words = row.spoken if row else ""
        if row and self.trying:
            then = f": {self.trying.picked.name}" if self.trying.picked else ""
            words = f"{row.title}: {value_words(row.input, self.trying.value)}{then}"
        self.setAccessibleDescription(as_text(words))
        self.update()


def _as_line(table: GapTable, row: GapRow) -> str:
    gaps = ["" if gap is None else f"{table.text(gap)} {table.unit}" for gap in (row.low, row.high)]
    return "\t".join([row.title, row.now, row.reach, *gaps, row.flip_words, row.new.name if row.new else ""])


def _paint_titles(ink: Ink, edges: Edges, table: GapTable, note: str) -> None:
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


def _paint_grounds(ink: Ink, edges: Edges, table: GapTable, n_rows: int) -> None:
    top, height = TOP_PX - 2, n_rows * ROW_PX + 2
    left, right = edges.bars
    zero = left + table.share(0.0) * (right - left)
    ink.fill(QRectF(zero, top, right - zero, height), "limit")
    for place, _ in table.ticks:
        x = left + table.share(place) * (right - left)
        ink.fill(QRectF(x, top, 1, height), "line2" if place == 0 else "grid")
    shaded = edges.strip_x(-1.0), edges.strip_x(1.0)
    ink.fill(QRectF(shaded[0], top, shaded[1] - shaded[0], height), "dock")


def _paint_row(
    ink: Ink, edges: Edges, table: GapTable, row: GapRow, y: float, tried: Tried | None, is_current: bool
) -> None:
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


def _paint_axes(ink: Ink, edges: Edges, table: GapTable, n_rows: int) -> None:
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
