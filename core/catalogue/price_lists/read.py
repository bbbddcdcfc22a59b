"""The door: a price file of another tool -> offers, new hosts, flags, and every row left out with its reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from core.breath import unhurried
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN
from core.catalogue.price_lists import gpuhunt, skypilot
from core.catalogue.price_lists.doubtful_prices import price_flags, suspect
from core.catalogue.price_lists.files import Table, guess_provider, named, read_tables
from core.catalogue.price_lists.gcp import FLEX_DOUBT
from core.catalogue.price_lists.hosts import Origin, placed
from core.catalogue.price_lists.offers import Price, offers, usable, why_none
from core.catalogue.price_lists.price_list import Flag, PriceList, Skipped, merged
from core.catalogue.price_lists.quote import Rows
from core.catalogue.prices.dates import UNDATED, is_to_come
from core.errors import InputError

"""What the prices of a list without a day carry in place of one."""
REPEATED = "the same as an earlier row"

_MONTH = re.compile(r"\d{4}-\d{2}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PROVIDER = re.compile(r"[a-z][a-z0-9-]{1,29}")


def read_price_list(
    path: Path, provider: str, as_of: str, catalogue: Catalogue, tables: Collection[str] = ()
) -> PriceList:
    """Offers of a price file (SkyPilot's ``vms.csv``, gpuhunt's CSV or zip), each row taken over or given a reason.

    ``provider`` may be empty where the name of the file or its folder tells one that the catalogue knows. Of a zip, the
    tables named in ``tables`` are read, or else those of the provider, or all of them. ``as_of`` is a day or month;
    empty means unknown. Raises InputError for what cannot be read so, MachineError when the disk refuses.
    """
    day = checked_day(as_of, catalogue.date)
    wanted = _wanted(read_tables(path), path, provider, tables)
    given = provider if len(wanted) == 1 else ""
    return merged(_of_table(one, path, given, day, catalogue) for one in sorted(wanted, key=_age))


def _wanted(present: Sequence[Table], path: Path, provider: str, tables: Collection[str]) -> list[Table]:
    wanted = [one for one in present if not tables or one.name in tables]
    if provider and len(wanted) > 1 and not tables:
        wanted = [one for one in wanted if named(one, "", path) == provider]
    if not wanted:
        names = ", ".join(one.name for one in present)
        raise InputError(path.name, f"no table of {provider or ', '.join(tables)}", f"one of {names}")
    return wanted


def _age(table: Table) -> int:
    """Newest version first, as ``v9`` in a folder's name counts them; tables of the same one stay in their order."""
    return -max(map(int, re.findall(r"(?:^|/)v(\d{1,3})/", table.name)), default=0)


def checked_day(as_of: str, catalogue_date: str, today: date | None = None) -> str:
    """A day or month as YYYY-MM-DD or YYYY-MM; ``undated`` for an empty text. Raises InputError for any other, and for
    one to come (see :func:`core.catalogue.prices.dates.is_to_come`)."""
    text = as_of.strip()
    if text in ("", UNDATED, "unknown"):
        return UNDATED
    day = _day_of(text)
    if day is None:
        raise InputError("day of the prices", f"'{text}'", "a day such as 2026-11-20, or nothing when it is unknown")
    if is_to_come(day, catalogue_date, today):
        raise InputError("day of the prices", f"'{text}', a day to come", "today or a day before, or nothing")
    return text


def _day_of(text: str) -> date | None:
    """A day, or the first of a month; None for what is none of the calendar."""
    try:
        is_day = _MONTH.fullmatch(text) or _DAY.fullmatch(text)
        return date.fromisoformat(f"{text}-01"[:10]) if is_day else None
    except ValueError:
        return None


def _of_table(table: Table, path: Path, given: str, as_of: str, catalogue: Catalogue) -> PriceList:
    provider = named(table, given, path)
    is_told = bool(given) or (table.name != path.name and guess_provider(table.name) == provider)
    provider = checked_provider(provider, is_told, table.name, catalogue)
    origin = Origin(provider, _source(table, provider), as_of)
    table, repeated = _unique(table)
    rows = (skypilot if "InstanceType" in table.header else gpuhunt).read_rows(table, provider)
    price_list = _feed(rows, catalogue, origin)
    skipped = sorted((*repeated, *price_list.skipped))
    n_rows = len(table.rows) + len(repeated)
    return _of_source(replace(price_list, skipped=tuple(skipped), n_rows=n_rows), table.name)


def checked_provider(provider: str, is_told: bool, name: str, catalogue: Catalogue) -> str:
    """A provider that may be used: one of the catalogue, or a new one that a person or the name of a table told.

    Raises InputError otherwise: what a folder of the disk happens to be called is no provider.
    """
    known = sorted({host.provider for host in catalogue.rented_hosts})
    text = provider.strip().lower()
    if text in known or (is_told and text != OWN and _PROVIDER.fullmatch(text)):
        return text
    raise InputError(f"provider of {name}", f"'{text}'", f"the name of one, such as {', '.join(known)}")


def _feed(rows: Rows, catalogue: Catalogue, origin: Origin) -> PriceList:
    known, lost, hosts = placed(rows.quotes, catalogue, origin)
    skipped = [*rows.skipped, *(Skipped(row, one.what, one.reason) for one in lost for row in one.quote.rows)]
    prices: list[Price] = []
    left_out: list[Skipped] = []
    for one in unhurried(known):
        good, odd = usable(one)
        prices += good
        left_out += odd if good else ()
        skipped += () if good else [why_none(odd, one)._replace(row=row) for row in one.quote.rows]
    made = offers(prices, origin)
    flags = price_flags([one.offer for one in made], catalogue)
    doubts: tuple[Flag, ...] = tuple(flag for one in made for flag in one.flags)
    of_price = (*flags, *(flag for flag in doubts if flag.reason == FLEX_DOUBT))
    taken = {row for one in made for row in one.rows}
    let = {one.offer.instance for one in made}
    return PriceList(
        offers=suspect([one.offer for one in made], of_price),
        hosts=tuple(host for host in hosts if host.instance in let),
        skipped=tuple({row.row: row for row in skipped if row.row not in taken}.values()),
        flags=(*doubts, *flags),
        left_out=tuple(left_out),
        rows_by_offer={one.offer.id: tuple(("", row) for row in one.rows) for one in made},
    )


def _unique(table: Table) -> tuple[Table, list[Skipped]]:
    """The table without rows that repeat an earlier one in every cell, and those."""
    first: dict[tuple[str, ...], int] = {}
    rows, repeated = [], []
    for number, cells in table.rows:
        earlier = first.setdefault(tuple(cells), number)
        if earlier == number:
            rows.append((number, cells))
        else:
            repeated.append(Skipped(number, f"row {earlier}", REPEATED))
    return replace(table, rows=tuple(rows)), repeated


def _of_source(price_list: PriceList, name: str) -> PriceList:
    """The feed with the name of its table at every row."""
    return replace(
        price_list,
        skipped=tuple(row._replace(source=name) for row in price_list.skipped),
        left_out=tuple(row._replace(source=name) for row in price_list.left_out),
        rows_by_offer={key: tuple((name, row) for _, row in rows) for key, rows in price_list.rows_by_offer.items()},
    )


def _source(table: Table, provider: str) -> str:
    """What entries name as their source. A plus sign would join two."""
    name = table.name.rsplit("/", 1)[-1].replace("+", "-")
    return f"file:{name}" if provider in name.lower() else f"file:{provider}/{name}"
