"""One row of a price list in neutral words, and how its cells are read: by the name of their column, never by place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.catalogue.price_lists.price_list import Skipped
from core.reading.limits import MOST_NAME_CHARS
from core.workload.profile import PurchaseModel


@dataclass(frozen=True, slots=True)
class Quote:
    """Prices of one machine in one zone, USD per hour of the whole machine (or slice), by way to pay.

    ``rows`` are the rows that it is made of. ``chip_name`` is as written; ``n_chips`` None when the list does not say.
    ``doubts`` are reasons to look at every offer made of it.
    """

    rows: tuple[int, ...]
    instance: str
    chip_name: str
    n_chips: float | None
    region: str
    zone: str
    usd: Mapping[PurchaseModel, float]
    memory_gb: float | None = None
    chip_also: str = ""
    n_vcpu: int | None = None
    ram_gb: float | None = None
    nvme_tb: float | None = None
    doubts: tuple[str, ...] = ()
    left_out: tuple[Skipped, ...] = ()

    @property
    def what(self) -> str:
        """The machine and its place, in words."""
        words = (self.instance or self.chip_name or "a machine without a name", self.zone or self.region)
        return " ".join(word for word in words if word)[: 2 * MOST_NAME_CHARS]


NO_ACCELERATOR = "no accelerator"
NO_PRICE = "no price"
NOT_A_PRICE = "a price that is no number above 0"
WITH_COMMA = "a price with a comma; a list has points before decimals and nothing between thousands, such as 98.32"
WITH_CURRENCY = "a price with a currency; a list has plain numbers, in US dollars"
FREE = "a price of 0, so none"
MOST = 1e9
"""Of anything that a machine has, in any unit of the lists."""


@dataclass(slots=True)
class Rows:
    """What a reader found in a table: quotes, and rows that hold none with their reasons."""

    quotes: list[Quote] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, one: Quote | Skipped) -> None:
        """Puts a row where it belongs."""
        if isinstance(one, Skipped):
            self.skipped.append(one)
        else:
            self.quotes.append(one)


class Cells:
    """Cells of a row by column name; a column or a cell that is not there is empty."""

    __slots__ = ("_place", "_row")

    def __init__(self, header: Sequence[str]) -> None:
        self._place = {name: index for index, name in reversed(list(enumerate(header)))}
        self._row: Sequence[str] = ()

    def of(self, row: Sequence[str]) -> Cells:
        """The same columns over another row."""
        self._row = row
        return self

    def __getitem__(self, name: str) -> str:
        index = self._place.get(name)
        return self._row[index].strip() if index is not None and index < len(self._row) else ""


def priced(
    row: int, cells: Cells, columns: Iterable[tuple[str, PurchaseModel]], may_be_free: bool = False
) -> tuple[dict[PurchaseModel, float], tuple[Skipped, ...]]:
    """Prices of a row by way to pay, and the cells that hold something else; an empty cell is not offered.

    ``may_be_free`` is for parts of a machine whose price stands with another part.
    """
    usd: dict[PurchaseModel, float] = {}
    odd = []
    for column, paid in columns:
        text = cells[column]
        price = number(text)
        if price is not None and (0 < price < math.inf or (may_be_free and price == 0)):
            usd[paid] = price
        elif text:
            odd.append(Skipped(row, f"{column} {text[:40]}", FREE if price == 0 else _why_no_price(text)))
    return usd, tuple(odd)


_COMMA = re.compile(r"\d[\d.]*,[\d.,]*")
_CURRENCY = re.compile(r"(?:[A-Z]{3}|[^\w\s.,+-])\s*\d[\d.,]*|\d[\d.,]*\s*(?:[A-Z]{3}|[^\w\s.,+%-])")


def _why_no_price(text: str) -> str:
    if _COMMA.fullmatch(text):
        return WITH_COMMA
    return WITH_CURRENCY if _CURRENCY.fullmatch(text) else NOT_A_PRICE


def number(text: str) -> float | None:
    """A number as written; None for an empty cell, NaN for text that is none."""
    if not text:
        return None
    try:
        return math.nan if "_" in text else float(text)  # Python reads 1_0 as ten
    except ValueError:
        return math.nan


def positive(text: str) -> float | None:
    """A number above 0, not beyond all reason; None for anything else."""
    value = number(text)
    return value if value is not None and 0 < value < MOST else None


def whole(text: str) -> int | None:
    """A number of things above 0, cut to whole; None for anything else."""
    value = positive(text)
    return int(value) if value is not None and value >= 1 else None
