"""The pane beside the catalogue's list: the chosen entry in full, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.theme.naming import named
from gui.theme.plain import Reader
from gui.widgets.rule import rule


class CatalogueDetail(QWidget):
    """Text above, buttons below. ``followed`` carries the target of a link."""

    followed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.text = reader("catalogue-detail", "The chosen entry")
        self.text.anchorClicked.connect(lambda url: self.followed.emit(url.toString()))
        self.correct = named(QPushButton("Correct…"), "catalogue-correct", "Correct the chosen entry")
        self.remove = named(QPushButton("Remove own entry"), "catalogue-remove", "Remove your own entry")
        self._buttons = QWidget()
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self.correct)
        row.addWidget(self.remove)
        row.addStretch(1)
        self._line = rule()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.text, 1)
        column.addWidget(self._line)
        column.addWidget(self._buttons)
        self._key = ""

    def show_entry(self, html: str, key: str) -> None:
        """Another text; for the same entry what is read stays where it was."""
        at = self.text.verticalScrollBar().value() if key == self._key else 0
        self._key = key
        self.text.setHtml(html)
        self.text.verticalScrollBar().setValue(at)

    def offer(self, can_correct: bool, can_remove: bool) -> None:
        """Shows the buttons that do something."""
        self.correct.setVisible(can_correct)
        self.remove.setVisible(can_remove)
        for part in (self._buttons, self._line):
            part.setVisible(can_correct or can_remove)


def reader(name: str, accessible_name: str) -> Reader:
    """A text to read, with links that the panel follows."""
    made = named(Reader(), name, accessible_name)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.document().setDocumentMargin(16)
    made.setMinimumWidth(200)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made
