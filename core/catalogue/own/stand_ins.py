"""Public prices in the place of private ones: the catalogue as somebody sees it who must not learn what was agreed.

A stand-in is worked out from the shipped catalogue alone: the list price of the same entry, else the middle of what
sellers ask for such a chip under such a way to pay. Whole rungs of a fifth move it, all offers of one seller, chip and
way to pay alike. A price of 0 stays: it says that the chips are paid already. No private price, note, source, name of a
seller or of a machine is left in what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median, quantiles
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, STAND_IN, Entry, Offer, Server
from core.catalogue.own.layers import E, with_owned
from core.catalogue.per_catalogue import per_catalogue
from core.units import rounded

Group = tuple[str, str, str]
"""Seller as the stand-ins call him, chip, way to pay: what one rung moves."""

NOTE = "Private prices and rates are not counted here: public ones (“stand-in”) take their place, so totals differ."
"""What a masked paper, table or JSON says of itself; one line on paper."""

HOW = (
    "A stand-in is the list price of the same offer, or the middle of what sellers ask for such a chip paid this way, "
    "moved by fifths until the recommendation is that at the private prices. Totals, chances and ranks are those at "
    "the stand-ins; days, speed and flexibility are as they are."
)

RUNG = 0.8
"""A rung down takes a fifth off."""

LEAST_SPREAD = 1.5
"""A price that is known to +-20 %, as the ratio of the two ends: what a price is never told more closely than."""

PRIVATE_SOURCE = "private"
_SOURCE_WORDS = "entered by the author of this plan, who does not tell it"
_LISTED = "Not the private price but the list price, moved by fifths"
_GUESSED = "Not the private price but the middle of public ones, moved by fifths"
_SERVER_HOURS = 12_000.0
"""Hours of its public price for which a chip is bought: 325,000 USD for 8 H100 at 3.4 USD. An estimate."""
_DIGITS = 3
_RENAMED = {"provider": "Private seller", "instance": "Private machine"}


@dataclass(frozen=True)
class StandIns:
    """Lays stand-ins over a catalogue with private entries; ``shipped`` is the one that everybody has."""

    catalogue: Catalogue
    shipped: Catalogue

    @property
    def is_needed(self) -> bool:
        """True where an offer or a server has a price that is not shipped."""
        priced = (*self.catalogue.offers, *self.catalogue.servers)
        return any(entry.layer != "catalogue" for entry in priced)

    @cached_property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """What each private name of a seller (``provider``) and of a machine (``instance``) is called instead."""
        entries = (*self.catalogue.hosts, *self.catalogue.offers, *self.catalogue.servers, *self.catalogue.regions)
        shipped = (*self.shipped.hosts, *self.shipped.offers, *self.shipped.servers, *self.shipped.regions)
        return {field: _renamed(field, what, entries, shipped) for field, what in _RENAMED.items()}

    def seller(self, provider: str) -> str:
        """A seller's name: as it is where the shipped catalogue knows him, else ``Private seller 1``."""
        return self.names["provider"].get(provider, provider)

    def group(self, offer: Offer) -> Group:
        """What moves with an offer of the catalogue."""
        return self.seller(offer.provider), offer.accelerator_id, offer.purchase_model

    def laid(self, rungs: Mapping[Group, int]) -> Catalogue:
        """The catalogue with stand-ins, those of each group moved by so many rungs, down where they are above 0."""
        tables: dict[str, Any] = {
            name: tuple(self._anonymous(entry) for entry in getattr(self.catalogue, name))
            for name in ("accelerators", "hosts", "regions")
        }
        offers = tuple(self._offer(number, one, rungs) for number, one in enumerate(self.catalogue.offers))
        servers = tuple(self._server(one, rungs) for one in self.catalogue.servers)
        sources = {**self.shipped.sources, PRIVATE_SOURCE: _SOURCE_WORDS}
        laid = replace(self.catalogue, offers=offers, servers=servers, sources=sources, is_masked=True, **tables)
        return with_owned(laid)

    def spread(self, group: Group) -> float:
        """How far apart public prices of such a chip lie: upper over lower quartile of sellers, at least +-20 %."""
        _, chip, way = group
        prices = _prices_by_seller(self.shipped, chip, way)
        if len(prices) < 2:
            return LEAST_SPREAD
        low, _, high = quantiles(prices, n=4, method="inclusive")
        return max(LEAST_SPREAD, high / low)

    def _offer(self, number: int, offer: Offer, rungs: Mapping[Group, int]) -> Offer:
        if offer.layer == "catalogue" or offer.provider == OWN:
            return offer
        listed = _shipped_offers(self.shipped).get(offer.id)
        usd = listed.usd_per_chip_hour if listed else public_usd(self.shipped, offer, self.catalogue)
        moved = _moved(usd, rungs.get(self.group(offer), 0)) if offer.usd_per_chip_hour else 0.0
        update = {"id": offer.id, "note": _LISTED} if listed else {"id": f"private-{number}", "note": _GUESSED}
        prices = {"usd_per_chip_hour": moved, "usd_per_host_hour": moved * offer.chips_per_host}
        return self._anonymous(offer, layer=STAND_IN, **update, **prices)

    def _server(self, server: Server, rungs: Mapping[Group, int]) -> Server:
        if server.layer == "catalogue":
            return server
        low, typical, high = _server_usd(self.shipped, server, self.catalogue)
        rung = rungs.get((OWN, server.accelerator_id, "owned"), 0)
        priced = server.typical_usd > 0
        names = ("low_usd", "typical_usd", "high_usd")
        prices = {name: _moved(usd, rung) * priced for name, usd in zip(names, (low, typical, high), strict=True)}
        return self._anonymous(server, layer=STAND_IN, note=_GUESSED, **prices)

    def _anonymous(self, entry: E, **also: Any) -> E:
        """A private entry without its source and note, under names that tell nobody; a shipped one as it is."""
        if entry.layer == "catalogue":
            return entry
        told = {field: getattr(entry, field, "") for field in self.names}
        renamed = {field: self.names[field][name] for field, name in told.items() if name in self.names[field]}
        return entry.model_copy(update={"source": PRIVATE_SOURCE, "note": "", **renamed, **also})


def public_usd(shipped: Catalogue, offer: Offer, catalogue: Catalogue) -> float:
    """USD per chip hour that the public would guess: the middle over sellers of this chip and way to pay, of this chip
    on demand, of this chip; of a chip that nobody lists, what a GB of memory costs on all others."""
    chip = offer.accelerator_id
    for way in (offer.purchase_model, "on_demand", ""):
        if prices := _prices_by_seller(shipped, chip, way):
            return median(prices)
    sizes = shipped.accelerator_by_id
    per_gb = [one.usd_per_chip_hour / sizes[one.accelerator_id].memory_gb for one in shipped.offers]
    return median(per_gb) * catalogue.accelerator_by_id[chip].memory_gb if per_gb else 1.0


def _moved(usd: float, rungs: int) -> float:
    return rounded(usd * RUNG**rungs, _DIGITS)


def _prices_by_seller(shipped: Catalogue, chip: str, way: str) -> list[float]:
    """The middle price of each seller; of any way to pay where none is named."""
    prices: dict[str, list[float]] = {}
    for offer in shipped.offers:
        if offer.accelerator_id == chip and offer.provider != OWN and way in (offer.purchase_model, ""):
            prices.setdefault(offer.provider, []).append(offer.usd_per_chip_hour)
    return sorted(median(of_one) for of_one in prices.values())


def _server_usd(shipped: Catalogue, server: Server, catalogue: Catalogue) -> tuple[float, float, float]:
    """Low, typical and high price of such a server: the shipped one of its name or of its chip, else an estimate."""
    alike = shipped.server_by_instance.get(server.instance)
    same_chip = [one for one in shipped.servers if one.accelerator_id == server.accelerator_id]
    if known := alike or next(iter(same_chip), None):
        size = server.n_chips / known.n_chips
        return known.low_usd * size, known.typical_usd * size, known.high_usd * size
    offer = with_owned(replace(catalogue, servers=(server,))).offers[-1]
    usd = public_usd(shipped, offer.model_copy(update={"purchase_model": "on_demand"}), catalogue)
    typical = usd * _SERVER_HOURS * server.n_chips
    return 0.7 * typical, typical, 1.4 * typical


def _renamed(field: str, what: str, entries: Iterable[Entry], shipped: Iterable[Entry]) -> dict[str, str]:
    """Names of private entries that no shipped one bears, numbered in their order."""
    known = {OWN, *(getattr(entry, field, "") for entry in shipped)}
    private = (getattr(entry, field, "") for entry in entries if entry.layer != "catalogue")
    new = [name for name in dict.fromkeys(private) if name and name not in known]
    return {name: f"{what} {number}" for number, name in enumerate(new, start=1)}


@per_catalogue
def _shipped_offers(shipped: Catalogue) -> dict[str, Offer]:
    return {offer.id: offer for offer in shipped.offers}
