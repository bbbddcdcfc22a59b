"""Editing an input where it stands: the form's own editor over the cell. Enter takes the value, Esc leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.plan.fields import FieldInfo
from gui.forms.editor_factory import editor_for
from gui.theme.naming import named
from gui.theme.plain import Label

WIDE_PX = 320


class CellEditor(QFrame):
    """``taken`` carries a value, ``left`` says that nothing changes. It is used once."""

    taken = Signal(object)
    left = Signal()

    def __init__(
        self, info: FieldInfo, value: Any, known: Mapping[str, Mapping[str, str]], title: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._host = parent
        named(self, "scenario-editor", title, "card")
        self.editor = editor_for(info, known)
        self._value, self._is_refused, self._is_over = value, False, False
        self._before = value
        self.message = named(Label(), "scenario-editor-message", kind="err")
        self.message.setWordWrap(True)
        self.message.hide()
        self._build()
        if value is not None or info.optional:
            self.editor.show_value(value)
        self.editor.edited.connect(self._on_edited)
        self.editor.refused.connect(self._on_refused)
        if not self.editor.is_wide:
            self.editor.finished.connect(self.finish)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(2)
        column.addWidget(self.editor)
        column.addWidget(self.message)
        if self.editor.is_wide:
            column.setContentsMargins(10, 8, 10, 8)
            row = QHBoxLayout()
            row.addStretch(1)
            self.done = named(QPushButton("Done"), "scenario-editor-done")
            self.done.clicked.connect(self.finish)
            row.addWidget(self.done)
            column.addLayout(row)

    def open_at(self, x: float, y: float, width: float) -> None:
        """Shows it over a cell, with the focus in it."""
        self.setFixedWidth(int(max(width, WIDE_PX) if self.editor.is_wide else width))
        self.adjustSize()
        room = self._host.size() - self.size()
        self.move(int(min(x, max(room.width(), 0))), int(min(y, max(room.height(), 0))))
        self.show()
        self.raise_()
        self.editor.target().setFocus(Qt.FocusReason.OtherFocusReason)

    def finish(self) -> None:
        """Takes the value, once. What is no value stays to be mended, until the focus leaves it."""
        if self._is_over or (self._is_refused and self.editor.target().hasFocus()):
            return
        self._is_over = True
        if self._is_refused or self._value == self._before:
            self.left.emit()
        else:
            self.taken.emit(self._value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves, Enter takes."""
        if event.key() == Qt.Key.Key_Escape:
            self._is_over = True
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finish()
        else:
            super().keyPressEvent(event)

    def _on_edited(self, value: Any) -> None:
        self._value, self._is_refused = value, False
        self._say("")

    def _on_refused(self, text: str) -> None:
        self._is_refused = True
        self._say(text)

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.editor.set_state("error" if text else "")
        self.adjustSize()
