"""Who hears whom in the window: session and files, tabs and docks, and the dialogs that answer wishes of panels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def connect(window: MainWindow) -> None:
    """Joins all parts of a window that is put together."""
    _connect_session(window)
    _connect_areas(window)
    _connect_start(window)
    _connect_prices(window)
    _connect_money(window)


def _connect_session(window: MainWindow) -> None:
    """The window follows its plan and its file."""
    session, files = window.session, window.files
    for signal in (session.plan_changed, session.results_changed, session.scenario_changed):
        signal.connect(window.refresh)
    session.undo_stack.indexChanged.connect(window.refresh)
    session.busy_changed.connect(window.tabs.busy.set_busy)
    files.changed.connect(window.refresh)
    files.failed.connect(window.message.say)
    window.calls.raised.connect(window.come_forward)


def _connect_areas(window: MainWindow) -> None:
    """From one area of the window to another."""
    tabs, project = window.tabs, window.project
    tabs.field_wanted.connect(tabs.show_field)
    tabs.explain_wanted.connect(window.why.explain)
    tabs.story_wanted.connect(window.why.tell)
    tabs.workload_wanted.connect(window.add_workload)
    tabs.verdict_wanted.connect(window.verdict.tell)
    window.bottom.problems.field_wanted.connect(tabs.show_field)
    window.tour.tab_wanted.connect(tabs.show_tab)
    window.status.page_wanted.connect(window.show_bottom)
    project.add_workload_wanted.connect(window.add_workload)
    project.add_scenario_wanted.connect(window.parts.add_scenario)
    project.phase_wanted.connect(tabs.show_phase)
    project.log_wanted.connect(window.incoming.show_log)
    project.import_wanted.connect(window.incoming.ask_log)
    project.whole_wanted.connect(window.why.explain_plan)
    window.verdict.whole_wanted.connect(window.why.explain_plan)
    tabs.panel_made.connect(window.ways_out.connect_panel)
    tabs.panel_made.connect(window.parts.connect_panel)


def _connect_start(window: MainWindow) -> None:
    """What the start page offers."""
    page, dialogs = window.start_page, window.dialogs
    page.sample_wanted.connect(window.open_sample)
    page.eight_models_wanted.connect(window.open_eight_models)
    page.open_wanted.connect(dialogs.ask_open)
    page.new_wanted.connect(window.new_plan)
    page.have_wanted.connect(window.start_with_chips)
    page.recent_wanted.connect(dialogs.open)
    page.recovery_wanted.connect(dialogs.recover)


def _connect_prices(window: MainWindow) -> None:
    """Prices of one's own: asked for in the catalogue tab, the dock and by dropping a list; the book is laid under."""
    prices = window.prices
    window.tabs.panel_made.connect(prices.connect_panel)
    window.why.answer_wanted.connect(prices.enter_answer)
    window.project.catalogue_wanted.connect(partial(window.tabs.show_tab, "catalogue"))
    window.status.catalogue_wanted.connect(partial(window.tabs.show_tab, "catalogue"))
    window.project.book_wanted.connect(prices.show_book)
    window.project.prices_wanted.connect(prices.import_prices)
    window.files.opened.connect(prices.tell_of_lost_book)
    prices.keeper.changed.connect(window.project.refresh)
    prices.load_book()


def _connect_money(window: MainWindow) -> None:
    """The currency in the status line and the oldest price in the verdict lead to the same dialog."""
    window.status.money_wanted.connect(window.parts.money)
    window.verdict.prices_wanted.connect(window.parts.money)
