"""Speed of the window with 5,000 offers, most of them imported into the plan; drawn off screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from many_offers import N_OFFERS, added_offers
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QPushButton, QWidget

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from gui.app import make_window
from gui.headless import application
from gui.offscreen import WINDOW_PX, wait_for_results
from gui.session.collector import calm_collector
from gui.tables.candidates.view import CandidateTable
from gui.tables.catalogue.view import EntryTable
from gui.window.main_window import MainWindow

N_EDITS = 8
N_FRAMES = 60
STEP_PX = 400


def plan_with_offers() -> Plan:
    """The sample plan with what price feeds would add to the shipped catalogue."""
    catalogue = load_catalogue()
    offers = added_offers(catalogue, N_OFFERS - len(catalogue.offers))
    return sample_plan().model_copy(update={"own": OwnEntries(offers=offers)})


@contextmanager
def window_with_offers(tab: str) -> Iterator[MainWindow]:
    """A window on that plan, painted once."""
    application()
    window = make_window(plan_with_offers())
    window.resize(*WINDOW_PX)
    window.show()
    wait_for_results(window.session)
    window.tabs.show_tab(tab)
    QApplication.processEvents()
    calm_collector()
    yield window
    window.session.undo_stack.setClean()  # else closing asks whether to save
    window.close()


def offers_5000_shown_ms() -> float:
    """From one edit, through evaluation and drawing, to the painted Compare tab; median."""
    with window_with_offers("compare") as window:
        return median(edit_once(window, 61.0 + step / N_EDITS) for step in range(N_EDITS))


def offers_5000_show_all_ms() -> float:
    """From the click on "Show all" to the painted table of all candidates, the first time after an edit."""
    with window_with_offers("compare") as window:
        taken_ms = []
        for step in range(5):
            edit_once(window, 61.0 + step / N_EDITS)
            taken_ms.append(_timed_ms(window, lambda: _show_all(window, True)))
            _show_all(window, False)
        return median(taken_ms)


def offers_5000_sort_ms() -> float:
    """Sorting the table of all candidates by one column after the other, painted each time; the slowest column."""
    with window_with_offers("compare") as window:
        _show_all(window, True)
        table = _candidates(window)
        columns = range(table.model().columnCount())
        return max(_timed_ms(table, lambda c=column: table.sortByColumn(c, _FALLING)) for column in columns)


def offers_5000_filter_ms() -> float:
    """Typing a word into the filter over all candidates, painted after each letter; the slowest letter."""
    with window_with_offers("compare") as window:
        _show_all(window, True)
        line = window.findChild(QLineEdit, "table-filter")
        return max(_timed_ms(window, lambda n=n: line.setText("europe"[:n])) for n in range(1, 7))


def offers_5000_scroll_ms() -> float:
    """Scrolling through the table of all candidates by 400 px at a time: the slowest frame."""
    with window_with_offers("compare") as window:
        _show_all(window, True)
        return scroll_ms(_candidates(window))


def offers_5000_undo_ms() -> float:
    """Undoing an edit, to the painted Compare tab: the answer is still known."""
    with window_with_offers("compare") as window:
        for step in range(N_EDITS):
            window.session.end_step()  # else edits of one field are one step
            edit_once(window, 61.0 + step / N_EDITS)
        return median(edit_once(window, act=window.session.undo_stack.undo) for _ in range(N_EDITS - 1))


def offers_5000_catalogue_ms() -> float:
    """From another tab to the painted list of all offers in the Catalogue tab, the first time."""
    with window_with_offers("compare") as window:
        return _timed_ms(window, lambda: _show_offers(window))


def offers_5000_catalogue_sort_ms() -> float:
    """Sorting that list by one column after the other: the slowest column."""
    with window_with_offers("compare") as window:
        _show_offers(window)
        table = _entries(window)
        columns = range(table.model().columnCount())
        return max(_timed_ms(table, lambda c=column: table.sortByColumn(c, _FALLING)) for column in columns)


def offers_5000_catalogue_scroll_ms() -> float:
    """Scrolling through that list by 400 px at a time: the slowest frame."""
    with window_with_offers("compare") as window:
        _show_offers(window)
        return scroll_ms(_entries(window))


def edit_once(window: MainWindow, deadline_days: float = 0.0, act: Callable[[], object] | None = None) -> float:
    """Milliseconds from a changed deadline, or another act, until every visible chart is painted anew."""
    session = window.session
    loop = QEventLoop()
    session.results_changed.connect(loop.quit)
    start_s = time.perf_counter()
    if act is None:
        session.edit("profiles.0.limits.deadline_days", deadline_days)
    else:
        act()
    loop.exec()
    QApplication.processEvents()
    window.repaint()
    session.results_changed.disconnect(loop.quit)
    return 1000 * (time.perf_counter() - start_s)


def scroll_ms(view: QAbstractItemView) -> float:
    """The slowest frame while a view is scrolled down by many steps."""
    bar = view.verticalScrollBar()
    return max(_timed_ms(bar, lambda n=n: bar.setValue(n * STEP_PX)) for n in range(1, N_FRAMES))


_FALLING = Qt.SortOrder.DescendingOrder


def _candidates(window: MainWindow) -> CandidateTable:
    return window.findChild(CandidateTable, "candidate-table")


def _entries(window: MainWindow) -> EntryTable:
    return window.findChild(EntryTable, "entry-table")


def _show_offers(window: MainWindow) -> None:
    window.tabs.show_tab("catalogue")
    window.findChild(QPushButton, "catalogue-view-offers").click()
    QApplication.processEvents()


def _show_all(window: MainWindow, shows: bool) -> None:
    window.findChild(QPushButton, "show-all").setChecked(shows)
    QApplication.processEvents()


def _timed_ms(painted: QWidget, act: Callable[[], object]) -> float:
    """Milliseconds from an act until all that it changed is painted, and a widget as a whole once more."""
    start_s = time.perf_counter()
    act()
    QApplication.processEvents()
    painted.repaint()
    return 1000 * (time.perf_counter() - start_s)


FIGURES = {
    "offers_5000_shown_ms": (offers_5000_shown_ms, "ms"),
    "offers_5000_show_all_ms": (offers_5000_show_all_ms, "ms"),
    "offers_5000_sort_ms": (offers_5000_sort_ms, "ms"),
    "offers_5000_filter_ms": (offers_5000_filter_ms, "ms"),
    "offers_5000_scroll_ms": (offers_5000_scroll_ms, "ms"),
    "offers_5000_catalogue_ms": (offers_5000_catalogue_ms, "ms"),
    "offers_5000_catalogue_sort_ms": (offers_5000_catalogue_sort_ms, "ms"),
    "offers_5000_catalogue_scroll_ms": (offers_5000_catalogue_scroll_ms, "ms"),
    "offers_5000_undo_ms": (offers_5000_undo_ms, "ms"),
}
