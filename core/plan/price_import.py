"""Importing a list of prices: what the file is, what taking it over would change, and what the person let through."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from core.breath import unhurried
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Layer, Offer
from core.catalogue.own.layers import KEYS, OwnEntries
from core.catalogue.places.sale_places import ANY
from core.catalogue.price_lists.changes import Changes, changes, entries_of, read_price_book
from core.catalogue.price_lists.doubtful_prices import price_flags
from core.catalogue.price_lists.files import file_day, is_price_list, read_tables, sources_of
from core.catalogue.price_lists.price_list import PriceList, PriceListSource, Skipped, by_reason
from core.catalogue.price_lists.read import read_price_list
from core.catalogue.prices.dates import UNDATED
from core.catalogue.providers import provider_name
from core.catalogue.tables import read_header, read_rows
from core.plan.drafts.base import self_standing, with_entries
from core.units import MINUS, TIMES, grouped, plain, usd
from core.workload.places import PURCHASE_WORDS

OFFERS_TABLE = "Roofplan offers table"
_OFFER_COLUMNS = {"provider", "instance", "region", "purchase_model", "usd_per_chip_hour"}
Group = Literal["new", "changed", "removed", "same", "flagged", "skipped"]
GROUP_WORDS: dict[Group, str] = {
    "new": "New",
    "changed": "Changed",
    "flagged": "To look at",
    "removed": "No longer listed",
    "same": "Same",
    "skipped": "Skipped",
}


@dataclass(frozen=True, slots=True)
class Recognised:
    """A price file: its kind in words, the tables in it, and the day on which it was written ("" unknown)."""

    path: Path
    kind: str
    sources: tuple[PriceListSource, ...]
    file_day: str

    @property
    def has_own_dates(self) -> bool:
        """True for a table that names provider and date in every row: nothing need be asked."""
        return self.kind == OFFERS_TABLE

    @property
    def n_rows(self) -> int:
        """Rows of all tables."""
        return sum(one.n_rows for one in self.sources)


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One line of the preview. ``offer_id`` is empty for rows of the file that gave no offer."""

    group: Group
    offer_id: str
    what: str
    where: str
    now: str
    new: str
    change: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything that accepting would do, and every row that gives nothing."""

    price_list: PriceList
    changes: Changes
    rows: tuple[PreviewRow, ...]

    def count(self, group: Group) -> int:
        """Lines of one group; a flagged price is counted among the flagged as well as where it belongs."""
        return len(self.of(group))

    def of(self, group: Group) -> tuple[PreviewRow, ...]:
        """The lines of a group."""
        if group == "flagged":
            return tuple(row for row in self.rows if row.reason and row.offer_id and row.group != "removed")
        return tuple(row for row in self.rows if row.group == group)


def is_price_file(path: Path) -> bool:
    """True for a zip or CSV that looks like a list of prices by its header. Raises as :func:`recognised`."""
    return path.suffix.lower() in (".csv", ".zip", ".gz") and (is_price_list(path) or is_offers_table(path))


def is_offers_table(path: Path) -> bool:
    """True for the program's own table of offers. Raises InputError or MachineError when it cannot be read."""
    return set(read_header(path)) >= _OFFER_COLUMNS


def recognised(path: Path) -> Recognised:
    """What a file is. Raises InputError when it is no list of prices, MachineError when it cannot be read."""
    if not is_price_list(path) and is_offers_table(path):
        n_rows = len(read_rows(path)) - 1
        return Recognised(path, OFFERS_TABLE, (PriceListSource(path.name, "", n_rows, ""),), "")
    tables = read_tables(path)
    headers = [table.header for table in tables]
    n_sky = sum("InstanceType" in header for header in headers)
    kind = "SkyPilot" if n_sky == len(headers) else "gpuhunt" if not n_sky else "SkyPilot and gpuhunt"
    return Recognised(path, kind, sources_of(path, tables), file_day(path))


def preview(
    recognised: Recognised,
    catalogue: Catalogue,
    provider: str = "",
    as_of: str = "",
    tables: Collection[str] = (),
    shows_removed: bool = False,
) -> Preview:
    """What taking the file over would change. ``as_of`` is a day or month, empty when it is unknown.

    Raises InputError for what cannot be read so, MachineError when the disk refuses.
    """
    if recognised.has_own_dates:
        offers = read_price_book(recognised.path, catalogue)
        price_list = PriceList(offers, flags=price_flags(offers, catalogue), n_rows=recognised.n_rows)
    else:
        price_list = _dated(read_price_list(recognised.path, provider, as_of, catalogue, tables), as_of)
    moves = changes(catalogue, price_list.offers, replace_providers=shows_removed, flags=price_list.flags)
    return Preview(price_list, moves, _rows(price_list, moves, catalogue))


def accepted(seen: Preview, left_out: Collection[str] | None = None) -> OwnEntries:
    """The entries to put into the plan or the book, without the offers that were left out: those that are older than
    the prices in use, where nobody says which."""
    return entries_of(seen.changes, seen.price_list.hosts, seen.changes.older if left_out is None else left_out)


def put_into(
    own: OwnEntries, seen: Preview, catalogue: Catalogue, layer: Layer, left_out: Collection[str] | None = None
) -> OwnEntries:
    """Entries of an own layer with the accepted ones. Own offers no longer listed go, shipped ones cannot."""
    gone = {offer.id for offer in seen.changes.removed} - set(left_out or ())
    kept = own.model_copy(update={"offers": tuple(offer for offer in own.offers if KEYS["offers"](offer) not in gone)})
    return with_entries(kept, self_standing(accepted(seen, left_out), catalogue, layer))


def skipped_words(price_list: PriceList) -> list[tuple[str, int, str]]:
    """Reason, number of rows and the row numbers of rows that gave nothing, most frequent reason first."""
    rows_by_reason = []
    for reason, number, _ in by_reason(price_list.skipped):
        rows = sorted({row.row for row in price_list.skipped if row.reason == reason})
        rows_by_reason.append((reason, number, _numbers(rows)))
    return rows_by_reason


def _numbers(rows: list[int], most: int = 12) -> str:
    shown = ", ".join(str(row) for row in rows[:most])
    return f"{shown} and {grouped(len(rows) - most)} more" if len(rows) > most else shown


def _dated(price_list: PriceList, as_of: str) -> PriceList:
    """Prices of an unknown day say so in the word that the catalogue uses."""
    if as_of.strip():
        return price_list
    return replace(price_list, offers=tuple(one.model_copy(update={"as_of": UNDATED}) for one in price_list.offers))


def _rows(price_list: PriceList, moves: Changes, catalogue: Catalogue) -> tuple[PreviewRow, ...]:
    why: dict[str, str] = {}
    for flag in moves.flagged:
        why[flag.offer_id] = f"{why[flag.offer_id]}; {flag.reason}" if flag.offer_id in why else flag.reason
    rows = [_offer_row("changed", one.new, one.now, why, catalogue) for one in moves.changed]
    rows += [_offer_row("new", offer, None, why, catalogue) for offer in moves.new]
    rows += [_removed_row(offer, catalogue) for offer in moves.removed]
    rows += [_offer_row("same", one.new, one.now, why, catalogue) for one in moves.same]
    return (*rows, *_skipped_rows((*price_list.skipped, *price_list.left_out)))


def _skipped_rows(skipped: Sequence[Skipped]) -> Iterator[PreviewRow]:
    """Rows of the file that gave nothing; the table is named where there are several."""
    several = len({row.source for row in skipped}) > 1
    for row in unhurried(skipped):
        where = f"Row {row.row} of {row.source}" if several and row.source else f"Row {row.row}"
        yield PreviewRow("skipped", "", row.what, where, "", "", "", row.reason)


def _offer_row(group: Group, new: Offer, now: Offer | None, why: dict[str, str], catalogue: Catalogue) -> PreviewRow:
    percent = 100 * (new.usd_per_chip_hour / now.usd_per_chip_hour - 1) if now else 0.0
    return PreviewRow(
        group,
        new.id,
        _what(new, catalogue),
        where_words(new),
        _price(now) if now else "",
        _price(new),
        _percent(percent) if group == "changed" else "",
        why.get(new.id, ""),
    )


_STAYS: dict[Layer, str] = {"catalogue": "Shipped with the program; it stays", "plan": "", "book": ""}


def _removed_row(offer: Offer, catalogue: Catalogue) -> PreviewRow:
    reason = _STAYS[offer.layer] or "Taken out"
    return PreviewRow(
        "removed",
        offer.id,
        _what(offer, catalogue),
        where_words(offer),
        _price(offer),
        "",
        "",
        reason,
    )


def _what(offer: Offer, catalogue: Catalogue) -> str:
    chip = catalogue.accelerator_by_id.get(offer.accelerator_id)
    return f"{offer.chips_per_host} {TIMES} {chip.short_name if chip else offer.accelerator_id}, {offer.instance}"


def where_words(offer: Offer) -> str:
    """Provider, region and way to pay of an offer."""
    place = "" if offer.region == ANY else f", {offer.region}"
    return f"{provider_name(offer.provider)}{place}, {PURCHASE_WORDS[offer.purchase_model]}"


def _price(offer: Offer) -> str:
    return usd(offer.usd_per_chip_hour)


def _percent(value: float) -> str:
    sign = MINUS if value < 0 else "+"
    return f"{sign}{plain(abs(value), 2)} %"
