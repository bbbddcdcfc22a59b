"""Time of one optimiser step for every layout of every system, with its terms."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.throughput.chips.fleet import Fleet
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.training.compute import block_s, elementwise_s, head_s, mixer_s
from core.throughput.training.exchange import (
    gradient_exchange_s,
    layer_exchange_s,
    optimizer_s,
    stage_sends_s,
    weight_gather_s,
)
from core.throughput.training.finetuning import tuned_layer_s
from core.throughput.training.layouts import Layouts, stage_layers
from core.throughput.training.rates import Rates
from core.throughput.training.work import TrainingWork

MOST_OF_PEAK = 0.95
"""Share of a data sheet's peak, which is stated at the highest clock, that nothing passes but a chip whose best product
was measured above: others reach 0.93 (FP32 on V100 and A100) and 0.946 (H20), while factors of a fit may multiply to
more where rows are few (our bound)."""
STEP_PER_DOUBLING = 0.25
"""Growth of a step's fixed time for each doubling of chips beyond 8: small reductions cross more switches."""


@dataclass(frozen=True)
class _Micro:
    """One micro-batch on one pipeline stage: forward and backward times in s, shape (n rows,)."""

    compute: Floats
    memory: Floats
    network: Floats
    overhead: Floats

    @property
    def total_s(self) -> Floats:
        """Seconds of all of it."""
        return np.asarray(self.compute + self.memory + self.network + self.overhead)


def step_terms(model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts) -> dict[str, Floats]:
    """Seconds of a step by what takes them (compute, memory, network, pipeline, input, host, overhead), shape (n rows,)
    each; their sum is the step time.

    ``step = (m + bubbles) t + gradient exchange + optimiser``, with m micro-batches (see :func:`bubbles`); stragglers
    slow all of it by a share for each doubling of chips beyond 8.
    """
    rates = within_peak(rates, fleet)
    micro = _micro_batch(model, work, fleet, rates, rows)
    n_micro = micro_batches(work, rows)
    bubble = bubbles(rows, n_micro)
    exchange = gradient_exchange_s(model, work, fleet, rates, rows, micro.compute + micro.memory)
    optimizer = optimizer_s(model, work, fleet, rates, rows)
    body = (n_micro + bubble) * micro.total_s + exchange + optimizer
    return {
        "compute": n_micro * micro.compute,
        "memory": n_micro * micro.memory + optimizer,
        "network": n_micro * micro.network + exchange,
        "pipeline": bubble * micro.total_s,
        "input": np.zeros(rows.n_rows),
        "host": np.zeros(rows.n_rows),
        "overhead": n_micro * micro.overhead + _lost_share(fleet, rates) * body + ending_s(fleet, rates),
    }


def within_peak(rates: Rates, fleet: Fleet) -> Rates:
    """The rates with products and attention below the peak that the chips have in the format of the products."""
    most = np.maximum(MOST_OF_PEAK * fleet.peak_flops, fleet.achievable_flops)
    gemm, attention = np.minimum(rates.gemm_flops, most), np.minimum(rates.attention_flops, most)
    return replace(rates, gemm_flops=gemm, attention_flops=attention)


def micro_batches(work: TrainingWork, rows: Layouts) -> Floats:
    """Micro-batches that each data rank works through in a step."""
    return np.ceil(work.global_batch / (rows.data * rows.micro_batch))


def bubbles(rows: Layouts, n_micro: Floats) -> Floats:
    """Micro-batches for which a stage stands idle in a step: ``(p - 1) / v`` with p stages and v interleaved parts
    (Narayanan et al., arXiv 2104.04473, section 2.2); of m < p micro-batches the first takes p to come through, however
    its stages are interleaved, and each other one follows a part behind: ``p - m + (m - 1) / v``."""
    filled = np.minimum(n_micro, rows.pp)
    return np.asarray(rows.pp - filled + (filled - 1.0) / rows.interleave)


def straggling_share(fleet: Fleet, rates: Rates) -> Floats:
    """What waiting for the slowest chips adds to a step, as a share of it."""
    return np.asarray(rates.straggling_per_doubling * _doublings(fleet))


def _lost_share(fleet: Fleet, rates: Rates) -> Floats:
    """What stragglers and a layout that is not quite the best add to a step, as a share of it."""
    return straggling_share(fleet, rates) + rates.unreached


def ending_s(fleet: Fleet, rates: Rates) -> Floats:
    """Seconds of a step that every step takes, whatever its work."""
    return np.asarray(rates.step_s * (1.0 + STEP_PER_DOUBLING * _doublings(fleet)))


def _doublings(fleet: Fleet) -> Floats:
    return np.log2(np.maximum(fleet.n_chips / 8.0, 1.0))


def _micro_batch(model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts) -> _Micro:
    tokens = np.asarray(rows.micro_batch * work.sequence_length / rows.cp)
    layers = stage_layers(model.n_layers, rows.pp)
    of_layer = mixer_s(model, work, rates, rows, tokens) + block_s(model, work, rates, rows, tokens)
    compute = layers * of_layer + head_s(model, work, rates, rows, tokens)
    tuned_memory_s, tuned_fixed_s = tuned_layer_s(model, work.tuning, rates, rows, tokens)
    memory = layers * (elementwise_s(model, work, rates, rows, tokens) + tuned_memory_s)
    network = layers * layer_exchange_s(model, work, fleet, rates, rows, tokens)
    weights = weight_gather_s(model, work, fleet, rates, rows, compute + memory)
    overhead = np.broadcast_to(layers * (rates.layer_s + tuned_fixed_s), compute.shape)
    sends = stage_sends_s(model, work, fleet, rows, tokens)
    return _Micro(compute, memory, network + weights + sends, overhead)
