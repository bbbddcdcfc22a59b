"""A form of its own value, outside the plan: for dialogs in which an entry is typed before it is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.errors import InputError
from core.plan.edit import get_value, set_value
from core.plan.fields import FieldInfo
from gui.forms.editor_factory import editor_for
from gui.forms.field_row import FieldRow, RowList
from gui.theme.manager import ThemeManager
from gui.theme.removal import take_away

NARROW_PX = 560
Ask = Callable[[Any], Sequence[FieldInfo]]
Hints = Callable[[Any], Mapping[str, str]]
Settle = Callable[[Any], Any]


class DialogForm(QWidget):
    """Rows made from the description of a value. A text that is no value stays, with a sentence below it.

    ``ask`` lists the fields that mean something for a value, ``hints`` gives help texts that depend on it, and
    ``settle`` takes back what no longer fits after an edit. What is ``untaken`` stands in its fields as if
    it were typed.
    """

    changed = Signal()

    def __init__(
        self,
        value: Any,
        themes: ThemeManager,
        ask: Ask,
        hints: Hints = lambda _: {},
        settle: Settle = lambda value: value,
        untaken: Mapping[str, Any] = MappingProxyType({}),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.value: Any = value
        self._themes, self._ask, self._hints, self._settle = themes, ask, hints, settle
        self.rows: dict[str, FieldRow] = {}
        self._refused: dict[str, str] = {}
        self._said: dict[str, str] = {}
        self._list = RowList()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._list)
        column.addStretch(1)
        themes.changed.connect(self._on_theme)
        self._refresh()
        for path in untaken.keys() & self.rows.keys():
            self.rows[path].editor.show_value(untaken[path])
            self._refuse(path, f"Expected {self.rows[path].info.expected}")

    @property
    def refused(self) -> Mapping[str, str]:
        """Sentences on texts that are no value, by field."""
        return self._refused

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Sentences below fields; a text that is no value keeps its own."""
        self._said = dict(errors)
        for path, row in self.rows.items():
            row.show_message(self._refused.get(path) or errors.get(path, ""))

    def put(self, path: str, value: object) -> None:
        """A value that no row holds, such as a list whose items have rows of their own."""
        self.value = self._settle(set_value(self.value, path, value))
        self._refresh()
        self.changed.emit()

    def focus_on(self, path: str) -> None:
        """Brings a field into reach of the keyboard."""
        if path in self.rows:
            self.rows[path].editor.target().setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Help moves below the field in a narrow form."""
        super().resizeEvent(event)
        for row in self.rows.values():
            row.set_narrow(self.width() < NARROW_PX)

    def _refresh(self, typed: str = "") -> None:
        """Shows the value; the field ``typed`` keeps its text, with the cursor where it is."""
        infos = {info.path: info for info in self._ask(self.value)}
        gone = [path for path, row in self.rows.items() if row.info != infos.get(path)]
        for path in gone:
            self._refused.pop(path, None)
            take_away(self.rows.pop(path))
        is_new = bool(gone) or set(infos) != set(self.rows)
        for path, info in infos.items():
            if path not in self.rows:
                self.rows[path] = self._made(info)
        self.rows = {path: self.rows[path] for path in infos}
        if is_new:
            self._lay_out(infos)
        self._show_values(infos, typed)

    def _made(self, info: FieldInfo) -> FieldRow:
        editor = editor_for(info, {})
        row = FieldRow(info, editor, self._themes)
        row.setObjectName(f"row-{info.path}")
        row.set_narrow(self.width() < NARROW_PX)
        editor.edited.connect(lambda value, path=info.path: self._take(path, value))
        editor.refused.connect(lambda words, path=info.path: self._refuse(path, words))
        return row

    def _lay_out(self, infos: Mapping[str, FieldInfo]) -> None:
        groups: dict[str, list[FieldRow]] = {}
        for path, info in infos.items():
            groups.setdefault(info.group, []).append(self.rows[path])
        self._list.set_groups(list(groups.items()))
        stops = [stop for row in self.rows.values() for stop in row.stops()]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _show_values(self, infos: Mapping[str, FieldInfo], typed: str) -> None:
        hints = self._hints(self.value)
        for path, info in infos.items():
            row = self.rows[path]
            is_refused = path in self._refused  # a hint would be about the value of before
            row.set_help(info.help if is_refused else hints.get(path) or info.help)
            if not is_refused and path != typed:
                with QSignalBlocker(row.editor):
                    row.editor.show_value(get_value(self.value, path))

    def _take(self, path: str, value: object) -> None:
        try:
            self.value = self._settle(set_value(self.value, path, value))
        except InputError as error:
            self._refuse(path, f"Expected {error.expected}")
            return
        self._refused.pop(path, None)
        self._said.pop(path, None)
        if path in self.rows:
            self.rows[path].show_message("")
        self._refresh(path if get_value(self.value, path) == value else "")
        self.changed.emit()

    def _refuse(self, path: str, words: str) -> None:
        self._refused[path] = words
        self.rows[path].show_message(words)
        self.rows[path].set_help(self.rows[path].info.help)
        self.changed.emit()

    def _on_theme(self) -> None:
        for row in self.rows.values():
            row.refresh_colours()
