"""Up to which number of chips an option is attested and plausible: apart, machine by machine, and joined to a cluster.

Rules (ours, after the sellers' own terms as kept in ``sellers.csv`` and ``waits.csv``):

- one machine of an offer that its seller lists is attested, more of them up to the chips of his largest machine or to
  what he is known to let without a contract;
- machines are joined by a network that the seller or the list of the machine tells, never by that of another seller;
- what is sold as single cards is as many machines of one card, whatever number is taken;
- TPU slices are attested up to the largest slice, several slices are plausible;
- hosts of private people, marketplaces and brokers without a network of their own join nothing;
- an amount that a row of ``waits.csv`` refuses is on paper.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Offer, Seller, SellerClass
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.prices.quality import quality_of
from core.catalogue.providers import provider_name
from core.catalogue.sellers.waits import holds_for, refused_from, seller_class
from core.comparison.search.counts import rentable_counts
from core.comparison.search.options import Option
from core.units import counted, grouped

ANY_SIZE = 1 << 40
MOST_OF_SMALL_SELLERS = 64
"""Machines of small sellers, brokers and private hosts, taken together, in chips, where no more is told of them: 64
were listed at once in 37 % of 957 reads (TUGOT)."""

HOST_CHIPS = 8
LEAST_HOST_CHIPS = 4
"""Sellers join whole servers of eight chips, four where the list of the machine tells its network; smaller machines
are let one by one (our reading of their terms)."""

_MOST_SLICE_CHIPS = 1 << 20
_LARGE = ("hyperscaler", "ai_cloud_large")
_THIRD_PARTIES = ("marketplace", "broker", "community")
_PRESENT_LIST = ("ok", "spot moves", "derived", "entered")


@dataclass(frozen=True, slots=True)
class Extent:
    """Largest numbers of chips that are attested and plausible, with the reason on each step and its source.

    ``estimate``: the step beyond attested rests on facts from memory.
    """

    attested: int
    plausible: int
    attested_why: str
    plausible_why: str
    beyond_why: str
    source: str = ""
    estimate: bool = False


@dataclass(frozen=True, slots=True)
class Extents:
    """Of one option: machines of ``machine_chips`` apart from each other, and joined."""

    machine_chips: int
    apart: Extent
    joined: Extent


@per_catalogue
def known_extents(_: Catalogue) -> dict[tuple[str, bool], Extents]:
    """Extents already put together, by id of the offer and whether its server is another seller's."""
    return {}


def extents_of(option: Option, catalogue: Catalogue) -> Extents:
    """What an option attests; each offer of a catalogue is judged once."""
    known, key = known_extents(catalogue), (option.offer.id, option.borrowed)
    if key not in known:
        known[key] = _judged(option, catalogue)
    return known[key]


def _judged(option: Option, catalogue: Catalogue) -> Extents:
    offer = option.offer
    machine = 1 if option.borrowed else offer.chips_per_host
    if offer.held_chips is not None:
        there = Extent(offer.held_chips, offer.held_chips, "You have them", "", "You have fewer", offer.source)
        return Extents(machine, there, there)
    if offer.provider == OWN:
        return _owned(offer, catalogue, machine)
    if offer.quality == "entered":
        return _entered(option, machine)
    if offer.quality == "list price":
        text = "The seller's list has it, but lets this size as spot or flex start only"
        paper = Extent(0, 0, "", "", text, offer.source)
        return Extents(machine, paper, paper)
    seller = catalogue.seller_by_provider.get(offer.provider)
    refused = refused_from(catalogue, offer.provider, offer.accelerator_id, offer.purchase_model)
    apart, joined = _apart(option, catalogue, seller, machine), _joined(option, catalogue, seller)
    if refused is None:
        return Extents(machine, apart, joined)
    most, why = refused.from_chips - 1, refused.note
    return Extents(machine, *(_capped(one, most, why, refused.source) for one in (apart, joined)))


def _capped(extent: Extent, most: int, why: str, source: str) -> Extent:
    if most >= extent.plausible:
        return extent
    words = extent.attested_why, extent.plausible_why, why
    return Extent(min(extent.attested, most), most, *words, source or extent.source, extent.estimate)


def _owned(offer: Offer, catalogue: Catalogue, machine: int) -> Extents:
    server = catalogue.server_by_instance.get(offer.instance)
    if server is None or server.in_house:
        there = Extent(ANY_SIZE, ANY_SIZE, "Hardware of your own, there already", "", "", offer.source)
        return Extents(machine, there, there)
    bought = Extent(0, ANY_SIZE, "", "Can be bought; it is there after its lead time", "", offer.source)
    return Extents(machine, bought, bought)


def _entered(option: Option, machine: int) -> Extents:
    """Offers that the user typed are taken at the word: up to the size that the seller confirmed, where it is typed; of
    a single card more are plausible."""
    offer = option.offer
    if offer.attested_chips is not None:
        return Extents(machine, _confirmed(offer, True), _confirmed(offer, offer.joined))
    whole = Extent(ANY_SIZE, ANY_SIZE, "An offer that you entered", "", "", offer.source)
    single = "You entered one card; confirm the machine and its network"
    joined = Extent(0, ANY_SIZE, "", single, "", offer.source) if option.borrowed else whole
    return Extents(machine, whole, _confirmed(offer, False) if offer.joined is False else joined)


def _confirmed(offer: Offer, joined: bool | None) -> Extent:
    """Up to the size that the user entered; whether a network joins so many may be left open or denied."""
    most = offer.attested_chips or 0
    size = counted(most, "chip")
    if joined is False:
        return Extent(0, 0, "", "", "No network joins these machines, as you entered", offer.source)
    if joined is None:
        why = f"You entered {size} and no network between them; confirm it"
        return Extent(0, ANY_SIZE, "", why, "", offer.source)
    return Extent(most, ANY_SIZE, f"You entered up to {size}", f"You entered {size}; confirm more", "", offer.source)


def _apart(option: Option, catalogue: Catalogue, seller: Seller | None, machine: int) -> Extent:
    offer, name = option.offer, provider_name(option.offer.provider)
    by_contract = seller is not None and seller.self_service_chips == 0
    is_attested = _is_listed(offer, seller) and not by_contract
    attested = _most_attested(option, catalogue, seller, machine) if is_attested else 0
    plausible = max(attested, machine, _most_apart(offer, seller_class(catalogue, offer.provider), seller))
    if attested:
        why_plausible = (
            f"More than {counted(attested, 'chip')} at once is a matter of stock or of a contract with {name}"
        )
    else:
        why_plausible = f"{name} lets by contract only" if by_contract else f"Not in a present list of {name}'s own"
    return Extent(
        attested, plausible, f"{name} lists this machine, and each works by itself", why_plausible,
        f"More than {counted(plausible, 'chip')} at once are not known of {name}",
        _joined_sources(offer.source, seller.source if seller else ""),
        estimate=seller is None or seller.estimate,
    )  # fmt: skip


def _most_attested(option: Option, catalogue: Catalogue, seller: Seller | None, machine: int) -> int:
    """Chips apart from each other that the seller is known to let: as many as in his largest machine or slice, or
    without a contract."""
    offer = option.offer
    known = [machine, _most_in_one(catalogue).get((offer.provider, offer.accelerator_id), 0)]
    if seller is not None and _is_proved(seller, "self_service_chips", offer):
        known.append(seller.self_service_chips or 0)
    if option.accelerator.torus_dims:
        known.append(_slice_chips(option, catalogue))
    return max(known)


@per_catalogue
def _most_in_one(catalogue: Catalogue) -> dict[tuple[str, str], int]:
    """Chips of the largest machine that a present list has, by seller and chip: so many can be had apart as well."""
    most: dict[tuple[str, str], int] = {}
    for offer in catalogue.offers:
        if offer.quality in _PRESENT_LIST:
            key = offer.provider, offer.accelerator_id
            most[key] = max(most.get(key, 0), offer.chips_per_host)
    return most


def _most_apart(offer: Offer, own_class: SellerClass, seller: Seller | None) -> int:
    """Chips that a seller may have apart from each other: any number at a large one, else what is told of him."""
    if own_class in _LARGE:
        return ANY_SIZE
    told = seller is not None and own_class not in _THIRD_PARTIES and _joins(seller, offer)
    sizes = (seller.self_service_chips or 0, seller.largest_cluster_chips or 0) if seller and told else ()
    return max(MOST_OF_SMALL_SELLERS, max(sizes, default=0))


def _joined(option: Option, catalogue: Catalogue, seller: Seller | None) -> Extent:
    offer, name = option.offer, provider_name(option.offer.provider)
    source = _joined_sources(offer.source, seller.source if seller else "")
    if option.borrowed:
        text = "Sold as single cards: neither a machine of several nor a network is told"
        return Extent(0, 0, "", "", text, offer.source)
    if option.accelerator.torus_dims:
        return _slices(option, catalogue, seller, source)
    network = _network_words(option, catalogue, seller)
    if not network:
        return Extent(0, 0, "", "", f"No network between machines of {name} is told", source)
    largest = (seller.largest_cluster_chips if seller else None) or ANY_SIZE
    attested = 0
    proved = all(_is_proved(seller, field, offer) for field in ("self_service_chips", "fabric"))
    if seller and proved and _is_listed(offer, seller):
        attested = seller.self_service_chips or 0
    return Extent(
        attested, max(attested, largest), f"{name} lets so many on one network ({network}) this way",
        f"{name} sells such clusters ({network}); this size is not stated",
        f"Larger than the largest cluster told of {name}, {grouped(largest)} chips", source,
        estimate=seller is None or seller.estimate or "largest_cluster_chips" not in seller.sourced_fields,
    )  # fmt: skip


def _slices(option: Option, catalogue: Catalogue, seller: Seller | None, source: str) -> Extent:
    """One slice is a product of its own; several of them work together over the data centre's network."""
    slice_chips = _slice_chips(option, catalogue)
    if slice_chips <= option.offer.chips_per_host:
        return Extent(0, 0, "", "", "Hosts of this size are let one by one, not as slices", source)
    largest = max(slice_chips, (seller.largest_cluster_chips if seller else None) or slice_chips)
    attested = slice_chips if option.offer.quality in _PRESENT_LIST else 0
    return Extent(
        attested, largest, "One slice, as Google lists its shapes", "Several slices together, by reservation",
        f"Larger than the largest pod, {grouped(largest)} chips", source,
    )  # fmt: skip


def _slice_chips(option: Option, catalogue: Catalogue) -> int:
    """Chips of the largest slice that the option's hosts make up; those of one host where they make up none."""
    shapes = catalogue.slices_by_accelerator.get(option.accelerator.id, ())
    makes_slices = max(rentable_counts(option, catalogue, _MOST_SLICE_CHIPS), default=0) > option.offer.chips_per_host
    return shapes[-1].n_chips if shapes and makes_slices else option.offer.chips_per_host


def _network_words(option: Option, catalogue: Catalogue, seller: Seller | None) -> str:
    """The network that joins the seller's machines of this kind; empty where none is told."""
    offer, host = option.offer, option.host
    if not option.grows or (offer.quality not in _PRESENT_LIST and not quality_of(offer).is_sellers_own):
        return ""
    if host is not None and host.network_gbit_per_s and host.n_chips >= LEAST_HOST_CHIPS:
        return f"{grouped(host.network_gbit_per_s)} Gbit/s a host"
    if seller is None or seller.fabric in ("", "none") or offer.chips_per_host < HOST_CHIPS:
        return ""
    return seller.fabric if _joins(seller, offer) else ""


def _joins(seller: Seller, offer: Offer) -> bool:
    """True where the seller's clusters are of this chip."""
    return not seller.cluster_chips or holds_for(seller.cluster_chips, offer.accelerator_id)


def _is_listed(offer: Offer, seller: Seller | None) -> bool:
    """True where a present list of the seller's has the machine, or his terms name this way to pay for it."""
    named = bool(seller and seller.self_service_ways) and _is_proved(seller, "self_service_chips", offer)
    return offer.quality in _PRESENT_LIST or named


def _is_proved(seller: Seller | None, field: str, offer: Offer) -> bool:
    """True where a dated source backs a field of the seller, for this way to pay."""
    if seller is None or seller.quality != "ok" or field not in seller.sourced_fields:
        return False
    is_limit = field == "self_service_chips" and seller.self_service_ways
    return not is_limit or offer.purchase_model in seller.self_service_ways


def _joined_sources(*sources: str) -> str:
    return "+".join(dict.fromkeys(one for source in sources for one in source.split("+") if one))
