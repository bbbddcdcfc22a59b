"""Tornado and strips in shared rows: what moves the gap between A and B, and how far until the pick changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from core.comparison.what_if.inputs import Input
from core.comparison.what_if.words import value_words
from core.units import rounded
from gui.charts.paint.brush import Ink
from gui.tabs.what_if.gap_paint import (
    FOOT_PX,
    GRIP_PX,
    ROW_PX,
    TOP_PX,
    Edges,
    Tried,
    paint_axes,
    paint_grounds,
    paint_row,
    paint_titles,
)
from gui.tabs.what_if.gap_rows import SEEN_RANGES, GapRow, GapTable, Picked
from gui.tabs.what_if.plots import FADED
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text, tip

FEWEST, FEW = 6, 10
"""Rows that are shown until all are asked for: so many in a low window, and where there is room."""
STEP_SHARE = 0.05
"""Of a strip's range: how far Shift and an arrow move a mark."""


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
        self.note = ""
        self._is_chosen, self._pressed_px = False, 0.0

    def show_table(self, table: GapTable, note: str) -> None:
        """Other rows; an input that somebody selected stays so, else the first one is."""
        before = self.current if self._is_chosen else None
        self.table, self.note = table, note
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
        paint_titles(ink, edges, self.table, self.note)
        painter.setOpacity(FADED if self._is_stale else 1.0)
        paint_grounds(ink, edges, self.table, len(self.rows))
        for number, row in enumerate(self.rows):
            tried = self.trying if self.trying and self.trying.row == number else None
            paint_row(ink, edges, self.table, row, self._middle(number), tried, self.hasFocus() and number == self.row)
        paint_axes(ink, edges, self.table, len(self.rows))

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
