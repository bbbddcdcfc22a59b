"""The two lines over the catalogue: which list, what to look for in it, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.catalogue.catalogue import Catalogue
from core.catalogue.facts import KIND_WORDS
from core.catalogue.providers import provider_name
from core.workload.profile import PURCHASE_WORDS
from gui.panels.live import PAGE_SIDE_PX, label
from gui.tables.catalogue_views import VIEWS, Narrowing, View, choices, mark_choices
from gui.tables.entry_model import EntryRow
from gui.theme.naming import named

ALL_WORDS = {
    "kind": "GPU and TPU",
    "vendor": "All vendors",
    "provider": "All providers",
    "purchase_model": "All ways to pay",
    "chip": "All chips",
    "input": "All inputs",
}
_LIST_NAMES = {
    "kind": "Kind of chip",
    "vendor": "Vendor",
    "provider": "Provider",
    "purchase_model": "Way to pay",
    "chip": "Chip",
    "input": "Input",
}
EVERYTHING = "Any mark"
_LIST_LETTERS = 11
_MARK_WORDS = {
    "estimate": "Estimates only",
    "old": "Old prices only",
    "undated": "Undated only",
    "announced": "Announced only",
    "yours": "Yours only",
    "price book": "Price book only",
}


class CatalogueHead(QWidget):
    """Segments choose the list; search and pick lists narrow it down."""

    view_changed = Signal()
    narrowed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.views = QButtonGroup(self)
        self.search = named(QLineEdit(), "catalogue-search", "Search the catalogue")
        self.search.setPlaceholderText("Search, such as h100 tokyo")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(200)
        self.mark = named(QComboBox(), "catalogue-mark", "Mark")
        self.mark.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.mark.setMinimumContentsLength(_LIST_LETTERS)
        self.picks = {key: self._pick(key) for key in ALL_WORDS}
        self.count = label("", "small", "catalogue-count")
        self.compare = named(QPushButton("Compare"), "catalogue-compare", "Compare the chosen chips")
        self.compare.setCheckable(True)
        self.compare.setProperty("kind", "choice")
        self.add = named(QPushButton("Add own…"), "catalogue-add", "Add an entry of your own")
        self.correct = named(QPushButton("Correct…"), "catalogue-correct", "Correct the chosen entry")
        self.remove = named(QPushButton("Remove"), "catalogue-remove", "Remove your own entry")
        self.book = named(QPushButton("Price book…"), "catalogue-book", "Your private price book")
        self.load = named(QPushButton("Import prices…"), "catalogue-import", "Import a price list")
        self._build()
        self.search.textChanged.connect(self.narrowed)
        self.mark.currentIndexChanged.connect(self.narrowed)
        self.views.idClicked.connect(self._on_view)

    @property
    def view(self) -> View:
        """The list chosen."""
        return VIEWS[max(self.views.checkedId(), 0)]

    def show_view(self, view_id: str) -> None:
        """Chooses a list."""
        number = [view.id for view in VIEWS].index(view_id)
        self.views.button(number).setChecked(True)
        self.view_changed.emit()

    def asked(self) -> Narrowing:
        """What the person asked to see."""
        picks = tuple((key, str(self.picks[key].currentData() or "")) for key in self.view.picks)
        return Narrowing(self.search.text().strip(), picks, str(self.mark.currentData() or ""))

    def offer(self, rows: Sequence[EntryRow], catalogue: Catalogue) -> None:
        """Offers what this list can be narrowed by, keeping what was picked."""
        for key, box in self.picks.items():
            box.setVisible(key in self.view.picks)
            if key in self.view.picks:
                values = choices(rows, key, catalogue)
                _fill(box, ALL_WORDS[key], [(value, _words(key, value)) for value in values])
        marks = [(mark, _MARK_WORDS.get(mark, mark)) for mark in mark_choices(rows)]
        _fill(self.mark, EVERYTHING, marks)
        self.mark.setVisible(bool(marks))

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(PAGE_SIDE_PX, 10, PAGE_SIDE_PX - 8, 8)
        column.setSpacing(8)
        column.addLayout(self._segments())
        column.addLayout(self._tools())

    def _segments(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        for number, view in enumerate(VIEWS):
            button = named(QPushButton(view.title), f"catalogue-view-{view.id}", view.title, "segment")
            button.setCheckable(True)
            button.setProperty("place", "first" if number == 0 else "last" if number == len(VIEWS) - 1 else "middle")
            button.setMinimumWidth(button.fontMetrics().horizontalAdvance(view.title) + 24)
            self.views.addButton(button, number)
            row.addWidget(button)
        self.views.button(0).setChecked(True)
        row.addStretch(1)
        row.setSpacing(0)
        for button in (self.add, self.load, self.book):
            row.addSpacing(8)
            row.addWidget(button)
        return row

    def _tools(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.search)
        for box in (*self.picks.values(), self.mark):
            row.addWidget(box)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.compare, self.correct, self.remove):
            row.addWidget(button)
        return row

    def _pick(self, key: str) -> QComboBox:
        box = named(QComboBox(), f"catalogue-pick-{key.replace('_', '-')}", _LIST_NAMES[key])
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(_LIST_LETTERS)
        box.setVisible(key in self.view.picks)
        box.currentIndexChanged.connect(self.narrowed)
        return box

    def _on_view(self, _: int) -> None:
        self.view_changed.emit()


def _fill(box: QComboBox, nothing: str, values: Sequence[tuple[str, str]]) -> None:
    picked = box.currentData()
    box.blockSignals(True)
    box.clear()
    box.addItem(nothing, "")
    for value, words in values:
        box.addItem(words, value)
    box.setCurrentIndex(max(box.findData(picked), 0))
    box.blockSignals(False)


def _words(key: str, value: str) -> str:
    if key == "kind":
        return KIND_WORDS[value]
    if key == "provider":
        return provider_name(value)
    if key == "input":
        return value.replace("_", " ").capitalize()
    return dict[str, str](PURCHASE_WORDS).get(value, value) if key == "purchase_model" else value
