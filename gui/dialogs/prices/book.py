"""The private price book: discounts, negotiated prices, servers of one's own; taken over as a whole or not at all."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.catalogue.catalogue import Catalogue
from core.catalogue.own.book_file import load_book, save_book
from core.catalogue.own.layers import OwnEntries, PriceBook, layered
from core.errors import RoofplanError
from core.plan.drafts.base import n_entries, with_entries
from core.plan.drafts.discount import DiscountDraft, discount_of
from core.plan.drafts.kinds import KINDS
from core.writing.whole_file import with_ending
from gui.dialogs.files import ask_unsaved
from gui.dialogs.prices.book_rows import COLUMNS, EMPTY, PAGES, key_text, rows_of
from gui.dialogs.prices.entry_editor import EntryDialog, discount_dialog
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.choice_editors import segmented_buttons
from gui.session.plan_session import PlanSession
from gui.session.price_book import BookKeeper
from gui.tables.text_table import TextTable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, caption
from gui.theme.screen_room import within_screen

SIZE_PX = (860, 600)
_PAGE_PX = 130
INTRO = "Only you see it: it lies in a file of its own on this machine, and a plan that you share never holds it."
BOOKS = "Price books (*.json)"


class BookDialog(QDialog):
    """Works on a copy; Save makes it the book, as one undo step, and writes its file."""

    def __init__(self, session: PlanSession, keeper: BookKeeper, themes: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._keeper, self._themes = session, keeper, themes
        self.book: PriceBook = keeper.book
        self.page = "discounts"
        self.editor: FormDialog | None = None
        named(self, "book-dialog", "Price book")
        self.setWindowTitle("Price book")
        within_screen(self, *SIZE_PX)
        self._build()
        self.show_page("discounts")

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue with the copy laid over it, so that a new host can be chosen at once."""
        return layered(self._session.layers.shipped, OwnEntries(), self.book)

    def show_page(self, page: str) -> None:
        """Lists one kind of entries."""
        self.page = page
        self.pages.button(list(PAGES).index(page)).setChecked(True)
        self.table.show_rows(rows_of(self.book, page, self._session.layers.shipped), COLUMNS[page])
        is_empty = not self.table.rows.rows
        self.table.setVisible(not is_empty)
        self.empty.setText(EMPTY[page])
        self.empty.setVisible(is_empty)
        self._name_pages()
        self._refresh_buttons()

    def add(self) -> None:
        """Asks for a new row of the page."""
        if self.page == "discounts":
            self._edit_discount(None)
        else:
            self._edit_entry("")

    def change(self) -> None:
        """Asks for the selected row anew."""
        key = self.table.selected_key
        if not key:
            return
        if self.page == "discounts":
            self._edit_discount(int(key))
        else:
            self._edit_entry(key)

    def remove(self) -> None:
        """Takes the selected row out of the copy."""
        key = self.table.selected_key
        if not key:
            return
        if self.page == "discounts":
            number = int(key)
            kept = (*self.book.discounts[:number], *self.book.discounts[number + 1 :])
            self._take(self.book.model_copy(update={"discounts": kept}))
        else:
            self._take(self.book.model_copy(update={"entries": self._entries_without(key)}))

    def import_book(self) -> None:
        """Asks for a book's file and takes it in place of the copy."""
        name, _ = QFileDialog.getOpenFileName(self, "Import a price book", "", BOOKS)
        if name:
            self.take_file(Path(name))

    def take_file(self, path: Path) -> None:
        """Another book in place of the copy; one that cannot be read changes nothing."""
        try:
            book = load_book(path) if path.exists() else None
        except RoofplanError as error:
            self._say(str(error), is_error=True)
            return
        if book is not None:
            self._take(book)
            self._say(f"{path.name} takes the place of what was here. Save to keep it, Cancel to leave all as it was.")

    def export_book(self) -> None:
        """Asks for a file and writes the copy there."""
        name, _ = QFileDialog.getSaveFileName(self, "Export the price book", "price-book.json", BOOKS)
        if name:
            self.write_file(Path(name))

    def write_file(self, path: Path) -> None:
        """Writes the copy to a file of its own."""
        target = with_ending(path, ".json")
        try:
            save_book(self.book, target)
        except RoofplanError as error:
            self._say(f"Not exported: {error}", is_error=True)
            return
        self._say(f"Exported {target.name}. Whoever has this file sees your prices.")

    def accept(self) -> None:
        """Saves the book, and how this plan treats it."""
        try:
            self._keeper.replace(self.book, "Change price book")
        except RoofplanError as error:
            self._say(f"Not saved: {error}", is_error=True)
            return
        update: dict[str, Any] = {
            "uses_price_book": self.uses.isChecked(),
            "masks_private_prices": self.masks.isChecked(),
        }
        self._session.replace_plan(self._session.plan.model_copy(update=update), "Change use of private prices")
        super().accept()

    def reject(self) -> None:
        """Esc and the window's cross: changes do not go without a question."""
        if self.book == self._keeper.book:
            super().reject()
            return
        answer = ask_unsaved(self, "Save changes to the price book?", "Without saving, they are lost.")
        if answer == "save":
            self.accept()
        elif answer == "discard":
            super().reject()

    def _edit_discount(self, number: int | None) -> None:
        discount = None if number is None else self.book.discounts[number]
        dialog = discount_dialog(discount, self._session.layers.shipped, self._themes, self)
        dialog.answered.connect(partial(self._take_discount, number))
        self._open(dialog)

    def _take_discount(self, number: int | None, draft: DiscountDraft) -> None:
        discounts = list(self.book.discounts)
        if number is None:
            discounts.append(discount_of(draft))
        else:
            discounts[number] = discount_of(draft)
        self._take(self.book.model_copy(update={"discounts": tuple(discounts)}))

    def _edit_entry(self, key: str) -> None:
        corrected = next(
            (one for one in getattr(self.book.entries, self.page) if key_text(self.page, one) == key), None
        )
        dialog = EntryDialog(KINDS[self.page], self.catalogue, self._themes, self, corrected, "book", asks_where=False)
        dialog.taken.connect(partial(self._take_entries, key))
        self._open(dialog)

    def _take_entries(self, key: str, added: OwnEntries, _: str) -> None:
        entries = self._entries_without(key) if key else self.book.entries
        self._take(self.book.model_copy(update={"entries": with_entries(entries, added)}))

    def _entries_without(self, key: str) -> OwnEntries:
        own = self.book.entries
        kept = tuple(one for one in getattr(own, self.page) if key_text(self.page, one) != key)
        return own.model_copy(update={self.page: kept})

    def _take(self, book: PriceBook) -> None:
        self.book = book
        self._say("")
        self.show_page(self.page)

    def _open(self, dialog: FormDialog) -> None:
        self.editor = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _say(self, text: str, is_error: bool = False) -> None:
        self.message.setProperty("kind", "err" if is_error else "small")
        self.message.style().polish(self.message)
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _name_pages(self) -> None:
        for number, (page, words) in enumerate(PAGES.items()):
            count = len(self.book.discounts if page == "discounts" else getattr(self.book.entries, page))
            self.pages.button(number).setText(f"{words} {count}" if count else words)

    def _refresh_buttons(self) -> None:
        has_row = bool(self.table.selected_key)
        self.change_button.setEnabled(has_row)
        self.remove_button.setEnabled(has_row)
        self.export_button.setEnabled(bool(self.book.discounts) or n_entries(self.book.entries) > 0)

    def _build(self) -> None:
        intro = Label(INTRO)
        intro.setWordWrap(True)
        intro.setProperty("kind", "ink2")
        self.table = TextTable("book-table", "Entries of the price book", COLUMNS["discounts"])
        self.table.selectionModel().currentChanged.connect(self._refresh_buttons)
        self.table.rows.modelReset.connect(self._refresh_buttons)
        self.table.doubleClicked.connect(self.change)
        self.empty = named(Label(), "book-empty", kind="small")
        self.empty.setContentsMargins(6, 24, 0, 0)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.message = named(Label(), "book-message", kind="small")
        self.message.setWordWrap(True)
        self.message.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(12)
        column.addWidget(intro)
        self.pages, page_row = segmented_buttons(self, PAGES, "book", width_px=_PAGE_PX)
        self.pages.idClicked.connect(lambda number: self.show_page(list(PAGES)[number]))
        page_row.addStretch(1)
        column.addLayout(page_row)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addLayout(self._row_buttons())
        column.addWidget(self.message)
        column.addLayout(self._choices())
        column.addLayout(self._ending())

    def _row_buttons(self) -> QHBoxLayout:
        self.add_button = self._button("Add…", "book-add", self.add)
        self.change_button = self._button("Change…", "book-change", self.change)
        self.remove_button = self._button("Remove", "book-remove", self.remove)
        self.import_button = self._button("Import a book…", "book-import", self.import_book)
        self.export_button = self._button("Export…", "book-export", self.export_book)
        row = QHBoxLayout()
        for button in (self.add_button, self.change_button, self.remove_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.import_button)
        row.addWidget(self.export_button)
        return row

    def _choices(self) -> QHBoxLayout:
        plan = self._session.plan
        self.uses = named(QCheckBox("Use in this plan"), "book-uses")
        self.uses.setChecked(plan.uses_price_book)
        self.masks = named(QCheckBox("Mask private prices in papers and tables"), "book-masks")
        self.masks.setToolTip("A public price then stands in for each of them in all that leaves the program.")
        self.masks.setChecked(plan.masks_private_prices)
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addWidget(self.uses)
        row.addWidget(self.masks)
        row.addStretch(1)
        return row

    def _ending(self) -> QHBoxLayout:
        self.cancel = self._button("Cancel", "book-cancel", super().reject)
        self.save = self._button("Save", "book-save", self.accept)
        self.save.setProperty("kind", "primary")
        self.save.setDefault(True)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.save)
        return row

    def _button(self, text: str, name: str, act: Any) -> QPushButton:
        button = named(QPushButton(caption(text)), name, text.rstrip("…"))
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        return button
