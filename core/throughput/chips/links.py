"""Links of a system: rate, latency and reach of the fast domain, and of the network beyond it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from core.catalogue.entries import Accelerator
from core.throughput.chips.network_coefficients import network_coefficients
from core.throughput.types import System

RACK_CHIPS = 16
"""Domains larger than this span hosts (NVLink racks); smaller ones end with the host."""
CLOSED_CHIPS = {2: 256, 3: 64}
"""Chips from which a slice's axes close into rings where its shape is unknown: 16 x 16, and cubes of 4 x 4 x 4."""


class Inner(NamedTuple):
    """Link inside the domain, one way per chip.

    ``bytes_per_s``: all links of a chip together; ``narrow_bytes_per_s``: what a small group of a torus can use;
    ``axes``: of the torus that are longer than 1, 1 for a switch.
    """

    bytes_per_s: float
    narrow_bytes_per_s: float
    latency_s: float
    chips: int
    axes: int


def inner_link(system: System) -> Inner:
    """The scale-up domain: NVLink, Infinity Fabric, a torus of ICI, or PCIe within a host where there is none."""
    chip, network = system.accelerator, network_coefficients()
    if chip.torus_dims:
        return _torus(system)
    if chip.scaleup_domain_chips <= 1:
        rate = chip.pcie_gbps * 1e9 * network.pcie_efficiency
        return Inner(rate, rate, network.pcie_latency_us * 1e-6, _joined(system), 1)
    rate = chip.scaleup_gbps_one_way * 1e9 * _efficiency(chip.scaleup_link)
    return Inner(rate, rate, network.scaleup_latency_us * 1e-6, _joined(system), 1)


def _efficiency(link: str) -> float:
    network = network_coefficients()
    if "NVLink" in link:
        return network.nvlink_efficiency
    return network.xgmi_efficiency if "Infinity Fabric" in link or "XGMI" in link else network.other_link_efficiency


def _joined(system: System) -> int:
    return joined_chips(system.accelerator, system.n_chips, system.chips_per_host)


def joined_chips(chip: Accelerator, n_chips: int, host_chips: int) -> int:
    """Chips of one domain of a cluster: of the rack, host or largest slice, as many as divide the cluster evenly."""
    reach = max(chip.scaleup_domain_chips, 1)
    if chip.torus_dims or reach > RACK_CHIPS:
        return _largest_divisor(n_chips, reach)
    return min(host_chips, n_chips) if reach == 1 else _largest_divisor(n_chips, min(reach, host_chips))


@lru_cache(maxsize=4096)
def _largest_divisor(n_chips: int, most: int) -> int:
    return next(n for n in range(min(n_chips, most), 0, -1) if n_chips % n == 0)


def _torus(system: System) -> Inner:
    """A slice: each axis gives a link both ways, and twice the rate where it closes into a ring.

    Source: the ring equations of "How to scale your model", sharding chapter.
    """
    chip, network = system.accelerator, network_coefficients()
    link = (chip.link_gbps_one_way or chip.scaleup_gbps_one_way / 4) * 1e9 * network.ici_efficiency
    shape, chips = system.slice, slice_chips(system)
    if shape is None:
        closed = chips >= CLOSED_CHIPS[chip.torus_dims]
        ways = [2.0 if closed else 1.0] * chip.torus_dims
    else:
        axes = zip(shape.dims, shape.wraps, strict=True)
        ways = [2.0 if wraps else 1.0 for length, wraps in axes if length > 1] or [1.0]
    rate = link * sum(ways)
    return Inner(rate, min(2.0 * link, rate), network.ici_hop_latency_us * 1e-6, chips, len(ways))


def slice_chips(system: System) -> int:
    """Chips that the torus joins: the slice, else as many as a slice of the chip can have."""
    if system.slice is not None:
        return min(system.slice.n_chips, system.n_chips)
    return _joined(system)


def n_slices(system: System) -> int:
    """Equal slices that the chips make up, at least one; each is one torus."""
    return -(-system.n_chips // slice_chips(system))


def outer_bytes_per_s(system: System) -> float:
    """Rate per chip beyond the domain: its share of the host's network card, or PCIe between parts of one host."""
    chip, network = system.accelerator, network_coefficients()
    per_host = system.network_gbit_per_s or network.default_gbit_per_s_per_chip * system.chips_per_host
    on_aws = system.host is not None and system.host.provider == "aws"
    efficiency = network.efa_efficiency if on_aws else network.nic_efficiency
    from_card = per_host / 8 * 1e9 / max(system.chips_per_host, 1) * efficiency
    within_host = (system.n_hosts == 1 or system.apart) and not chip.torus_dims
    return max(from_card, chip.pcie_gbps * 1e9 * network.pcie_efficiency) if within_host else from_card
