"""Wishes of panels that the window's dialogs answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def connect_start(window: MainWindow) -> None:
    """What the start page offers."""
    page, dialogs = window.start_page, window.dialogs
    page.sample_wanted.connect(dialogs.open_sample)
    page.open_wanted.connect(dialogs.ask_open)
    page.new_wanted.connect(window.new_plan)
    page.recent_wanted.connect(dialogs.open)
    page.recovery_wanted.connect(dialogs.recover)


def connect_prices(window: MainWindow) -> None:
    """Prices of one's own: asked for in the catalogue tab, the dock and by dropping a list; the book is laid under."""
    prices = window.prices
    window.tabs.panel_made.connect(prices.connect_panel)
    window.project.catalogue_wanted.connect(partial(window.tabs.show_tab, "catalogue"))
    window.status.catalogue_wanted.connect(partial(window.tabs.show_tab, "catalogue"))
    window.project.book_wanted.connect(prices.show_book)
    window.project.prices_wanted.connect(prices.import_prices)
    window.files.opened.connect(prices.tell_of_lost_book)
    window.intake.prices_wanted = prices.import_prices
    window.intake.book_wanted = prices.show_book
    prices.keeper.changed.connect(window.project.refresh)
    prices.load_book()


def connect_money(window: MainWindow) -> None:
    """The currency in the status line and the oldest price in the verdict lead to the same dialog."""
    window.status.money_wanted.connect(window.parts.money)
    window.verdict.prices_wanted.connect(window.parts.money)
