"""The two lines over the catalogue: which list, what to look for in it, and what can be added to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import KIND_WORDS
from core.catalogue.details.names import LIST_WORDS, input_name, seller_name, software_name
from core.workload.profile import PURCHASE_WORDS
from gui.forms.choice_editors import NoWheelComboBox, segmented_buttons
from gui.tables.catalogue.lists import VIEWS, Narrowing, View, choices, mark_choices
from gui.tables.catalogue.model import EntryRow
from gui.theme.naming import named
from gui.theme.plain import as_text, tip
from gui.widgets.live import PAGE_SIDE_PX, label

LEAST_PX = 560
GAP_PX = 8
ALL_WORDS = {
    "kind": "All kinds",
    "vendor": "All vendors",
    "status": "Any status",
    "provider": "All providers",
    "region": "All regions",
    "country": "All countries",
    "purchase_model": "All ways to pay",
    "chip": "All chips",
    "framework": "All software",
    "input": "All inputs",
    "table": "All lists",
}
_LIST_NAMES = {
    "kind": "Kind of chip",
    "vendor": "Vendor",
    "status": "Available or announced",
    "provider": "Provider",
    "region": "Region",
    "country": "Country",
    "purchase_model": "Way to pay",
    "chip": "Chip",
    "framework": "Software",
    "input": "Input",
    "table": "List",
}
EVERYTHING = "Any mark"
_MARK_WORDS = {
    "estimate": "Estimates only",
    "old": "Old prices only",
    "undated": "Undated only",
    "yours": "Yours only",
    "price book": "Price book only",
}


class PickList(NoWheelComboBox):
    """As wide as the words for no pick, and narrower where there is no room; the open list is wide enough to read."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.view().setMinimumWidth(190)

    def sizeHint(self) -> QSize:
        """Room for the first entry and the arrow."""
        return QSize(self.fontMetrics().horizontalAdvance(self.itemText(0)) + 48, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As narrow as a few letters."""
        return QSize(64, super().minimumSizeHint().height())


class CatalogueHeader(QWidget):
    """Segments choose the list; search and pick lists narrow it down. Where it is narrow a pick list replaces the
    segments."""

    view_changed = Signal()
    narrowed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.view_list = named(QComboBox(), "catalogue-views", "List")
        self.search = named(QLineEdit(), "catalogue-search", "Search the catalogue")
        self.search.setPlaceholderText("Search")
        self.search.setToolTip("Words that must all be found, such as h100 tokyo")
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(110)
        self.search.setMaximumWidth(230)
        self.picks = {key: self._pick(f"catalogue-pick-{key.replace('_', '-')}", name)
                      for key, name in _LIST_NAMES.items()}  # fmt: skip
        self.mark = self._pick("catalogue-mark", "Mark")
        self.count = label("", "small", "catalogue-count")
        self.compare = named(QPushButton("Compare"), "catalogue-compare", "Compare the chosen chips")
        self.compare.setCheckable(True)
        self.compare.setProperty("kind", "choice")
        self.add = named(QPushButton("Add own…"), "catalogue-add", "Add an entry of your own")
        self.book = named(QPushButton("Price book…"), "catalogue-book", "Your private price book")
        self.load = named(QPushButton("Import prices…"), "catalogue-import", "Import a price list")
        self._build()
        self._set_tab_order()
        self.search.textChanged.connect(self.narrowed)
        self.views.idClicked.connect(self._on_segment)
        self.view_list.activated.connect(self._on_listed)

    @property
    def view(self) -> View:
        """The list chosen."""
        return VIEWS[max(self.views.checkedId(), 0)]

    def show_view(self, view_id: str) -> None:
        """Chooses a list."""
        number = [view.id for view in VIEWS].index(view_id)
        self.views.button(number).setChecked(True)
        self.view_list.setCurrentIndex(number)
        self.view_changed.emit()

    def clear(self) -> None:
        """Forgets search and picks of the list at hand, without a word."""
        for box in (*self.picks.values(), self.mark, self.search):
            box.blockSignals(True)
        self.search.clear()
        for box in (*self.picks.values(), self.mark):
            box.setCurrentIndex(0)
        for box in (*self.picks.values(), self.mark, self.search):
            box.blockSignals(False)

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
        self.fit()

    def minimumSizeHint(self) -> QSize:
        """As narrow as it can be without losing words, so that the docks keep their room."""
        return QSize(LEAST_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Segments where they have room beside the buttons, a pick list elsewhere; buttons go last."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Shows what there is room for; what is hidden is also in the menus."""
        room = self.width() - 2 * PAGE_SIDE_PX
        segments = self._segments.sizeHint().width()
        buttons = self.load.sizeHint().width() + self.book.sizeHint().width() + 2 * GAP_PX
        self._segments.setVisible(segments <= room)
        self.view_list.setVisible(segments > room)
        for button in (self.load, self.book):
            button.setVisible(button.isEnabled() and (segments + buttons <= room or segments > room))
        self._place_actions(segments > room and self._tools_px() > room)

    def _tools_px(self) -> int:
        """Room for search, pick lists, count and buttons in one line, with all words of each."""
        widgets = (*self.picks.values(), self.mark, self.count, self.compare, self.add)
        shown = [one.sizeHint().width() + GAP_PX for one in widgets if not one.isHidden()]
        return self.search.minimumWidth() + sum(shown)

    def _place_actions(self, is_above: bool) -> None:
        """The last buttons stand behind the pick lists, or above them where these would be cut."""
        row = self._first if is_above else self._second
        if row.indexOf(self.add) < 0:
            for button in (self.compare, self.add):
                row.addWidget(button)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(PAGE_SIDE_PX, 10, PAGE_SIDE_PX, 8)
        column.setSpacing(8)
        self._first, self._second = self._first_line(), self._tools()
        column.addLayout(self._first)
        column.addLayout(self._second)

    def _set_tab_order(self) -> None:
        """As the eye goes: lists, buttons beside them, then search and pick lists."""
        line = [*self.views.buttons(), self.view_list, self.load, self.book, self.search, *self.picks.values(),
                self.mark, self.compare, self.add]  # fmt: skip
        for before, after in pairwise(line):
            QWidget.setTabOrder(before, after)

    def _first_line(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP_PX)
        self._segments = self._make_segments()
        for view in VIEWS:
            self.view_list.addItem(as_text(view.title), view.id)
        row.addWidget(self._segments)
        row.addWidget(self.view_list)
        row.addStretch(1)
        row.addWidget(self.load)
        row.addWidget(self.book)
        return row

    def _make_segments(self) -> QWidget:
        holder = QWidget()
        titles = {view.id: view.title for view in VIEWS}
        self.views, row = segmented_buttons(self, titles, "catalogue-view")
        row.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(row)
        for button, view in zip(self.views.buttons(), VIEWS, strict=True):
            button.setToolTip(tip(view.tip))
            button.setFixedWidth(button.fontMetrics().horizontalAdvance(view.title) + 23)
        self.views.button(0).setChecked(True)
        return holder

    def _tools(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP_PX)
        row.addWidget(self.search, 1)
        for box in (*self.picks.values(), self.mark):
            row.addWidget(box)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.compare, self.add):
            row.addWidget(button)
        return row

    def _pick(self, name: str, accessible_name: str) -> QComboBox:
        box = named(PickList(), name, accessible_name)
        box.currentIndexChanged.connect(self.narrowed)
        return box

    def _on_segment(self, number: int) -> None:
        self.view_list.setCurrentIndex(number)
        self.view_changed.emit()

    def _on_listed(self, number: int) -> None:
        self.show_view(VIEWS[number].id)


def _fill(box: QComboBox, nothing: str, values: Sequence[tuple[str, str]]) -> None:
    picked = box.currentData()
    box.blockSignals(True)
    box.clear()
    box.addItem(as_text(nothing), "")
    for value, words in values:
        box.addItem(as_text(words), value)
    box.setCurrentIndex(max(box.findData(picked), 0))
    box.blockSignals(False)
    box.updateGeometry()


def _words(key: str, value: str) -> str:
    if key == "kind":
        return KIND_WORDS[value]
    if key == "provider":
        return seller_name(value)
    if key == "framework":
        return software_name(value)
    if key == "input":
        return input_name(value)
    if key == "table":
        return LIST_WORDS.get(value, value)
    if key == "status":
        return value.capitalize()
    return dict[str, str](PURCHASE_WORDS).get(value, value) if key == "purchase_model" else value
