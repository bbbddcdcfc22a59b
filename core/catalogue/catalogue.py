"""The catalogue as one immutable value with look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.catalogue.entries import (
    OWN,
    Accelerator,
    CapacityWait,
    Conflict,
    CostInput,
    FormatRow,
    FrameworkSupport,
    Host,
    Offer,
    PartPrice,
    PricePoint,
    PriceSpread,
    Region,
    Seller,
    Server,
    SliceShape,
)


@dataclass(frozen=True)
class Catalogue:
    """Everything that can be rented or bought, checked when it was loaded."""

    date: str
    accelerators: tuple[Accelerator, ...]
    hosts: tuple[Host, ...]
    slices: tuple[SliceShape, ...]
    offers: tuple[Offer, ...]
    regions: tuple[Region, ...]
    frameworks: tuple[FrameworkSupport, ...]
    cost_inputs: tuple[CostInput, ...]
    sources: dict[str, str]
    servers: tuple[Server, ...] = ()
    price_history: tuple[PricePoint, ...] = ()
    parts: tuple[PartPrice, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    formats: tuple[FormatRow, ...] = ()
    sellers: tuple[Seller, ...] = ()
    waits: tuple[CapacityWait, ...] = ()
    price_spread: tuple[PriceSpread, ...] = ()
    is_masked: bool = False
    """True where public prices, and usual rates, stand in for private ones."""

    @cached_property
    def accelerator_by_id(self) -> dict[str, Accelerator]:
        """Chips by id."""
        return {chip.id: chip for chip in self.accelerators}

    @cached_property
    def host_by_instance(self) -> dict[tuple[str, str], Host]:
        """Hosts by provider and instance name."""
        return {(host.provider, host.instance): host for host in self.hosts}

    @cached_property
    def rented_hosts(self) -> tuple[Host, ...]:
        """Hosts that somebody describes and lets, so without those made up for servers that can be bought."""
        return tuple(host for host in self.hosts if host.provider != OWN)

    @cached_property
    def rented_offers(self) -> tuple[Offer, ...]:
        """Offers of sellers, without what servers to buy come to."""
        return tuple(offer for offer in self.offers if offer.purchase_model != "owned")

    @cached_property
    def server_by_instance(self) -> dict[str, Server]:
        """Servers that can be bought, by the instance name of their owned offer."""
        return {server.instance: server for server in self.servers}

    @cached_property
    def seller_by_provider(self) -> dict[str, Seller]:
        """Sellers by provider id."""
        return {seller.provider: seller for seller in self.sellers}

    @cached_property
    def conflicts_by_row(self) -> dict[tuple[str, str], tuple[Conflict, ...]]:
        """Figures about which sources disagree, by table and row."""
        by_row: dict[tuple[str, str], list[Conflict]] = {}
        for conflict in self.conflicts:
            by_row.setdefault((conflict.table, conflict.row), []).append(conflict)
        return {where: tuple(conflicts) for where, conflicts in by_row.items()}

    @cached_property
    def region_by_name(self) -> dict[tuple[str, str], Region]:
        """Regions by provider and name."""
        return {(region.provider, region.region): region for region in self.regions}

    @cached_property
    def slices_by_accelerator(self) -> dict[str, tuple[SliceShape, ...]]:
        """TPU slices of each chip, small to large."""
        by_chip: dict[str, list[SliceShape]] = {}
        for shape in self.slices:
            by_chip.setdefault(shape.accelerator_id, []).append(shape)
        return {chip: tuple(sorted(shapes, key=lambda s: s.n_chips)) for chip, shapes in by_chip.items()}

    @cached_property
    def support_by_framework(self) -> dict[tuple[str, str], FrameworkSupport]:
        """Software support by framework and chip family (or chip id)."""
        return {(row.framework, row.chip_family): row for row in self.frameworks}

    @cached_property
    def offers_by_accelerator(self) -> dict[str, tuple[Offer, ...]]:
        """Offers of each chip, in the order of the table."""
        by_chip: dict[str, list[Offer]] = {}
        for offer in self.offers:
            by_chip.setdefault(offer.accelerator_id, []).append(offer)
        return {chip: tuple(offers) for chip, offers in by_chip.items()}

    @cached_property
    def cost_inputs_by_name(self) -> dict[str, tuple[CostInput, ...]]:
        """Inputs of total cost of ownership by name, one row a scope."""
        by_name: dict[str, list[CostInput]] = {}
        for row in self.cost_inputs:
            by_name.setdefault(row.name, []).append(row)
        return {name: tuple(rows) for name, rows in by_name.items()}

    @cached_property
    def rows_by_key(self) -> dict[str, dict[str, Any]]:
        """Rows by table and key, filled by :mod:`core.catalogue.conflicts`."""
        return {}

    @cached_property
    def cost_input_answers(self) -> dict[tuple[str, str], CostInput | None]:
        """Rows already looked up by (name, scope words), filled by :mod:`core.catalogue.cost_inputs`."""
        return {}
