"""A section of Why as data, and the box that shows it: what stays the same from one result to the next is not touched.

Making the widgets anew costs many times what writing other words into them does, and Why follows every key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from gui.theme.naming import named
from gui.theme.plain import as_text, caption, tip
from gui.theme.term_label import TermLabel
from gui.widgets.live import label
from gui.widgets.rule import rule

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
TOP = Qt.AlignmentFlag.AlignTop
ANYWHERE = Qt.AlignmentFlag(0)


class Cell(Protocol):
    """One thing in a section. Cells of the same ``frame`` are shown by the same widget, told what is new."""

    @property
    def frame(self) -> tuple[object, ...]:
        """What a widget cannot change once it is made."""

    def made(self) -> QWidget:
        """A widget that was told nothing yet."""

    def tell(self, widget: Any) -> None:
        """Show this cell in a widget that one of the same frame made."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text; ``can_select`` lets it be copied, ``explains`` has its term told, and only an open one is seen."""

    text: str
    kind: str = ""
    name: str = ""
    wraps: bool = False
    tip: str = ""
    can_select: bool = False
    is_open: bool = True
    explains: bool = False

    @property
    def frame(self) -> tuple[object, ...]:
        """Kind, name, the way it wraps, and what a click does."""
        return self.kind, self.name, self.wraps, self.can_select, self.explains

    def made(self) -> QLabel:
        """A label."""
        text = label("", self.kind, self.name, self.wraps, self.explains)
        if self.wraps:
            text.setMinimumWidth(1)  # else one long word of a user would push all values out of the dock
        if self.can_select:
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return text

    def tell(self, widget: QLabel) -> None:
        """Its text."""
        widget.setText(self.text)
        if widget.toolTip() != tip(self.tip):
            widget.setToolTip(tip(self.tip))
        widget.setVisible(self.is_open)


@dataclass(frozen=True, slots=True)
class Value:
    """A figure that opens its formula when it is clicked."""

    text: str
    name: str
    spoken: str
    kind: str
    can_open: bool
    clicked: Callable[[], None]

    @property
    def frame(self) -> tuple[object, ...]:
        """Kind and name."""
        return self.kind, self.name

    def made(self) -> QPushButton:
        """A button that looks like a text."""
        button = named(QPushButton(), self.name, kind=self.kind)
        button.setFlat(True)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(self.clicked)
        return button

    def tell(self, widget: QPushButton) -> None:
        """Its text, aloud too."""
        widget.setText(caption(self.text))
        widget.setAccessibleName(as_text(self.spoken))
        widget.setEnabled(self.can_open)


@dataclass(frozen=True, slots=True)
class Act:
    """A button that does something about what is shown."""

    text: str
    name: str
    spoken: str
    clicked: Callable[[], None]

    @property
    def frame(self) -> tuple[object, ...]:
        """Name and what it does."""
        return self.name, self.clicked

    def made(self) -> QPushButton:
        """A button."""
        button = named(QPushButton(), self.name, kind="primary")
        button.clicked.connect(self.clicked)
        return button

    def tell(self, widget: QPushButton) -> None:
        """Its text, aloud too."""
        widget.setText(caption(self.text))
        widget.setAccessibleName(as_text(self.spoken))


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""

    @property
    def frame(self) -> tuple[object, ...]:
        """All are alike."""
        return ()

    def made(self) -> QFrame:
        """A thin rule."""
        return rule()

    def tell(self, widget: QFrame) -> None:
        """A rule says nothing."""


@dataclass(frozen=True, slots=True)
class Title:
    """The name of a section, with a remark at its right, or a button that closes it."""

    text: str
    note: str = ""
    name: str = ""
    close: Callable[[], None] | None = None

    @property
    def frame(self) -> tuple[object, ...]:
        """Name, and whether it can be closed."""
        return self.name, self.close

    def made(self) -> TitleLine:
        """Title at left, note or button at right."""
        return TitleLine(self.name, self.close)

    def tell(self, widget: TitleLine) -> None:
        """Title and note."""
        widget.title.setText(self.text)
        widget.note.setText(self.note)
        if widget.button is not None:
            widget.button.setAccessibleName(f"Close {self.text}")


class TitleLine(QWidget):
    """A title, its note, and a button where it can be closed."""

    def __init__(self, name: str, close: Callable[[], None] | None) -> None:
        super().__init__()
        self.title, self.note = named(TermLabel(), name, kind="section"), label("", "small")
        self.button: QPushButton | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.title, 1)
        row.addWidget(self.note)
        if close is not None:
            self.button = named(QPushButton("Close"), "explained-close", kind="link")
            self.button.clicked.connect(close)
            row.addWidget(self.button)


@dataclass(frozen=True, slots=True)
class Put:
    """A cell and its place in the grid."""

    cell: Cell
    row: int
    column: int = 0
    columns: int = 1
    align: Qt.AlignmentFlag = ANYWHERE

    @property
    def frame(self) -> tuple[object, ...]:
        """Place and kind of cell."""
        return self.row, self.column, self.columns, self.align, *_kind(self.cell)


@dataclass(frozen=True, slots=True)
class Section:
    """Cells in a grid: the column that takes what room is left, and the least width of the first one."""

    puts: tuple[Put, ...]
    stretch: int
    first_px: int = 0
    name: str = ""
    spoken: str = ""


class SectionBox(QWidget):
    """Shows a section, and then others of the same name: cells move only from the first new frame on.

    Widgets that a section has no cell for are kept out of sight until one of their frame comes again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._puts: tuple[Put, ...] = ()
        self._widgets: list[QWidget] = []
        self._spare: dict[tuple[object, ...], list[QWidget]] = {}

    def show_section(self, section: Section) -> None:
        """The section's words, in the widgets that are there if they fit."""
        if not self._widgets:
            self._dress(section)
        before, self._puts = self._puts, section.puts
        n_kept = _n_alike(before, section.puts)
        self._grid.setEnabled(False)  # else each widget that comes or goes lays out all of them
        self._drop(before, n_kept)
        self._add(section.puts[n_kept:])
        self._grid.setEnabled(True)
        for number, (widget, put) in enumerate(zip(self._widgets, section.puts, strict=True)):
            if number >= n_kept or before[number].cell != put.cell:
                put.cell.tell(widget)
        self.setAccessibleName(section.spoken)

    def _dress(self, section: Section) -> None:
        """A section with a name stands on a tint of its own."""
        side, end, across = (12, 10, 8) if section.name else (0, 0, 6)
        self._grid.setContentsMargins(side, end, side, end)
        self._grid.setHorizontalSpacing(across)
        self._grid.setVerticalSpacing(4 if section.name else 3)
        self._grid.setColumnMinimumWidth(0, section.first_px)
        self._grid.setColumnStretch(section.stretch, 1)
        if section.name:
            named(self, section.name).setProperty("surface", "explained")
            self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _drop(self, before: Sequence[Put], n_kept: int) -> None:
        for put, widget in zip(before[n_kept:], self._widgets[n_kept:], strict=True):
            self._grid.removeWidget(widget)
            widget.hide()
            self._spare.setdefault(_kind(put.cell), []).append(widget)
        del self._widgets[n_kept:]

    def _add(self, puts: Sequence[Put]) -> None:
        for put in puts:
            spare = self._spare.get(_kind(put.cell))
            widget = spare.pop() if spare else put.cell.made()
            self._grid.addWidget(widget, put.row, put.column, 1, put.columns, put.align)
            widget.show()  # else it would come a frame after the cells that were there
            self._widgets.append(widget)
        if puts:
            self._chain_tabs()

    def _chain_tabs(self) -> None:
        reached = [widget for widget in self._widgets if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for one, following in pairwise(reached):
            QWidget.setTabOrder(one, following)


def _kind(cell: Cell) -> tuple[object, ...]:
    """What two cells share that the same widget can show."""
    return type(cell), *cell.frame


def _n_alike(before: Sequence[Put], after: Sequence[Put]) -> int:
    """How many first cells have the same place and frame."""
    alike = takewhile(lambda pair: pair[0].frame == pair[1].frame, zip(before, after, strict=False))
    return sum(1 for _ in alike)
