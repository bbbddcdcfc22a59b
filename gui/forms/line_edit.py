"""The text field that all typed editors share: unit inside at the right, plan-wide undo, its own border states."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from core.units import THIN
from gui.theme.fonts import font
from gui.theme.plain import Label

_SIDE_PX = 9
_LEAST_NUMBER_PX = 52


class UnitLineEdit(QLineEdit):
    """A line edit with a suffix. Undo and redo are left to the window, which undoes edits of the whole plan."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suffix = Label(parent=self)
        self._suffix.setProperty("kind", "small")
        self._suffix.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = ""
        self.textEdited.connect(self._show_letter)  # before whoever else hears of it

    @property
    def suffix(self) -> str:
        """The unit shown in the field."""
        return self._words

    def set_suffix(self, text: str) -> None:
        """Shows a unit at the right end; cut when it leaves too little room for the number."""
        self._words = text
        room = max(self.width() - _LEAST_NUMBER_PX - 2 * _SIDE_PX, 0)
        shown = QFontMetrics(font(12)).elidedText(text, Qt.TextElideMode.ElideRight, room) if self.width() else text
        self._suffix.setText(shown)
        self._suffix.adjustSize()
        self.setTextMargins(0, 0, self._suffix.width() + 4 if text else 0, 0)
        self._place()

    def set_state(self, state: str) -> None:
        """``""``, ``"warning"`` or ``"error"``: the colour of the border."""
        if self.property("state") != state:
            self.setProperty("state", state)
            self.style().polish(self)

    def event(self, event: QEvent) -> bool:
        """Ctrl+Z and Ctrl+Y go to the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Everything but undo and redo is typing."""
        if _is_undo(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The step of typing ends."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The suffix stays at the right end."""
        super().resizeEvent(event)
        self.set_suffix(self._words)

    def _show_letter(self) -> None:
        """Paints what was typed at once: what it means to the plan takes several ms and is shown in a later frame."""
        self.repaint()

    def _place(self) -> None:
        self._suffix.move(self.width() - self._suffix.width() - _SIDE_PX, (self.height() - self._suffix.height()) // 2)


def plain_spaces(text: str) -> str:
    """The same text with ordinary spaces, for comparing what was typed with what is shown."""
    return text.replace(THIN, " ").strip()


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
