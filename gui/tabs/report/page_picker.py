"""Which pages the comparison plan has: four presets and a box for each page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QVBoxLayout, QWidget

from core.report.document import PAGES, PRESETS
from gui.theme.naming import named
from gui.theme.plain import caption

PRESET_WORDS = {"one-page": "One page", "finance": "Finance", "engineering": "Engineering", "full": "Full"}


class PagePicker(QWidget):
    """Tells of another choice by ``chosen``, with ids of pages in their order; there is always at least one."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: tuple[str, ...] = tuple(PAGES)
        self.boxes: dict[str, QCheckBox] = {}
        self.presets: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._preset_grid())
        column.addSpacing(6)
        for page, (title, _) in PAGES.items():
            box = named(QCheckBox(caption(title)), f"page-{page}", f"Page: {title}")
            box.clicked.connect(partial(self._on_box, page))
            self.boxes[page] = box
            column.addWidget(box)

    def show_pages(self, pages: Sequence[str]) -> None:
        """Ticks these pages, and presses the preset that holds just them."""
        self._pages = tuple(page for page in PAGES if page in pages) or tuple(PAGES)
        for page, box in self.boxes.items():
            box.setChecked(page in self._pages)
        for name, button in self.presets.items():
            button.setChecked(set(PRESETS[name]) == set(self._pages))

    def _preset_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(6)
        for number, name in enumerate(PRESETS):
            words = PRESET_WORDS.get(name, name)
            button = named(QPushButton(caption(words)), f"preset-{name}", f"Pages: {words}")
            button.setCheckable(True)
            button.setProperty("kind", "choice")
            button.clicked.connect(partial(self._on_preset, name))
            self.presets[name] = button
            grid.addWidget(button, number // 2, number % 2)
        return grid

    def _on_preset(self, name: str) -> None:
        self._choose(PRESETS[name])

    def _on_box(self, page: str) -> None:
        others = tuple(one for one in self._pages if one != page)
        self._choose((others or self._pages) if page in self._pages else (*others, page))

    def _choose(self, pages: Sequence[str]) -> None:
        self.show_pages(pages)
        self.chosen.emit(self._pages)
