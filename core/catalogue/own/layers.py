"""What users add to the shipped catalogue: entries of their own, negotiated discounts, and how layers are laid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import ROW_KEYS
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import OWN, Accelerator, Entry, Host, Layer, Offer, Region, Server
from core.constants import HOURS_PER_MONTH, MONTHS_PER_YEAR
from core.workload.profile import PurchaseModel

E = TypeVar("E", bound=Entry)

KEYS: dict[str, Callable[[Any], object]] = {
    "accelerators": lambda chip: chip.id,
    "hosts": lambda host: (host.provider, host.instance),
    "offers": lambda offer: offer.id,
    "servers": lambda server: server.instance,
    "regions": lambda region: (region.provider, region.region),
}
"""What tells entries of a table apart: one of the same key corrects the other."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class OwnEntries(_Frozen):
    """Entries of one layer. One with the key of a shipped entry corrects it; any other is added."""

    accelerators: tuple[Accelerator, ...] = ()
    hosts: tuple[Host, ...] = ()
    offers: tuple[Offer, ...] = ()
    servers: tuple[Server, ...] = ()
    regions: tuple[Region, ...] = ()


class Discount(_Frozen):
    """A share taken off the list prices of a provider; empty purchase model or chip means all of them."""

    provider: str
    percent: float = Field(ge=0, lt=100)
    purchase_model: PurchaseModel | None = None
    accelerator_id: str | None = None
    source: str = ""
    as_of: str = ""
    note: str = ""


class PriceBook(_Frozen):
    """The user's private prices, kept in a file of their own and never in a plan."""

    name: str = "Price book"
    discounts: tuple[Discount, ...] = ()
    entries: OwnEntries = OwnEntries()


def layered(shipped: Catalogue, plan: OwnEntries, book: PriceBook | None = None) -> Catalogue:
    """The catalogue with the book's prices laid over it, and the plan's own entries over both.

    Discounts of the book hold for the shipped offers; each offer they touch counts as one of the book. Entries say
    which layer they come from. Nothing is checked here: see :mod:`core.catalogue.own.checks`.
    """
    if book is None and plan == OwnEntries():
        return shipped
    below_plan = shipped
    if book is not None:
        offers = tuple(discounted(offer, book.discounts) for offer in shipped.offers)
        below_plan = _merged(replace(shipped, offers=offers), book.entries, "book")
    return with_owned(_merged(below_plan, plan, "plan"))


def discounted(offer: Offer, discounts: Sequence[Discount]) -> Offer:
    """The offer at the largest discount that holds for it: ``price x (1 - percent / 100)``."""
    shares = [one.percent for one in discounts if _holds_for(one, offer)]
    if not shares or max(shares) == 0:
        return offer
    left = 1 - max(shares) / 100
    return offer.model_copy(
        update={
            "usd_per_chip_hour": offer.usd_per_chip_hour * left,
            "usd_per_host_hour": offer.usd_per_host_hour * left,
            "layer": "book",
            "note": f"List price {offer.usd_per_chip_hour:.4g} USD per chip hour less {max(shares):g} %.",
        }
    )


def with_owned(catalogue: Catalogue) -> Catalogue:
    """The catalogue with an owned offer and its host for each server that can be bought.

    Their price is the straight-line share of an hour, good for sorting; the bill works with the server's own price.
    """
    hosts = tuple(host for host in catalogue.hosts if host.provider != OWN)
    offers = tuple(offer for offer in catalogue.offers if offer.provider != OWN)
    owned = [(_owned_host(server), _owned_offer(server, catalogue)) for server in catalogue.servers]
    return replace(catalogue, hosts=(*hosts, *(h for h, _ in owned)), offers=(*offers, *(o for _, o in owned)))


def _holds_for(discount: Discount, offer: Offer) -> bool:
    return (
        discount.provider == offer.provider
        and discount.purchase_model in (None, offer.purchase_model)
        and discount.accelerator_id in (None, offer.accelerator_id)
    )


def _merged(catalogue: Catalogue, entries: OwnEntries, layer: Layer) -> Catalogue:
    tables: dict[str, Any] = {
        name: _laid_over(getattr(catalogue, name), _of_layer(getattr(entries, name), layer), key)
        for name, key in KEYS.items()
    }
    words = {source: "as entered" for name in KEYS for e in getattr(entries, name) for source in e.source.split("+")}
    corrected = {(name, ROW_KEYS[name](entry)) for name in KEYS for entry in getattr(entries, name)}
    conflicts = tuple(one for one in catalogue.conflicts if (one.table, one.row) not in corrected)
    return replace(catalogue, sources={**words, **catalogue.sources}, conflicts=conflicts, **tables)


def _of_layer(entries: Iterable[E], layer: Layer) -> list[E]:
    return [entry.model_copy(update={"layer": layer}) for entry in entries]


def _laid_over(below: Sequence[E], above: Sequence[E], key: Callable[[Any], object]) -> tuple[E, ...]:
    """Entries with those of ``above`` in the place of their namesakes, the others behind."""
    coming = {key(entry): entry for entry in above}
    kept = [coming.pop(key(entry), entry) for entry in below]
    return (*kept, *coming.values())


def _owned_host(server: Server) -> Host:
    return Host(
        provider=OWN,
        instance=server.instance,
        accelerator_id=server.accelerator_id,
        n_chips=server.n_chips,
        n_vcpu=None,
        ram_gb=None,
        local_nvme_tb=None,
        network_gbit_per_s=server.network_gbit_per_s,
        scaleup="",
        **_origin(server),
    )


def _owned_offer(server: Server, catalogue: Catalogue) -> Offer:
    usd = straight_line_usd_per_host_hour(server, catalogue)
    return Offer(
        id=f"{OWN}_{server.instance}_any_owned",
        provider=OWN,
        instance=server.instance,
        accelerator_id=server.accelerator_id,
        chips_per_host=server.n_chips,
        region="any",
        purchase_model="owned",
        usd_per_chip_hour=usd / server.n_chips,
        usd_per_host_hour=usd,
        quality="straight-line share of the price" if server.held_chips is None else "entered",
        held_chips=server.held_chips,
        **_origin(server),
    )


def _origin(server: Server) -> dict[str, Any]:
    return {name: getattr(server, name) for name in ("source", "as_of", "estimate", "note", "layer")}


def straight_line_usd_per_host_hour(server: Server, catalogue: Catalogue) -> float:
    """``price x (1 + network and installing - resale) / hours of its life``, USD per hour of the whole server."""
    shares = [
        cost_input(catalogue, name, server.accelerator_id) for name in ("capex_network_and_install", "residual_value")
    ]
    install, resale = (row.typical or 0.0 for row in shares)
    years = cost_input(catalogue, "depreciation", server.accelerator_id).typical or 4.0
    return server.typical_usd * (1 + install - resale) / (years * MONTHS_PER_YEAR * HOURS_PER_MONTH)
