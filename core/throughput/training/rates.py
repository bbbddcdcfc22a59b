"""Rates and overheads of a chip under a training stack: facts of the chip times the coefficients of training.json."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.catalogue.chip_families import architecture_of, chip_families
from core.catalogue.entries import Accelerator
from core.catalogue.formats import peak_of
from core.rows import Rows
from core.throughput.chips.best_product import gemm_fraction
from core.throughput.chips.fleet import Ints
from core.throughput.chips.run_formats import RunFormat, RunsIn, as_stated
from core.throughput.model_shape import Floats
from core.throughput.parameters import Parameters

Flags = NDArray[np.bool_]
FUSED_FROM_YEAR = 2022.0
"""FlashAttention appeared in 2022; stacks of before wrote the scores to memory (arXiv 2205.14135)."""
FUSED_EVERYWHERE_FROM_YEAR = 2024.0
"""Code that nobody tunes came to it with the frameworks' defaults."""
REFERENCE_YEAR = 2025.0
FOUR_BIT_SHARE = 0.7
"""Products that a four-bit recipe runs in four bits; the rest stay in eight or more (NVIDIA's NVFP4 recipe)."""


IN_TURN_FROM_YEAR = 2024.85
"""Pipelines run the exchange of one micro-batch beside the products of another since DualPipe (DeepSeek-V3, arXiv
2412.19437, December 2024); Megatron took it up in 2025."""
SHOWN_IN_TURN = 0.15
"""Share of it that shows then: what collectives over links take of the products (15 % in Calculon's model)."""
EXPERT_JUMP = 2025.85
"""From this release on (May 2026) expert kernels of Megatron run as one graph, without waiting for the processor."""
WITH_EXPERT_JUMP = ("hopper", "blackwell")


@dataclass(frozen=True)
class StackOfRun(Rows):
    """The software of a run, one for all systems or an array a row: class of the training stack and when it appeared.

    ``is_searched``: 1 where the layout is the engine's, not one that somebody ran.
    """

    names: Sequence[str]
    year: Floats
    is_searched: Floats = field(default_factory=lambda: np.zeros(1))


def architectures() -> tuple[str, ...]:
    """Architectures with coefficients of training of their own."""
    return chip_families().coefficients["training"]


@dataclass(frozen=True)
class ChipFacts(Rows):
    """Facts of chips for one precision, shape (n,); ``architecture`` points into :func:`architectures`.

    ``fraction``: best matrix product over data-sheet peak, measured or transferred; ``wave``: elements of the output
    that all processors of the chip compute at once; ``is_joined``: 1 where the processor shares memory with the chip.
    """

    architecture: Ints
    precision: Ints
    peak_flops: Floats
    fraction: Floats
    memory_bytes_per_s: Floats
    is_tpu: Floats
    tile: Floats
    is_joined: Floats


PRECISIONS = ("bf16", "fp16", "fp8", "fp4", "int8", "tf32", "fp32", "int4")


def facts_of(
    chips: Sequence[Accelerator], precisions: Sequence[str], known: Parameters, runs_in: RunsIn = as_stated
) -> ChipFacts:
    """Facts of each chip in a precision of its own, which runs there as ``runs_in`` says."""
    rows = [_facts(chip, runs_in(chip, precision), known) for chip, precision in zip(chips, precisions, strict=True)]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return ChipFacts(columns[0].astype(np.intp), columns[1].astype(np.intp), *columns[2:])


def _facts(chip: Accelerator, run: RunFormat, known: Parameters) -> tuple[float, ...]:
    used, peak = run.products, run.peak_flops
    if used == "fp4" and peak:
        eight = peak_of(chip, "fp8") or peak / 2.0  # as on chips whose data sheets state both
        peak = 1.0 / (FOUR_BIT_SHARE / peak + (1.0 - FOUR_BIT_SHARE) / eight)
    return (
        architectures().index(architecture_of(chip).training),
        PRECISIONS.index(used),
        max(peak, 1.0),
        gemm_fraction(chip, used, known["power_exponent"]),
        chip.memory_bandwidth_gbps * 1e9,
        float(chip.kind == "tpu"),
        float(chip.matrix_tile),
        float(chip.id in architecture_of(chip).superchips),
    )


@dataclass(frozen=True)
class Rates(Rows):
    """What the equations of a training step take, arrays that broadcast with rows of layouts.

    ``gemm_flops``: rate of large products, FLOP/s; ``attention_flops``: of fused attention with long sequences;
    ``memory_bytes_per_s``: reached bandwidth; ``wave``: elements of output computed at once; ``kernel_s``: fixed time
    of a product; ``layer_s``: of a layer's other kernels, forward and backward; ``expert_layer_s``: of routing;
    ``elementwise``: traffic over that of fused kernels; ``unfused``: 1 where scores pass through memory;
    ``cast_values``: values moved for each input of a narrow product; ``permute_values``, ``grouped_share``,
    ``imbalance_per_doubling``, ``group_half`` (width at which their products reach half of the rate): of experts;
    ``straggling_per_doubling``: of chips beyond eight; ``scan_values``: moved
    by a state-space layer; ``tensor_exposed``: share of tensor-parallel traffic that shows; ``step_s``: fixed time of
    a step; ``recomputed``: share of the forward work that full recompute repeats; ``gather_slowdown``: share of
    its own rate that compute loses while weights are gathered or gradients exchanged beside it; ``unreached``: what a
    step takes longer than the best layout promises, where nobody ran it, as a share; ``expert_exposed``: share of the
    exchange of experts that shows, ``expert_exposed_in_turn`` in a pipeline; ``fused_experts``: cost of gated experts
    over that of kernels that are not fused.
    """

    gemm_flops: Floats
    attention_flops: Floats
    memory_bytes_per_s: Floats
    wave: Floats
    tile: Floats
    kernel_s: Floats
    layer_s: Floats
    expert_layer_s: Floats
    elementwise: Floats
    unfused: Floats
    cast_values: Floats
    permute_values: Floats
    grouped_share: Floats
    imbalance_per_doubling: Floats
    straggling_per_doubling: Floats
    scan_values: Floats
    step_s: Floats
    recomputed: Floats
    tensor_exposed: Floats
    gather_slowdown: Floats
    unreached: Floats
    group_half: Floats
    expert_exposed: Floats
    expert_exposed_in_turn: Floats
    fused_experts: Floats


def rates_of(facts: ChipFacts, stack: StackOfRun, known: Parameters) -> Rates:
    """Rates of each system (or row) under its stack, shape (n,) each.

    ``gemm = peak x measured fraction x share of the stack``, the share being a product of factors of architecture,
    precision, stack and year, each written as a natural logarithm.
    """
    run = _Run(facts, stack, known)
    gemm = facts.peak_flops * facts.fraction * np.exp(run.ln_speed()) * run.of_team()
    return Rates(
        gemm_flops=gemm,
        attention_flops=run.attention_share() * gemm / np.exp(run.of_precision),
        memory_bytes_per_s=facts.memory_bytes_per_s * run.gpu_or_tpu("hbm_share") * run.of_team(),
        wave=np.where(run.is_tpu, 0.0, known["wave_mi"] * 2**20 * run.size()),
        tile=np.where(run.is_tpu, facts.tile, 64.0),
        kernel_s=run.gpu_or_tpu("kernel_us") * 1e-6,
        layer_s=run.by_stack("layer_us") * 1e-6,
        expert_layer_s=run.expert_layer_us() * 1e-6,
        elementwise=run.elementwise(),
        unfused=run.unfused(),
        cast_values=np.where((run.narrowness > 1.0) | run.is_cast_apart(), known["cast_values"], 0.0),
        permute_values=run.gpu_or_tpu("permute_values") * run.expert_progress(),
        grouped_share=run.grouped_share() / run.expert_progress(),
        imbalance_per_doubling=run.all("imbalance_per_doubling"),
        straggling_per_doubling=run.gpu_or_tpu("straggling_per_doubling"),
        scan_values=run.all("scan_values"),
        tensor_exposed=run.by_stack("tensor_exposed"),
        recomputed=run.gpu_or_tpu("recomputed"),
        step_s=run.gpu_or_tpu("step_ms") * 1e-3,
        gather_slowdown=run.gpu_or_tpu("gather_slowdown"),
        group_half=run.all("group_half_width"),
        expert_exposed=run.all("expert_exposed"),
        expert_exposed_in_turn=run.expert_exposed_in_turn(),
        fused_experts=run.fused_experts(),
        unreached=run.gpu_or_tpu("unreached") * run.is_searched,
    )


class _Run:
    """Look-ups of coefficients by chip and stack, each of shape (n,)."""

    def __init__(self, facts: ChipFacts, stack: StackOfRun, known: Parameters) -> None:
        n = len(facts.peak_flops)
        self._facts, self._known = facts, known
        self._names = np.broadcast_to(np.array(list(stack.names)), (n,))
        self._year = np.broadcast_to(stack.year, (n,))
        self.is_searched = stack.is_searched
        self.is_tpu = facts.is_tpu > 0
        # Of GPU code a class says nothing about a TPU: a team that tunes so there reaches what teams do.
        self.is_team = np.where(self.is_tpu, self._names != "vendor", self._names == "team")
        self._software = np.where(self.is_team, "vendor", self._names)
        self.is_old = self._names == "megatron_2021"
        bits = np.array([_NARROWNESS[name] for name in PRECISIONS])
        self.narrowness = bits[facts.precision]
        self.of_precision = self._by_precision()

    def all(self, name: str) -> Floats:
        return np.full(len(self._names), self._known[name])

    def gpu_or_tpu(self, name: str) -> Floats:
        return np.where(self.is_tpu, self._known[f"{name}_tpu"], self._known[f"{name}_gpu"])

    def by_stack(self, name: str) -> Floats:
        """A coefficient of each class of stack; TPUs have one of their own, teams use their vendor's software."""
        values = np.zeros(len(self._names))
        for stack in STACKS:
            values = np.where(self._software == stack, self._known[f"{name}_{stack}"], values)
        return np.where(self.is_tpu, self._known[f"{name}_tpu"], values)

    def of_team(self) -> Floats:
        """Speed that a team's own set-up reaches over the vendor's recipe for the model and chip."""
        return np.where(self.is_team, np.exp(self._known["ln_team"]), 1.0)

    def ln_speed(self) -> Floats:
        offsets = np.array([self._known[f"ln_gemm_{name}"] for name in architectures()])[self._facts.architecture]
        return np.asarray(offsets + self.of_precision + self.by_stack("ln_stack") + self._ln_progress())

    def _ln_progress(self) -> Floats:
        own = np.where(self.is_tpu | (self._software == "vendor"), 1.0, self._known["untuned_progress"])
        before = own * np.minimum(self._year - REFERENCE_YEAR, 0.0)
        after = np.clip(self._year - REFERENCE_YEAR, 0.0, 2.0)
        return np.asarray(before * self.gpu_or_tpu("ln_per_year_before") + after * self.gpu_or_tpu("ln_per_year_after"))

    def elementwise(self) -> Floats:
        """Traffic over that of fused kernels; untuned code moved more before 2023 and is as eager code from 2025 on."""
        own, eager = self.by_stack("elementwise"), self._known["elementwise_fsdp_eager"]
        aged = np.clip((REFERENCE_YEAR - self._year) / 2.0, 0.0, 1.0)
        return np.where((self._names == "unknown") & ~self.is_tpu, own * aged + eager * (1.0 - aged), own)

    def expert_progress(self) -> Floats:
        """Cost of expert kernels over that of the reference year."""
        slope = self.gpu_or_tpu("ln_expert_per_year") * np.clip(self._year - REFERENCE_YEAR, -2.0, 2.0)
        return np.exp(-slope)

    def fused_experts(self) -> Floats:
        """Cost of gated experts over that of before the release that fused them, in formats below sixteen bits."""
        has_it = self._tuned_on(WITH_EXPERT_JUMP) & (self.narrowness > 1.0) & (self._year >= EXPERT_JUMP)
        return np.asarray(np.exp(-self._known["ln_expert_jump"] * has_it))

    def expert_exposed_in_turn(self) -> Floats:
        """Share of the exchange that shows where a rank has micro-batches in turn."""
        hides = self._tuned_on(WITH_EXPERT_JUMP) & (self._year >= IN_TURN_FROM_YEAR)
        return np.where(hides, SHOWN_IN_TURN, self._known["expert_exposed"])

    def _tuned_on(self, names: Sequence[str]) -> Flags:
        """True for a vendor's software on chips of some architectures."""
        chips = [architectures().index(name) for name in names]
        return np.asarray(np.isin(self._facts.architecture, chips) & (self._software == "vendor"), dtype=np.bool_)

    def grouped_share(self) -> Floats:
        """Rate of grouped products over large ones: lower in narrow formats, whose small inputs are scaled and padded.

        Libraries of AMD came later to them than those of NVIDIA.
        """
        names = np.array(architectures())[self._facts.architecture]
        own = np.where(np.char.startswith(names, "cdna"), self._known["grouped_share_amd"], 1.0)
        wide = self.gpu_or_tpu("grouped_share") * own
        return np.asarray(wide * np.maximum(self.narrowness, 1.0) ** -self._known["narrow_groups"])

    def expert_layer_us(self) -> Floats:
        """Routing of a layer, and what the processor of a host of its own takes to start its many small kernels."""
        apart = np.where((self._facts.is_joined > 0) | self.is_tpu, 0.0, self._known["expert_host_us"])
        return (self.gpu_or_tpu("expert_layer_us") + apart) * self.expert_progress()

    def _by_precision(self) -> Floats:
        on_gpu = np.array([self._known[f"ln_{name}_gpu"] for name in PRECISIONS])[self._facts.precision]
        on_tpu = np.array([self._known[f"ln_{name}_tpu"] for name in PRECISIONS])[self._facts.precision]
        return np.where(self.is_tpu, on_tpu, on_gpu)

    def attention_share(self) -> Floats:
        """Rate of attention over that of sixteen-bit products; one for each generation, and for older kernels."""
        tuned = np.array([self._known[f"attention_{name}"] for name in architectures()])[self._facts.architecture]
        plain = np.where(np.char.startswith(self._names, "fsdp"), self._known["attention_plain_kernel"], 1.0)
        hopper = self._facts.architecture == architectures().index("hopper")
        share = np.where(self.unfused() > 0, self._known["attention_unfused"], tuned * np.where(hopper, plain, 1.0))
        return np.asarray(share / self.narrowness)

    def is_cast_apart(self) -> Flags:
        """True for code of before fusion in mixed precision: kernels of their own cast the inputs of every product."""
        untuned = (self._names == "unknown") & (self._year < FUSED_EVERYWHERE_FROM_YEAR) & ~self.is_tpu
        return np.asarray(untuned & (self.narrowness == 1.0), dtype=np.bool_)

    def size(self) -> Floats:
        """Processors of a chip over those of a large one: about the square root of its peak, up to an A100's."""
        return np.asarray(np.sqrt(np.minimum(self._facts.peak_flops / self.narrowness / 312e12, 1.0)))

    def unfused(self) -> Floats:
        """1 where scores are written to memory: stacks of before fused attention, and chips without such kernels."""
        volta = self._facts.architecture == architectures().index("volta")
        untuned = (self._names == "unknown") & (self._year < FUSED_EVERYWHERE_FROM_YEAR)
        before = (self._year < FUSED_FROM_YEAR) | untuned | self.is_old | volta
        return np.where(before & ~self.is_tpu, 1.0, 0.0)


STACKS = ("vendor", "fsdp_compiled", "fsdp_eager", "megatron_2021", "unknown")
_NARROWNESS = {
    "bf16": 1.0, "fp16": 1.0, "fp8": 2.0, "fp4": 4.0, "int8": 2.0, "tf32": 0.5, "fp32": 0.5, "int4": 1.0,
}  # fmt: skip
"""Peak over that of sixteen bits on the same chip: attention stays in sixteen."""
