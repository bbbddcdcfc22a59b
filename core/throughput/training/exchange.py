"""Communication of a training step that compute does not hide, and the optimiser. Pure arrays."""

from __future__ import annotations

import numpy as np

from core.constants import ADAM_TRAFFIC_BYTES_PER_PARAM, BYTES_PER_NARROW_VALUE
from core.throughput.chips.collectives import all_reduce_inner_s, all_to_all_s, gather_wide_s, send_s
from core.throughput.chips.fleet import Fleet
from core.throughput.chips.network_coefficients import network_coefficients
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.training.compute import attention_s
from core.throughput.training.layouts import HYBRID, ZERO2, Layouts
from core.throughput.training.rates import Rates
from core.throughput.training.shares import Shares, shares_of
from core.throughput.training.work import TrainingWork

ON_CARDS_ALONE = 0.05
"""What compute loses beside an exchange of gradients whose ranks share no domain, as a share: network cards send by
themselves and leave little to the processors (2 % in Calculon's model; our estimate)."""


def layer_exchange_s(
    model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts, tokens: Floats
) -> Floats:
    """Seconds of exposed tensor, context and expert communication of one layer, forward and backward.

    Tensor parallel with sequence parallel: the volume of 4 all-reduces of ``T d`` values. Experts: 4 all-to-alls of
    ``T k d`` values, at the pace of the busiest rank. Context: see :func:`_ring_s`.
    """
    size = tokens * model.d_model * work.value_bytes
    often = 1.0 + 0.5 * (rows.recompute == 2) + 0.25 * (rows.recompute == 3)
    tensor = rates.tensor_exposed * often * 4.0 * all_reduce_inner_s(fleet, rows.tp, size)
    ring = _ring_s(model, work, fleet, rates, rows, tokens)
    if not np.any(model.is_moe):
        return np.asarray(tensor + ring)
    inner = np.clip(fleet.domain_chips / rows.tp, 1.0, None)
    sent = size * model.n_experts_per_token / rows.tp
    busiest = 1.0 + rates.imbalance_per_doubling * np.log2(np.maximum(rows.ep, 1.0))
    once_s = all_to_all_s(fleet, rows.ep, inner, sent) - spared_s(fleet, model, rows.ep, inner, sent)
    shown = np.where(rows.pp > 1, rates.expert_exposed_in_turn, rates.expert_exposed)
    experts = shown * 4.0 * once_s * busiest
    return np.asarray(tensor + ring + experts * model.moe_layers / model.n_layers)


def _ring_s(model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Keys and values passed round the ring of context ranks, once forward and twice back, less what attention hides.

    Attention of a chip grows with the square of the sequence, the ring only with its length: long ones hide it.
    """
    if not np.any(rows.cp > 1):
        return np.zeros_like(tokens)
    kv = 2.0 * model.n_kv_heads * model.d_head * tokens * work.value_bytes / rows.tp
    ring = 3.0 * (rows.cp - 1.0) * send_s(fleet, rows.tp * rows.cp, kv)
    hidden = (1.0 - network_coefficients().context_exposed) * attention_s(model, work, rates, rows, tokens)
    return np.where(rows.cp > 1, np.maximum(ring - hidden, 0.05 * ring), 0.0)


def spared_s(fleet: Fleet, model: ModelShape, ep: Floats, inner: Floats, sent: Floats) -> Floats:
    """What an exchange of experts over domains saves in s, as one copy of a token goes to a domain, not one an expert.

    ``k`` of the experts of ``m`` domains lie in ``m (1 - (1 - 1/m)^k)`` of them, each as likely (DeepEP, 2025); of
    ``sent`` bytes a rank, ``(m - 1) / m`` cross. 0 within one domain.
    """
    m = np.maximum(ep / np.clip(np.minimum(inner, ep), 1.0, None), 1.0)
    chosen = np.maximum(model.n_experts_per_token, 1.0)
    copies = m * (1.0 - (1.0 - 1.0 / m) ** chosen)
    return np.asarray((1.0 - copies / chosen) * (m - 1.0) / m * sent / fleet.outer_bytes_per_s)


def stage_sends_s(model: ModelShape, work: TrainingWork, fleet: Fleet, rows: Layouts, tokens: Floats) -> Floats:
    """A pipeline's micro-batch: activations on and gradients back for each stage held, ``T d / t`` values a time.

    Stages lie farthest apart: all data ranks of a stage are neighbours.
    """
    size = tokens * model.d_model * work.value_bytes / rows.tp
    once = send_s(fleet, rows.tp * rows.cp * rows.data, size)
    return np.where(rows.pp > 1, network_coefficients().pipeline_exposed * 2.0 * rows.interleave * once, 0.0)


def weight_gather_s(
    model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts, compute_s: Floats
) -> Floats:
    """Seconds of full sharding, each micro-batch: two all-gathers of weights and a reduce-scatter of their gradients.

    Hidden behind compute as far as that lasts, which it slows; the first gather of a layer always shows.
    """
    share = _shares(model, work, rows)
    inner = np.clip(fleet.domain_chips / rows.tp, 1.0, None)
    gathers = (3.0 - work.is_lora) * _gather_s(fleet, rows, share.held, share.experts, share.shards, inner)
    exposed = _shown_s(gathers, compute_s, rates.gather_slowdown)
    return np.where(rows.keeps_weights, 0.0, exposed + gathers / np.maximum(model.n_layers, 1.0))


def _shown_s(exchange_s: Floats, window_s: Floats, slowdown: Floats) -> Floats:
    """What is left of an exchange where compute runs for ``window_s``: all beyond it, and what it takes of the rest."""
    return np.asarray(np.maximum(exchange_s - window_s, 0.0) + slowdown * np.minimum(exchange_s, window_s))


def gradient_exchange_s(
    model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts, compute_s: Floats
) -> Floats:
    """Seconds a step: reduce-scatter of gradients, all-gather of weights over data ranks, less what backward hides.

    ZeRO-2 scatters the gradients of every micro-batch. With hybrid sharding only the shard crosses domains. Experts
    are exchanged over ``data / ep`` ranks: their share of weights is held by fewer. ``compute_s``: of one
    micro-batch, whose backward part hides the exchange and runs slower beside it.
    """
    share = _shares(model, work, rows)
    size = share.trained * BYTES_PER_NARROW_VALUE
    n_micro = np.ceil(work.global_batch / (rows.data * rows.micro_batch))
    often = np.where(rows.sharding == ZERO2, n_micro, 1.0)
    whole = (1.0 + often) * _gather_over_data_s(fleet, rows, share)
    groups = rows.data / np.maximum(share.shards, 1.0)
    of_shard = 2.0 * gather_wide_s(fleet, groups, np.ones_like(groups), size / share.shards)
    exchange = np.select([rows.keeps_weights, rows.sharding == HYBRID], [whole, of_shard], 0.0)
    inner = np.clip(fleet.domain_chips / (rows.tp * rows.cp), 1.0, None)
    is_near = (np.minimum(inner, rows.data) > 1) & (rows.sharding != HYBRID)
    slowdown = np.where(is_near, rates.gather_slowdown, np.minimum(rates.gather_slowdown, ON_CARDS_ALONE))
    return _shown_s(exchange, 2.0 / 3.0 * compute_s * often, slowdown)


def _gather_over_data_s(fleet: Fleet, rows: Layouts, share: Shares) -> Floats:
    """One gather of all trained weights over the data ranks; that of the experts over the ranks with the same ones."""
    inner = np.clip(fleet.domain_chips / (rows.tp * rows.cp), 1.0, None)
    return _gather_s(fleet, rows, share.trained, share.experts * share.trained_share, rows.data, inner)


def _gather_s(fleet: Fleet, rows: Layouts, weights: Floats, experts: Floats, ranks: Floats, inner: Floats) -> Floats:
    """One gather of weights that ``ranks`` share, ``inner`` of them in a domain; experts among them over the same ones.

    ``ranks c / x`` ranks have the same experts, with c of context and x of expert parallelism.
    """
    dense_s = gather_wide_s(fleet, ranks, inner, (weights - experts) * BYTES_PER_NARROW_VALUE)
    if not np.any(experts):
        return dense_s
    alike, near = np.maximum(ranks * rows.cp / rows.ep, 1.0), np.maximum(inner * rows.cp / rows.ep, 1.0)
    return dense_s + gather_wide_s(fleet, alike, near, experts * BYTES_PER_NARROW_VALUE)


def optimizer_s(model: ModelShape, work: TrainingWork, fleet: Fleet, rates: Rates, rows: Layouts) -> Floats:
    """Seconds to read and write weights, gradients and moments once, split over the ranks that share them."""
    share = _shares(model, work, rows)
    ranks = np.where(rows.keeps_weights, rows.data, share.shards)
    return np.asarray(share.over(ranks) * share.trained_share * ADAM_TRAFFIC_BYTES_PER_PARAM / rates.memory_bytes_per_s)


def _shares(model: ModelShape, work: TrainingWork, rows: Layouts) -> Shares:
    return shares_of(model, work.trained_share, rows)
