"""Time of one step of fixed-shape work on one chip, term by term, for any number of rows at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.constants import BYTES_PER_WIDE_VALUE, NETWORK_OPTIMIZER_TRAFFIC_BYTES_PER_PARAM
from core.throughput.parameters import Parameters
from core.throughput.samples.quantities import (
    CLASSES,
    FAMILIES,
    STACKS,
    Flags,
    Floats,
    Ints,
    SampleChips,
    SampleWork,
    architectures,
)

BACKWARD = 2.0
"""FLOPs of the backward pass over those of the forward pass, for convolutions and matrix products."""
ATTENTION_BACKWARD = 2.5
"""The same for fused attention, which computes its scores again (Dao, arXiv 2307.08691, section 3.1.2)."""
ATTENTION_HALF_TOKENS = 2048.0
"""Tokens at which fused attention is half way from its share of short sequences to that of long ones (ibid.)."""
BACKWARD_LAUNCHES = 0.5
"""Host work of the backward pass over that of the forward pass: a compiled engine replays the graph."""
TABLE_PASSES = 3.0
"""A looked-up value is read, then read and written by its update."""
REFERENCE_YEAR = 2024


@dataclass(frozen=True)
class SampleRun:
    """How the work is run: samples on a chip at once, 1.0 for training, the stack's index, the software's year."""

    batch: Floats
    is_training: Floats
    stack: Ints
    year: Floats
    is_server: Floats


def step_terms(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> dict[str, Floats]:
    """Seconds of one step (all ``passes`` of a batch), by term, shape (n rows,); the terms add up.

    ``t = (compute^q + memory^q)^(1/q) + kernels x gap``, at least the host's time to launch the kernels and to send
    the input; then the tokens that are written one by one (:func:`written_terms`), exposed communication and the
    waiting of many chips for the slowest. Rooflines per class of operation: Williams et al., CACM 52(4), 2009.
    """
    compute = _compute_s(work, chips, run, known)
    memory = _memory_s(work, chips, run, known)
    gap = work.n_kernels * _rounds(work, run) * _gap_s(chips, run, known)
    busy = _together(compute, memory, known["overlap_power"])
    share = busy / np.maximum(compute + memory, 1e-30)
    device = busy + gap
    launch = np.maximum(_launch_s(work, chips, run, known) - device, 0.0)
    written = written_terms(work, chips, run, known)
    at_work = device + sum(written.values())
    network = _network_s(work, chips, run, known)
    waiting = _waiting_s(chips, run, known, device)
    terms = {
        "compute": compute * share, "memory": memory * share, "network": network, "host": launch,
        "overhead": gap + waiting,
    }  # fmt: skip
    terms = {name: value + written.get(name, 0.0) for name, value in terms.items()}
    in_share = _server_shares(work, chips, run, known)
    fed_s = run.batch * _fed_s(work, chips, run, known) / in_share.of_hosts
    slower = 1.0 / in_share.of_chips
    told = {name: value * slower for name, value in terms.items()} | {
        "input": np.maximum(fed_s - at_work * slower, 0.0)
    }
    return {name: np.asarray(told[name]) for name in TERMS}


TERMS = ("compute", "memory", "network", "input", "host", "overhead")
"""What :func:`step_terms` tells, in this order."""


def _fed_s(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Seconds in which the host gets a sample ready, where that is not done ahead, and sends it."""
    sent_s = work.input_bytes / (chips.host_bytes_per_s * known["host_link"])
    return np.asarray(sent_s + work.host_s * (1.0 - run.is_training))


def written_terms(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> dict[str, Floats]:
    """Seconds by term of ``N`` tokens written one after the other by all samples of a batch, shape (n rows,).

    ``N max((c^q + m^q)^(1/q) + kernels x gap, kernels x launch)`` with ``c = 2 B P / rate`` and
    ``m = (P w + B C w16) / bandwidth``: P weights of w bytes are read once for the batch B, C remembered values for
    each of its samples. A token waits for the one before, so that launches hide behind no other work. Training reads
    the written answer at once: its products count with the others. No terms where no row writes.
    """
    each = np.where(run.is_training > 0, 0.0, work.tokens_written)
    if not each.any():
        return {}
    compute = run.batch * 2.0 * work.writer_params / known["matmul"] / _product_rate(chips, run, known)
    values = run.batch * work.remembered * np.maximum(chips.value_bytes, 2.0)
    memory = (work.writer_params * chips.value_bytes + values) / _bandwidth(chips, known)
    busy = _together(compute, memory, known["overlap_power"])
    gap = work.writer_kernels * _gap_s(chips, run, known)
    launch = np.maximum(work.writer_kernels * _kernel_launch_s(chips, run, known) - busy - gap, 0.0)
    share = each * busy / np.maximum(compute + memory, 1e-30)
    return {"compute": compute * share, "memory": memory * share, "overhead": each * gap, "host": each * launch}


def samples_per_s(terms: dict[str, Floats], run: SampleRun, chips: SampleChips) -> Floats:
    """Samples a second of the whole system: every chip finishes its batch in the same step."""
    return np.asarray(chips.n_chips * run.batch / np.sum(list(terms.values()), axis=0))


@dataclass(frozen=True, slots=True)
class _Shares:
    """Throughput under a latency limit over offline throughput, of chips and of the hosts that feed them."""

    of_chips: Floats
    of_hosts: Floats


def _server_shares(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> _Shares:
    """What a host gets ready a second does not depend on the chip that it waits for."""
    is_server = run.is_server > 0
    of_family = np.array([known[f"server_{name}"] for name in FAMILIES])[work.family]
    of_chips = np.where(is_server, server_share(work.family, chips, known), 1.0)
    return _Shares(of_chips, np.where(is_server, of_family, 1.0))


def server_share(family: Ints, chips: SampleChips, known: Parameters) -> Floats:
    """Throughput under a latency limit over offline throughput, by family.

    Boards of the Ada family lose less: offline work drives them into their power limit, uneven requests do not.
    """
    is_ada = chips.architecture == architectures().index("ada")
    shares = np.array([known[f"server_{name}"] for name in FAMILIES])[family]
    return np.asarray(shares * np.where(is_ada, known["server_gain_ada"], 1.0))


def _passes(work: SampleWork, run: SampleRun) -> Floats:
    """Forward passes of a sample: all denoising passes when answering, one when training."""
    return np.asarray(np.where(run.is_training > 0, 1.0, work.passes))


def _rounds(work: SampleWork, run: SampleRun) -> Floats:
    """Times that all kernels are launched: passes that are computed side by side share them."""
    return np.asarray(np.maximum(_passes(work, run) / work.passes_at_once, 1.0))


def _of(table: tuple[str, ...], prefix: str, index: Ints, known: Parameters) -> Floats:
    return np.array([known[f"{prefix}_{name}"] for name in table])[index]


def _compute_s(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Matrix units: each class of operation at its own share of the best GEMM, less on power-limited boards.

    A U-Net keeps a share of its layers in 16 bits at half the rate, a denoiser of transformer blocks none; diffusion so
    keeps its attention scores beside int8; encoders have eight-bit attention of short sequences (submitted engines).
    """
    rate = _product_rate(chips, run, known)
    filled = work.conv_channels / (work.conv_channels + known["channels_half"])
    conv = known["conv"] * np.where(_is_wide(chips), 1.0, filled)
    all_passes = 1.0 + BACKWARD * run.is_training
    is_diffusion = work.family == FAMILIES.index("diffusion")
    scores = (1.0 + ATTENTION_BACKWARD * run.is_training) * np.where(is_diffusion & (chips.is_int8 > 0), 2.0, 1.0)
    is_unet = is_diffusion & (work.conv_flops > 0)
    wider = 1.0 + (1.0 - known["quantised_diffusion"]) * (is_unet & (chips.value_bytes == 1.0))
    written = run.is_training * 2.0 * work.tokens_written * work.writer_params
    flops = all_passes * wider * (work.conv_flops / conv + (work.matmul_flops + written) / known["matmul"])
    flops = flops + scores * work.attention_flops / attention_share(work, chips, run, known)
    once = work.once_flops * (1.0 - run.is_training) / known["conv"]
    return np.asarray(run.batch * (flops * _passes(work, run) + once) / rate)


def _product_rate(chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """FLOP/s of the best product of each chip in its precision.

    What the matrix units of an architecture reach, and what limits their power, says nothing of 32-bit products outside
    them: those reach one share of their own peak everywhere. Fused engines sum FP16 in 16 bits, which GeForce cards run
    faster; frameworks sum in 32.
    """
    units = chips.achievable * _of(architectures(), "compute", chips.architecture, known)
    units = np.where(_is_wide(chips), 1.0, units)
    units = units * chips.power_share ** known["power_exponent"]
    units = units * np.where(run.stack == STACKS.index("vendor"), chips.short_sums, 1.0)
    return np.asarray(chips.peak_flops * units * _of(CLASSES, "rate", chips.precision, known))


def _bandwidth(chips: SampleChips, known: Parameters) -> Floats:
    """Byte/s that streaming reaches."""
    return np.asarray(chips.memory_bytes_per_s * _of(architectures(), "memory", chips.architecture, known))


def attention_share(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Share of the best product that attention reaches over T tokens: ``a + (m r - a) T / (T + T_half)``.

    Scores of short sequences are unfused or too small for the units; long ones are fused and run at r times the rate m
    of products, as in training (Dao, arXiv 2307.08691, figure 4: 0.25 of the peak at 512 tokens to 0.7 at 16,384 on an
    A100). Outside the matrix units scores are products like any.
    """
    fused = known["matmul"] * np.where(run.stack == STACKS.index("vendor"), chips.attention, chips.plain_attention)
    long = work.attention_tokens / (work.attention_tokens + ATTENTION_HALF_TOKENS)
    share = known["attention"] + (fused - known["attention"]) * long
    return np.where(_is_wide(chips), known["matmul"], share)


def _is_wide(chips: SampleChips) -> Flags:
    """True where products of 32 bits run outside the matrix units."""
    return np.asarray(chips.precision == CLASSES.index("wide"), dtype=np.bool_)


def _memory_s(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Elementwise traffic, weights and optimiser state, and gathered table values, at the bandwidth reached."""
    rate = _bandwidth(chips, known)
    answering = np.array([known[f"traffic_{name}"] for name in STACKS])[run.stack]
    unfused = answering / known["traffic_vendor"]
    by_conv = work.conv_flops / np.maximum(work.conv_flops + work.matmul_flops, 1.0)
    training = by_conv * known["traffic_training"] + (1.0 - by_conv) * known["traffic_training_matmul"]
    training = training * (1.0 + (unfused - 1.0) * known["unfused_training"])
    passes = np.where(run.is_training > 0, training, answering)
    activations = run.batch * work.values * _value_bytes(work, chips) * passes
    weights = np.where(
        run.is_training > 0,
        work.dense_params * NETWORK_OPTIMIZER_TRAFFIC_BYTES_PER_PARAM,
        np.maximum(work.dense_params - work.writer_params, 0.0) * chips.value_bytes,
    )
    updates = run.is_training * np.where(work.family == FAMILIES.index("recommender"), TABLE_PASSES - 1.0, 0.0)
    gathered = run.batch * work.lookup_values * BYTES_PER_WIDE_VALUE * (1.0 + updates)
    streamed = activations * _passes(work, run) + weights * _rounds(work, run)
    return np.asarray((streamed + gathered / known["gather"]) / rate)


def _value_bytes(work: SampleWork, chips: SampleChips) -> Floats:
    """Bytes of an activation: convolution nets keep them in the precision computed in, others in 16 bits at least."""
    keeps = work.family == FAMILIES.index("vision")
    return np.asarray(np.where(keeps, chips.value_bytes, np.maximum(chips.value_bytes, 2.0)))


def _together(compute: Floats, memory: Floats, power: float) -> Floats:
    """Two kinds of work that overlap in part: 1 adds them, large takes the longer one."""
    return np.asarray((compute**power + memory**power) ** (1.0 / power))


def _gap_s(chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Idle time of the chip between two kernels; training launches three kernels a layer."""
    fused = np.array([known[f"fused_{name}"] for name in STACKS])[run.stack]
    gap_us = np.where(run.is_training > 0, known["gap_us"], known["gap_us_answering"])
    gap_us = np.where(chips.is_tpu > 0, known["gap_us_tpu"], gap_us)
    return np.asarray(1e-6 * gap_us * fused * (1.0 + 2.0 * run.is_training))


def _launch_s(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Time of the host to launch the kernels of a step, which only small batches feel."""
    kernels = work.n_kernels * _rounds(work, run) * (1.0 + BACKWARD_LAUNCHES * run.is_training)
    return np.asarray(kernels * _kernel_launch_s(chips, run, known))


def _kernel_launch_s(chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Time of the host to launch one kernel: more in earlier years and beside earlier chips."""
    us = np.array([known[f"launch_us_{name}"] for name in STACKS])[run.stack]
    us = us * (1.0 + known["launch_growth_a_year"]) ** (REFERENCE_YEAR - run.year)
    return np.asarray(1e-6 * us * np.where(chips.is_recent > 0, known["launch_recent"], 1.0))


def _network_s(work: SampleWork, chips: SampleChips, run: SampleRun, known: Parameters) -> Floats:
    """Exposed all-reduce of gradients, in the domain then between domains, and the exchange of table values.

    Ring: ``2 M (n - 1) / (n W)`` for M bytes over links of W byte/s; between g-chip domains each chip carries M / g.
    All-to-all: ``m (n - 1) / (n W)`` for m bytes a chip (Thakur et al., IJHPCA 19(1), 2005).
    """
    inside, domains = chips.domain_chips, np.ceil(chips.n_chips / chips.domain_chips)
    inner = chips.inner_bytes_per_s * np.where(chips.is_switched > 0, known["inner_link"], known["pcie_link"])
    outer = chips.outer_bytes_per_s * known["outer_link"]
    gradient = work.dense_params * np.minimum(chips.value_bytes, 2.0)
    reduce_s = 2.0 * gradient * ((inside - 1) / inside / inner + (domains - 1) / domains / inside / outer)
    exposed = known["reduce_exposed"] * run.is_training * reduce_s
    payload = (
        run.batch
        * _passes(work, run)
        * work.exchange_values
        * np.maximum(chips.value_bytes, 2.0)
        * (1.0 + run.is_training)
    )
    away = (chips.n_chips - inside) / chips.n_chips
    exchange = payload * ((inside - 1) / inside * (1.0 - away) / inner + away / outer)
    return np.asarray(exposed + exchange / known["exchange_link"])


def _waiting_s(chips: SampleChips, run: SampleRun, known: Parameters, device: Floats) -> Floats:
    """Synchronisation of training: a latency and a share of the step for each doubling of the chips."""
    doublings = np.log2(chips.n_chips)
    return np.asarray(run.is_training * doublings * (1e-6 * known["sync_us"] + known["straggle"] * device))
