"""A title that explains itself: the term in it is underlined with dots, and a click says what it means."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QStyle, QVBoxLayout, QWidget

from core.learning.glossary import Term, term_in
from gui.theme.naming import named
from gui.theme.plain import Label

_WIDTH_PX = 320
_GAP_PX = 4


class TermLabel(Label):
    """A label whose words may hold a term of the glossary."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        self.term: Term | None = None
        super().__init__(text, parent)

    def setText(self, text: str) -> None:
        """Shows a text; the pointer says whether there is something to read about it."""
        super().setText(text)
        self.term = term_in(text)
        self.setCursor(Qt.CursorShape.WhatsThisCursor if self.term else Qt.CursorShape.ArrowCursor)

    def explain(self) -> None:
        """Says what the term means, below the label, until somebody clicks elsewhere."""
        if self.term is not None:
            TermCard(self.term, self).show_below(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click explains."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and dots below it where there is a term."""
        super().paintEvent(event)
        if self.term is not None:
            line = self._last_line()
            painter = QPainter(self)
            painter.setPen(QPen(self.palette().color(self.foregroundRole()), 1.0, Qt.PenStyle.DotLine))
            painter.setOpacity(0.55)
            painter.drawLine(line.left(), line.bottom(), line.right(), line.bottom())

    def _last_line(self) -> QRect:
        """Where the text stands; several lines of it are underlined as one at the bottom."""
        if self.textFormat() == Qt.TextFormat.RichText:
            return QStyle.alignedRect(self.layoutDirection(), self.alignment(), self.sizeHint(), self.contentsRect())
        flags = self.alignment() | (Qt.TextFlag.TextWordWrap if self.wordWrap() else Qt.TextFlag.TextSingleLine)
        return QFontMetrics(self.font()).boundingRect(self.contentsRect(), int(flags), self.text())


class TermCard(QFrame):
    """A small card with one term; Escape or a click elsewhere closes it."""

    def __init__(self, term: Term, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        named(self, "term-card", f"What {term.term} means")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("surface", "card")
        title = named(Label(term.term), "term-title", kind="strong")
        words = named(Label(term.words), "term-words")
        words.setWordWrap(True)
        words.setFixedWidth(_WIDTH_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addWidget(title)
        column.addWidget(words)

    def show_below(self, widget: QWidget) -> None:
        """Shows it below a widget, within the screen."""
        self.adjustSize()
        at = widget.mapToGlobal(QPoint(0, widget.height() + _GAP_PX))
        room = widget.screen().availableGeometry()
        at.setX(min(at.x(), room.right() - self.width()))
        if at.y() + self.height() > room.bottom():
            at.setY(widget.mapToGlobal(QPoint(0, 0)).y() - self.height() - _GAP_PX)
        self.move(at)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Any of Escape, Enter and Space closes it."""
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.close()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Leaving the window closes it."""
        if event.type() == QEvent.Type.WindowDeactivate:
            self.close()
        return super().event(event)
