"""The first picture: the window's own place and colours, until what fills it is loaded.

Most of a start goes into loading the program's own code. This module and what it imports must be quick to import, so
that a double click is answered at once: no NumPy, no pydantic, no pyqtgraph.
"""

from __future__ import annotations

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.settings import FIRST_SIZE_PX, Settings, stored_bytes
from gui.start.ready_file import tell
from gui.theme.fonts import font, load_fonts
from gui.theme.plain import as_text
from gui.theme.tokens import choice_of, chosen, tokens

_NAME_PX, _WORDS_PX = 22, 13
_MOST_CHARS = 60
_PATIENCE_MS = 300
"""Some systems paint a window only when they please: the start does not wait for that."""

_CENTRE = Qt.AlignmentFlag.AlignCenter


class Glimpse(QWidget):
    """An empty window with the program's name and what is opened; closed by whoever shows the real one."""

    def __init__(self, words: str, settings: Settings) -> None:
        super().__init__()
        load_fonts()
        self._words = as_text(words[:_MOST_CHARS])
        self._colours: dict[str, str] = tokens()[chosen(choice_of(settings.theme))]["surface_and_text"]
        self.setWindowTitle("Roofplan")
        self.setAccessibleName(f"Roofplan. {words}")
        self.resize(*FIRST_SIZE_PX)
        self.restoreGeometry(stored_bytes(settings.geometry))

    def show_painted(self) -> None:
        """Shows it and waits for its paint: while the rest is loaded no event is looked at."""
        self._waits = QEventLoop()
        QTimer.singleShot(_PATIENCE_MS, self._waits.quit)
        self.show()
        self._waits.exec()
        tell(f"glimpse {self.windowTitle()}")

    def paintEvent(self, _: QPaintEvent) -> None:
        """The bar, the dock and the page of the window to come, and the words in the middle."""
        QTimer.singleShot(0, self._waits.quit)
        with QPainter(self) as painter:
            bar, dock = tokens()["heights_px"]["toolbar"], tokens()["widths_px"]["project_dock"]
            painter.fillRect(self.rect(), self._color("bg"))
            painter.fillRect(0, bar, dock, self.height() - bar, self._color("dock"))
            painter.fillRect(0, bar - 1, self.width(), 1, self._color("line"))
            page = self.rect().adjusted(dock, bar, 0, 0)
            for text, px, colour, down in (("Roofplan", _NAME_PX, "ink", -18), (self._words, _WORDS_PX, "ink2", 14)):
                painter.setFont(font(px))
                painter.setPen(self._color(colour))
                painter.drawText(page.translated(0, down), _CENTRE, text)

    def _color(self, name: str) -> QColor:
        return QColor(self._colours[name])
