"""A price book: an offers table from outside, held against a catalogue before anything is taken over.

The format is that of ``resources/catalogue/offers.csv``. The column ``id`` may be left out; a source that the
catalogue does not know is taken over as written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks import offer_problems
from core.catalogue.entries import Offer
from core.catalogue.prices import parse_as_of
from core.catalogue.tables import entries, read_rows

_ID_PARTS = ("provider", "instance", "region", "purchase_model")


@dataclass(frozen=True, slots=True)
class Changes:
    """What taking over a price book would do; ``changed`` pairs the offer now with the one to come."""

    new: tuple[Offer, ...]
    changed: tuple[tuple[Offer, Offer], ...]
    removed: tuple[Offer, ...]
    n_same: int


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
    words = f"{provider}_{instance}_{region}_{purchase_model}"
    return re.sub(r"[^a-z0-9._-]+", "-", words.lower()).strip("-")


def changes(catalogue: Catalogue, offers: Sequence[Offer], *, replace_providers: bool = False) -> Changes:
    """New, changed and removed offers; offers are removed only from the providers of the book, and only when asked."""
    now = {offer.id: offer for offer in catalogue.offers}
    coming = {offer.id for offer in offers}
    providers = {offer.provider for offer in offers} if replace_providers else set()
    changed = tuple((now[offer.id], offer) for offer in offers if offer.id in now and now[offer.id] != offer)
    new = tuple(offer for offer in offers if offer.id not in now)
    removed = tuple(offer for offer in catalogue.offers if offer.provider in providers and offer.id not in coming)
    return Changes(new, changed, removed, len(offers) - len(new) - len(changed))


def taken_over(catalogue: Catalogue, found: Changes, origin: str) -> Catalogue:
    """The catalogue after the changes; ``origin`` is what its unknown sources are said to be."""
    coming = {offer.id: offer for _, offer in found.changed}
    gone = {offer.id for offer in found.removed}
    kept = tuple(coming.get(offer.id, offer) for offer in catalogue.offers if offer.id not in gone)
    fresh = (*found.new, *coming.values())
    sources = {source: f"as written in {origin}" for offer in fresh for source in offer.source.split("+")}
    return replace(
        catalogue,
        date=_newest(catalogue.date, fresh),
        offers=(*kept, *found.new),
        sources={**sources, **catalogue.sources},
    )


def _newest(date: str, offers: Sequence[Offer]) -> str:
    dates = [read.isoformat() for offer in offers if (read := parse_as_of(offer.as_of))]
    return max([date, *dates])


def _id_of(cells: dict[str, str]) -> str:
    return offer_id(*(cells.get(name, "") for name in _ID_PARTS))
