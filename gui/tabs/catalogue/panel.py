"""The Catalogue tab: every chip, host, price and cost input, to be searched, sorted, compared and corrected."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QMetaMethod, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from core.catalogue.entries import OWN, Accelerator, Entry
from core.catalogue.own.layers import KEYS
from core.units import grouped, shown_money
from gui.session.plan_session import PlanSession
from gui.tables.catalogue.lists import Listed, listed, narrowed
from gui.tables.catalogue.view import EntryTable
from gui.tabs.catalogue.detail import CatalogueDetail, reader
from gui.tabs.catalogue.entry_text import EntryText
from gui.tabs.catalogue.header import CatalogueHeader
from gui.tabs.catalogue.rich_text import link_parts
from gui.tabs.catalogue.side_by_side import compared
from gui.theme.manager import ThemeManager
from gui.theme.plain import tip
from gui.widgets.live import label
from gui.widgets.rule import rule

EDITABLE = ("accelerators", "offers", "hosts", "servers")
MOST_COMPARED = 4
DETAIL_SHARE, LEAST_DETAIL_PX, MOST_DETAIL_PX = 0.32, 215, 460
NOTHING_FOUND = "Nothing in this list fits. Clear the search or the pick lists."
NOTHING_THERE = "This list is empty."
HOW_TO_COMPARE = f"Choose two to {MOST_COMPARED} chips with Ctrl or Shift, then compare them side by side"


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
        self._is_moved = False
        self._known: tuple[tuple[object, ...], dict[str, Listed]] = ((), {})
        self.head = CatalogueHeader()
        self.table = EntryTable(self)
        self.table.may_leave = session.may_leave
        self.detail = CatalogueDetail()
        self.comparison = reader("catalogue-comparison", "Chips side by side")
        self.nothing = label(NOTHING_FOUND, "ink2", "catalogue-nothing")
        self._build()
        self._connect()

    def refresh(self) -> None:
        """Lists the entries anew, as the plan sees them now."""
        self.head.offer(self._listed().rows, self._session.catalogue)
        self._narrow()

    def show_entry(self, view_id: str, key: str) -> None:
        """Goes to an entry of a list by its key; what was searched for is forgotten where it would hide it."""
        self.head.show_view(view_id)
        if not self.table.entries.rows_of([key]):
            self.head.clear()
            self._narrow()
        row_numbers = self.table.entries.rows_of([key])
        if row_numbers:
            self.table.select(self.table.entries.rows[row_numbers[0]].entry)

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what changed meanwhile."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The pane takes its share of the width, until somebody moves the line between."""
        super().resizeEvent(event)
        if not self._is_moved:
            detail_px = min(max(round(self.width() * DETAIL_SHARE), LEAST_DETAIL_PX), MOST_DETAIL_PX)
            self._split.setSizes([self.width() - detail_px, detail_px])

    def _on_moved(self, *_: int) -> None:
        self._is_moved = True

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
        self._split.splitterMoved.connect(self._on_moved)
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
        head.add.clicked.connect(lambda: self.own_entry_wanted.emit(self.head.view.table, ""))
        head.load.clicked.connect(self.import_wanted)
        head.book.clicked.connect(self.book_wanted)
        self.detail.correct.clicked.connect(lambda: self._on_own(self.own_entry_wanted))
        self.detail.remove.clicked.connect(lambda: self._on_own(self.own_entry_removed))
        self.detail.followed.connect(self._on_link)
        table.chosen.connect(self._on_chosen)
        table.several_chosen.connect(self._show_buttons)
        self._session.plan_changed.connect(self._on_plan)
        self._themes.changed.connect(self._on_plan)
        find = QShortcut(QKeySequence.StandardKey.Find, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._on_find)
        clear = QShortcut(QKeySequence(Qt.Key.Key_Escape), head.search, context=Qt.ShortcutContext.WidgetShortcut)
        clear.activated.connect(head.search.clear)
        back = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.comparison, context=Qt.ShortcutContext.WidgetShortcut)
        back.activated.connect(lambda: head.compare.setChecked(False))

    def _listed(self) -> Listed:
        """The chosen list, made once for each state of catalogue, days and currency: a list holds texts."""
        catalogue, days = self._session.catalogue, self._session.plan.old_price_days
        state = (catalogue, days, shown_money(), date.today())
        if len(self._known[0]) != len(state) or self._known[0][0] is not catalogue or self._known[0][1:] != state[1:]:
            self._known = (state, {})
        made, view = self._known[1], self.head.view
        if view.id not in made:
            made[view.id] = listed(view, catalogue, date.today(), days)
        return made[view.id]

    def _narrow(self) -> None:
        if not self.isVisible():
            return
        view = self._listed()
        rows = narrowed(view.rows, self.head.asked(), self._session.catalogue)
        self.table.show_rows(view.columns, rows, self._themes.theme)
        self.nothing.setText(NOTHING_FOUND if view.rows else NOTHING_THERE)
        self._left.setCurrentWidget(self.table if rows else self.nothing)
        of_all = "" if len(rows) == len(view.rows) else f" of {grouped(len(view.rows))}"
        self.head.count.setText(f"{grouped(len(rows))}{of_all}")
        self._show_buttons()

    def _on_view(self) -> None:
        self.head.compare.setChecked(False)
        self.refresh()

    def _on_plan(self) -> None:
        """Another state of the catalogue or another theme: both pages are written anew."""
        if self.isVisible():
            self.refresh()
            self._on_compare(self.head.compare.isChecked())

    def _on_chosen(self, entry: Entry | None) -> None:
        """Writes the entry at hand out in full."""
        plan = self._session.plan
        text = EntryText(self._session.catalogue, self._themes.theme, date.today(), plan.old_price_days)
        row = self.table.currentIndex().row()
        key = f"{self.head.view.id} {self.table.entries.rows[row].key}" if entry is not None else ""
        self.detail.show_entry(text.entry(entry) if entry is not None else text.nothing(), key)

    def _on_link(self, url: str) -> None:
        target, *rest = link_parts(url)
        if target != "list":
            self.show_entry(target, rest[0])
            return
        self.head.clear()
        self.head.search.setText(rest[1])
        self.head.show_view(rest[0])

    def _on_find(self) -> None:
        self.head.compare.setChecked(False)
        self.head.search.setFocus()
        self.head.search.selectAll()

    def _on_compare(self, wanted: bool) -> None:
        chips = [entry for entry in self.table.selected if isinstance(entry, Accelerator)][:MOST_COMPARED]
        is_shown = wanted and len(chips) > 1
        self._pages.setCurrentWidget(self.comparison if is_shown else self._split)
        self.head.compare.setText("Back to the list" if is_shown else "Compare")
        if is_shown:
            at = self.comparison.verticalScrollBar().value()
            days = self._session.plan.old_price_days
            self.comparison.setHtml(compared(chips, self._session.catalogue, self._themes.theme, date.today(), days))
            self.comparison.verticalScrollBar().setValue(at)
        self._show_buttons()

    def _show_buttons(self) -> None:
        """Offers what can be done with what is chosen, and nothing that nobody answers."""
        head, entry, n_chosen = self.head, self.table.entry, len(self.table.selected)
        head.compare.setVisible(head.view.id == "chips")
        head.compare.setEnabled(1 < n_chosen <= MOST_COMPARED or head.compare.isChecked())
        head.compare.setToolTip(tip(HOW_TO_COMPARE))
        table, is_heard = head.view.table, self._is_heard(self.own_entry_wanted)
        head.add.setVisible(table in EDITABLE and is_heard)
        head.load.setEnabled(self._is_heard(self.import_wanted))
        head.book.setEnabled(self._is_heard(self.book_wanted))
        head.fit()
        is_one = entry is not None and n_chosen < 2 and getattr(entry, "provider", "") != OWN
        is_own = is_one and entry is not None and entry.layer != "catalogue" and table in KEYS
        self.detail.offer(is_one and table in EDITABLE and is_heard, is_own and self._is_heard(self.own_entry_removed))

    def _is_heard(self, signal: SignalInstance) -> bool:
        return bool(self.isSignalConnected(QMetaMethod.fromSignal(signal)))

    def _on_own(self, wish: SignalInstance) -> None:
        """Correct or remove the entry at hand."""
        if self.table.entry is not None:
            wish.emit(self.head.view.table, KEYS[self.head.view.table](self.table.entry))
