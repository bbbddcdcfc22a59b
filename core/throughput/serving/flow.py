"""Requests in flight: what decoding and prefill of one replica come to in TPOT, TTFT and tokens/s."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.throughput.chips.fleet import Floats
from core.throughput.model_shape import ModelShape
from core.throughput.serving.quantities import Arrangement, Chips, Rates, Requests
from core.throughput.serving.step import (
    decode_terms_s,
    first_pass_s,
    fullest_stage,
    passes_launches_s,
    prefill_s,
    together,
)
from core.throughput.serving.techniques import ADAPTER_BYTES, adapter_params, draft_cache_bytes, draft_params
from core.throughput.transformer_work import dense_params, expert_params, kv_cache_bytes
from core.units import GIB

PROCESS_GIB = 1.5
"""Engine, graphs and communication buffers of a serving process."""
ENGINE_SHARE = 0.95
"""Part of the memory that engines take for weights and cache."""
MAX_SEQUENCES = 1024.0
"""Sequences that an attention group decodes together at most, as engines are usually configured."""


@dataclass(frozen=True)
class Flow:
    """Times in s and output tokens/s of a replica, shape (n rows,).

    ``terms_s`` is one decode step by cause and ``decode_s`` their sum; ``prompt_alone_s`` is the prefill of a request
    that meets no other, ``wait_s`` the part of ``ttft_s`` spent behind others. ``tokens_per_s`` is reached by users
    who ask again at once, ``batch_tokens_per_s`` by a batch.
    """

    terms_s: dict[str, Floats]
    decode_s: Floats
    prefill_s: Floats
    prompt_alone_s: Floats
    tpot_s: Floats
    ttft_s: Floats
    wait_s: Floats
    tokens_per_s: Floats
    batch_tokens_per_s: Floats

    def in_turns(self, busy: Floats) -> Flow:
        """The flow of ``busy`` models that take turns on a replica, shape (n rows,): all times that often, rates alike.

        Each step reads one model's weights for its own sequences alone, so that nothing is shared but the chips; a
        prompt that meets no other finds no other model at work.
        """
        return replace(
            self,
            terms_s={name: busy * term for name, term in self.terms_s.items()},
            decode_s=busy * self.decode_s,
            prefill_s=busy * self.prefill_s,
            tpot_s=busy * self.tpot_s,
            ttft_s=busy * self.ttft_s,
            wait_s=busy * self.wait_s,
        )


def weight_bytes_held(model: ModelShape, requests: Requests, arrangement: Arrangement) -> Floats:
    """Bytes of weights on the fullest chip of the fullest stage: parts beside experts are repeated by every attention
    group, experts are whole."""
    dense = dense_params(model) * requests.weight_bytes / (arrangement.tp * arrangement.pp)
    experts = expert_params(model) * requests.expert_bytes / (arrangement.stage_chips * arrangement.pp)
    own = (dense + experts * fullest_rank(model, arrangement)) * fullest_stage(model, arrangement)
    return np.asarray(own + technique_bytes_held(model, requests, arrangement))


def fullest_rank(model: ModelShape, arrangement: Arrangement) -> Floats:
    """Experts of the fullest chip over the mean: ``ceil(E / EP) EP / E``, 1 where ranks divide them."""
    n_experts = np.maximum(model.n_experts, 1.0)
    return np.asarray(np.ceil(n_experts / arrangement.ep) * arrangement.ep / n_experts)


def technique_bytes_held(model: ModelShape, requests: Requests, arrangement: Arrangement) -> Floats:
    """Bytes of drafts, adapters and kept prefixes on a chip; a draft of the model's own layer is in its precision."""
    draft = requests.drafting
    if not (np.any(draft.kind) or np.any(requests.adapters.count) or np.any(requests.kept_tokens)):
        return np.asarray(0.0)
    wide = np.where(draft.is_kind("mtp") > 0, requests.expert_bytes, ADAPTER_BYTES)
    spread = np.where(draft.is_kind("mtp") > 0, arrangement.stage_chips, arrangement.tp)
    drafts = draft_params(model, draft) * wide / spread
    adapters = requests.adapters.count * adapter_params(model, requests.adapters.rank) * ADAPTER_BYTES / arrangement.tp
    kept = kv_cache_bytes(model, requests.kept_tokens, requests.kv_bytes) / cache_ranks(model, arrangement)
    return np.asarray(drafts + adapters + kept)


def cache_ranks(model: ModelShape, arrangement: Arrangement) -> Floats:
    """Chips over which the cache of a sequence is spread: a latent one is whole on every tensor rank."""
    ranks = np.where(model.is_latent > 0, 1.0, np.minimum(arrangement.tp, model.n_kv_heads))
    return np.asarray(ranks * arrangement.pp)


def sequence_bytes(model: ModelShape, requests: Requests, arrangement: Arrangement) -> Floats:
    """Bytes of cache that a sequence takes on a chip of its attention group when it is half answered."""
    tokens, wide = requests.own_context, requests.kv_bytes
    held = kv_cache_bytes(model, tokens, wide)
    if np.any(requests.drafting.kind):
        held = held + draft_cache_bytes(model, requests.drafting, tokens, wide)
    return np.asarray(held / cache_ranks(model, arrangement))


def cached_sequences(model: ModelShape, requests: Requests, arrangement: Arrangement, chips: Chips) -> Floats:
    """Sequences of a replica whose cache the memory holds with paging: at least one, at most what engines schedule."""
    left = ENGINE_SHARE * chips.fleet.memory_bytes - PROCESS_GIB * GIB - weight_bytes_held(model, requests, arrangement)
    held = left / np.maximum(sequence_bytes(model, requests, arrangement), 1.0) * arrangement.attention_dp
    return np.asarray(np.clip(held, 1.0, MAX_SEQUENCES * arrangement.attention_dp * arrangement.pp))


def flow_of(
    model: ModelShape,
    requests: Requests,
    arrangement: Arrangement,
    chips: Chips,
    rates: Rates,
    waiting: Floats | float = 0.0,
) -> Flow:
    """A replica with ``arrangement.batch`` sequences running and ``waiting`` more queued, each replaced as it ends.

    ``TPOT = decode + i P / (1 + s P / A) / output`` with P the others' prefill and A the time of an answer undisturbed:
    prompts of the sequences that come hold up those that run. ``TTFT = base + own prefill + q (b - 1)^g prefill``, of
    prompts that share passes, and the time until a place is free; a cycle takes at least a part of
    ``A + P + own prefill``. A batch takes ``A + P``. Each further pipeline stage loses a share, and all wait for the
    fullest.
    """
    terms = decode_terms_s(model, requests, arrangement, chips, rates)
    late = (1.0 + rates.pipeline_loss * (arrangement.pp - 1.0)) * fullest_stage(model, arrangement)
    terms = terms | {"pipeline": terms["pipeline"] + (late - 1.0) * _total(terms)}
    decode, prefill = _total(terms), prefill_s(model, requests, arrangement, chips, rates) * late
    alone = together(prefill, first_pass_s(model, requests, arrangement, chips, rates) * late)
    ranks = np.maximum(arrangement.batch / (arrangement.pp * arrangement.attention_dp), 1.0)
    answer = requests.output_tokens * decode
    launches = passes_launches_s(model, requests, rates)
    each = together(prefill, launches)
    others = np.maximum(ranks / requests.beams - 1.0 / arrangement.pp, 0.0) * each
    held_up = rates.interference * others / (1.0 + rates.interference_saturation * others / answer)
    tpot = decode + held_up / requests.output_tokens
    of_pass = np.minimum(requests.new_tokens / rates.chunk_tokens, 1.0)
    ahead = _prompts_ahead(rates, ranks) * together(prefill, of_pass * launches)
    first = rates.first_token_ms * 1e-3 + alone + ahead
    decoding = np.maximum(requests.output_tokens - 1.0, 0.0) * tpot
    cycle = np.maximum(first + decoding, rates.conservation * (answer + others + alone))
    rate = arrangement.batch * requests.output_tokens / cycle
    queued = waiting / np.maximum(rate, 1e-9) * requests.output_tokens
    in_batch = np.maximum(ranks / requests.beams * prefill, alone) * rates.batch_interference
    batch_rate = arrangement.batch / requests.beams * requests.output_tokens / (answer + in_batch)
    return Flow(terms, decode, prefill, alone, tpot, first + queued, ahead + queued, rate, batch_rate)


def _total(terms: dict[str, Floats]) -> Floats:
    return np.asarray(sum(terms.values()))


def _prompts_ahead(rates: Rates, ranks: Floats) -> Floats:
    return np.asarray(rates.queue_share * np.maximum(ranks - 1.0, 0.0) ** rates.queue_growth)
