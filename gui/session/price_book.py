"""The private price book of this user: loaded once, laid under every plan that uses it, kept in its own file."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand

from core.catalogue.own.book_file import book_path, load_book, save_book
from core.catalogue.own.layers import PriceBook
from core.errors import MachineError, RoofplanError
from gui.session.commands import BookCommand
from gui.session.plan_session import PlanSession

_log = logging.getLogger(__name__)
ASIDE = ".unreadable"


class BookKeeper(QObject):
    """Holds the book and its file. ``failed`` tells in words that the file could not be read or written."""

    failed = Signal(str)
    changed = Signal()

    def __init__(self, session: PlanSession, path: Path | None = None) -> None:
        super().__init__(session)
        self._session = session
        self._path = path or book_path()
        self._is_unreadable = False
        self.trouble = ""

    @property
    def book(self) -> PriceBook:
        """The book; an empty one where nothing was entered yet."""
        return self._session.layers.book or PriceBook()

    @property
    def is_empty(self) -> bool:
        """True when the book holds no discount and no entry."""
        return is_empty(self.book)

    def load(self) -> None:
        """Reads the book of this machine. One that cannot be read is left as it is, and ``trouble`` says why."""
        try:
            book = load_book(self._path)
        except RoofplanError as error:
            self._is_unreadable, self.trouble = True, f"The price book could not be read: {error}"
            _log.warning("the price book was not loaded")
            return
        if not is_empty(book):
            self._show(book)

    def replace(self, book: PriceBook, label: str) -> None:
        """Another book as one undo step, saved at once. Raises MachineError with the book as it was."""
        if book == self.book:
            return
        self._write(book)
        command: QUndoCommand = BookCommand(self._show_and_keep, self.book, book, label)
        self._show(book)
        self._session.undo_stack.push(command)

    def _write(self, book: PriceBook) -> None:
        if self._is_unreadable:
            self._put_aside()
        save_book(book, self._path)

    def _put_aside(self) -> None:
        """A file that could not be read is kept under another name, since nobody knows what it holds."""
        try:
            if self._path.exists():
                self._path.replace(self._path.with_name(f"{self._path.name}{ASIDE}"))
        except OSError as error:
            raise MachineError(f"set {self._path.name} aside", error.strerror or str(error)) from error
        self._is_unreadable = False

    def _show_and_keep(self, book: PriceBook) -> None:
        """Undo and redo: a disk that refuses must not stop them, the book on screen changes anyway."""
        if book == self.book:
            return
        try:
            self._write(book)
        except MachineError as error:
            self.failed.emit(f"The price book was not saved: {error}")
        self._show(book)

    def _show(self, book: PriceBook) -> None:
        self._session.set_book(None if is_empty(book) else book)
        self.changed.emit()


def is_empty(book: PriceBook) -> bool:
    """True when there is nothing in it that could change a price."""
    return book.model_copy(update={"name": PriceBook().name}) == PriceBook()
