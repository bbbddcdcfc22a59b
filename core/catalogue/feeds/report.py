"""What a price file gave: offers, new hosts, flags, and every row left out with its number and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from core.catalogue.entries import Host, Offer


class Skipped(NamedTuple):
    """A row, or a value of it, that was left out: its number as a spreadsheet counts, what it is of, and why."""

    row: int
    what: str
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """An offer that was taken over but should be looked at, and why."""

    offer_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class FeedSource:
    """One table of prices: its name, whose prices it seems to hold ("" unknown), its rows and its day ("" unknown)."""

    name: str
    provider: str
    n_rows: int
    day: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """Everything that came of a price file. Each row is in ``rows_by_offer`` or in ``skipped``, never in both.

    ``hosts`` are those that the catalogue did not know. ``left_out`` are single values of rows that were taken over
    otherwise, such as a placeholder in place of a spot price. ``rows_by_offer`` holds (file name, row).
    """

    offers: tuple[Offer, ...]
    hosts: tuple[Host, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    flags: tuple[Flag, ...] = ()
    left_out: tuple[Skipped, ...] = ()
    rows_by_offer: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    n_rows: int = 0

    @property
    def n_taken(self) -> int:
        """Rows that at least one offer is made of."""
        return len({row for rows in self.rows_by_offer.values() for row in rows})


def merged(feeds: Iterable[Feed]) -> Feed:
    """Several feeds as one, in their order."""
    parts = tuple(feeds)
    return Feed(
        offers=tuple(offer for one in parts for offer in one.offers),
        hosts=tuple(host for one in parts for host in one.hosts),
        skipped=tuple(row for one in parts for row in one.skipped),
        flags=tuple(flag for one in parts for flag in one.flags),
        left_out=tuple(row for one in parts for row in one.left_out),
        rows_by_offer={key: rows for one in parts for key, rows in one.rows_by_offer.items()},
        n_rows=sum(one.n_rows for one in parts),
    )


def by_reason(skipped: Iterable[Skipped], n_examples: int = 3) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Reason, number of rows and a few of the things they are of, each once; most frequent reason first."""
    counts: Counter[str] = Counter()
    things: dict[str, dict[str, None]] = {}
    for row in skipped:
        counts[row.reason] += 1
        things.setdefault(row.reason, {})[row.what] = None
    return tuple((reason, n, tuple(things[reason])[:n_examples]) for reason, n in counts.most_common())
