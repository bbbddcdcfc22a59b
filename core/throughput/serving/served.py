"""Serving for the planner: times, rates and memory of every arrangement of every system at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constants import BYTES_PER_DENSE_WEIGHT_OF_FP4_MIXTURE, BYTES_PER_NARROW_VALUE, BYTES_PER_VALUE
from core.throughput.chips.fleet import Fleet, Floats, Ints
from core.throughput.chips.run_formats import RunsIn, as_stated
from core.throughput.model_shape import ModelShape
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.serving.arrangements import ServingRows
from core.throughput.serving.flow import PROCESS_GIB, Flow, flow_of, sequence_bytes, weight_bytes_held
from core.throughput.serving.pools import Pools, prompts_per_s, split_first_s
from core.throughput.serving.quantities import Arrangement, Chips, Rates, Requests
from core.throughput.serving.rates import only_decoding, rate_keys, rates_of
from core.throughput.serving.step import cache_transfer_s
from core.throughput.serving.techniques import Adapters, Drafting
from core.throughput.types import System
from core.units import GIB
from core.workload.jobs.kinds import InferenceJob
from core.workload.jobs.speculation import DRAFT_KINDS

TERMS = ("compute", "memory", "network", "pipeline", "input", "host", "overhead")
PLANNED_PROCESS_GIB = 3.5
"""Engine, graphs and communication buffers of a serving process, with room to spare."""
PLANNED_SHARE = 0.92
"""Part of the memory that a plan gives to weights and cache."""
MID_YEAR = 0.5
"""A year is taken at its middle."""
TAIL = np.log(100.0) / np.log(2.0)
"""99th percentile over the median of an exponential wait."""
JITTER = 0.15
"""Steps of 99 of 100 tokens over the median step, beside the prompts that fall into them (our estimate)."""


@dataclass(frozen=True)
class Served:
    """Times in s and rates of each row, shape (n rows,). ``tpot_s`` holds the prefill of other requests.

    ``queue_s`` is the time of a prompt at what it queues for, over the prompts read side by side there, at the rate of
    one answering replica; ``stall_s`` what it takes from an answer that runs.
    """

    decode_terms_s: dict[str, Floats]
    decode_s: Floats
    prefill_s: Floats
    tpot_s: Floats
    tokens_per_s: Floats
    ttft_p50_s: Floats
    ttft_p99_s: Floats
    tpot_p99_s: Floats
    queue_s: Floats
    stall_s: Floats


def serve(
    model: ModelShape,
    job: InferenceJob,
    systems: Sequence[System],
    fleet: Fleet,
    rows: ServingRows,
    year: int,
    runs_in: RunsIn = as_stated,
) -> Served:
    """Everything about every row. ``tokens_per_s`` counts output tokens of all replicas of the system."""
    known, requests = shipped_parameters("serving"), requests_of(job, model)
    bandwidths = np.array([system.accelerator.memory_bandwidth_gbps * 1e9 for system in systems])
    chips = Chips(fleet.take(rows.system), bandwidths[rows.system])
    mixed = _rates(known, job, systems, rows.system, year, runs_in)
    rates = only_decoding(mixed, known, rows.is_split)
    arrangement = Arrangement(rows.tp, rows.pp, rows.attention_dp, rows.ep, rows.batch)
    busy = busy_models(rows.hosted, rows.batch)
    flow = flow_of(model, requests, replace(arrangement, batch=rows.batch / busy), chips, rates).in_turns(busy)
    flow = _in_pools(flow, known, (model, requests, replace(arrangement, batch=rows.batch), chips, rates), rows)
    in_batch = flow.batch_tokens_per_s * known["offline_share"]
    rate = flow.tokens_per_s if job.answers_users else in_batch
    return Served(
        decode_terms_s={name: flow.terms_s.get(name, np.zeros(rows.n_rows)) for name in TERMS},
        decode_s=flow.decode_s,
        prefill_s=flow.prompt_alone_s,
        tpot_s=flow.tpot_s,
        tokens_per_s=rows.answering * rate,
        ttft_p50_s=flow.ttft_s,
        ttft_p99_s=flow.ttft_s + (TAIL - 1.0) * flow.wait_s + 0.5 * flow.decode_s,
        tpot_p99_s=_tpot_p99_s(flow, requests, np.where(rows.is_split, 0.0, rows.batch), job.prefill_chunk_tokens),
        queue_s=_queue_s(flow, rows),
        stall_s=np.where(rows.is_split, 0.0, flow.prompt_alone_s / np.sqrt(rows.attention_dp)),
    )


_Setting = tuple[ModelShape, Requests, Arrangement, Chips, Rates]


def _in_pools(flow: Flow, known: Parameters, setting: _Setting, rows: ServingRows) -> Flow:
    """The flow with prompts on chips of their own, where rows say so: rates and times of an answering replica."""
    if not rows.is_split.any():
        return flow
    model, requests, arrangement, chips, rates = setting
    moved = cache_transfer_s(model, requests, arrangement, chips, rates, chips.fleet.n_chips)
    pools = Pools(np.maximum(rows.prefill_replicas, 1.0), rows.answering, moved)
    each = rows.batch * rows.answering / (pools.prefill_replicas * rows.attention_dp)
    first, wait = split_first_s(known, rates, flow, moved, each)
    cycle = first + np.maximum(requests.output_tokens - 1.0, 0.0) * flow.tpot_s
    most = prompts_per_s(pools, flow, arrangement) / rows.answering
    rate = np.minimum(rows.batch / cycle, most) * requests.output_tokens
    chosen = {"ttft_s": first, "wait_s": wait, "tokens_per_s": rate}
    both = {name: np.asarray(np.where(rows.is_split, at, getattr(flow, name))) for name, at in chosen.items()}
    return replace(flow, ttft_s=both["ttft_s"], wait_s=both["wait_s"], tokens_per_s=both["tokens_per_s"])


def _queue_s(flow: Flow, rows: ServingRows) -> Floats:
    """A prompt's time at the chips that read prompts, as one server for as many answering replicas."""
    apart = rows.answering / np.maximum(rows.prefill_replicas * rows.pp, 1.0)
    return np.asarray(flow.prompt_alone_s / rows.attention_dp * np.where(rows.is_split, apart, 1.0))


def busy_models(hosted: Floats, n_sequences: Floats) -> Floats:
    """Models that so many sequences at random ask of ``hosted`` equally wanted ones: ``k (1 - (1 - 1/k)^n)``."""
    return np.asarray(hosted * (1.0 - (1.0 - 1.0 / hosted) ** n_sequences))


def requests_of(job: InferenceJob, model: ModelShape) -> Requests:
    """Lengths and bytes of a job; releases in 8 and 4 bits keep the output embedding in 16."""
    width = BYTES_PER_VALUE[job.weight_precision]
    mixed = job.weight_precision in ("fp4", "mxfp4") and float(model.is_moe) > 0
    narrow = job.weight_precision in ("fp4", "mxfp4", "fp8", "int8")
    return Requests(
        input_tokens=np.asarray(float(job.input_tokens)),
        output_tokens=np.asarray(float(job.output_tokens)),
        weight_bytes=np.asarray(BYTES_PER_DENSE_WEIGHT_OF_FP4_MIXTURE if mixed else width),
        expert_bytes=np.asarray(width),
        head_bytes=np.asarray(BYTES_PER_NARROW_VALUE if narrow else width),
        kv_bytes=np.asarray(BYTES_PER_VALUE[job.kv_precision]),
        beams=np.asarray(1.0),
        drafting=_drafting(job),
        adapters=Adapters(np.asarray(float(job.n_adapters)), np.asarray(float(job.adapter_rank))),
        hit_share=np.asarray(job.prefix_hit_pct / 100.0),
        kept_tokens=np.asarray(float(job.kept_prompt_tokens if job.prefix_hit_pct else 0)),
    )


def _drafting(job: InferenceJob) -> Drafting:
    """The draft of a job; its passes are as many as its tokens, or none where words are looked up."""
    if not job.has_draft:
        return Drafting()
    passes = 0.0 if job.draft == "ngram" else float(job.draft_tokens)
    figures = (DRAFT_KINDS.index(job.draft), job.draft_tokens, job.emitted_tokens, passes, 1e9 * job.draft_params_b)
    return Drafting(*(np.asarray(float(figure)) for figure in figures))


def _rates(
    known: Parameters, job: InferenceJob, systems: Sequence[System], of_row: Ints, year: int, runs_in: RunsIn
) -> Rates:
    """Coefficients of each system, spread over its rows."""
    n, chips = len(systems), [system.accelerator for system in systems]
    kernels = [runs_in(chip, job.weight_precision).kernels for chip in chips]
    keys = rate_keys(chips, [job.engine] * n, kernels, [year + MID_YEAR] * n)
    rates = rates_of(known, keys).take(of_row)
    chunk = job.prefill_chunk_tokens
    return rates if chunk is None else replace(rates, chunk_tokens=np.full(len(of_row), float(chunk)))


def _tpot_p99_s(flow: Flow, requests: Requests, batch: Floats, chunk_tokens: int | None) -> Floats:
    """Half of a prompt may fall into an answer's steps, the likelier the more sequences there are to each token.

    Where the pieces of prompts are set, a step holds one of them at most.
    """
    piece = np.minimum(chunk_tokens / requests.new_tokens, 1.0) if chunk_tokens else 0.5
    hit = piece * flow.prefill_s * np.minimum(1.0, batch / requests.output_tokens)
    return np.asarray((1.0 + JITTER) * flow.tpot_s + hit)


def memory_bytes(model: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows) -> dict[str, Floats]:
    """Bytes on each chip of a replica with all answers at full length, by part, of every row of ``fleet``'s systems."""
    arrangement = Arrangement(rows.tp, rows.pp, rows.attention_dp, rows.ep, rows.batch)
    return _memory(model, requests_of(job, model), fleet.take(rows.system), arrangement, rows.hosted)


def _memory(
    model: ModelShape, requests: Requests, fleet: Fleet, arrangement: Arrangement, hosted: Floats | float = 1.0
) -> dict[str, Floats]:
    """Bytes on each chip of a replica with all answers at full length. KV heads split over tensor ranks.

    Each model beyond the first brings its weights and a process of its own.
    """
    longest = replace(requests, output_tokens=2.0 * requests.output_tokens)
    each = arrangement.batch / arrangement.attention_dp
    processes_gib = PLANNED_PROCESS_GIB + (hosted - 1.0) * PROCESS_GIB
    return {
        "weights": weight_bytes_held(model, requests, arrangement) * hosted,
        "kv_cache": each * sequence_bytes(model, longest, arrangement),
        "activations": 8192 * model.d_model * 16.0 / arrangement.tp,
        "reserve": processes_gib * GIB + (1 - PLANNED_SHARE) * fleet.memory_bytes,
    }
