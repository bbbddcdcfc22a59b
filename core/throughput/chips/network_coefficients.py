"""Coefficients of links and collectives, read from data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from core.throughput.parameters import shipped_parameters


@dataclass(frozen=True, slots=True)
class NetworkCoefficients:
    """Links and collectives, from ``network.json``: shares of stated rates, latencies in us, shares hidden or exposed.

    ``tree_efficiency``: rate of a tree over that of a ring. ``..._exposed``: share of the traffic that compute does
    not hide; ``..._overlap``: share of the compute under which it hides.
    """

    nvlink_efficiency: float
    xgmi_efficiency: float
    other_link_efficiency: float
    ici_efficiency: float
    pcie_efficiency: float
    nic_efficiency: float
    efa_efficiency: float
    tree_efficiency: float
    scaleup_latency_us: float
    pcie_latency_us: float
    ici_hop_latency_us: float
    nic_latency_us: float
    context_exposed: float
    pipeline_exposed: float
    default_gbit_per_s_per_chip: float


@cache
def network_coefficients() -> NetworkCoefficients:
    """The links' efficiencies and latencies."""
    return NetworkCoefficients(**{row.name: row.value for row in shipped_parameters("network").rows})
