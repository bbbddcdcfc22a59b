"""The title of a chart explains itself where it holds a term: dots below it, and a click says what the term means."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from core.learning.glossary import Term, term_in
from gui.charts.figure.figure import Figure
from gui.charts.paint.brush import text_width
from gui.charts.paint.picture import title_left
from gui.charts.paint.rows import HEADER_LINE, TITLE_PX
from gui.theme.naming import named
from gui.theme.term_label import TermCard

BELOW_PX = 9
"""How far below the middle of the title the dots are."""


class TitleTerm(QWidget):
    """Lies over the title of a chart, which is painted; hidden where there is no term in it."""

    def __init__(self, chart: QWidget) -> None:
        super().__init__(chart)
        named(self, "chart-title-term", "What the title means")
        self.setCursor(Qt.CursorShape.WhatsThisCursor)
        self.term: Term | None = None
        self.hide()

    def follow(self, figure: Figure, has_rows: bool) -> None:
        """Lies over the title of another figure, of a chart that ``has_rows`` whenever it is not empty."""
        self.term = term_in(figure.title) if figure.title else None
        self.setVisible(self.term is not None)
        if self.term is not None:
            width = round(text_width(figure.title, strong=True, px=TITLE_PX))
            self.setGeometry(QRect(round(title_left(figure, has_rows)), 0, width, round(HEADER_LINE / 2) + BELOW_PX))
            self.raise_()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click explains."""
        if event.button() == Qt.MouseButton.LeftButton and self.term is not None:
            TermCard(self.term, self).show_below(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dots, as below every term."""
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().color(self.foregroundRole()), 1.0, Qt.PenStyle.DotLine))
        painter.setOpacity(0.55)
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
