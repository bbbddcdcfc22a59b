"""Entries of the user's own, held against the catalogue that they are laid over: each fault names its entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.consistency import ROW_CHECKS
from core.catalogue.checks.units_guard import suspicions
from core.catalogue.entries import OWN, Entry, Host, Offer
from core.catalogue.own.layers import KEYS, Discount, OwnEntries, PriceBook, layered
from core.catalogue.prices.history import stale_reason
from core.catalogue.providers import provider_name
from core.errors import InputError
from core.workload.profile import PURCHASE_WORDS

TABLES = ("accelerators", "hosts", "offers", "servers", "regions")


def offer_words(offer: Offer) -> str:
    """An offer as it is called in a sentence."""
    paid = PURCHASE_WORDS[offer.purchase_model]
    return f"{offer.instance} at {provider_name(offer.provider)} in {offer.region}, {paid}"


NAMES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "accelerators": ("chip", lambda chip: str(chip.id)),
    "hosts": ("host", lambda host: f"{host.instance} at {provider_name(host.provider)}"),
    "offers": ("offer", offer_words),
    "servers": ("server", lambda server: str(server.instance)),
    "regions": ("region", lambda region: f"{region.region} of {provider_name(region.provider)}"),
}
"""How an entry is called in a sentence."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry that cannot be used, and why."""

    entry: Entry
    error: InputError


def faults(entries: OwnEntries, catalogue: Catalogue, whose: str = "own") -> Iterator[Fault]:
    """What is wrong with the entries of one layer: references, units, repeats, corrections that contradict prices.

    ``catalogue`` is the whole one with these entries laid over it; ``whose`` begins the words for where.
    """
    for table in TABLES:
        seen: set[object] = set()
        for entry in getattr(entries, table):
            for field, found, expected in (
                *_of_own(entry, seen, KEYS[table](entry)),
                *_of_row(table, entry, catalogue),
            ):
                yield Fault(entry, InputError(f"{_where(whose, table, entry)}, {field}", found, expected))
                break


def sound_layers(
    shipped: Catalogue, plan: OwnEntries, book: PriceBook | None = None
) -> tuple[Catalogue, tuple[InputError, ...]]:
    """The layers as far as they hold together, and the faults: of entries left out, of discounts that never hold.

    An entry that stands on one left out is left out too: an offer without its host, a host without its chip.
    """
    told: list[InputError] = []
    while True:
        whole = layered(shipped, plan, book)
        of_plan = list(faults(plan, whole, "own"))
        of_book = list(faults(book.entries, whole, "price book")) if book else []
        if not of_plan and not of_book:
            return whole, (*told, *book_problems(shipped, book))
        told += [fault.error for fault in (*of_plan, *of_book)]
        plan = _without(plan, of_plan)
        book = book.model_copy(update={"entries": _without(book.entries, of_book)}) if book else None


def checked_layers(shipped: Catalogue, plan: OwnEntries, book: PriceBook | None = None) -> Catalogue:
    """The layers, known to hold together.

    Raises InputError naming the first entry that refers to nothing, repeats another or contradicts itself.
    """
    whole, told = sound_layers(shipped, plan, book)
    for error in told:
        raise error
    return whole


def book_problems(shipped: Catalogue, book: PriceBook | None) -> Iterator[InputError]:
    """Discounts that can never hold: of a provider or a chip that nobody has."""
    for number, discount in enumerate(book.discounts if book else (), start=1):
        yield from _discount(shipped, discount, f"price book discount {number}")


def doubts(entries: OwnEntries, shipped: Catalogue) -> tuple[tuple[Offer, str], ...]:
    """Own offers that hold together but may be of another unit, another way to pay or the past, and why."""
    by_id = {offer.id: offer for offer in entries.offers}
    odd = [
        (by_id[one.offer_id], one.reason) for one in suspicions(entries.offers, shipped.offers) if not one.is_refused
    ]
    past = [(offer, reason) for offer in entries.offers if (reason := stale_reason(offer, shipped))]
    return (*odd, *past)


def _of_own(entry: Entry, seen: set[object], key: object) -> Iterable[tuple[str, str, str]]:
    if key in seen:
        yield "of the whole entry", "the same entry again", "each only once"
    seen.add(key)
    if not entry.source.strip():
        yield "source", "nothing", "where the figures come from"
    if isinstance(entry, Host | Offer) and entry.provider == OWN:
        yield "provider", f"'{OWN}'", "another name; hardware of your own is entered as a server"


def _of_row(table: str, entry: Entry, catalogue: Catalogue) -> Iterable[tuple[str, str, str]]:
    yield from ROW_CHECKS[table](entry, catalogue)
    if isinstance(entry, Host):
        yield from _host_of_offers(entry, catalogue)


def _host_of_offers(host: Host, catalogue: Catalogue) -> Iterator[tuple[str, str, str]]:
    """A corrected host must still be the one that its prices are of."""
    for offer in catalogue.offers_by_accelerator.get(host.accelerator_id, ()):
        same = (offer.provider, offer.instance) == (host.provider, host.instance)
        if same and offer.layer != "plan" and offer.chips_per_host != host.n_chips:
            yield "n_chips", str(host.n_chips), f"{offer.chips_per_host}, as its prices are for"


def _discount(shipped: Catalogue, discount: Discount, where: str) -> Iterator[InputError]:
    providers = {offer.provider for offer in shipped.offers}
    if discount.provider not in providers:
        yield InputError(f"{where}, provider", f"'{discount.provider}'", f"one of {', '.join(sorted(providers))}")
    if discount.accelerator_id is not None and discount.accelerator_id not in shipped.accelerator_by_id:
        yield InputError(f"{where}, accelerator_id", f"'{discount.accelerator_id}'", "a chip of the catalogue")


def _without(entries: OwnEntries, gone: Iterable[Fault]) -> OwnEntries:
    faulty = {id(fault.entry) for fault in gone}
    kept = {table: tuple(e for e in getattr(entries, table) if id(e) not in faulty) for table in TABLES}
    return OwnEntries(**kept)


def _where(whose: str, table: str, entry: Entry) -> str:
    word, name = NAMES[table]
    return f"{whose} {word} {name(entry)}"
