"""Wishes about prices from the catalogue tab end in the right dialogs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.catalogue.own.book_file import save_book
from core.catalogue.own.layers import KEYS, Discount, PriceBook
from gui.dialogs.prices.book import BookDialog
from gui.dialogs.prices.entry_editor import EntryDialog
from gui.dialogs.prices.import_dialog import ImportPricesDialog
from gui.tabs.catalogue.panel import CataloguePanel
from gui.window.incoming_files import is_price_book
from gui.window.main_window import MainWindow
from gui.window.price_actions import DISCOUNTED

BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=20, source="Contract", as_of="2026-10-01"),))


@pytest.fixture
def panel(window: MainWindow) -> CataloguePanel:
    """The catalogue tab, opened."""
    window.tabs.show_tab("catalogue")
    found = window.tabs.panel("catalogue")
    assert isinstance(found, CataloguePanel)
    return found


@pytest.mark.parametrize("table", ["offers", "hosts", "accelerators", "servers"])
def test_an_entry_of_the_tab_is_corrected_in_its_form(window: MainWindow, panel: CataloguePanel, table: str) -> None:
    entry = getattr(window.session.layers.shipped, table)[0]
    panel.own_entry_wanted.emit(table, KEYS[table](entry))
    dialog = window.prices.dialog
    assert isinstance(dialog, EntryDialog)
    assert dialog.windowTitle().startswith("Correct this")
    dialog.reject()


def test_a_new_entry_begins_empty(window: MainWindow, panel: CataloguePanel) -> None:
    panel.head.add.click()
    dialog = window.prices.dialog
    assert isinstance(dialog, EntryDialog)
    assert dialog.windowTitle().startswith("Add a")
    dialog.reject()


def test_the_tab_leads_to_import_and_book(window: MainWindow, panel: CataloguePanel) -> None:
    panel.head.load.click()
    assert isinstance(window.prices.dialog, ImportPricesDialog)
    window.prices.dialog.reject()
    panel.head.book.click()
    assert isinstance(window.prices.dialog, BookDialog)
    window.prices.dialog.reject()


def test_a_discounted_price_is_removed_with_its_discount(window: MainWindow, panel: CataloguePanel) -> None:
    window.prices.keeper.replace(BOOK, "Change price book")
    offer = next(one for one in window.session.catalogue.offers if one.provider == "coreweave")
    panel.own_entry_removed.emit("offers", offer.id)
    assert window.message.text.text() == DISCOUNTED
    assert window.prices.keeper.book == BOOK
    window.message.button.click()
    assert isinstance(window.prices.dialog, BookDialog)
    window.prices.dialog.reject()


def test_what_is_shipped_cannot_be_removed(window: MainWindow, panel: CataloguePanel) -> None:
    offer = window.session.catalogue.offers[0]
    panel.own_entry_removed.emit("offers", offer.id)
    assert not window.session.undo_stack.canUndo()


def test_a_dropped_price_book_is_shown_before_it_counts(window: MainWindow, tmp_path: Path) -> None:
    save_book(BOOK, tmp_path / "theirs.json")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    assert is_price_book(tmp_path / "theirs.json")
    assert not is_price_book(tmp_path / "config.json")
    assert not is_price_book(tmp_path / "missing.json")
    window.incoming.take(tmp_path / "theirs.json")
    dialog = window.prices.dialog
    assert isinstance(dialog, BookDialog)
    assert dialog.book == BOOK
    assert window.prices.keeper.is_empty
    dialog.cancel.click()
