"""What the catalogue browser lists: one view a kind of entry, each with its columns, marks and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Entry, Offer
from core.catalogue.facts import LAYER_WORDS
from core.catalogue.price_age import ESTIMATE, price_age
from core.catalogue.providers import provider_name
from gui.tables.catalogue_columns import COLUMNS, Columns
from gui.tables.entry_model import EntryColumn, EntryRow

YOURS = "yours"
BOOK = "price book"
ANNOUNCED = "announced"
OLD, UNDATED = "old", "undated"
_LAYER_MARKS = {"plan": YOURS, "book": BOOK}

Entries = Callable[[Catalogue], Iterable[Entry]]


@dataclass(frozen=True)
class View:
    """One list of the browser: where its entries stand, and which pick lists narrow it down."""

    id: str
    title: str
    table: str
    picks: tuple[str, ...] = ()


VIEWS = (
    View("chips", "Chips", "accelerators", ("kind", "vendor")),
    View("offers", "Offers", "offers", ("kind", "provider", "purchase_model")),
    View("hosts", "Hosts", "hosts", ("kind", "provider")),
    View("places", "Places", "regions", ("provider",)),
    View("servers", "To buy", "servers", ()),
    View("slices", "TPU slices", "slices", ("chip",)),
    View("software", "Software", "frameworks", ()),
    View("inputs", "Cost inputs", "cost_inputs", ("input",)),
    View("history", "Price history", "price_history", ("provider", "purchase_model")),
)


@dataclass(frozen=True)
class Narrowing:
    """What a person asked to see: words that must all be found, picks by list, and one mark."""

    text: str = ""
    picks: tuple[tuple[str, str], ...] = ()
    mark: str = ""


@dataclass(frozen=True)
class Listed:
    """A view over one catalogue: columns and rows, ready to be searched."""

    columns: tuple[EntryColumn, ...]
    rows: tuple[EntryRow, ...]


def listed(view: View, catalogue: Catalogue, today: date, old_price_days: int) -> Listed:
    """Every entry of a view with its marks."""
    make: Columns = COLUMNS[view.table]
    columns = make(catalogue)
    marks = _marks_column()
    columns = (*columns[:-1], marks, columns[-1]) if columns[-1].key == "source" else (*columns, marks)
    rows = []
    for entry in getattr(catalogue, view.table):
        found = marks_of(entry, today, old_price_days)
        own = replace(marks, text=_words_of(found))
        rows.append(EntryRow(entry, tuple(own if c.key == "marks" else c for c in columns), found, _more(entry)))
    return Listed(columns, tuple(rows))


def marks_of(entry: Entry, today: date, old_price_days: int) -> frozenset[str]:
    """What must be known of an entry at a glance."""
    found = {ESTIMATE} if entry.estimate else set()
    if entry.layer in _LAYER_MARKS:
        found.add(_LAYER_MARKS[entry.layer])
    if isinstance(entry, Accelerator) and entry.announced:
        found.add(ANNOUNCED)
    if isinstance(entry, Offer):
        age = price_age(entry, today, old_price_days)
        found |= {UNDATED} if age.is_undated else {OLD} if age.is_old else set()
    return frozenset(found)


def narrowed(rows: Iterable[EntryRow], asked: Narrowing, catalogue: Catalogue) -> list[EntryRow]:
    """The rows that hold every word, every pick and the mark."""
    words = asked.text.lower().split()
    picks = [(key, value) for key, value in asked.picks if value]
    return [
        row
        for row in rows
        if (not asked.mark or asked.mark in row.marks)
        and all(pick_of(row.entry, key, catalogue) == value for key, value in picks)
        and all(word in row.words for word in words)
    ]


def pick_of(entry: Entry, key: str, catalogue: Catalogue) -> str:
    """What an entry counts as in a pick list; the kind of an offer or host is that of its chip."""
    chip_id = getattr(entry, "accelerator_id", "")
    if key == "kind" and chip_id:
        return str(catalogue.accelerator_by_id[chip_id].kind)
    if key == "chip":
        return catalogue.accelerator_by_id[chip_id].short_name
    return str(getattr(entry, "name" if key == "input" else key, ""))


def choices(rows: Iterable[EntryRow], key: str, catalogue: Catalogue) -> list[str]:
    """Values of a pick list that are there, in order."""
    return sorted({pick_of(row.entry, key, catalogue) for row in rows} - {""}, key=str.lower)


def mark_choices(rows: Iterable[EntryRow]) -> list[str]:
    """Marks that are there."""
    return sorted({mark for row in rows for mark in row.marks})


def _more(entry: Entry) -> str:
    """Words that a search should find although no column shows them."""
    names = [str(getattr(entry, key, "")) for key in ("id", "accelerator_id", "name", "place", "country")]
    provider = getattr(entry, "provider", "")
    return " ".join([*names, provider, provider_name(provider) if provider else "", LAYER_WORDS[entry.layer]])


def _marks_column() -> EntryColumn:
    return EntryColumn("marks", "Mark", 112, lambda _: "", tip="Estimates, old and undated prices, entries of yours")


def _words_of(marks: frozenset[str]) -> Callable[[object], str]:
    words = ", ".join(sorted(marks))
    return lambda _: words
