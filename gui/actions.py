"""Every command as data. Menus, tooltips, shortcuts, the palette and the shortcut sheet are made from this list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gui.theme.plain import caption, tip

MENUS = ("File", "Edit", "View", "Help")


def always() -> str:
    """Nothing stands against the command."""
    return ""


@dataclass(frozen=True, slots=True)
class Action:
    """One command.

    ``why_not`` gives the reason for which it cannot be used now, empty when it can. ``menu`` is empty for commands of
    the palette alone. ``new_group`` draws a line above it in its menu.
    """

    id: str
    text: str
    handler: Callable[[], object]
    menu: str = ""
    shortcut: str = ""
    why_not: Callable[[], str] = always
    new_group: bool = False

    def tip(self, reason: str) -> str:
        """What the command does and its keys, or why it cannot be used now."""
        keys = f" ({self.shortcut_words})" if self.shortcut else ""
        return reason or f"{self.text.rstrip('…')}{keys}"

    @property
    def shortcut_words(self) -> str:
        """The shortcut as this system writes it."""
        return QKeySequence(self.shortcut).toString(QKeySequence.SequenceFormat.NativeText)


class ActionList:
    """The commands of one window, each bound to its keys there."""

    def __init__(self, owner: QWidget, actions: Iterable[Action]) -> None:
        self.actions = tuple(actions)
        self._qt: dict[str, QAction] = {}
        self._reasons: dict[str, str] = {}
        for action in self.actions:
            self._qt[action.id] = self._bound(owner, action)
            owner.addAction(self._qt[action.id])

    def __getitem__(self, action_id: str) -> Action:
        return next(action for action in self.actions if action.id == action_id)

    def qt(self, action_id: str) -> QAction:
        """The Qt action of a command, for buttons and menus."""
        return self._qt[action_id]

    def refresh(self) -> None:
        """Greys what cannot be used now; the tooltip says why."""
        for action in self.actions:
            reason = action.why_not()
            if self._reasons.get(action.id) != reason:
                self._reasons[action.id] = reason
                self._qt[action.id].setEnabled(not reason)
                self._qt[action.id].setToolTip(tip(action.tip(reason)))

    def fill(self, menu: QMenu, name: str) -> None:
        """Puts the commands of one menu into it."""
        for action in self.actions:
            if action.menu == name:
                if action.new_group:
                    menu.addSeparator()
                menu.addAction(self._qt[action.id])

    @staticmethod
    def _bound(owner: QWidget, action: Action) -> QAction:
        made = QAction(caption(action.text), owner)
        made.setObjectName(f"action-{action.id}")
        made.setIconVisibleInMenu(False)
        if action.shortcut:
            made.setShortcut(QKeySequence(action.shortcut))
        made.triggered.connect(_Handler(made, action))
        return made


class _Handler:
    """Calls the handler without Qt's ``checked`` argument, and only while the command can be used."""

    def __init__(self, _: QAction, action: Action) -> None:
        self._action = action

    def __call__(self, _checked: bool = False) -> None:
        if not self._action.why_not():
            self._action.handler()


def match_score(typed: str, text: str) -> float | None:
    """How well typed letters fit a text, more is better; None when they do not occur in order.

    Letters that follow each other or begin a word count more, so that "ep" finds "Export PDF" before "Help page".
    """
    wanted, lower = typed.lower().replace(" ", ""), text.lower()
    score, at, before = 0.0, 0, -2
    for letter in wanted:
        at = lower.find(letter, at)
        if at < 0:
            return None
        score += 3.0 if at == before + 1 else 1.0
        score += 2.0 if at == 0 or lower[at - 1] in " -" else 0.0
        before, at = at, at + 1
    return score - 0.01 * len(text) + (5.0 if typed.lower().strip() in lower else 0.0)
