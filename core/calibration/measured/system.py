"""The system that a log was made on, as far as chip and count tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import architecture_of
from core.catalogue.entries import Accelerator, Host
from core.errors import InputError
from core.throughput.types import System

DEFAULT_NETWORK_GBIT_PER_S = 400.0
"""Assumed a host where no catalogued one of the chip has a known network rate; marked as an estimate."""

LARGEST_HOST = 16
LEAST_WHOLE_HOST = 4
"""Sellers rent parts of a host with fewer chips; whole hosts of a cluster have four or more."""
DEFAULT_CHIPS_PER_HOST = 8
"""Assumed where the catalogue holds no host of the chip."""


def measured_system(catalogue: Catalogue, accelerator_id: str, n_chips: int) -> System:
    """The chip on the smallest catalogued host that holds the count, else on its usual one, with that host's network.

    Raises InputError for a chip that the catalogue does not hold.
    """
    accelerator = catalogue.accelerator_by_id.get(accelerator_id)
    if accelerator is None:
        raise InputError("Chip of the log", f"'{accelerator_id}'", "a chip of the catalogue")
    host = _host(catalogue, accelerator_id, n_chips)
    rate = host.network_gbit_per_s if host else None
    shapes = catalogue.slices_by_accelerator.get(accelerator_id, ())
    return System(
        accelerator=accelerator,
        n_chips=n_chips,
        chips_per_host=min(host.n_chips if host else DEFAULT_CHIPS_PER_HOST, n_chips),
        network_gbit_per_s=rate or _rate_of_kin(catalogue, accelerator, host),
        network_estimate=rate is None or (host is not None and host.estimate),
        slice=next((shape for shape in shapes if shape.n_chips == n_chips), None),
        host=host,
    )


def _host(catalogue: Catalogue, accelerator_id: str, n_chips: int) -> Host | None:
    """Of the smallest size that holds the chips, else of the size that most sellers have; the most common network."""
    own = [host for host in catalogue.rented_hosts if host.accelerator_id == accelerator_id]
    holding = [host.n_chips for host in own if host.n_chips >= n_chips]
    size = min(holding) if holding else _usual_size(own)
    return _of_usual_network([host for host in own if host.n_chips == size])


def _rate_of_kin(catalogue: Catalogue, chip: Accelerator, host: Host | None) -> float:
    """Gbit/s of a host whose network nobody states: of racks joined as one, a chip's usual share on its kin's hosts."""
    if chip.scaleup_domain_chips <= LARGEST_HOST:
        return DEFAULT_NETWORK_GBIT_PER_S
    kin = architecture_of(chip).generation
    chips = {one.id for one in catalogue.accelerators if kin and architecture_of(one).generation == kin}
    shares = [
        other.network_gbit_per_s / other.n_chips
        for other in catalogue.rented_hosts
        if other.accelerator_id in chips and other.network_gbit_per_s and other.n_chips >= LEAST_WHOLE_HOST
    ]
    n_chips = host.n_chips if host else DEFAULT_CHIPS_PER_HOST
    return median(shares) * n_chips if shares and n_chips >= LEAST_WHOLE_HOST else DEFAULT_NETWORK_GBIT_PER_S


def _usual_size(hosts: Sequence[Host]) -> int:
    """Chips of most hosts, the larger of two; parts of a host, which have few chips, count only without whole ones."""
    sizes = Counter(host.n_chips for host in hosts)
    whole = {size: n for size, n in sizes.items() if size >= LEAST_WHOLE_HOST} or sizes
    return max(whole, key=lambda size: (whole[size], size), default=0)


def _of_usual_network(hosts: Sequence[Host]) -> Host | None:
    """A host with the network rate that most of those state, the higher of two."""
    rates = Counter(host.network_gbit_per_s for host in hosts if host.network_gbit_per_s)
    usual = max(rates, key=lambda rate: (rates[rate], rate), default=None)
    return next((host for host in hosts if host.network_gbit_per_s == usual), None)
