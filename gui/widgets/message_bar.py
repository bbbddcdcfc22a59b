"""A line over the work surface that says something and offers what to do; it never stops the work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption


class MessageBar(QWidget):
    """One message at a time; a newer one takes its place, or waits for its turn."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message-bar")
        self.setProperty("surface", "message")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._themes = themes
        self._handler: Callable[[], object] | None = None
        self._waiting: list[tuple[str, str, Callable[[], object] | None]] = []
        self._sign = Label()
        self.text = named(Label(), "message-text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = named(QPushButton(), "message-action", "Action")
        self.button.clicked.connect(self._on_button)
        self.dismiss = named(QPushButton("Dismiss"), "message-dismiss", "Dismiss", "quiet")
        self.dismiss.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 12, 6)
        row.setSpacing(10)
        for widget in (self._sign, self.text, self.button, self.dismiss):
            row.addWidget(widget, 1 if widget is self.text else 0)
        self.hide()

    def say(self, text: str, button: str = "", handler: Callable[[], object] | None = None) -> None:
        """Shows a message, with a button if there is something to do about it; no text takes the last one away."""
        self._handler = handler
        self.text.setText(text)
        self.setAccessibleName(as_text(text))
        self.button.setText(caption(button))
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self._sign.setPixmap(icon("warning", self._themes.theme.color("warn")).pixmap(16, 16))
        self.setVisible(bool(text))

    def say_after(self, text: str, button: str = "", handler: Callable[[], object] | None = None) -> None:
        """Shows a message once the one in view is done with."""
        if self.isHidden():
            self.say(text, button, handler)
        else:
            self._waiting.append((text, button, handler))

    def hideEvent(self, event: QHideEvent) -> None:
        """What waited comes next, unless it is the window that is hidden."""
        super().hideEvent(event)
        if self.isHidden() and self._waiting:
            QTimer.singleShot(0, self, partial(self.say_after, *self._waiting.pop(0)))

    def _on_button(self) -> None:
        if self._handler is not None:
            self._handler()
