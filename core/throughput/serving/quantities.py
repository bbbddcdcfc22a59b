"""What the serving equations need of requests, chips and arrangement: numbers or arrays, one entry a row."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats
from core.throughput.serving.techniques import Adapters, Drafting, nothing, once


@dataclass(frozen=True)
class Requests(Rows):
    """Requests of each row: mean lengths in tokens; bytes of a stored weight, expert weight, head weight, cached value.

    ``beams`` is how many sequences one request decodes side by side: 1 but for beam search. ``hit_share`` is the part
    of the prompt that is found in a cache of prefixes; ``kept_tokens`` of them a replica keeps beside its sequences.
    ``prompt_share`` is the part of its prompt's cache that falls to each sequence: 1 but for beams that share one.
    """

    input_tokens: Floats
    output_tokens: Floats
    weight_bytes: Floats
    expert_bytes: Floats
    head_bytes: Floats
    kv_bytes: Floats
    beams: Floats
    drafting: Drafting = field(default_factory=Drafting)
    adapters: Adapters = field(default_factory=Adapters)
    hit_share: Floats = field(default_factory=nothing)
    kept_tokens: Floats = field(default_factory=nothing)
    prompt_share: Floats = field(default_factory=once)

    @property
    def new_tokens(self) -> Floats:
        """Tokens of the prompt that are computed."""
        return np.asarray(np.maximum(self.input_tokens * (1.0 - self.hit_share), 1.0))

    @property
    def attended_tokens(self) -> Floats:
        """Length of a whole prompt whose tokens look back as far, in the mean, as the computed ones: ``2 s - t``."""
        return np.asarray(2.0 * self.input_tokens - self.new_tokens)

    @property
    def decode_context(self) -> Floats:
        """Mean tokens in the cache of a sequence while it is answered."""
        return np.asarray(self.input_tokens + self.output_tokens / 2.0)

    @property
    def own_context(self) -> Floats:
        """The same without what the sequences of a request share."""
        return np.asarray(self.prompt_share * self.input_tokens + self.output_tokens / 2.0)


@dataclass(frozen=True)
class Arrangement(Rows):
    """How one replica runs: tensor and pipeline ranks, groups of data-parallel attention, expert ranks, sequences.

    A replica has ``tp x attention_dp x pp`` chips; experts are spread over ``ep`` of them as wholes, 1 or more, and cut
    over the rest. ``batch`` counts the sequences that the replica decodes together.
    """

    tp: Floats
    pp: Floats
    attention_dp: Floats
    ep: Floats
    batch: Floats

    @property
    def stage_chips(self) -> Floats:
        """Chips of a pipeline stage."""
        return np.asarray(self.tp * self.attention_dp)

    @property
    def stage_batch(self) -> Floats:
        """Sequences that pass the stages together: a pipeline of p stages keeps p such groups in flight."""
        return np.asarray(np.maximum(self.batch / self.pp, 1.0))

    @property
    def rank_batch(self) -> Floats:
        """Sequences of one attention group in a step."""
        return np.asarray(np.maximum(self.stage_batch / self.attention_dp, 1.0))


@dataclass(frozen=True)
class Rates(Rows):
    """Coefficients of each row, as numbers or arrays; times in the unit of their name.

    Shares: ``hbm`` of the data sheet's bandwidth; ``prefill`` of the best measured product; ``attention`` and
    ``moe_prefill`` of products in prefill; ``decode_link`` and ``prefill_link`` of the link's rate. ``interference`` is
    the part of others' prefill that delays an answer, which ``interference_saturation`` bends down where prompts take
    most of the time; ``conservation`` the part of all work that a cycle takes at least; ``imbalance`` the fullest
    expert rank over the mean at 32 ranks; ``queue_share`` and ``queue_growth`` say how many prompts are ahead;
    ``prompt_layer_us`` and the like are the launches of a pass over a prompt, which does not run recorded as a decode
    step does, and ``chunk_tokens`` the prompt tokens of a pass. In a decode step ``expert_read`` and ``expert_decode``
    are shares of bandwidth and products that experts reach of what dense layers do, ``attention_decode`` of the best
    product. ``draft_pass_us`` and ``verify_us`` are the engine's own time of a pass of a draft and of a verification,
    ``adapter_layer_us`` that of adapters in a layer. ``launch_overlap`` is the part of the chip's work that runs while
    a host launches kernels one by one; recorded steps have none. ``cache_copies`` is how often attention without a
    kernel for single tokens moves the cache for each head that shares it, 0 where it does not. ``draft_spread`` is the
    exponent with which tokens of one draft count as tokens that choose experts of their own.
    """

    hbm_share: Floats
    prefill_share: Floats
    attention_share: Floats
    moe_prefill_share: Floats
    layer_us: Floats
    moe_layer_us: Floats
    shared_layer_us: Floats
    step_us: Floats
    sequence_us: Floats
    first_token_ms: Floats
    link_latency_us: Floats
    decode_link_share: Floats
    prefill_link_share: Floats
    exchange_us: Floats
    network_exchange_us: Floats
    expert_read_share: Floats
    expert_decode_share: Floats
    attention_decode_share: Floats
    interference: Floats
    interference_saturation: Floats
    conservation: Floats
    pipeline_loss: Floats
    latent_layer_us: Floats
    chunk_tokens: Floats
    prompt_layer_us: Floats
    prompt_moe_layer_us: Floats
    prompt_latent_layer_us: Floats
    prompt_linear_layer_us: Floats
    elementwise_passes: Floats
    permute_passes: Floats
    linear_layer_us: Floats
    batch_interference: Floats
    imbalance: Floats
    queue_share: Floats
    queue_growth: Floats
    draft_pass_us: Floats
    verify_us: Floats
    adapter_layer_us: Floats
    launch_overlap: Floats
    cache_copies: Floats
    draft_spread: Floats


@dataclass(frozen=True)
class Chips(Rows):
    """Chips of each row: bandwidth of the data sheet in byte/s beside what the engine's fleet says."""

    fleet: Fleet
    data_sheet_bytes_per_s: Floats
