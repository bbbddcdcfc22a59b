"""Pieces of columns that several lists of the catalogue share: figures, money, days, sources."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import short_source, value_text
from core.catalogue.prices.dates import as_of_words, parse_as_of
from core.constants import DAYS_PER_YEAR
from core.units import DASH, THIN, grouped, plain, small_usd, usd
from gui.tables.catalogue.model import EntryColumn

C = EntryColumn


def number(
    key: str, title: str, field: str, width_px: int = 76, digits: int = 4, tip: str = "", gives_way: int = 0
) -> EntryColumn:
    """A column of one figure; unknown ones are a dash."""

    def value(entry: Any) -> float | None:
        figure = getattr(entry, field)
        return None if figure is None else float(figure)

    def text(entry: Any) -> str:
        figure = value(entry)
        return DASH if figure is None else plain(figure, digits)

    return C(key, title, width_px, text, value, tip=tip, gives_way=gives_way, field=field)


def worded(key: str, title: str, field: str, width_px: int, wide: bool = False, gives_way: int = 0) -> EntryColumn:
    """A column of words as the detail pane writes them."""
    return C(key, title, width_px, lambda entry: _known(value_text(entry, field)), wide=wide, gives_way=gives_way)


def _known(text: str) -> str:
    return DASH if text == "not known" else text


def money(key: str, title: str, field: str, width_px: int = 84, tip: str = "", gives_way: int = 0) -> EntryColumn:
    """A column of a price as small as that of an hour."""
    return C(key, title, width_px, lambda e: small_usd(getattr(e, field)), lambda e: float(getattr(e, field)), tip=tip,
             gives_way=gives_way, field=field)  # fmt: skip


def big_price(key: str, title: str, field: str) -> EntryColumn:
    """A column of a price as large as that of a server."""
    return C(key, title, 96, lambda e: usd(getattr(e, field)), lambda e: float(getattr(e, field)), field=field)


def read_on(gives_way: int = 7) -> EntryColumn:
    """When the figures were read."""
    return C("as_of", "As of", 100, lambda entry: as_of_words(entry.as_of), day_of, gives_way=gives_way, tip="Day read")


def source(catalogue: Catalogue, gives_way: int = 9) -> EntryColumn:
    """Where the figures were read, short."""
    names = {one: short_source(words) for one, words in catalogue.sources.items()}

    def text(entry: Any) -> str:
        return ", ".join(names.get(one, one) for one in entry.source.split("+"))

    return C("source", "Source", 170, text, gives_way=gives_way)


def chip_name(catalogue: Catalogue, wide: bool = True, width_px: int = 148) -> EntryColumn:
    """The chip by its short name."""
    chips = catalogue.accelerator_by_id
    return C("chip", "Chip", width_px, lambda entry: chips[entry.accelerator_id].short_name, wide=wide)


def age_words(days: float | None) -> str:
    """``38 d``, ``2.1 y``, or that nobody knows."""
    if days is None:
        return "undated"
    return f"{grouped(days)}{THIN}d" if days < 730 else f"{days / DAYS_PER_YEAR:.1f}{THIN}y"


def day_of(entry: Any) -> float | None:
    """The earliest day that the entry's date can mean, as a number to sort by."""
    return _ordinal(entry.as_of)


@lru_cache(maxsize=2_000)
def _ordinal(as_of: str) -> float | None:
    read = parse_as_of(as_of)
    return None if read is None else float(read.toordinal())
