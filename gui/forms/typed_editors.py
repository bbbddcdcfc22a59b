"""Editors in which one types: numbers, text, lists of names, dates."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from PySide6.QtWidgets import QWidget

from core.plan.fields import NEEDED, FieldInfo
from core.units import grouped, is_thousands, parse_number
from gui.forms.editor import Editor
from gui.forms.line_edit import UnitLineEdit, plain_spaces
from gui.forms.number_text import has_own_scale, shown_number, typed_number

_DATE_FORMS = ("%Y-%m-%d", "%d %b %Y", "%d %B %Y", "%d.%m.%Y")
EQUALS = "="
"""Stands before what a number was read as."""


class TypedEditor(Editor):
    """A line of text that stands for a value. What was typed is kept until it stands for another value."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.line = UnitLineEdit()
        self.add(self.line)
        self.line.textEdited.connect(self._on_text)
        self.line.left.connect(self._on_left)
        self.line.returnPressed.connect(self._on_left)
        self._value: Any = None

    def parse(self, text: str) -> Any:
        """The value that a text stands for. Raises ValueError with a sentence."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Puts a value into the line."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Shows a value; text that stands for it already stays as typed, with the cursor where it is."""
        self._value = value
        if not self._stands_for(value):
            self.write(value)

    def target(self) -> QWidget:
        """The line."""
        return self.line

    def set_state(self, state: str) -> None:
        """Colours the border."""
        self.line.set_state(state)

    def _stands_for(self, value: Any) -> bool:
        try:
            return bool(self.line.hasFocus() and self.parse(self.line.text()) == value)
        except ValueError:
            return False

    def _on_text(self, text: str) -> None:
        try:
            value = self.parse(text)
        except ValueError as error:
            self.refused.emit(str(error))
            return
        self._value = value
        self.edited.emit(value)

    def _may_stand(self, value: Any) -> bool:
        """False for what the field refuses: written anew, it would change how the next text is read."""
        return True

    def _on_left(self) -> None:
        """Writes the value the way it is always written, unless the text is none, or none that may stand there."""
        try:
            if self.parse(self.line.text()) == self._value and self._may_stand(self._value):
                self.write(self._value)
        except ValueError:
            pass
        self.finished.emit()


class NumberEditor(TypedEditor):
    """A number with its unit; ``1.2 trillion``, ``15T`` and ``8 192`` are understood. Empty is no limit, if allowed."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        self._scale = 1.0
        super().__init__(info, parent)
        self.line.setPlaceholderText(info.empty if info.optional else NEEDED)
        self.line.textChanged.connect(self._on_changed)

    def parse(self, text: str) -> float | int | None:
        """See :func:`gui.forms.number_text.typed_number`."""
        return typed_number(self.info, text, self._scale)

    def write(self, value: Any) -> None:
        """The number with its scale in the suffix."""
        shown = shown_number(self.info, value)
        self._scale = shown.scale
        self.line.set_suffix(shown.suffix)
        if plain_spaces(self.line.text()) != plain_spaces(shown.text):
            self.line.setText(shown.text)

    def _may_stand(self, value: Any) -> bool:
        return value is None or self.info.bounds.hold(value)

    def _on_changed(self, text: str) -> None:
        """A scale that is typed takes the place of the shown one; what ``2,749`` is taken for is said beside it."""
        bare = shown_number(self.info, None).suffix
        if self._scale == 1.0 and is_thousands(text):
            self.line.set_suffix(f"{EQUALS} {grouped(parse_number(text))} {bare}".rstrip())
        elif has_own_scale(text) or self.line.suffix.startswith(EQUALS):
            self.line.set_suffix(bare)
        elif self._scale > 1.0:
            self.line.set_suffix(shown_number(self.info, self._scale).suffix)


class TextEditor(TypedEditor):
    """A text."""

    def parse(self, text: str) -> str:
        """The text itself."""
        return text

    def write(self, value: Any) -> None:
        """The text itself, from its beginning where it is longer than the field."""
        if self.line.text() != str(value):
            self.line.setText(str(value))
            self.line.home(False)


class TextsEditor(TypedEditor):
    """Names parted by commas."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.line.setPlaceholderText("Any")

    def parse(self, text: str) -> tuple[str, ...]:
        """The names."""
        return tuple(part.strip() for part in text.split(",") if part.strip())

    def write(self, value: Any) -> None:
        """The names, parted by commas."""
        self.line.setText(", ".join(value))


class DateEditor(TypedEditor):
    """A date: ``1 Dec 2026``, ``2026-12-01`` or ``1.12.2026``; nothing where the field may be empty."""

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        if info.optional:
            self.line.setPlaceholderText(info.empty)

    def parse(self, text: str) -> date | None:
        """The date. Raises ValueError."""
        return None if self.info.optional and not text.strip() else typed_date(text)

    def write(self, value: Any) -> None:
        """Day, short month, year."""
        self.line.setText("" if value is None else f"{value.day} {value:%b %Y}")


def typed_date(text: str) -> date:
    """A date as people type it: ``1 Dec 2026``, ``2026-12-01`` or ``1.12.2026``. Raises ValueError with a sentence."""
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(text.strip(), form).date()
        except ValueError:
            continue
    raise ValueError(f"'{text.strip()}' is not a date such as 1 Dec 2026 or 2026-12-01")
