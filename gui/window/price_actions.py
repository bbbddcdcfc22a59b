"""Wishes about prices of one's own, from menu, dock and catalogue tab, passed to the dialogs that fulfil them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QWidget

from core.catalogue.own.layers import KEYS, OwnEntries
from core.errors import RoofplanError
from core.plan.drafts.base import self_standing, with_entries, without_entry
from core.plan.drafts.kinds import HAVE, KINDS, entry_of
from gui.dialogs.prices.entry_editor import EntryDialog, answer_dialog, entry_dialog
from gui.session.plan_session import PlanSession
from gui.session.price_book import BookKeeper
from gui.theme.manager import ThemeManager

if TYPE_CHECKING:
    from gui.dialogs.prices.book import BookDialog
    from gui.dialogs.prices.import_dialog import ImportPricesDialog

Say = Callable[..., None]
LOST_BOOK = (
    "This plan was last saved with a private price book that is not on this machine. "
    "What it priced is shown at list prices, or not at all."
)

DISCOUNTED = "This price is a list price less a discount of your price book; change or remove the discount there."


class PriceActions(QObject):
    """One for a window. ``say`` shows a message that does not stop the work. ``dialog`` is the one last opened."""

    def __init__(self, window: QWidget, session: PlanSession, themes: ThemeManager, say: Say) -> None:
        super().__init__(window)
        self._window, self._session, self._themes, self._say = window, session, themes, say
        self.keeper = BookKeeper(session)
        self.keeper.failed.connect(say)
        self.dialog: QDialog | None = None

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What the commands about prices do."""
        return {
            "import-prices": self.import_prices,
            "price-book": self.show_book,
            "have": partial(self.edit_entry, HAVE.table, ""),
            "add-offer": partial(self.edit_entry, "offers", ""),
            "add-server": partial(self.edit_entry, "servers", ""),
            "add-host": partial(self.edit_entry, "hosts", ""),
            "add-chip": partial(self.edit_entry, "accelerators", ""),
        }

    def load_book(self) -> None:
        """Lays the book of this machine under the plan, and says what is in the way."""
        self.keeper.load()
        if self.keeper.trouble:
            self._say(self.keeper.trouble)
        self.tell_of_lost_book()

    def tell_of_lost_book(self) -> None:
        """Says that a plan was made with prices that are not here, instead of showing others in silence."""
        plan = self._session.plan
        if plan.had_price_book and plan.uses_price_book and self.keeper.is_empty and not self.keeper.trouble:
            self._say(LOST_BOOK)

    def connect_panel(self, panel: QWidget) -> None:
        """Hears the wishes of a tab, such as the catalogue's."""
        wishes: dict[str, Callable[..., object]] = {
            "answer_wanted": self.enter_answer,
            "own_entry_wanted": self.edit_entry,
            "own_entry_removed": self.remove_entry,
            "import_wanted": self.import_prices,
            "book_wanted": self.show_book,
        }
        for name, slot in wishes.items():
            signal = getattr(panel, name, None)
            if signal is not None:
                signal.connect(slot)

    def edit_entry(self, table: str, key: object = "") -> EntryDialog | None:
        """Opens the form for a new entry of a table, or, with a key, for a correction of that entry."""
        if table not in (*KINDS, HAVE.table):
            self._say("These rows come from the shipped catalogue and cannot be changed here.")
            return None
        entry = entry_of(self._session.catalogue, table, key) if key else None
        dialog = entry_dialog(table, self._session.catalogue, self._themes, self._window, entry)
        dialog.taken.connect(partial(self._take, table, dialog.is_correction))
        self._open(dialog)
        return dialog

    def enter_answer(self, candidate_id: str) -> EntryDialog | None:
        """Opens the form for what a seller answered about a lead; it becomes an own offer."""
        results = self._session.results
        asked = results.by_id.get(candidate_id) if results else None
        if asked is None:
            return None
        dialog = answer_dialog(asked, self._session.catalogue, self._themes, self._window)
        dialog.taken.connect(partial(self._take, "offers", dialog.is_correction))
        self._open(dialog)
        return dialog

    def remove_entry(self, table: str, key: object) -> None:
        """Takes an own entry out of the layer it stands in; a corrected one is as shipped again."""
        entry = entry_of(self._session.catalogue, table, key)
        if entry is None or entry.layer == "catalogue":
            return
        own_key, label = KEYS[table](entry), f"Remove {KINDS[table].word if table in KINDS else 'entry'}"
        if entry.layer == "plan":
            plan = self._session.plan
            own = without_entry(plan.own, table, own_key)
            self._session.replace_plan(plan.model_copy(update={"own": own}), label)
        elif all(KEYS[table](one) != own_key for one in getattr(self.keeper.book.entries, table)):
            self._say(DISCOUNTED, "Price book…", self.show_book)
        else:
            self._change_book(lambda own: without_entry(own, table, own_key), label)

    def import_prices(self, path: Path | None = None) -> ImportPricesDialog:
        """Opens the import of a price list, with a file if there is one already."""
        from gui.dialogs.prices.import_dialog import ImportPricesDialog

        dialog = ImportPricesDialog(self._session, self.keeper, self._themes, self._window)
        dialog.done_with.connect(self._say)
        self._open(dialog)
        if isinstance(path, Path):
            dialog.take_file(path)
        return dialog

    def show_book(self, path: Path | None = None) -> BookDialog:
        """Opens the private price book, with another one in its place if there is a file."""
        from gui.dialogs.prices.book import BookDialog

        dialog = BookDialog(self._session, self.keeper, self._themes, self._window)
        self._open(dialog)
        if isinstance(path, Path):
            dialog.take_file(path)
        return dialog

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _take(self, table: str, is_correction: bool, added: OwnEntries, where: str) -> None:
        word = KINDS[table].word if table in KINDS else HAVE.word
        label = f"{'Correct' if is_correction else 'Add'} {word}"
        catalogue = self._session.catalogue
        if where == "book":
            self._change_book(lambda own: with_entries(own, self_standing(added, catalogue, "book")), label)
        else:
            plan = self._session.plan
            update: dict[str, Any] = {"own": with_entries(plan.own, self_standing(added, catalogue, "plan"))}
            self._session.replace_plan(plan.model_copy(update=update), label)

    def _change_book(self, change: Callable[[OwnEntries], OwnEntries], label: str) -> None:
        book = self.keeper.book
        try:
            self.keeper.replace(book.model_copy(update={"entries": change(book.entries)}), f"{label} in price book")
        except RoofplanError as error:
            self._say(f"The price book is unchanged: {error}")
            return
        if not self._session.plan.uses_price_book:
            self._say("The price book was changed, but this plan does not use it. See Price book…")
