"""The engine's coefficients, read from data: few, bounded, physical, each with its source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from core import paths
from core.catalogue.entries import Accelerator
from core.throughput.parameters import load_parameters

ARCHITECTURES = (
    "volta", "turing", "ampere", "ampere-workstation", "ada", "hopper", "blackwell", "blackwell-workstation", "cdna2",
    "cdna3", "cdna4",
)  # fmt: skip
"""GPU architectures with coefficients of their own for work in samples."""


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
    tensor_parallel_exposed: float
    context_exposed: float
    data_parallel_overlap: float
    all_to_all_exposed: float
    pipeline_exposed: float
    default_gbit_per_s_per_chip: float


def architecture_of(accelerator: Accelerator) -> str:
    """The architecture whose coefficients a chip takes: its own, ``tpu`` for every TPU, else ``default``."""
    if accelerator.kind == "tpu":
        return "tpu"
    return _architecture_by_chip().get(accelerator.id, "default")


@cache
def network_coefficients() -> NetworkCoefficients:
    """The links' efficiencies and latencies."""
    return NetworkCoefficients(**{row.name: row.value for row in load_parameters("network").rows})


@cache
def _architecture_by_chip() -> dict[str, str]:
    """Chips by architecture; architectures without coefficients of their own are left out."""
    text = (paths.resources() / "calibration" / "architectures.json").read_text("utf-8")
    listed = json.loads(text)["architectures"].items()
    return {chip: name for name, chips in listed if name in ARCHITECTURES for chip in chips}
