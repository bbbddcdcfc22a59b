"""Which of several prices of one seller, machine, place and way to pay counts: the newest. The others stay listed."""

from __future__ import annotations

from collections.abc import Iterable

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import STAND_IN, Layer, Offer
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.prices.dates import as_of_date

_LAYER_RANK: dict[Layer, int] = {"catalogue": 0, "book": 1, "plan": 2, STAND_IN: 2}


def newest_of_each(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """One offer a machine, place and way to pay, in order of their coming: the plan's own before the price book's,
    these before shipped ones; then the one read last; then the dearest."""
    newest: dict[tuple[str, ...], Offer] = {}
    for offer in offers:
        key = _key(offer)
        if key not in newest or _rank(offer) > _rank(newest[key]):
            newest[key] = offer
    return tuple(newest.values())


def newer_price(offer: Offer, catalogue: Catalogue) -> Offer | None:
    """The offer that counts in the place of this one; None for a price that counts itself."""
    newest = _newest(catalogue)[_key(offer)]
    return None if newest.id == offer.id else newest


@per_catalogue
def counting_offers(catalogue: Catalogue) -> tuple[Offer, ...]:
    """The offers of a catalogue that count, the newest of each machine, place and way to pay."""
    return newest_of_each(catalogue.offers)


@per_catalogue
def _newest(catalogue: Catalogue) -> dict[tuple[str, ...], Offer]:
    return {_key(offer): offer for offer in counting_offers(catalogue)}


def _key(offer: Offer) -> tuple[str, ...]:
    return offer.provider, offer.instance, offer.accelerator_id, offer.region, offer.purchase_model


def _rank(offer: Offer) -> tuple[int, int, float]:
    read = as_of_date(offer)
    return _LAYER_RANK[offer.layer], read.toordinal() if read else 0, offer.usd_per_chip_hour
