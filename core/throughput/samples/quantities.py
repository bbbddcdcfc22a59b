"""Quantities of fixed-shape work as arrays over rows: what a sample costs, what a chip offers, how it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.catalogue.chip_families import Architecture, architecture_of, chip_families
from core.catalogue.entries import Accelerator
from core.rows import Rows
from core.throughput.chips.best_product import short_sums_gain
from core.throughput.chips.run_formats import RunFormat, RunsIn, as_stated
from core.throughput.parameters import shipped_parameters
from core.throughput.types import System
from core.workload.models.network import Family, NetworkModel

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

STACKS = ("vendor", "compiled", "eager")
"""Graphs of fused kernels (TensorRT, tuned MLPerf code); a tracing compiler (XLA, torch.compile); kernel by kernel."""
FAMILIES: tuple[Family, ...] = ("vision", "encoder", "recommender", "diffusion", "graph", "speech")
CLASSES = ("wide", "half", "int8", "fp8", "fp4")
_CLASS_OF = {"fp32": 0, "tf32": 1, "bf16": 1, "fp16": 1, "int8": 2, "fp8": 3, "fp4": 4, "mxfp4": 4}
_WIDTH_OF = {"fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0, "int8": 1.0, "fp8": 1.0, "fp4": 1.0, "mxfp4": 1.0}
RECENT_SINCE = "2022"
"""Chips from that year on sit in hosts whose processors launch kernels faster."""
PCIE_BETWEEN_CHIPS_GBPS = 32.0
"""Chips reach each other through the host's root ports, which add nothing beyond PCIe 4 (measured collectives)."""


def architectures() -> tuple[str, ...]:
    """Architectures with coefficients of work in samples of their own."""
    return chip_families().coefficients["samples"]


@dataclass(frozen=True)
class SampleWork(Rows):
    """Counts of one forward pass of one sample; FLOPs, values (not bytes), bytes of input. Floats or arrays."""

    conv_flops: Floats
    conv_channels: Floats
    matmul_flops: Floats
    attention_flops: Floats
    attention_tokens: Floats
    values: Floats
    n_kernels: Floats
    passes: Floats
    passes_at_once: Floats
    once_flops: Floats
    dense_params: Floats
    lookup_values: Floats
    exchange_values: Floats
    input_bytes: Floats
    host_s: Floats
    tokens_written: Floats
    writer_params: Floats
    writer_kernels: Floats
    remembered: Floats
    family: Ints


@dataclass(frozen=True)
class SampleChips(Rows):
    """What the equations need of a system: FLOP/s, byte/s one way a chip, watts over those of the family's best.

    ``is_recent``: 1 for chips since :data:`RECENT_SINCE`. ``short_sums``: rate of products that sum in 16 bits over
    that of the data sheet; 1 in any format but FP16. ``attention``: rate of fused attention over long sequences over
    that of products, as training has it; ``plain_attention``: of kernels that frameworks bring.
    """

    n_chips: Floats
    peak_flops: Floats
    achievable: Floats
    memory_bytes_per_s: Floats
    inner_bytes_per_s: Floats
    outer_bytes_per_s: Floats
    host_bytes_per_s: Floats
    domain_chips: Floats
    is_switched: Floats
    power_share: Floats
    value_bytes: Floats
    is_recent: Floats
    short_sums: Floats
    attention: Floats
    plain_attention: Floats
    precision: Ints
    architecture: Ints

    @property
    def is_int8(self) -> Floats:
        """1 where products run in integers."""
        return np.asarray(self.precision == CLASSES.index("int8"), dtype=np.float64)

    @property
    def is_tpu(self) -> Floats:
        """1 for a TPU, which runs a step as one program."""
        return np.asarray(self.architecture == architectures().index("tpu"), dtype=np.float64)


def work_of(models: Sequence[NetworkModel]) -> SampleWork:
    """Counts as arrays, shape (n models,)."""
    rows = [
        (
            m.conv_gflops * 1e9, m.conv_channels, m.matmul_gflops * 1e9, m.attention_gflops * 1e9, m.attention_tokens,
            m.activation_millions * 1e6, m.n_kernels, m.passes, m.passes_at_once, m.once_gflops * 1e9,
            m.params_millions * 1e6, m.lookup_values, m.exchange_values, m.input_kb * 1e3,
            m.host_ms * 1e-3, m.tokens_written, m.writer_millions * 1e6, m.writer_kernels, m.remembered_millions * 1e6,
        )
        for m in models
    ]  # fmt: skip
    family = np.array([FAMILIES.index(m.family) for m in models], dtype=np.intp)
    columns = np.array(rows, dtype=np.float64).reshape(len(models), 19).T
    names = [field.name for field in fields(SampleWork)]
    return SampleWork(**dict(zip(names, [*columns, family], strict=True)))


def chips_of(systems: Sequence[System], precisions: Sequence[str], runs_in: RunsIn = as_stated) -> SampleChips:
    """Arrays of systems, each in its precision, which runs there as ``runs_in`` says."""
    keys = [(id(system.accelerator), precision) for system, precision in zip(systems, precisions, strict=True)]
    once = dict(zip(keys, (system.accelerator for system in systems), strict=True))
    known = {key: _of_chip(chip, runs_in(chip, key[1])) for key, chip in once.items()}
    of_chips = np.array([known[key] for key in keys], dtype=np.float64).reshape(len(keys), 12).T
    of_links = np.array([_of_links(system) for system in systems], dtype=np.float64).reshape(len(keys), 5).T
    peak, achievable, memory, host, power, width, is_recent, short_sums, fused, plain, precision, architecture = (
        of_chips
    )
    n_chips, inner, outer, domain, is_switched = of_links
    return SampleChips(
        n_chips=n_chips,
        peak_flops=peak,
        achievable=achievable,
        memory_bytes_per_s=memory,
        inner_bytes_per_s=inner,
        outer_bytes_per_s=outer,
        host_bytes_per_s=host,
        domain_chips=domain,
        is_switched=is_switched,
        power_share=power,
        value_bytes=width,
        is_recent=is_recent,
        short_sums=short_sums,
        attention=fused,
        plain_attention=plain,
        precision=precision.astype(np.intp),
        architecture=architecture.astype(np.intp),
    )


def _of_chip(chip: Accelerator, run: RunFormat) -> tuple[float, ...]:
    """What a chip alone decides, asked once a chip."""
    architecture = architecture_of(chip)
    return (
        max(run.peak_flops, 1.0),
        _achievable(chip),
        chip.memory_bandwidth_gbps * 1e9,
        chip.pcie_gbps * 1e9,
        _power_share(chip, architecture),
        _WIDTH_OF.get(run.stored, 2.0),
        float(chip.release_date[:4] >= RECENT_SINCE),
        short_sums_gain(chip) if run.products == "fp16" else 1.0,
        *_attention(architecture),
        _CLASS_OF.get(run.products, 1),
        architectures().index(architecture.samples),
    )


def _attention(architecture: Architecture) -> tuple[float, float]:
    """Rate of fused attention over that of products, by the vendor's kernels and by those that frameworks bring."""
    known = shipped_parameters("training")
    tuned = known[f"attention_{architecture.training}"]
    return tuned, tuned * (known["attention_plain_kernel"] if architecture.training == "hopper" else 1.0)


def _of_links(system: System) -> tuple[float, ...]:
    """Chips of a system and its links, in byte/s as taken times what the user's logs measured of them."""
    inner, domain, is_switched = _inner_link(system)
    outer = system.network_gbit_per_s / 8 * 1e9 / max(system.chips_per_host, 1)
    return (
        system.n_chips,
        inner * system.measured.inner_link,
        outer * system.measured.network,
        min(domain, system.n_chips),
        is_switched,
    )


def _achievable(chip: Accelerator) -> float:
    """Best measured 16-bit GEMM over the data sheet; 0.8, the middle of the measured ones, where none is known."""
    if chip.measured_bf16_tflops and chip.bf16_tflops:
        return chip.measured_bf16_tflops / chip.bf16_tflops
    return 0.9 if chip.kind == "tpu" else 0.8


def _power_share(chip: Accelerator, architecture: Architecture) -> float:
    """Board power over 16-bit peak, over that of its architecture's board that is limited least (data sheets)."""
    peak, full = chip.bf16_tflops or chip.fp16_tflops, architecture.full_w_per_tflops
    return min(chip.tdp_w / peak / full, 1.0) if chip.tdp_w and peak and full else 1.0


def _inner_link(system: System) -> tuple[float, float, float]:
    """Link inside the scale-up domain in byte/s, chips in the domain, and 1 for a switch or torus (0: PCIe)."""
    chip = system.accelerator
    if chip.torus_dims:
        return chip.scaleup_gbps_one_way * 1e9, float(system.n_chips), 1.0
    if chip.scaleup_domain_chips <= 2:
        return min(chip.pcie_gbps, PCIE_BETWEEN_CHIPS_GBPS) * 1e9, float(system.chips_per_host), 0.0
    reach = chip.scaleup_domain_chips if chip.scaleup_domain_chips > 16 else system.chips_per_host
    return chip.scaleup_gbps_one_way * 1e9, float(max(reach, 1)), 1.0
