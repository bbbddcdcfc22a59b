"""The catalogue as files lay it out: a shipped folder, a price book on top, and a plan's own entries over both."""

from __future__ import annotations

import os
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import load_book
from core.catalogue.own.checks import checked_layers
from core.catalogue.own.layers import OwnEntries, PriceBook
from core.errors import InputError
from core.plan.store import load


def catalogue_from(folder: Path | None, book: Path | None = None, plan: Path | None = None) -> Catalogue:
    """The shipped catalogue or that of ``folder``, with the layers that are asked for.

    Raises InputError when a file is missing, is something else, or holds an entry that does not fit (naming it).
    """
    return checked_layers(load_catalogue(folder), load(plan).own if plan else OwnEntries(), read_book(book))


def read_book(path: Path | None) -> PriceBook | None:
    """The price book in a file that must be there; None without a path. Raises as :func:`load_book`."""
    if path is None:
        return None
    if not os.path.lexists(path):
        raise InputError(str(path), "no such file", "a price book of Roofplan")
    return load_book(path)
