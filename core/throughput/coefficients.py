"""The engine's coefficients, read from data: few, bounded, physical, each with its source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from core import paths
from core.catalogue.entries import Accelerator
from core.throughput.parameters import load_parameters


@dataclass(frozen=True, slots=True)
class ArchitectureCoefficients:
    """Efficiencies of one chip architecture, all in 0..1.

    ``achievable_fraction``: best GEMM over data-sheet peak, used where the catalogue holds no measured GEMM rate.
    ``training_of_achievable``, ``prefill_of_achievable``: GEMM rate inside a real stack over the best GEMM.
    ``attention_of_gemm``: rate of fused attention over that of GEMM. ``hbm_efficiency``: memory bandwidth reached.
    ``spread``: natural logarithm of the half width of the 80 % range.
    """

    achievable_fraction: float
    training_of_achievable: float
    prefill_of_achievable: float
    attention_of_gemm: float
    hbm_efficiency: float
    spread: float
    estimate: bool
    source: str


@dataclass(frozen=True, slots=True)
class EngineCoefficients:
    """Overheads of a serving engine: per layer, per mixture-of-experts layer and per sequence of a decode step."""

    layer_us: float
    moe_layer_us: float
    sequence_us: float
    first_token_ms: float
    estimate: bool
    source: str


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
    fully_sharded_overlap: float
    data_parallel_overlap: float
    all_to_all_exposed: float
    pipeline_exposed: float
    default_gbit_per_s_per_chip: float


def architecture_of(accelerator: Accelerator) -> str:
    """The architecture whose coefficients a chip takes: its own, ``tpu`` for every TPU, else ``default``."""
    if accelerator.kind == "tpu":
        return "tpu"
    return _architecture_by_chip().get(accelerator.id, "default")


def coefficients_of(accelerator: Accelerator) -> ArchitectureCoefficients:
    """Coefficients of the chip's architecture."""
    return _coefficients(architecture_of(accelerator))


@cache
def _coefficients(architecture: str) -> ArchitectureCoefficients:
    return ArchitectureCoefficients(**_table()["architectures"][architecture])


def engine_coefficients(engine: str) -> EngineCoefficients:
    """Overheads of a serving engine; raises KeyError for an unknown one."""
    return EngineCoefficients(**_table()["engines"][engine])


@cache
def network_coefficients() -> NetworkCoefficients:
    """The links' efficiencies and latencies."""
    return NetworkCoefficients(**{row.name: row.value for row in load_parameters("network").rows})


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((paths.resources() / "engine" / "coefficients.json").read_text("utf-8"))
    return table


@cache
def _architecture_by_chip() -> dict[str, str]:
    """Chips by architecture; architectures without coefficients of their own are left out."""
    text = (paths.resources() / "calibration" / "architectures.json").read_text("utf-8")
    known = _table()["architectures"]
    return {chip: name for name, chips in json.loads(text)["architectures"].items() if name in known for chip in chips}
