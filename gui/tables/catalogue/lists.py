"""What the catalogue browser lists: one view a kind of entry, each with its columns, marks and filters.

``listed`` makes the rows of a view and ``narrowed`` the ones that a search leaves; ``EntryModel`` sorts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import LAYER_WORDS
from core.catalogue.entries import OWN, Accelerator, Entry, Host, Offer
from core.catalogue.prices.age import price_age
from core.catalogue.prices.newest import newer_price
from core.catalogue.prices.quality import quality_of
from core.catalogue.providers import provider_name
from core.ranges import ESTIMATE
from core.workload.profile import PURCHASE_WORDS
from gui.tables.catalogue.columns import COLUMNS
from gui.tables.catalogue.model import MARKS, EntryColumn, EntryRow

YOURS = "yours"
BOOK = "price book"
ANNOUNCED, AVAILABLE = "announced", "available"
OLD, UNDATED, SUPERSEDED = "old", "undated", "superseded"
_LAYER_MARKS = {"plan": YOURS, "book": BOOK}
_PAID = dict[str, str](PURCHASE_WORDS)


@dataclass(frozen=True)
class View:
    """One list of the browser: where its entries stand, and which pick lists narrow it down."""

    id: str
    title: str
    table: str
    picks: tuple[str, ...] = ()
    tip: str = ""


VIEWS = (
    View("chips", "Chips", "accelerators", ("kind", "vendor", "status"), "GPUs, TPUs and other accelerators"),
    View("offers", "Offers", "offers", ("kind", "provider", "region", "purchase_model"), "Hosts at a price"),
    View("hosts", "Hosts", "hosts", ("kind", "provider"), "Machines that can be rented"),
    View("places", "Places", "regions", ("provider", "country"), "Regions and what can be had there"),
    View("servers", "To buy", "servers", (), "Servers that can be bought"),
    View("slices", "Slices", "slices", ("chip",), "Shapes in which TPUs are let"),
    View("software", "Software", "frameworks", ("framework",), "What runs on which chips"),
    View("inputs", "Cost inputs", "cost_inputs", ("input",), "What the bill is made from beside prices"),
    View("history", "History", "price_history", ("provider", "purchase_model"), "Prices of the past"),
    View("parts", "Parts", "parts", ("provider",), "Prices of parts of a machine, never rented alone"),
    View("conflicts", "Conflicts", "conflicts", ("table",), "Figures about which sources disagree"),
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
    columns = _with_marks(COLUMNS[view.table](catalogue, today), view)
    chips, rows = catalogue.accelerator_by_id, []
    for entry in entries_of(view, catalogue):
        chip = entry if isinstance(entry, Accelerator) else chips.get(getattr(entry, "accelerator_id", ""))
        marks = marks_of(entry, catalogue, today, old_price_days)
        rows.append(EntryRow(entry, columns, marks, mark_words(entry, marks), _search_words, chip))
    return Listed(columns, tuple(rows))


def entries_of(view: View, catalogue: Catalogue) -> tuple[Entry, ...]:
    """Entries of a list. Owned servers stand in a list of their own, not among what can be rented."""
    entries: tuple[Entry, ...] = getattr(catalogue, view.table)
    return tuple(one for one in entries if one.provider != OWN) if view.id in ("offers", "hosts") else entries  # type: ignore[attr-defined]


def marks_of(entry: Entry, catalogue: Catalogue, today: date, old_price_days: int) -> frozenset[str]:
    """What must be known of an entry at a glance."""
    marks = {ESTIMATE} if entry.estimate or _is_part_estimate(entry) else set()
    if entry.layer in _LAYER_MARKS:
        marks.add(_LAYER_MARKS[entry.layer])
    if isinstance(entry, Accelerator) and entry.announced:
        marks.add(ANNOUNCED)
    if isinstance(entry, Offer):
        age = price_age(entry, today, old_price_days)
        marks |= {UNDATED} if age.is_undated else {OLD} if age.is_old else set()
        marks |= {SUPERSEDED} if newer_price(entry, catalogue) else set()
    return frozenset(marks)


def mark_words(entry: Entry, marks: frozenset[str]) -> str:
    """The marks in words, the most important first; an entry with but some estimated figures says so."""
    order = (YOURS, BOOK, ANNOUNCED, SUPERSEDED, OLD, UNDATED, ESTIMATE)
    if not marks:
        return ""
    words = {ESTIMATE: "part estimate" if _is_part_estimate(entry) else ESTIMATE, OLD: "old price"}
    return ", ".join(words.get(mark, mark) for mark in order if mark in marks)


def _is_part_estimate(entry: Entry) -> bool:
    return isinstance(entry, Accelerator | Host) and bool(entry.estimated_fields)


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
    if key == "status":
        return ANNOUNCED if getattr(entry, "announced", False) else AVAILABLE
    return str(getattr(entry, "name" if key == "input" else key, ""))


def choices(rows: Iterable[EntryRow], key: str, catalogue: Catalogue) -> list[str]:
    """Values of a pick list that are there, in order."""
    return sorted({pick_of(row.entry, key, catalogue) for row in rows} - {""}, key=str.lower)


def mark_choices(rows: Iterable[EntryRow]) -> list[str]:
    """Marks that are there and have no pick list of their own."""
    return sorted({mark for row in rows for mark in row.marks} - {ANNOUNCED})


_SEARCHED = (
    "id", "name", "short_name", "vendor", "instance", "provider", "region", "place", "country", "slice_name",
    "framework", "chip_family", "via", "scope", "part", "row", "field", "table", "kind", "as_of", "note",
)  # fmt: skip


@cache
def _searched(model: type[Entry]) -> tuple[str, ...]:
    return tuple(key for key in _SEARCHED if key in model.model_fields)


def _search_words(entry: Entry, chip: Accelerator | None) -> str:
    """What a search looks through: names, seller, region, ids, notes, way to pay, quality, and the layer."""
    words = [str(getattr(entry, key)) for key in _searched(type(entry))]
    if chip is not None:
        words += [chip.id, chip.short_name, chip.name, chip.kind]
    if "provider" in type(entry).model_fields:
        words.append(provider_name(entry.provider))  # type: ignore[attr-defined]
    if isinstance(entry, Offer):
        words += [_PAID[entry.purchase_model], quality_of(entry).title]
    return " ".join([*words, LAYER_WORDS[entry.layer]])


def _with_marks(columns: tuple[EntryColumn, ...], view: View) -> tuple[EntryColumn, ...]:
    """The marks stand behind the figures and their date, before where these come from. Those of chips, whose figures
    in italics tell estimates too, give way to their names."""
    width_px, gives_way = 84 if view.id == "offers" else 94, 1 if view.id == "chips" else 0
    tip = "Estimates, old and undated prices, entries of yours. A figure in italics is an estimate."
    marks = EntryColumn(MARKS, "Mark", width_px, lambda _: "", gives_way=gives_way, tip=tip)
    place = next(number for number, column in enumerate(columns) if column.key in ("quality", "source"))
    return (*columns[:place], marks, *columns[place:])
