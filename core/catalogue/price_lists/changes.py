"""A price book: an offers table from outside, held against a catalogue before anything is taken over.

The format is that of ``resources/catalogue/offers.csv``. The column ``id`` may be left out; a source that the
catalogue does not know is taken over as written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from statistics import median
from typing import NamedTuple

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.consistency import offer_problems
from core.catalogue.entries import Host, Offer
from core.catalogue.own.layers import OwnEntries
from core.catalogue.price_lists.price_list import Flag
from core.catalogue.prices.dates import as_of_words, last_day, parse_as_of
from core.catalogue.tables import entries, read_rows

_ROUNDING = 1e-4
"""Relative: lists round prices to a hundredth of a cent."""

OLDER = "older than the price in use"

_ID_PARTS = ("provider", "instance", "region", "purchase_model")


class Change(NamedTuple):
    """A price now and the one to come."""

    now: Offer
    new: Offer

    @property
    def percent(self) -> float:
        """Move of the price per chip: ``100 x (new / now - 1)``."""
        return 100 * (self.new.usd_per_chip_hour / self.now.usd_per_chip_hour - 1)


@dataclass(frozen=True, slots=True)
class Changes:
    """What taking over prices would do; ``changed`` has the biggest moves first, ``flagged`` what to look at."""

    new: tuple[Offer, ...]
    changed: tuple[Change, ...]
    removed: tuple[Offer, ...]
    same: tuple[Change, ...]
    flagged: tuple[Flag, ...] = ()

    @property
    def n_same(self) -> int:
        """Prices that stay as they are."""
        return len(self.same)

    @property
    def refreshed(self) -> tuple[Change, ...]:
        """Prices that stay, but are read again later, or described otherwise. A price without a date refreshes none."""
        return tuple(one for one in self.same if one.now != one.new and _is_no_older(one))

    @property
    def older(self) -> frozenset[str]:
        """Ids of changed prices that are surely older than those in use. They are left out unless somebody asks for
        them: a list of the spring is no news of a price of the autumn."""
        return frozenset(one.new.id for one in self.changed if _is_older(one))


@dataclass(frozen=True, slots=True)
class Summary:
    """The changes of one provider, counted; ``median_percent`` is the middle move of the changed ones."""

    provider: str
    n_new: int
    n_changed: int
    n_removed: int
    n_same: int
    n_flagged: int
    median_percent: float | None


def read_price_book(path: Path, catalogue: Catalogue) -> tuple[Offer, ...]:
    """Offers of a file, checked against a catalogue.

    Raises InputError naming file, row and field of the first that is wrong or whose host the catalogue lacks.
    """
    header, *rows = read_rows(path)
    if "id" not in header and set(_ID_PARTS) <= set(header):
        rows = [[*row, _id_of(dict(zip(header, row, strict=False)))] for row in rows]
        header = [*header, "id"]
    offers = entries(path.name, Offer, header, rows)
    for problem in offer_problems(offers, catalogue, path.name):
        raise problem
    return offers


def offer_id(provider: str, instance: str, region: str, purchase_model: str) -> str:
    """Id of an offer: one price per host, place and way to pay."""
    return plain_name(f"{provider}_{instance}_{region}_{purchase_model}")


def plain_name(text: str) -> str:
    """A name as it stands in ids: small letters, digits, and a hyphen for anything else."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-")


def changes(
    catalogue: Catalogue,
    offers: Sequence[Offer],
    *,
    replace_providers: bool = False,
    flags: Sequence[Flag] = (),
) -> Changes:
    """New, changed and removed offers; offers are removed only from the providers of the list, and only when asked.

    Changed prices that are older than those in use are flagged beside the ``flags`` given.
    """
    now = {offer.id: offer for offer in catalogue.offers}
    pairs = [Change(now[offer.id], offer) for offer in offers if offer.id in now]
    coming = {offer.id for offer in offers}
    providers = {offer.provider for offer in offers} if replace_providers else set()
    changed = tuple(sorted((one for one in pairs if not _is_same(one)), key=lambda one: -abs(one.percent)))
    return Changes(
        new=tuple(offer for offer in offers if offer.id not in now),
        changed=changed,
        removed=tuple(offer for offer in catalogue.offers if offer.provider in providers and offer.id not in coming),
        same=tuple(one for one in pairs if _is_same(one)),
        flagged=(*flags, *(_older_flag(one) for one in changed if _is_older(one))),
    )


def _older_flag(one: Change) -> Flag:
    days = as_of_words(one.new.as_of), as_of_words(one.now.as_of)
    return Flag(one.new.id, f"of {days[0]}, {OLDER}, which is of {days[1]}", OLDER)


def summaries(changes: Changes) -> tuple[Summary, ...]:
    """Counts by provider, those with most changes first."""
    everything = (*changes.new, *_new(changes.changed), *changes.removed, *_new(changes.same))
    rows = [_summary(name, changes) for name in sorted({offer.provider for offer in everything})]
    return tuple(sorted(rows, key=lambda row: -(row.n_new + row.n_changed + row.n_removed)))


def _summary(provider: str, changes: Changes) -> Summary:
    new, changed, removed, same = (
        [offer.id for offer in part if offer.provider == provider]
        for part in (changes.new, _new(changes.changed), changes.removed, _new(changes.same))
    )
    flagged = {flag.offer_id for flag in changes.flagged} & {*new, *changed, *same}
    moves = [one.percent for one in changes.changed if one.new.provider == provider]
    return Summary(
        provider,
        n_new=len(new),
        n_changed=len(changed),
        n_removed=len(removed),
        n_same=len(same),
        n_flagged=len(flagged),
        median_percent=median(moves) if moves else None,
    )


def _new(pairs: Sequence[Change]) -> list[Offer]:
    return [one.new for one in pairs]


def entries_of(changes: Changes, hosts: Sequence[Host] = (), leave: Collection[str] = ()) -> OwnEntries:
    """What to put into a plan or a price book: offers that are new, changed or refreshed, and the new hosts they need.

    ``leave`` are ids of offers that stay out. Removed offers stay: own entries cannot take shipped ones away.
    """
    offers = tuple(offer for offer in _coming(changes) if offer.id not in leave)
    needed = {(offer.provider, offer.instance) for offer in offers}
    return OwnEntries(offers=offers, hosts=tuple(host for host in hosts if (host.provider, host.instance) in needed))


def taken_over(
    catalogue: Catalogue, changes: Changes, origin: str, hosts: Sequence[Host] = (), leave: Collection[str] = ()
) -> Catalogue:
    """The catalogue after the changes and with new hosts; ``origin`` is what its unknown sources are said to be.

    ``leave`` are ids of offers that stay as they are.
    """
    fresh = tuple(offer for offer in _coming(changes) if offer.id not in leave)
    coming = {offer.id: offer for offer in fresh}
    gone = {offer.id for offer in changes.removed}
    kept = tuple(coming.pop(offer.id, offer) for offer in catalogue.offers if offer.id not in gone)
    added = tuple(host for host in hosts if (host.provider, host.instance) not in catalogue.host_by_instance)
    sources = {source: f"as written in {origin}" for entry in (*fresh, *added) for source in entry.source.split("+")}
    return replace(
        catalogue,
        date=_newest(catalogue.date, fresh),
        hosts=(*catalogue.hosts, *added),
        offers=(*kept, *coming.values()),
        sources={**sources, **catalogue.sources},
    )


def _coming(changes: Changes) -> tuple[Offer, ...]:
    return (*changes.new, *_new(changes.changed), *_new(changes.refreshed))


def _is_same(one: Change) -> bool:
    """True for the same price of the same chips, up to rounding."""
    shapes = [(offer.accelerator_id, offer.chips_per_host) for offer in one]
    return shapes[0] == shapes[1] and isclose(one.now.usd_per_chip_hour, one.new.usd_per_chip_hour, rel_tol=_ROUNDING)


def _is_no_older(one: Change) -> bool:
    now, new = parse_as_of(one.now.as_of), parse_as_of(one.new.as_of)
    return new is not None if now is None else new is not None and new >= now


def _is_older(one: Change) -> bool:
    now, new = parse_as_of(one.now.as_of), last_day(one.new.as_of)
    return now is not None and new is not None and new < now


def _newest(date: str, offers: Sequence[Offer]) -> str:
    dates = [read.isoformat() for offer in offers if (read := parse_as_of(offer.as_of))]
    return max([date, *dates])


def _id_of(cells: dict[str, str]) -> str:
    return offer_id(*(cells.get(name, "") for name in _ID_PARTS))
