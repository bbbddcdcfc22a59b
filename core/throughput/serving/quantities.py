"""What the serving equations need of requests, chips and arrangement: numbers or arrays, one entry a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats


@dataclass(frozen=True)
class Requests(Rows):
    """Requests of each row: mean lengths in tokens; bytes of a stored weight, expert weight, head weight, cached value.

    ``beams`` is how many sequences one request decodes side by side: 1 but for beam search.
    """

    input_tokens: Floats
    output_tokens: Floats
    weight_bytes: Floats
    expert_bytes: Floats
    head_bytes: Floats
    kv_bytes: Floats
    beams: Floats

    @property
    def decode_context(self) -> Floats:
        """Mean tokens in the cache of a sequence while it is answered."""
        return np.asarray(self.input_tokens + self.output_tokens / 2.0)


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
    ``prompt_launches`` the launches of a pass over a prompt over those of a decode step, which runs recorded, and
    ``chunk_tokens`` the prompt tokens of a pass. In a decode step ``expert_read`` and ``expert_decode`` are shares of
    bandwidth and products that experts reach of what dense layers do, ``attention_decode`` of the best product.
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
    prompt_launches: Floats
    elementwise_passes: Floats
    permute_passes: Floats
    linear_layer_us: Floats
    batch_interference: Floats
    imbalance: Floats
    queue_share: Floats
    queue_growth: Floats


@dataclass(frozen=True)
class Chips(Rows):
    """Chips of each row: bandwidth of the data sheet in byte/s beside what the engine's fleet says."""

    fleet: Fleet
    data_sheet_bytes_per_s: Floats
