"""What a price file gave: offers, new hosts, flags, and every row left out with its number and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from core.catalogue.entries import Host, Offer

IN_ANOTHER_TABLE = "a price that a newer table of the same file has"


class Skipped(NamedTuple):
    """A row, or a value of it, that was left out: its number as a spreadsheet counts, what it is of, and why."""

    row: int
    what: str
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """An offer that was taken over but should be looked at, and why; ``rule`` is the reason without its figures."""

    offer_id: str
    reason: str
    rule: str = ""

    @property
    def kind(self) -> str:
        """What flags of one kind share: the rule, or the reason where it has no figures."""
        return self.rule or self.reason


@dataclass(frozen=True, slots=True)
class PriceListSource:
    """One table of prices: its name, whose prices it seems to hold ("" unknown), its rows and its day ("" unknown)."""

    name: str
    provider: str
    n_rows: int
    day: str = ""


@dataclass(frozen=True, slots=True)
class PriceList:
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


def merged(price_lists: Iterable[PriceList]) -> PriceList:
    """Several feeds as one. Of an offer or a host that several have, the first one counts; rows of the others are told.

    Lists of several versions of one provider may come in one zip, the newest first.
    """
    parts = []
    offers: set[str] = set()
    hosts: dict[tuple[str, str], Host] = {}
    for price_list in price_lists:
        one = _without(price_list, offers, hosts)
        offers |= {offer.id for offer in one.offers}
        hosts |= {_key(host): host for host in one.hosts}
        parts.append(one)
    return PriceList(
        offers=tuple(offer for one in parts for offer in one.offers),
        hosts=tuple(host for one in parts for host in one.hosts),
        skipped=tuple(row for one in parts for row in one.skipped),
        flags=tuple(flag for one in parts for flag in one.flags),
        left_out=tuple(row for one in parts for row in one.left_out),
        rows_by_offer={key: rows for one in parts for key, rows in one.rows_by_offer.items()},
        n_rows=sum(one.n_rows for one in parts),
    )


def _without(price_list: PriceList, offers: Set[str], hosts: Mapping[tuple[str, str], Host]) -> PriceList:
    """The feed without offers and hosts that an earlier one has, or for which a host has other accelerators there."""
    gone = {one.id for one in price_list.offers if one.id in offers or _is_otherwise(one, hosts.get(_key(one)))}
    kept = {key: rows for key, rows in price_list.rows_by_offer.items() if key not in gone}
    taken = {row for rows in kept.values() for row in rows}
    lost = {row: key for key, rows in price_list.rows_by_offer.items() for row in rows if row not in taken}
    told = tuple(Skipped(row, key, IN_ANOTHER_TABLE, source) for (source, row), key in sorted(lost.items()))
    return replace(
        price_list,
        offers=tuple(offer for offer in price_list.offers if offer.id in kept),
        hosts=tuple(host for host in price_list.hosts if _key(host) not in hosts),
        skipped=(*price_list.skipped, *told),
        flags=tuple(flag for flag in price_list.flags if flag.offer_id in kept),
        left_out=tuple(row for row in price_list.left_out if (row.source, row.row) in taken),
        rows_by_offer=kept,
    )


def _is_otherwise(offer: Offer, host: Host | None) -> bool:
    return host is not None and (host.accelerator_id, host.n_chips) != (offer.accelerator_id, offer.chips_per_host)


def _key(entry: Host | Offer) -> tuple[str, str]:
    return entry.provider, entry.instance


def by_reason(skipped: Iterable[Skipped], n_examples: int = 3) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Reason, number of rows and a few of the things they are of, each once; most frequent reason first."""
    counts: Counter[str] = Counter()
    things: dict[str, dict[str, None]] = {}
    for row in skipped:
        counts[row.reason] += 1
        things.setdefault(row.reason, {})[row.what] = None
    return tuple((reason, n, tuple(things[reason])[:n_examples]) for reason, n in counts.most_common())
