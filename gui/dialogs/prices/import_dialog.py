"""Importing a list of prices: what the file is, what would change, and where it goes; nothing changes before Accept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from core.catalogue.price_lists.read import checked_day
from core.errors import InputError, RoofplanError
from core.plan.price_import import Preview, Recognised, preview, put_into, recognised
from core.units import counted
from gui.dialogs.prices.import_preview import ImportPreview
from gui.session.plan_session import PlanSession
from gui.session.price_book import BookKeeper
from gui.session.road import StoppedError, stoppable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.screen_room import within_screen

SIZE_PX = (1040, 680)
FILES = "Price lists (*.csv *.zip *.gz);;All files (*)"


class ImportPricesDialog(QDialog):
    """Reads off the GUI thread; a newer question makes the answer to an older one void.

    ``done_with`` tells in words what was taken over.
    """

    done_with = Signal(str)
    previewed = Signal()

    def __init__(self, session: PlanSession, keeper: BookKeeper, themes: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._keeper = session, keeper
        self.found: Recognised | None = None
        self.seen: Preview | None = None
        named(self, "prices-dialog", "Import prices")
        self.setWindowTitle("Import prices")
        within_screen(self, *SIZE_PX)
        self.page = ImportPreview(themes, self)
        self._connect()

    def ask_file(self) -> None:
        """Asks for a price list."""
        name, _ = QFileDialog.getOpenFileName(self, "Import prices", "", FILES)
        if name:
            self.take_file(Path(name))

    def take_file(self, path: Path) -> None:
        """Begins anew with a file."""
        self.found = self.seen = None
        self.page.begin_file(path.name)
        self._start(f"Reading {path.name}…", partial(recognised, path))

    def read_again(self) -> None:
        """Another provider, day or table: the preview is made anew."""
        if self.found is None:
            return
        self.seen = None
        if self.page.ask.lacks_provider:
            self._session.road.cancel(self)
            self.page.show_question("Whose prices are these? Choose the provider above, or type its name.")
            self._name_button()
            return
        try:
            day = checked_day(self.page.ask.day, self._session.catalogue.date)
        except InputError as error:
            self._session.road.cancel(self)
            self.page.show_trouble(f"Found {error.found}. Expected {error.expected}.")
            self._name_button()
            return
        day = "" if day == "unknown" else day
        self._start(
            f"Comparing {self.found.path.name} with the prices in use…",
            partial(
                preview,
                self.found,
                self._session.catalogue,
                self.page.ask.provider,
                day,
                self.page.ask.tables,
                self.page.shows_removed.isChecked(),
            ),
        )

    def accept(self) -> None:
        """Takes over what is ticked: one undo step of the plan, or a change of the book."""
        if self.seen is None or self.found is None:
            return
        name, left_out = self.found.path.name, self.page.left_out
        n_offers = self._n_taken(self.seen, left_out)
        try:
            if self.page.ask.goes_to_book:
                book = self._keeper.book
                entries = put_into(book.entries, self.seen, self._session.catalogue, "book", left_out)
                self._keeper.replace(book.model_copy(update={"entries": entries}), f"Prices from {name} in price book")
            else:
                plan = self._session.plan
                own = put_into(plan.own, self.seen, self._session.catalogue, "plan", left_out)
                self._session.replace_plan(plan.model_copy(update={"own": own}), f"Import prices from {name}")
        except RoofplanError as error:
            self.page.show_trouble(f"Nothing was taken over: {error}")
            return
        where = "the price book" if self.page.ask.goes_to_book else "this plan"
        self.done_with.emit(f"{counted(n_offers, 'price')} of {name} taken into {where}.")
        super().accept()

    def done(self, result: int) -> None:
        """An answer under way has nowhere to go any more."""
        self._session.road.cancel(self)
        super().done(result)

    def _connect(self) -> None:
        self.page.file_wanted.connect(self.ask_file)
        self.page.question_changed.connect(self.read_again)
        self.page.choice_changed.connect(self._name_button)
        self.page.take.clicked.connect(self.accept)
        self.page.cancel.clicked.connect(self.reject)
        self._name_button()

    def _start(self, words: str, ask: Callable[[], Recognised | Preview]) -> None:
        self.page.show_busy(words)
        self._name_button()
        work = self._session.road.start(self, stoppable(ask), words.rstrip("…"))
        work.progressed.connect(self.page.show_share)
        work.done.connect(self._on_answer)
        work.refused.connect(self._on_refused)
        work.crashed.connect(self._on_crashed)

    def _on_answer(self, answer: Recognised | Preview) -> None:
        if isinstance(answer, Recognised):
            self.found = answer
            self.page.show_file(answer, self._session.catalogue)
            self.read_again()
        else:
            self.seen = answer
            self.page.show_preview(answer)
            self.previewed.emit()
        self._name_button()

    def _on_refused(self, error: RoofplanError) -> None:
        self.page.show_trouble(_words(error))
        self._name_button()

    def _on_crashed(self, error: object) -> None:
        self.page.show_trouble("The file could not be read because of a fault in Roofplan. Nothing was changed.")
        self._session.crashed.emit(error)

    def _name_button(self) -> None:
        number = self._n_taken(self.seen, self.page.left_out) if self.seen else 0
        can_take = self.seen is not None and (number > 0 or self.seen.count("removed") > 0)
        self.page.name_button(f"Take {counted(number, 'price')}" if number else "Take prices", can_take)

    @staticmethod
    def _n_taken(seen: Preview, left_out: set[str]) -> int:
        moves = seen.changes
        coming = [*moves.new, *(one.new for one in moves.changed), *(one.new for one in moves.refreshed)]
        return sum(offer.id not in left_out for offer in coming)


def _words(error: RoofplanError) -> str:
    if isinstance(error, InputError):
        return f"{error.where}: found {error.found}. Expected {error.expected}."
    if isinstance(error, StoppedError):
        return "Reading was stopped. Nothing was changed."
    return f"Could not {error}."
