"""Several of many: check boxes for the usual ones, the rest in a menu, places by continent; or "Any"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QMenu, QPushButton, QSizePolicy, QWidget

from core.plan.fields import FieldInfo
from gui.forms.editor import Editor
from gui.theme.fonts import font
from gui.theme.plain import caption
from gui.theme.removal import take_away

_TICK_PX = 32
_EDGE_PX = 3
_LINE_GAP_PX = 6
_ROOM_PX = 436
MOST_BOXES = 8


class _BoxGrid(QGridLayout):
    """A grid that says its height for a width before it has that width: what stands below it is right at once."""

    def __init__(self, height_for: Callable[[int], int]) -> None:
        super().__init__()
        self._height_for = height_for
        self.setContentsMargins(0, _EDGE_PX, 0, _EDGE_PX)
        self.setHorizontalSpacing(8)
        self.setVerticalSpacing(_LINE_GAP_PX)

    def hasHeightForWidth(self) -> bool:
        """Narrow grids have more lines."""
        return True

    def heightForWidth(self, width_px: int) -> int:
        """Height (px) of the boxes in as many columns as fit into a width (px)."""
        return self._height_for(width_px)

    def minimumHeightForWidth(self, width_px: int) -> int:
        """Boxes do not shrink."""
        return self._height_for(width_px)


class MultiChoiceEditor(Editor):
    """Check boxes in even columns."""

    is_wide = True

    def __init__(
        self,
        info: FieldInfo,
        is_any_when_empty: bool = False,
        parent: QWidget | None = None,
        any_words: str = "Any",
    ) -> None:
        super().__init__(info, parent)
        self._any_words = any_words
        self._chosen: tuple[str, ...] = ()
        self._boxes: dict[str, QCheckBox] = {}
        self._grid = _BoxGrid(self._height_for)
        self.row.addLayout(self._grid, 1)
        self._any = self._made_any() if is_any_when_empty else None
        self._more = self._made_more() if len(info.choices) > MOST_BOXES else None
        self._n_columns = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fewer columns where there is less room."""
        super().resizeEvent(event)
        if self._columns(self.width()) != self._n_columns:
            self._lay_out()
            self.row.activate()

    def show_value(self, value: Any) -> None:
        """Ticks what is chosen; a chosen one from the menu gets a box of its own."""
        before = self._in_boxes()
        self._chosen = tuple(value)
        if self._in_boxes() != before:
            self._lay_out()
        self._show_ticks()

    def target(self) -> QWidget:
        """The first box."""
        return self._any or next(iter(self._boxes.values()))

    def stops(self) -> list[QWidget]:
        """Every box, then the menu."""
        boxes = [*([self._any] if self._any else []), *(self._boxes[name] for name in self._in_boxes())]
        return [*boxes, *([self._more] if self._more else [])]

    def _made_any(self) -> QCheckBox:
        box = QCheckBox(caption(self._any_words))
        box.setObjectName(f"field-{self.info.path}-any")
        box.setAccessibleName(f"{self.info.title}: {self._any_words.lower()}")
        box.clicked.connect(self._on_any)
        return box

    def _made_more(self) -> QPushButton:
        button = QPushButton("More…")
        button.setProperty("kind", "link")
        button.setObjectName(f"field-{self.info.path}-more")
        button.setAccessibleName(f"{self.info.title}: more")
        button.clicked.connect(self._on_more)
        return button

    def _in_boxes(self) -> tuple[str, ...]:
        usual = list(self.info.choices)
        if len(usual) <= MOST_BOXES:
            return tuple(usual)
        shown = usual[: MOST_BOXES - 2]
        return tuple(dict.fromkeys([*shown, *(one for one in self._chosen if one not in shown)]))

    def _lay_out(self) -> None:
        for name in [name for name in self._boxes if name not in self._in_boxes()]:
            take_away(self._boxes.pop(name))
        for name in self._in_boxes():
            if name not in self._boxes:
                self._boxes[name] = self._box(name)
        shown = self.stops()
        self._n_columns = n_columns = self._columns(self.width() if self.isVisible() else _ROOM_PX)
        for number, widget in enumerate(shown):
            self._grid.addWidget(widget, number // n_columns, number % n_columns, Qt.AlignmentFlag.AlignLeft)
            if number:
                QWidget.setTabOrder(shown[number - 1], widget)

    def _height_for(self, width_px: int) -> int:
        boxes, n_columns = self.stops(), self._columns(width_px)
        starts = range(0, len(boxes), n_columns)
        lines = [max(box.sizeHint().height() for box in boxes[start : start + n_columns]) for start in starts]
        return sum(lines) + _LINE_GAP_PX * (len(lines) - 1) + 2 * _EDGE_PX

    def _columns(self, width_px: int) -> int:
        metrics = QFontMetrics(font())
        words = [self._words(name) for name in self._in_boxes()]
        widest = max(metrics.horizontalAdvance(word) for word in words) + _TICK_PX
        return max(2, min(5, width_px // widest))

    def _box(self, name: str) -> QCheckBox:
        words = self._words(name)
        box = QCheckBox(caption(words))
        box.setObjectName(f"field-{self.info.path}-{name}")
        box.setAccessibleName(f"{self.info.title}: {words}")
        box.clicked.connect(partial(self.toggle, name))
        return box

    def _words(self, name: str) -> str:
        words = self.info.choices.get(name, name)
        return words[:1].upper() + words[1:]

    def _show_ticks(self) -> None:
        for name, box in self._boxes.items():
            box.setChecked(name in self._chosen)
        if self._any:
            self._any.setChecked(not self._chosen)

    def toggle(self, name: str) -> None:
        """Chooses a value, or takes it out."""
        kept = tuple(one for one in self._chosen if one != name)
        self._tell(kept if name in self._chosen else (*kept, name))

    def _on_any(self) -> None:
        self._tell(())

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values that are ticked."""
        return self._chosen

    def menu(self) -> QMenu:
        """Every choice, the chosen ones ticked."""
        menu = QMenu(self)
        for name, words in self.info.choices.items():
            action = menu.addAction(caption(words))
            action.setCheckable(True)
            action.setChecked(name in self._chosen)
            action.triggered.connect(partial(self.toggle, name))
        return menu

    def _on_more(self) -> None:
        menu = self.menu()
        menu.exec(self._more.mapToGlobal(self._more.rect().bottomLeft()) if self._more else self.pos())
        menu.deleteLater()

    def _tell(self, chosen: tuple[str, ...]) -> None:
        order = list(self.info.choices)
        value = tuple(sorted(chosen, key=lambda one: order.index(one) if one in order else len(order)))
        self.show_value(value)
        self.edited.emit(value)
        self.finished.emit()


class GroupedChoices(dict[str, str]):
    """Choices as value -> words, each in a group of the menu; ``empty`` says what choosing none means."""

    def __init__(self, choices: Mapping[str, str], groups: Mapping[str, str], empty: str = "Any") -> None:
        super().__init__(choices)
        self.groups, self.empty = dict(groups), empty


class PlacesEditor(MultiChoiceEditor):
    """Several places; its menu has one submenu a group."""

    def __init__(self, info: FieldInfo, listed: GroupedChoices, parent: QWidget | None = None) -> None:
        self._listed = listed
        super().__init__(info, is_any_when_empty=True, parent=parent, any_words=listed.empty)

    def menu(self) -> QMenu:
        """Every place by group, the chosen ones ticked."""
        menu = QMenu(self)
        parts = {group: menu.addMenu(caption(group)) for group in dict.fromkeys(self._listed.groups.values())}
        for name, words in self.info.choices.items():
            action = parts[self._listed.groups[name]].addAction(caption(words))
            action.setCheckable(True)
            action.setChecked(name in self.chosen)
            action.triggered.connect(partial(self.toggle, name))
        return menu
