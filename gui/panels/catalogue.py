"""The Catalogue tab: every chip, host, price and cost input, to be searched, sorted, compared and corrected."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent, QTextOption
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTextBrowser, QVBoxLayout, QWidget

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Entry
from core.catalogue.own import KEYS
from core.units import grouped
from gui.panels.catalogue_head import CatalogueHead
from gui.panels.catalogue_text import EntryText
from gui.panels.live import label
from gui.panels.rules import rule
from gui.session.plan_session import PlanSession
from gui.tables.catalogue_views import Listed, listed, narrowed
from gui.tables.entry_table import EntryTable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named

EDITABLE = ("accelerators", "offers", "hosts", "servers")
MOST_COMPARED = 4
DETAIL_PX = 340
NOTHING_FOUND = "Nothing in this list fits. Clear the search or the pick lists."


class CataloguePanel(QWidget):
    """Lists the catalogue as the plan sees it: shipped entries, the price book, and the plan's own."""

    own_entry_wanted = Signal(str, object)
    own_entry_removed = Signal(str, object)
    import_wanted = Signal()
    book_wanted = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel-catalogue")
        self._session, self._themes = session, themes
        self._known: tuple[Catalogue, int, dict[str, Listed]] | None = None
        self.head = CatalogueHead()
        self.table = EntryTable(self)
        self.detail = _reader("catalogue-detail", "The chosen entry")
        self.comparison = _reader("catalogue-comparison", "Chips side by side")
        self.nothing = label(NOTHING_FOUND, "ink2", "catalogue-nothing")
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Lists the entries anew, as the plan sees them now."""
        view = self._listed()
        self.head.offer(view.rows, self._catalogue)
        self._narrow()

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what changed meanwhile."""
        super().showEvent(event)
        self.refresh()

    def _build(self) -> None:
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._left = QStackedWidget()
        self._left.addWidget(self.table)
        self._left.addWidget(self.nothing)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self._left)
        self._split.addWidget(self.detail)
        self._split.setStretchFactor(0, 1)
        self._split.setSizes([1600, DETAIL_PX])
        self._pages = QStackedWidget()
        self._pages.addWidget(self._split)
        self._pages.addWidget(self.comparison)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(rule())
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        head, table = self.head, self.table
        head.view_changed.connect(self._on_view)
        head.narrowed.connect(self._narrow)
        head.compare.toggled.connect(self._on_compare)
        head.add.clicked.connect(self._on_add)
        head.correct.clicked.connect(self._on_correct)
        head.remove.clicked.connect(self._on_remove)
        head.load.clicked.connect(self.import_wanted)
        head.book.clicked.connect(self.book_wanted)
        table.chosen.connect(self._on_chosen)
        table.several_chosen.connect(self._show_buttons)
        self._session.plan_changed.connect(self._on_plan)
        self._themes.changed.connect(self._on_plan)
        find = QShortcut(QKeySequence.StandardKey.Find, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(head.search.setFocus)
        clear = QShortcut(QKeySequence(Qt.Key.Key_Escape), head.search, context=Qt.ShortcutContext.WidgetShortcut)
        clear.activated.connect(head.search.clear)

    @property
    def _catalogue(self) -> Catalogue:
        return self._session.catalogue

    @property
    def _text(self) -> EntryText:
        return EntryText(self._catalogue, self._themes.theme, date.today(), self._session.plan.old_price_days)

    def _listed(self) -> Listed:
        """The chosen list, made once for each state of the catalogue."""
        days = self._session.plan.old_price_days
        if self._known is None or self._known[0] is not self._catalogue or self._known[1] != days:
            self._known = (self._catalogue, days, {})
        made, view = self._known[2], self.head.view
        if view.id not in made:
            made[view.id] = listed(view, self._catalogue, date.today(), days)
        return made[view.id]

    def _narrow(self) -> None:
        if not self.isVisible():
            return
        view = self._listed()
        rows = narrowed(view.rows, self.head.asked(), self._catalogue)
        self.table.show_rows(view.columns, rows, self._themes.theme)
        self._left.setCurrentWidget(self.table if rows else self.nothing)
        of_all = "" if len(rows) == len(view.rows) else f" of {grouped(len(view.rows))}"
        self.head.count.setText(f"{grouped(len(rows))}{of_all}")
        self._show_buttons()

    def _on_view(self) -> None:
        self.head.compare.setChecked(False)
        self.refresh()

    def _on_plan(self) -> None:
        if self.isVisible():
            self.refresh()
            self._on_compare(self.head.compare.isChecked())

    def _on_chosen(self, entry: Entry | None) -> None:
        """Writes the entry at hand out in full; what is read stays where it was when only the plan changed."""
        self.detail.setHtml(self._text.entry(entry) if entry is not None else self._text.nothing())

    def _compared(self) -> list[Accelerator]:
        return [entry for entry in self.table.selected if isinstance(entry, Accelerator)][:MOST_COMPARED]

    def _on_compare(self, wanted: bool) -> None:
        chips = self._compared()
        is_shown = wanted and len(chips) > 1
        self._pages.setCurrentWidget(self.comparison if is_shown else self._split)
        self.head.compare.setText("Back to the list" if is_shown else "Compare")
        if is_shown:
            self.comparison.setHtml(self._text.compared(chips))

    def _show_buttons(self) -> None:
        """Offers what can be done with what is chosen."""
        head, entry = self.head, self.table.entry
        head.compare.setVisible(head.view.id == "chips")
        n_chosen = len(self.table.selected)
        head.compare.setEnabled(1 < n_chosen <= MOST_COMPARED or head.compare.isChecked())
        head.compare.setToolTip(f"Choose two to {MOST_COMPARED} chips with Ctrl or Shift")
        can_edit = head.view.table in EDITABLE
        head.add.setVisible(can_edit)
        head.correct.setVisible(can_edit)
        head.correct.setEnabled(entry is not None and n_chosen == 1)
        head.remove.setVisible(entry is not None and entry.layer != "catalogue" and head.view.table in KEYS)

    def _on_add(self) -> None:
        self.own_entry_wanted.emit(self.head.view.table, "")

    def _on_correct(self) -> None:
        if self.table.entry is not None:
            self.own_entry_wanted.emit(self.head.view.table, KEYS[self.head.view.table](self.table.entry))

    def _on_remove(self) -> None:
        if self.table.entry is not None:
            self.own_entry_removed.emit(self.head.view.table, KEYS[self.head.view.table](self.table.entry))


def _reader(name: str, accessible_name: str) -> QTextBrowser:
    made = named(QTextBrowser(), name, accessible_name)
    made.setOpenLinks(False)
    made.setFrameShape(QTextBrowser.Shape.NoFrame)
    made.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.document().setDocumentMargin(16)
    return made
