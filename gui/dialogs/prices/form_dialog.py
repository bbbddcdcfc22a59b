"""A dialog around a form: what is typed is judged before it is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.plan.drafts.kinds import Verdict
from gui.forms.dialog_form import DialogForm
from gui.theme.naming import named
from gui.theme.plain import Label, as_text
from gui.theme.screen_room import within_screen

SIZE_PX = (700, 720)
_INSET_PX = 20


class FormDialog(QDialog):
    """``answered`` carries the draft once nothing stands against it. What only looks odd is told once, and may be
    taken then all the same."""

    answered = Signal(object)

    def __init__(
        self, title: str, form: DialogForm, judge: Callable[[Any], Verdict], verb: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.form, self._judge, self._verb = form, judge, verb
        self._was_tried = False
        self._odd: tuple[str, ...] = ()
        named(self, "entry-dialog", title)
        self.setWindowTitle(as_text(title))
        within_screen(self, *SIZE_PX)
        self._build()
        self.form.focus_on(next(iter(self.form.rows), ""))  # else it is the button that ends the dialog
        self.form.changed.connect(self._on_changed)

    def accept(self) -> None:
        """Takes what was typed, or says what stands against it and goes there."""
        verdict = self._judged()
        self._was_tried = True
        if verdict.errors:
            self._show(verdict)
            self._go_to(next((path for path in self.form.rows if path in verdict.errors), ""))
        elif verdict.odd and verdict.odd != self._odd:
            self._odd = verdict.odd
            self._show(verdict)
        else:
            self.answered.emit(self.form.value)
            super().accept()

    def extra_rows(self) -> list[QHBoxLayout]:
        """Rows between the form and the buttons, for dialogs that ask more."""
        return []

    def _go_to(self, path: str) -> None:
        """The first field in the form's order that something stands against, brought into view."""
        if path:
            self._scroll.ensureWidgetVisible(self.form.rows[path])
            self.form.focus_on(path)

    def _judged(self) -> Verdict:
        return Verdict(self.form.refused) if self.form.refused else self._judge(self.form.value)

    def _show(self, verdict: Verdict) -> None:
        self.form.show_errors(verdict.errors)
        general = [words for path, words in verdict.errors.items() if path not in self.form.rows]
        self.message.setProperty("kind", "err" if verdict.errors else "warn")
        self.message.style().polish(self.message)
        words = general or (["Look at the fields marked above."] if verdict.errors else list(verdict.odd))
        self.message.setText(" ".join(words))
        self.message.setVisible(bool(words))
        self._name_button()

    def _on_changed(self) -> None:
        self._odd = ()
        if self._was_tried:
            self._show(self._judged())
        self._name_button()

    def _name_button(self) -> None:
        self.take.setText(f"{self._verb} anyway" if self._odd else self._verb)

    def _build(self) -> None:
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard goes to the fields, which scroll with it
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(8, 8, 16, 8)
        box.addWidget(self.form)
        self._scroll.setWidget(inside)
        self.message = named(Label(), "entry-message")
        self.message.setWordWrap(True)
        self.message.setContentsMargins(_INSET_PX, 0, 0, 0)
        self.message.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addWidget(self._scroll, 1)
        column.addWidget(self.message)
        for row in self.extra_rows():
            column.addLayout(row)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        self.cancel = named(QPushButton("Cancel"), "entry-cancel", "Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.take = named(QPushButton(), "entry-take", "Take", "primary")
        self.take.setDefault(True)
        self.take.clicked.connect(self.accept)
        self._name_button()
        row.addWidget(self.cancel)
        row.addWidget(self.take)
        return row
