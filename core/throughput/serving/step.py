"""One step of decoding and the prefill of one prompt, as equations over numbers or arrays; times in s."""

from __future__ import annotations

import numpy as np

from core.throughput.chips.collectives import ring_share
from core.throughput.chips.fleet import Floats
from core.throughput.model_shape import ModelShape
from core.throughput.serving.quantities import Arrangement, Chips, Rates, Requests
from core.throughput.serving.techniques import adapter_params, adapters_touched, draft_layers, draft_params_read
from core.throughput.transformer_work import (
    attention_flops_per_token_layer,
    dense_params,
    expert_flops_per_token_layer,
    experts_touched,
    head_flops_per_token,
    kv_cache_bytes,
    linear_flops_per_token_layer,
)

LOG_RANKS = 0.37
"""Growth of a small all-reduce's latency with each doubling of the ranks (fitted on published serving rows)."""
LOG_EXPERTS = 7.0
"""Logarithm of the experts of a layer for which its launches are stated: 128 of them."""
OF_TOKENS = 0.5
"""Part of the host's work for a sequence that each token of a step takes: words, stops, sending (our estimate)."""
SHARPNESS = 4.0
"""Two resources used together take ``(a^4 + b^4)^(1/4)``: nearly the longer one, without a kink."""


def fullest_stage(model: ModelShape, arrangement: Arrangement) -> Floats:
    """Layers of the fullest pipeline stage over the mean: ``ceil(L / p) p / L``, 1 where the stages are equal."""
    return np.asarray(np.ceil(model.n_layers / arrangement.pp) * arrangement.pp / model.n_layers)


def weight_bytes_read(
    model: ModelShape, requests: Requests, arrangement: Arrangement, n_tokens: Floats, rates: Rates
) -> Floats:
    """Bytes of weights that a chip of one stage reads in a step over so many tokens, all stages together.

    Attention, first blocks and shared parts are cut by tensor ranks; of the routed experts only those touched are
    read, ``E (1 - (1 - k/E)^n)``, the fullest rank has ``skew^(log2(EP)/5)`` times the mean, and many small products
    count by ``1 / expert_read_share`` of their bytes.
    """
    head = model.d_model * model.vocab_size
    dense = dense_params(model) - model.embedding_params
    touched = model.moe_layers * experts_touched(model, n_tokens) * model.expert_params
    shared = model.moe_layers * model.n_shared_experts * model.expert_params
    routed = np.maximum(touched - shared, 0.0) * model.is_moe
    uneven = rates.imbalance ** (np.log2(np.maximum(arrangement.ep, 1.0)) / 5.0)
    cut = (dense * requests.weight_bytes + head * requests.head_bytes) / arrangement.tp
    return np.asarray(cut + routed * requests.expert_bytes * uneven / arrangement.stage_chips / rates.expert_read_share)


def cache_bytes_read(model: ModelShape, requests: Requests, arrangement: Arrangement) -> Floats:
    """Bytes of cache that a chip reads in a step; a latent cache is whole on every tensor rank."""
    ranks = np.where(model.is_latent > 0, 1.0, np.minimum(arrangement.tp, model.n_kv_heads))
    return np.asarray(arrangement.rank_batch * kv_cache_bytes(model, requests.own_context, requests.kv_bytes) / ranks)


def all_reduce_s(arrangement: Arrangement, chips: Chips, rates: Rates, size: Floats, link_share: Floats) -> Floats:
    """An all-reduce of ``size`` bytes over the tensor ranks: latency ``a (1 + 0.37 log2 n)`` and a ring's bytes.

    Between m scale-up domains of g ranks each rank carries its g-th part over its own network card; 0 for one rank.
    """
    fleet, ranks = chips.fleet, np.maximum(arrangement.tp, 1.0)
    inside = np.clip(np.minimum(ranks, fleet.domain_chips), 1.0, None)
    domains = ranks / inside
    latency = rates.link_latency_us * (1.0 + LOG_RANKS * np.log2(ranks))
    latency = (latency + np.where(domains > 1, rates.network_exchange_us, 0.0)) * 1e-6
    near = ring_share(inside) * size / fleet.inner_bytes_per_s
    far = ring_share(domains) * size / inside / fleet.outer_bytes_per_s
    return np.where(ranks > 1, latency + 2.0 * (near + far) / link_share, 0.0)


def places_touched(n_places: Floats, n_chosen: Floats) -> Floats:
    """Mean places other than its own that a token is sent to, its experts lying at random over so many places.

    ``D (1 - (1 - 1/D)^k) (D - 1) / D``: one copy a place, however many of the experts are there.
    """
    places = np.maximum(n_places, 1.0)
    return np.asarray((places - 1.0) * (1.0 - (1.0 - 1.0 / places) ** n_chosen))


def exchange_s(model: ModelShape, arrangement: Arrangement, chips: Chips, rates: Rates, tokens: Floats) -> Floats:
    """Sending tokens to their experts and back, a layer, in s: two all-to-all of ``d`` values of two bytes a copy.

    A domain gets one copy of a token over the network, which goes on to its ranks over the fast link; what the network
    and the link carry overlaps. Only where attention is data parallel: with tensor-parallel attention every rank of
    a group holds every token already.
    """
    fleet, ranks, chosen = chips.fleet, arrangement.stage_chips, model.n_experts_per_token
    size = tokens / ranks * model.d_model * 2.0
    domains = ranks / np.minimum(ranks, np.maximum(fleet.domain_chips, 1.0))
    between = size * places_touched(domains, chosen) / (fleet.outer_bytes_per_s * rates.prefill_link_share)
    inside = size * places_touched(ranks / domains, chosen) / (fleet.inner_bytes_per_s * rates.prefill_link_share)
    latency = rates.exchange_us + np.where(domains > 1, rates.network_exchange_us, 0.0)
    time = 2.0 * (latency * 1e-6 + np.maximum(between, inside))
    return np.where((arrangement.attention_dp > 1) & (model.is_moe > 0), time, 0.0)


def attention_s(model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates) -> Floats:
    """Attention of a decode step, all stages together, in s: the cache read, or its products where those take longer.

    Scores and values of a cached token take ``4 h e`` FLOPs a layer; of a latent cache ``2 h (2 r + e_rope)``, which
    every head multiplies anew (absorbed weights, DeepSeek-V2, arXiv 2405.04434, section 2.1.2).
    """
    copies = np.maximum(rates.cache_copies * model.n_heads / model.n_kv_heads, 1.0)
    read = copies * cache_bytes_read(model, requests, arrangement) / (chips.data_sheet_bytes_per_s * rates.hbm_share)
    latent = 2.0 * model.kv_values_per_token - model.rope_head
    per_token = 2.0 * model.n_heads * np.where(model.is_latent > 0, latent, 2.0 * model.d_head)
    seen = arrangement.rank_batch * requests.drafting.verified * model.mean_context(requests.decode_context)
    flops = model.n_layers * seen * per_token / arrangement.tp
    return together(read, flops / (chips.fleet.achievable_flops * rates.attention_decode_share))


def expert_products_s(
    model: ModelShape, arrangement: Arrangement, chips: Chips, rates: Rates, tokens: Floats
) -> Floats:
    """Products of the routed experts of a decode step beyond what they take at the rate of dense ones, in s."""
    routed = tokens * model.moe_layers * 2.0 * model.n_experts_per_token * model.expert_params
    rate = chips.fleet.achievable_flops * rates.prefill_share * arrangement.stage_chips
    return np.asarray(routed / rate * (1.0 / rates.expert_decode_share - 1.0))


def permutation_s(model: ModelShape, arrangement: Arrangement, chips: Chips, rates: Rates, tokens: Floats) -> Floats:
    """Copies of the tokens sorted for their experts, gathered and summed in a decode step, in s."""
    copies = tokens * model.n_experts_per_token / arrangement.ep
    values = model.moe_layers * copies * model.d_model * rates.permute_passes
    return np.asarray(2.0 * values / (chips.data_sheet_bytes_per_s * rates.hbm_share))


def together(one: Floats, other: Floats) -> Floats:
    """Seconds of two resources used at once, from those of each: nearly the longer one, see :data:`SHARPNESS`."""
    return np.asarray((one**SHARPNESS + other**SHARPNESS) ** (1.0 / SHARPNESS))


def decode_terms_s(
    model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates
) -> dict[str, Floats]:
    """Seconds of one decode step of a replica by cause, shape (n rows,) each.

    ``max(2 B P_active / F, touched weights / W) + attention + 2 L AR + L c + B s``: products and weights overlap, as do
    the cache and its products; copies for experts, all-reduces and the engine's work come on top. With a draft a step
    verifies all its tokens, pays for the draft and yields several: the terms are those of one token.
    """
    tokens, fleet = arrangement.stage_batch * requests.drafting.verified, chips.fleet
    bandwidth = chips.data_sheet_bytes_per_s * rates.hbm_share
    routed = arrangement.stage_batch * requests.drafting.verified**rates.draft_spread
    moved = weight_bytes_read(model, requests, arrangement, routed, rates) / bandwidth
    flops = tokens * (model.n_layers * linear_flops_per_token_layer(model) + head_flops_per_token(model))
    compute = flops / arrangement.stage_chips / (fleet.achievable_flops * rates.prefill_share)
    joint = together(moved, compute + expert_products_s(model, arrangement, chips, rates, tokens))
    size = arrangement.rank_batch * requests.drafting.verified * model.d_model * 2.0
    reduce = 2.0 * model.n_layers * all_reduce_s(arrangement, chips, rates, size, rates.decode_link_share)
    exchange = model.moe_layers * exchange_s(model, arrangement, chips, rates, tokens)
    attention = attention_s(model, requests, arrangement, chips, rates)
    read = moved + attention + permutation_s(model, arrangement, chips, rates, tokens)
    of_tokens = 1.0 + OF_TOKENS * (requests.drafting.emitted - 1.0)
    terms = {
        "compute": np.asarray(joint - moved),
        "memory": np.asarray(read),
        "network": np.asarray(reduce + exchange),
        "pipeline": np.asarray((arrangement.pp - 1.0) * (size / fleet.outer_bytes_per_s + 20e-6)),
        "host": np.asarray(arrangement.rank_batch * rates.sequence_us * of_tokens * 1e-6),
        "overhead": np.asarray(launches_us(model, rates) * 1e-6),
    }
    if np.any(rates.launch_overlap):
        hidden = rates.launch_overlap * (terms["compute"] + terms["memory"])
        terms["overhead"] = np.maximum(terms["overhead"] - hidden, 0.0)
    return _with_techniques(terms, model, requests, arrangement, chips, rates)


def _with_techniques(
    terms: dict[str, Floats],
    model: ModelShape,
    requests: Requests,
    arrangement: Arrangement,
    chips: Chips,
    rates: Rates,
) -> dict[str, Floats]:
    """The terms of a token with drafts and adapters; as they are where no row has any."""
    if np.any(requests.adapters.count):
        bandwidth = chips.data_sheet_bytes_per_s * rates.hbm_share
        touched = adapters_touched(requests.adapters, arrangement.rank_batch)
        read = touched * adapter_params(model, requests.adapters.rank) * 2.0 / (arrangement.tp * bandwidth)
        own = np.where(touched > 0, model.n_layers * rates.adapter_layer_us * 1e-6, 0.0)
        terms = terms | {"memory": terms["memory"] + read, "overhead": terms["overhead"] + own}
    if not np.any(requests.drafting.tokens):
        return terms
    draft = draft_terms_s(model, requests, arrangement, chips, rates)
    emitted = requests.drafting.emitted
    return {name: np.asarray((term + draft.get(name, 0.0)) / emitted) for name, term in terms.items()}


def draft_terms_s(
    model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates
) -> dict[str, Floats]:
    """Seconds that the draft and the verification add to one step, by cause, shape (n rows,) each.

    Each pass of the draft reads its weights, multiplies them with a token of each sequence, sums over tensor ranks
    twice a layer and costs the engine a pass; the verification costs it once.
    """
    draft, sequences = requests.drafting, arrangement.rank_batch
    bandwidth = chips.data_sheet_bytes_per_s * rates.hbm_share
    params = draft_params_read(model, draft, arrangement.stage_batch)
    wide = np.where(draft.is_kind("mtp") > 0, requests.weight_bytes, 2.0)
    moved = params * wide / arrangement.tp / bandwidth
    products = 2.0 * sequences * np.minimum(params, model.n_active_params) / arrangement.tp
    compute = products / (chips.fleet.achievable_flops * rates.prefill_share)
    joint = together(moved, compute)
    size = sequences * model.d_model * 2.0
    reduce = 2.0 * draft_layers(draft) * all_reduce_s(arrangement, chips, rates, size, rates.decode_link_share)
    of_pass = draft.has_weights * rates.draft_pass_us + draft_layers(draft) * rates.layer_us
    own = draft.passes * of_pass + draft.is_on * rates.verify_us
    return {
        "compute": np.asarray(draft.passes * (joint - moved)),
        "memory": np.asarray(draft.passes * moved),
        "network": np.asarray(draft.passes * reduce),
        "overhead": np.asarray(own * 1e-6),
    }


def routing_passes(model: ModelShape) -> Floats:
    """What choosing experts and sorting tokens takes over that among 128: ``log2 E / 7``, as of a tree."""
    return np.asarray(np.log2(np.maximum(model.n_experts, 2.0)) / LOG_EXPERTS)


def launches_us(model: ModelShape, rates: Rates) -> Floats:
    """The engine's own time of a pass in us: kernels of each layer by its kind, and the pass itself."""
    latent = model.n_layers * model.is_latent * rates.latent_layer_us + model.linear_layers * rates.linear_layer_us
    shared = np.where(model.n_shared_experts > 0, rates.shared_layer_us, 0.0)
    of_experts = model.moe_layers * (routing_passes(model) * rates.moe_layer_us + shared)
    return np.asarray(model.n_layers * rates.layer_us + of_experts + latent + rates.step_us)


def prefill_s(model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates) -> Floats:
    """Seconds to read one prompt on the tensor ranks that hold it: products, attention, all-reduces, passes.

    Routed experts run slower, as many small products; a short prompt cannot be quicker than reading the weights. Of a
    prompt found in part in the cache only the rest is computed, which looks back over all of it.
    """
    tokens, fleet = requests.new_tokens, chips.fleet
    routed = expert_flops_per_token_layer(model) * model.is_moe
    per_layer = linear_flops_per_token_layer(model) + routed * (1.0 / rates.moe_prefill_share - 1.0)
    rate = fleet.achievable_flops * rates.prefill_share * arrangement.tp
    products = (tokens * model.n_layers * per_layer + head_flops_per_token(model)) / rate
    looked = attention_flops_per_token_layer(model, requests.attended_tokens)
    scores = tokens * model.n_layers * looked / (rate * rates.attention_share)
    reduce = (
        2.0
        * model.n_layers
        * all_reduce_s(arrangement, chips, rates, tokens * model.d_model * 2.0, rates.prefill_link_share)
    )
    exchange = model.moe_layers * exchange_s(model, arrangement, chips, rates, tokens * arrangement.attention_dp)
    return np.asarray(
        products + scores + reduce + exchange + tokens * traffic_s_per_token(model, arrangement, chips, rates)
    )


def cache_transfer_s(
    model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates, n_chips: Floats
) -> Floats:
    """Moving a prompt's cache to the chips that answer, in s: each chip of a replica sends a part of it.

    Over the fast link where all ``n_chips`` of both pools share a domain, else over the network.
    """
    fleet = chips.fleet
    rate = np.where(n_chips <= fleet.domain_chips, fleet.inner_bytes_per_s, fleet.outer_bytes_per_s)
    size = kv_cache_bytes(model, requests.input_tokens, requests.kv_bytes)
    return np.asarray(size / (arrangement.stage_chips * arrangement.pp * rate * rates.prefill_link_share))


def traffic_s_per_token(model: ModelShape, arrangement: Arrangement, chips: Chips, rates: Rates) -> Floats:
    """Memory time of a prompt token beside products: norms and residuals on every tensor rank, copies to experts.

    ``(p_e d L + p_m k d L_moe G / EP) x 2 bytes / W``: each rank moves the copies that its experts get from the prompts
    of all G attention groups.
    """
    copies = model.moe_layers * model.n_experts_per_token * arrangement.attention_dp / arrangement.ep
    values = model.d_model * (rates.elementwise_passes * model.n_layers + rates.permute_passes * copies)
    return np.asarray(2.0 * values / (chips.data_sheet_bytes_per_s * rates.hbm_share))


def passes_launches_s(model: ModelShape, requests: Requests, rates: Rates) -> Floats:
    """The engine's own time in all passes of a prompt over the layers, whose kernels the host launches one by one."""
    passes = np.ceil(requests.new_tokens / rates.chunk_tokens)
    special = model.n_layers * model.is_latent * rates.prompt_latent_layer_us
    special = special + model.linear_layers * rates.prompt_linear_layer_us
    of_experts = model.moe_layers * routing_passes(model) * rates.prompt_moe_layer_us
    each = model.n_layers * rates.prompt_layer_us + of_experts + special
    return np.asarray(passes * (each + rates.step_us) * 1e-6)


def first_pass_s(model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips, rates: Rates) -> Floats:
    """The least time of a prompt alone: every pass reads the weights and launches each layer's kernels."""
    passes = np.ceil(requests.new_tokens / rates.chunk_tokens)
    read = weight_bytes_read(model, requests, arrangement, requests.new_tokens, rates)
    read_s = passes * read / (chips.data_sheet_bytes_per_s * rates.hbm_share)
    return np.asarray(read_s + passes_launches_s(model, requests, rates))
