"""What fine-tuning asks of memory and time beside plain training, as numbers for one job or arrays over rows."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from core.constants import BYTES_PER_NARROW_VALUE, BYTES_PER_WIDE_VALUE
from core.rows import Rows
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.training.layouts import Layouts
from core.throughput.training.rates import Rates
from core.throughput.transformer_work import adapted_widths, trained_params
from core.workload.jobs.training import FineTuning

BYTES_PER_FROZEN_WEIGHT = {"nf4": 0.5625, "nf4_double": 0.5159, "int4": 0.5195, "int8": 1.0195}
"""A weight of a layer's products, scales included: NF4 with 32 bits a block of 64, or 8.25 once these are quantised
again (QLoRA, arXiv 2305.14314, section 3); integers with a scale and a zero a group of 128 (GPTQ, AutoGPTQ)."""
_UNPACKED_BY = {"nf4": "nf4", "nf4_double": "nf4", "int4": "int4", "int8": "int8"}
EIGHT_BIT_STATE_BYTES = 2.03
"""Two moments in a byte each with 32 bits a block of 2,048 or 256 (Dettmers et al., arXiv 2110.02861)."""
PASSES_OF_STEP = 3.0
OF_COPIES = 0.5
"""Bytes of a trained copy of an embedding, its gradient and states, in 16 bits as it was loaded, over an adapter's."""


@dataclass(frozen=True)
class TuningFacts(Rows):
    """Numbers of a job without coefficients, shape () or (n rows,); flags are 0 or 1.

    ``frozen_bytes``: of a frozen weight in the layers' products, 0 where all are trained; ``residual_bytes``: of a
    value that passes from layer to layer; ``trained``: adapters' weights, and half of those of trained copies, which
    are half as wide; ``ends``: inputs and outputs of the products of a layer that have adapters, ``products`` how many
    these are; bytes a trained weight of itself, its gradient, its states, and what the optimiser's step makes for a
    moment; ``paged_bytes`` more of its states, which lie in host memory where chips are full.
    """

    trains_all: Floats
    is_fused: Floats
    has_fused_loss: Floats
    is_nf4: Floats
    is_int4: Floats
    is_int8: Floats
    frozen_bytes: Floats
    residual_bytes: Floats
    trained: Floats
    ends: Floats
    products: Floats
    weight_bytes: Floats
    gradient_bytes: Floats
    state_bytes: Floats
    paged_bytes: Floats
    step_bytes: Floats
    states_on_chip: Floats
    weights_on_chip: Floats

    @property
    def is_packed(self) -> Floats:
        """1 where frozen weights are kept in few bits."""
        return np.asarray(self.is_nf4 + self.is_int4 + self.is_int8)


def facts_of_tuning(model: ModelShape, job: FineTuning) -> TuningFacts:
    """The numbers of one job on one model, every one of shape ()."""
    packed = frozen_format(job)
    copied = model.embedding_params if job.trains_embeddings else 0.0
    unpacked_by = _UNPACKED_BY[job.frozen_weights] if job.is_packed else ""
    ends, products = adapted_widths(model, job.adapters_on) if job.has_adapters else (0.0, 0.0)
    numbers = (
        job.trains_all,
        job.kernels != "framework",
        job.kernels == "fused_loss",
        unpacked_by == "nf4",
        unpacked_by == "int4",
        unpacked_by == "int8",
        0.0 if job.trains_all else BYTES_PER_FROZEN_WEIGHT.get(packed, _width(job)),
        4.0 if unpacked_by == "nf4" and job.kernels == "framework" else 2.0,
        0.0 if job.trains_all else trained_params(model, job) - (1.0 - OF_COPIES) * copied,
        ends,
        products,
        *_state_bytes(job),
        job.offload == "none",
        job.offload != "all",
    )
    return TuningFacts(*(np.asarray(float(number)) for number in numbers))


def frozen_format(job: FineTuning) -> str:
    """In what the frozen weights are kept; empty for sixteen bits.

    Precision "int4" says the same of LoRA, whose products then pay the unpacking by their rate.
    """
    if job.is_packed:
        return job.frozen_weights
    return "int4" if job.has_adapters and job.precision == "int4" else ""


def least_bytes_per_param(job: FineTuning) -> float:
    """Bytes that a chip holds at least for each weight of the model, for choosing numbers of chips to predict."""
    if job.offload == "all":
        return 0.0
    if job.has_adapters:
        return BYTES_PER_FROZEN_WEIGHT.get(frozen_format(job), _width(job))
    weight, gradient, state, *_ = _state_bytes(job)
    return weight + gradient + (state if job.offload == "none" else 0.0)


def _state_bytes(job: FineTuning) -> tuple[float, float, float, float, float]:
    """Bytes of a trained weight, its gradient, states that stay and that page, and what a step makes for a moment.

    A paged optimiser keeps its moments in memory that the driver moves (QLoRA, arXiv 2305.14314, section 3); a master
    copy is no part of it (bitsandbytes ``get_paged`` holds states alone).
    Adapters stay in fp32 beside their frozen weights. Without a master copy all are in sixteen bits; AdamW then makes
    the roots of all second moments at once (``foreach`` of PyTorch): 10 bytes a weight, as IBM's runs show.
    """
    wide = job.has_adapters
    width = 4.0 if wide else _width(job)
    gradient = 4.0 if wide or job.master_weights == "fp32" else 2.0
    master = 0.0 if wide or job.master_weights == "none" else 4.0
    moment = 4.0 if wide or job.master_weights == "fp32" else 2.0
    moments = {"adamw": 2.0 * moment, "sgd": 0.0}.get(job.optimizer, EIGHT_BIT_STATE_BYTES)
    is_at_once = job.optimizer == "adamw" and not wide and job.master_weights == "none"
    paged = moments if job.is_paged else 0.0
    return width, gradient, master + moments - paged, paged, 2.0 if is_at_once else 0.0


def _width(job: FineTuning) -> float:
    """Bytes of a weight that is in no narrow format."""
    return BYTES_PER_WIDE_VALUE if job.precision in ("fp32", "tf32") else BYTES_PER_NARROW_VALUE


def facts_of_many(every: list[TuningFacts]) -> TuningFacts:
    """Many jobs as one, every number of shape (n rows,)."""
    names = [field.name for field in fields(TuningFacts)]
    return TuningFacts(**{name: np.array([float(getattr(one, name)) for one in every]) for name in names})


@dataclass(frozen=True)
class TuningWork(Rows):
    """What fine-tuning adds to a step's time, shape () or (n rows,).

    ``layer_bytes``: moved by adapters for a token and layer in one pass, ``eager_bytes`` besides where nothing is
    fused; ``layer_s``: their kernels' fixed time of a
    layer and micro-batch, three passes; ``unpack_bytes``: memory traffic that takes as long as unpacking the frozen
    weights of a layer once; ``traffic``: elementwise traffic over the framework's; ``ln_speed``: of products;
    ``micro_s``: fixed time of a micro-batch; ``shard_layer_s``: of a layer that full sharding gathers;
    ``eager_layer_s``: fixed time of a layer's plain kernels in the eager software for which these times stand.
    """

    layer_bytes: Floats
    eager_bytes: Floats
    layer_s: Floats
    unpack_bytes: Floats
    traffic: Floats
    ln_speed: Floats
    micro_s: Floats
    shard_layer_s: Floats
    eager_layer_s: Floats


def tuning_work(model: ModelShape, facts: TuningFacts, known: Parameters) -> TuningWork:
    """Adapters move ``c (d_in + d_out)`` values of two bytes a product: casts, dropout, scaling and the sum.

    Unpacking reads ``b`` bytes a weight, writes two and the product reads two again, at a share of the bandwidth.
    """
    fused = facts.is_fused > 0
    share = np.select(
        [facts.is_nf4 > 0, facts.is_int4 > 0], [known["unpack_share_nf4"], known["unpack_share_int4"]],
        known["unpack_share_int8"],
    )  # fmt: skip
    frozen = (model.n_params - model.embedding_params) / model.n_layers
    return TuningWork(
        layer_bytes=2.0 * known["adapter_values_fused"] * facts.ends,
        eager_bytes=np.where(fused, 0.0, 2.0 * (known["adapter_values"] - known["adapter_values_fused"]) * facts.ends),
        layer_s=np.asarray(facts.products * known["adapter_us"] * 1e-6 + _experts_s(model, facts, known)),
        unpack_bytes=np.asarray(facts.is_packed * frozen * (facts.frozen_bytes + 4.0) / share),
        traffic=np.where(fused, known["fused_traffic"], 1.0),
        ln_speed=np.asarray(known["ln_speed"] + 0.0 * facts.is_fused),
        micro_s=np.asarray(known["micro_ms"] * 1e-3 + 0.0 * facts.is_fused),
        shard_layer_s=np.asarray(known["shard_layer_us"] * 1e-6 + 0.0 * facts.is_fused),
        eager_layer_s=np.asarray(shipped_parameters("training")["layer_us_fsdp_eager"] * 1e-6 + 0.0 * facts.is_fused),
    )


def _experts_s(model: ModelShape, facts: TuningFacts, known: Parameters) -> Floats:
    """Routing, and experts that a framework runs one after the other, mean over layers, three passes.

    Fused kernels group the experts.
    """
    looped = (1.0 - facts.is_fused) * model.n_experts * PASSES_OF_STEP * known["expert_us"]
    return np.asarray((known["route_us"] + looped) * 1e-6 * model.moe_layers / model.n_layers)


def tuned_rates(rates: Rates, tuning: TuningWork | None) -> Rates:
    """The rates with what fine-tuning software makes of them."""
    if tuning is None:
        return rates
    speed = np.exp(tuning.ln_speed)
    return replace(rates, gemm_flops=rates.gemm_flops * speed, elementwise=rates.elementwise * tuning.traffic)


def tuned_layer_s(
    model: ModelShape, tuning: TuningWork | None, rates: Rates, rows: Layouts, tokens: Floats
) -> tuple[Floats, Floats]:
    """Memory and fixed time in s that fine-tuning adds to a layer of a micro-batch, forward and backward.

    Frozen weights are unpacked for the way forward, once more with full recompute, and for the way back: a time of
    each micro-batch, however few its tokens. Compiled and tuned stacks start fewer kernels here as elsewhere.
    """
    if tuning is None:
        return np.asarray(0.0), np.asarray(0.0)
    again = np.where(rows.recompute == 2, 1.0, 0.0)
    pace = np.minimum(rates.layer_s / tuning.eager_layer_s, 1.0)
    moved = tuning.layer_bytes + pace * tuning.eager_bytes
    adapters = (PASSES_OF_STEP + again) * tokens * moved / rows.tp
    unpacked = (2.0 + again) * tuning.unpack_bytes / (rows.tp * rows.ep)
    memory_s = (adapters + unpacked) / rates.memory_bytes_per_s
    hooks = np.where(rows.shards > 1, tuning.shard_layer_s, 0.0)
    fixed_s = (1.0 + again / PASSES_OF_STEP) * tuning.layer_s + tuning.micro_s / model.n_layers + hooks
    return np.asarray(memory_s), np.asarray(pace * fixed_s)
