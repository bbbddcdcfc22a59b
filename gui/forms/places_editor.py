"""Places chosen by human name: boxes for the usual ones, the rest in a menu by continent."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from core.plan.fields import FieldInfo
from gui.forms.many_editor import ManyEditor


class Grouped(dict[str, str]):
    """Choices as value -> words, each in a group of the menu; ``empty`` says what choosing none means."""

    def __init__(self, choices: Mapping[str, str], groups: Mapping[str, str], empty: str = "Any") -> None:
        super().__init__(choices)
        self.groups, self.empty = dict(groups), empty


class PlacesEditor(ManyEditor):
    """Several places; its menu has one submenu a group."""

    def __init__(self, info: FieldInfo, listed: Grouped, parent: QWidget | None = None) -> None:
        self._listed = listed
        super().__init__(info, is_any_when_empty=True, parent=parent, any_words=listed.empty)

    def menu(self) -> QMenu:
        """Every place by group, the chosen ones ticked."""
        menu = QMenu(self)
        parts = {group: menu.addMenu(group) for group in dict.fromkeys(self._listed.groups.values())}
        for name, words in self.info.choices.items():
            action = parts[self._listed.groups[name]].addAction(words)
            action.setCheckable(True)
            action.setChecked(name in self.chosen)
            action.triggered.connect(partial(self.toggle, name))
        return menu
