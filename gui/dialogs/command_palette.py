"""The command palette: type a few letters, see commands, fields and options, press Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.plan.fields import fields
from gui.actions import ActionList, match_score
from gui.session.plan_session import PlanSession
from gui.theme.plain import Label

WIDTH_PX = 560
ROW_PX = 30
MOST_SHOWN = 12
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One line: its words, what kind of thing it is, its keys, why it cannot be used now, and what it does."""

    text: str
    note: str
    keys: str
    reason: str
    run: Callable[[], object]


def ranked(entries: Sequence[PaletteEntry], typed: str) -> list[PaletteEntry]:
    """Entries that fit what was typed, best first; usable ones before the others."""
    scored = [(score, entry) for entry in entries if (score := match_score(typed, entry.text)) is not None]
    scored.sort(key=lambda pair: (bool(pair[1].reason), -pair[0] if typed else 0))
    return [entry for _, entry in scored[:MOST_SHOWN]]


class CommandPalette(QDialog):
    """Closes by itself; the chosen entry runs afterwards, so that it may open a dialog of its own."""

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self.setAccessibleName("Search or run a command")
        self._entries = entries
        self.chosen: PaletteEntry | None = None
        self.field = QLineEdit(self)
        self.field.setObjectName("palette-field")
        self.field.setAccessibleName("Command, field or option")
        self.field.setPlaceholderText("Search or run a command")
        self.field.setFixedHeight(34)
        self.list = QListWidget(self)
        self.list.setObjectName("palette-list")
        self.list.setAccessibleName("Matches")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._show)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._choose)
        self._place(parent)
        self._show("")
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows walk the list while the cursor stays in the field; Enter chooses."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _KEYS:
                self.list.event(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _show(self, typed: str) -> None:
        self.list.clear()
        for entry in ranked(self._entries, typed):
            item = QListWidgetItem(self.list)
            item.setData(_ENTRY, entry)
            item.setSizeHint(QSize(WIDTH_PX - 40, ROW_PX))
            spoken = f"{entry.text}, {entry.reason or entry.note} {entry.keys}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            self.list.setItemWidget(item, _row(entry))
        if not self.list.count():
            nothing = QListWidgetItem("Nothing fits", self.list)
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.setCurrentRow(0)
        self.setFixedHeight(34 + 26 + ROW_PX * max(1, self.list.count()))

    def _choose(self, item: QListWidgetItem | None) -> None:
        entry = item.data(_ENTRY) if item else None
        if isinstance(entry, PaletteEntry) and not entry.reason:
            self.chosen = entry
            self.accept()

    def _place(self, parent: QWidget) -> None:
        self.setFixedWidth(WIDTH_PX)
        self.move(parent.mapToGlobal(QPoint((parent.width() - WIDTH_PX) // 2, 60)))


def _row(entry: PaletteEntry) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(8, 0, 8, 0)
    text, note, keys = Label(entry.text), Label(entry.reason or entry.note), Label(entry.keys)
    for label in (note, keys):
        label.setProperty("kind", "small")
    if entry.reason:
        text.setProperty("kind", "off")
    line.addWidget(text)
    line.addWidget(note, 1)
    line.addWidget(keys)
    return row


def palette_entries(
    actions: ActionList, session: PlanSession, go_to_field: Callable[[str], object]
) -> list[PaletteEntry]:
    """Commands first, then fields by their titles, then the best option of each accelerator."""
    entries = [
        PaletteEntry(one.text, one.menu, one.shortcut_words, one.why_not(), one.handler)
        for one in actions.actions
        if one.id != "palette"
    ]
    if session.profile is not None:
        for info in fields(session.profile):
            go = partial(go_to_field, session.path(info.path))
            entries.append(PaletteEntry(info.title, f"Field, {info.group}", "", "", go))
    for result in session.results.best_per_accelerator if session.results else ():
        candidate = result.candidate
        entries.append(PaletteEntry(candidate.name, candidate.place, "", "", partial(session.select, result.id)))
    return entries
