"""Offers made ready for prediction: which host, which network, how many chips can be had."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Accelerator, Host, Offer, Seller
from core.catalogue.places.sale_places import ANY
from core.catalogue.prices.newest import counting_offers
from core.catalogue.sellers.waits import holds_for
from core.catalogue.todays_prices import AS_LISTED, TodaysPrice, todays_price

AVERAGE = "average"
ALONE = "single"
"""End of the ids of cards that are taken one by one."""

_SLICE_HOST_CHIPS = 4
_SERVER_CHIPS = 8
_FALLBACK_GBIT_PER_S_PER_CHIP = 12.5


@dataclass(frozen=True, slots=True)
class Option:
    """An offer with what its clusters are built of, and its ``price`` today.

    ``regions``: all for which it stands, where several are equal to the work.

    ``chips_per_host`` is that of the server the chips come in, which for a price quoted per chip is the usual server
    of that chip. ``grows`` is false for parts of a server, which do not join into clusters where the seller has whole
    ones. ``borrowed``: the server and its network are not the seller's own, who tells a price per chip only.
    ``id_tail`` is the part of a candidate's id that comes after chip and number of chips: seller, place, way to
    pay, and the host where two are otherwise sold alike.
    """

    offer: Offer
    accelerator: Accelerator
    host: Host | None
    chips_per_host: int
    network_gbit_per_s: float
    network_estimate: bool
    grows: bool
    id_tail: str
    borrowed: bool = False
    price: TodaysPrice = AS_LISTED
    regions: tuple[str, ...] = ()

    @property
    def usd_per_chip_hour(self) -> float:
        """The offer's price today."""
        return self.price.factor * self.offer.usd_per_chip_hour


class _Keyed:
    """A catalogue as a cache key: the same object is the same key."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def __hash__(self) -> int:
        return id(self.catalogue)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.catalogue is self.catalogue


def options(catalogue: Catalogue) -> tuple[Option, ...]:
    """Every offer of the catalogue as an option, doubles taken out, in the order of the catalogue.

    A price per card is two: servers of the chip's usual kind, which nobody attests, and single cards.
    """
    return _options(_Keyed(catalogue))


@lru_cache(maxsize=4)
def _options(keyed: _Keyed) -> tuple[Option, ...]:
    catalogue = keyed.catalogue
    offers = counting_offers(catalogue)
    largest, plain_ids = _largest_host(offers), _with_plain_ids(catalogue, offers)
    networks, usual = _networks(catalogue), _usual_host(catalogue)
    sold = []
    for offer in offers:
        chip = catalogue.accelerator_by_id[offer.accelerator_id]
        by_chip = offer.held_chips is None and _is_priced_by_chip(offer, chip, largest[_seller(offer)])
        host = usual.get(chip.id) if by_chip else catalogue.host_by_instance.get((offer.provider, offer.instance))
        chips = max(host.n_chips if host else 1, min(8, chip.scaleup_domain_chips)) if by_chip else offer.chips_per_host
        host = host if host and host.n_chips == chips else None
        network, estimate = _network(host, by_chip, chips, networks.of(offer))
        whole = offer.chips_per_host >= largest[_seller(offer)] and not _is_community(offer)
        grows = by_chip or whole or offer.held_chips is not None
        tail = _id_tail(offer, offer.id not in plain_ids)
        price = todays_price(catalogue, offer)
        sold.append(Option(offer, chip, host, chips, network, estimate, grows, tail, by_chip, price))
        if by_chip and chips > 1:
            sold.append(_alone(catalogue, sold[-1]))
    return tuple(sold)


def _alone(catalogue: Catalogue, option: Option) -> Option:
    """The same offer as it is sold: machines of one card, none of which joins another."""
    offer = option.offer
    host = catalogue.host_by_instance.get((offer.provider, offer.instance))
    network = option.network_gbit_per_s / option.chips_per_host
    tail = f"{option.id_tail}-{ALONE}"
    return replace(
        option, host=host, chips_per_host=1, network_gbit_per_s=network, network_estimate=True, grows=False,
        id_tail=tail, borrowed=False,
    )  # fmt: skip


def kind_of(option: Option, by_processors: bool = True) -> tuple[object, ...]:
    """What two options must share for their clusters to be the same to the engine.

    Of a host it reads whose network it is and, where they prepare samples (``by_processors``), its processors.
    """
    host = option.host
    return (
        option.accelerator.id,
        option.chips_per_host,
        option.network_gbit_per_s,
        option.network_estimate,
        option.grows,
        by_processors and host and (host.n_vcpu / host.n_chips if host.n_vcpu else host.provider == OWN),
        host is not None and host.provider == "aws",
        option.offer.held_chips,
        option.offer.held_until,
    )


def alike(option: Option) -> tuple[object, ...]:
    """What two shipped options must share for only their named region to tell them apart, price of today included."""
    offer = option.offer
    own = offer.id if offer.layer != "catalogue" or offer.region == ANY else ""
    priced = round(option.usd_per_chip_hour, 6), option.price, offer.quality, offer.estimate
    return offer.provider, offer.instance, offer.purchase_model, own, *priced, *kind_of(option)


def _id_tail(offer: Offer, with_host: bool) -> str:
    parts = [slug(offer.provider), slug(offer.region), offer.purchase_model]
    return "-".join([*parts, slug(offer.instance)] if with_host and slug(offer.instance) else parts)


@lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """Lower case letters, digits, dots and dashes only: for ids."""
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-")


def _is_priced_by_chip(offer: Offer, chip: Accelerator, largest_host_chips: int) -> bool:
    """True for a price per chip that is no server's own: it is paid for chips in the chip's usual server.

    So are averages over listings, and single chips of a board that only exists in larger servers where the seller
    lists no server at all. Chips of private hosts on a marketplace ("community") never join into clusters.
    """
    listed_alone = offer.chips_per_host == 1 and largest_host_chips <= 1 and not _is_community(offer)
    return offer.quality == AVERAGE or (listed_alone and chip.kind == "gpu" and chip.scaleup_domain_chips > 1)


def _is_community(offer: Offer) -> bool:
    return "community" in offer.instance


def _seller(offer: Offer) -> tuple[str, str]:
    return offer.provider, offer.accelerator_id


def _place(offer: Offer) -> tuple[str, str, str, str]:
    return offer.accelerator_id, offer.provider, offer.region, offer.purchase_model


def _largest_host(offers: Sequence[Offer]) -> dict[tuple[str, str], int]:
    """Chips of the largest server by seller and chip; a TPU slice grows from its four-chip host."""
    largest: dict[tuple[str, str], int] = defaultdict(int)
    for offer in offers:
        if offer.quality != AVERAGE and offer.held_chips is None:
            largest[_seller(offer)] = max(largest[_seller(offer)], offer.chips_per_host)
    return largest


def _with_plain_ids(catalogue: Catalogue, offers: Sequence[Offer]) -> set[str]:
    """Ids of the offers that need no host in a candidate's id: the main host of each place and purchase model.

    That is the largest one (for TPUs the four-chip host, of which slices are made), unless two are of that size.
    """
    by_place: dict[tuple[str, str, str, str], list[Offer]] = defaultdict(list)
    for offer in offers:
        if offer.held_chips is None:
            by_place[_place(offer)].append(offer)
    plain_ids = set()
    for group in by_place.values():
        is_tpu = catalogue.accelerator_by_id[group[0].accelerator_id].kind == "tpu"
        main = max(_mainness(offer, is_tpu) for offer in group)
        first = [offer.id for offer in group if _mainness(offer, is_tpu) == main]
        plain_ids |= set(first) if len(first) == 1 else set()
    return plain_ids


def _mainness(offer: Offer, is_tpu: bool) -> tuple[bool, int]:
    return is_tpu and offer.chips_per_host == _SLICE_HOST_CHIPS, offer.chips_per_host


def _usual_host(catalogue: Catalogue) -> dict[str, Host]:
    """The largest described server of each chip, of at most eight chips."""
    usual: dict[str, Host] = {}
    for host in catalogue.rented_hosts:
        known = usual.get(host.accelerator_id)
        if host.n_chips <= 8 and (known is None or host.n_chips > known.n_chips):
            usual[host.accelerator_id] = host
    return usual


@dataclass(frozen=True)
class _Networks:
    """Network rates per chip, Gbit/s: of all described servers of each chip, and of each seller's clusters."""

    described: dict[str, list[float]]
    describers: frozenset[tuple[str, str]]
    sellers: dict[str, Seller]

    def of(self, offer: Offer) -> float:
        """What a host counts as whose network nobody tells: the least that any described server of the chip has.

        Of a single one nobody knows whether it is the least: that of servers in general counts then.
        The network of the seller's clusters counts where he describes no server of the chip at all, up to the usual
        rate. Own servers get the usual one, which is bought with them.
        """
        rates = self.described.get(offer.accelerator_id) or [_FALLBACK_GBIT_PER_S_PER_CHIP]
        least = min(rates) if len(rates) > 1 else _FALLBACK_GBIT_PER_S_PER_CHIP
        if offer.provider == OWN:
            return median(rates)
        if (offer.provider, offer.accelerator_id) in self.describers:
            return least
        return max(least, min(self._fabric(offer), median(rates)))

    def _fabric(self, offer: Offer) -> float:
        """The rate of the network that joins the seller's whole servers of the chip; 0 where none is told."""
        seller = self.sellers.get(offer.provider)
        if seller is None or not seller.fabric_gbit_per_host or offer.chips_per_host < _SERVER_CHIPS:
            return 0.0
        is_joined = not seller.cluster_chips or holds_for(seller.cluster_chips, offer.accelerator_id)
        return seller.fabric_gbit_per_host / offer.chips_per_host if is_joined else 0.0


def _networks(catalogue: Catalogue) -> _Networks:
    rates: dict[str, list[float]] = defaultdict(list)
    told = [host for host in catalogue.rented_hosts if host.network_gbit_per_s]
    for host in told:
        rates[host.accelerator_id].append((host.network_gbit_per_s or 0.0) / host.n_chips)
    describers = frozenset((host.provider, host.accelerator_id) for host in told)
    return _Networks(rates, describers, catalogue.seller_by_provider)


def _network(host: Host | None, by_chip: bool, chips: int, unknown_per_chip: float) -> tuple[float, bool]:
    """Network of one host in Gbit/s, and whether it is an estimate."""
    if host and host.network_gbit_per_s:
        return host.network_gbit_per_s, by_chip or "network_gbit_per_s" in host.estimated_fields
    return chips * unknown_per_chip, True
