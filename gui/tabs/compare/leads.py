"""Leads under the candidates: what would beat the pick if it holds, and the way to enter what its seller answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.comparison.recommendation.leads import MOST_LEADS
from core.comparison.result import ResultSet
from gui.charts.paint.brush import Ink, text_width
from gui.tabs.compare.lead_line import LeadLine, lead_rows
from gui.theme.naming import named
from gui.theme.plain import tip
from gui.theme.theme import Theme
from gui.widgets.live import PAGE_SIDE_PX, label
from gui.widgets.rule import rule

ROW_PX, HEAD_PX, TITLE_PX = 30, 24, 34
FEW = 2
"""So many are shown until the others are asked for."""
BODY_PX = 13
BUTTON_PX = (130, 24)
_NARROW_PX = 1140
_TITLES = ("Option and seller", "Saves in all", "Ask first", "Better up to, a chip hour", "Best then, of 100")


@dataclass(frozen=True, slots=True)
class Edges:
    """Where the columns of a row of some width stand; ``best`` is the right edge of the last one, None without it."""

    name: float
    saving: float
    ask: float
    price: float
    best: float | None

    @classmethod
    def of(cls, width: float) -> Edges:
        """Names take what a wide row has to spare; the chance of being best gives way in a narrow one."""
        right = width - BUTTON_PX[0] - 2 * PAGE_SIDE_PX
        best = right if width >= _NARROW_PX else None
        price = right if best is None else right - 124
        name = 36 + min(max(0.26 * width, 250.0), 420.0)
        return cls(36, name + 62, name + 178, price, best)


class LeadRow(QWidget):
    """One lead: a click or Enter selects its option, the button takes the seller's answer."""

    picked = Signal(str)
    answer_wanted = Signal(str)
    moved = Signal(int)

    def __init__(self, number: int) -> None:
        super().__init__()
        named(self, f"lead-{number}")
        self.setFixedHeight(ROW_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button = named(QPushButton("Enter the answer…", self), f"lead-answer-{number}", kind="row")
        self.button.setFixedSize(*BUTTON_PX)
        self.button.clicked.connect(self._answer)
        self._line: LeadLine | None = None
        self._theme: Theme | None = None
        self._is_selected = self._is_stale = False

    def show_line(self, line: LeadLine, is_selected: bool, is_stale: bool, theme: Theme) -> None:
        """Another lead, or the same in another state; nothing is painted anew where nothing changed."""
        state = line, is_selected, is_stale, theme
        if state == (self._line, self._is_selected, self._is_stale, self._theme):
            return
        self._line, self._is_selected, self._is_stale, self._theme = state
        self.setAccessibleName(f"Lead: {line.spoken}")
        self.setToolTip(tip(line.spoken))
        self.button.setAccessibleName(f"Enter the answer of the seller of {line.name}, {line.place}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Mark, name and place, saving, questions, price, chance."""
        if self._line is None or self._theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, y, bottom = Ink(painter, self._theme), ROW_PX / 2, self.height() - 1
        ink.fill(QRectF(self.rect()), "sel" if self._is_selected else "bg")
        ink.fill(QRectF(0, bottom, self.width(), 1), "line")
        if self._is_selected:
            ink.fill(QRectF(0, 0, 3, bottom), "ink")
        painter.setOpacity(0.45 if self._is_stale else 1.0)
        self._paint_line(ink, y, self._line, Edges.of(self.width()))
        if self.hasFocus():
            painter.setPen(ink.pen("accent", 2.0))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -2))

    def _paint_line(self, ink: Ink, y: float, line: LeadLine, at: Edges) -> None:
        ink.glyph(20, y, 5.0, *line.mark)
        edge = at.saving - 62
        x = at.name + ink.text(at.name, y, line.name, "ink", strong=True, px=BODY_PX, room=edge - at.name) + 8
        ink.text(x, y, line.place, "ink3", room=edge - x)
        ink.text(at.saving, y, line.saving, "ink", "right", strong=True, px=BODY_PX)
        ink.text(at.saving + 7, y, line.later, "ink3")
        last = text_width(line.better_up_to, px=BODY_PX)
        ink.text(at.ask, y, line.ask, "ink2", room=at.price - last - 12 - at.ask)
        ink.text(at.price, y, line.better_up_to, "ink", "right", px=BODY_PX)
        if at.best is not None:
            ink.text(at.best, y, line.best_then, "ink", "right", px=BODY_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button stands at the right."""
        self.button.move(self.width() - BUTTON_PX[0] - PAGE_SIDE_PX, (ROW_PX - BUTTON_PX[1]) // 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects the option."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pick()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space select, the arrows walk."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._pick()
        elif event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        self.update()

    def _pick(self) -> None:
        if self._line is not None:
            self.picked.emit(self._line.id)

    def _answer(self) -> None:
        if self._line is not None:
            self.answer_wanted.emit(self._line.id)


class LeadsHead(QWidget):
    """The titles of the columns."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEAD_PX)
        self._theme: Theme | None = None

    def set_theme(self, theme: Theme) -> None:
        """Paint in these colours from now on."""
        if theme != self._theme:
            self._theme = theme
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """One line of titles over a rule."""
        if self._theme is None:
            return
        ink, y, at = Ink(QPainter(self), self._theme), HEAD_PX / 2, Edges.of(self.width())
        ink.fill(QRectF(0, HEAD_PX - 1, self.width(), 1), "line2")
        option, saving, ask, price, best = _TITLES
        ink.text(at.name, y, option, "ink2")
        ink.text(at.saving, y, saving, "ink2", "right")
        ink.text(at.ask, y, ask, "ink2")
        ink.text(at.price, y, price, "ink2", "right")
        if at.best is not None:
            ink.text(at.best, y, best, "ink2", "right")


class LeadsArea(QWidget):
    """Title, titles of columns, and as many rows as there are leads; absent without one. Rows are made once."""

    picked = Signal(str)
    answer_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "leads", "Leads")
        self._shows_all = False
        self._lines: tuple[LeadLine, ...] = ()
        self._head = LeadsHead()
        self.rows = tuple(LeadRow(number) for number in range(MOST_LEADS))
        self.more = named(QPushButton(), "leads-more", kind="quiet")
        self.more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(rule())
        column.addLayout(self._title())
        column.addWidget(self._head)
        for number, row in enumerate(self.rows):
            row.picked.connect(self.picked)
            row.answer_wanted.connect(self.answer_wanted)
            row.moved.connect(partial(self._walk, number))
            column.addWidget(row)
        self.hide()

    def show_leads(self, results: ResultSet, selected_id: str | None, is_stale: bool, theme: Theme) -> None:
        """The leads of these results."""
        self._lines = lead_rows(results)
        self._head.set_theme(theme)
        for row, line in zip(self.rows, self._lines, strict=False):
            row.show_line(line, line.id == selected_id, is_stale, theme)
        self._show_rows()

    def _show_rows(self) -> None:
        n_lines = len(self._lines)
        n_shown = n_lines if self._shows_all else min(n_lines, FEW)
        for number, row in enumerate(self.rows):
            row.setVisible(number < n_shown)
        self.more.setText("Fewer" if self._shows_all else f"{n_lines - FEW} more")
        self.more.setAccessibleName("Show fewer leads" if self._shows_all else f"Show {n_lines - FEW} more leads")
        self.more.setVisible(n_lines > FEW)
        self.setVisible(n_lines > 0)

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self._show_rows()

    def _walk(self, number: int, step: int) -> None:
        if 0 <= number + step < len(self.rows) and self.rows[number + step].isVisible():
            self.rows[number + step].setFocus(Qt.FocusReason.OtherFocusReason)

    def _title(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(PAGE_SIDE_PX, 5, PAGE_SIDE_PX - 8, 3)
        row.setSpacing(10)
        row.addWidget(label("Leads", "strong", "leads-title"))
        row.addWidget(label("better if they hold; each fails on proof only", "small", "leads-note"))
        row.addStretch(1)
        row.addWidget(self.more)
        return row
