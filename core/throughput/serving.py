"""Serving: prefill, decode and their interference under continuous batching, for every arrangement at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.coefficients import engine_coefficients
from core.throughput.fleet import Fleet, Floats
from core.throughput.gemm import tile_share
from core.throughput.network import all_reduce_inner_s
from core.throughput.serving_rows import ServingRows
from core.throughput.shape import ModelShape
from core.throughput.work import (
    BYTES,
    attention_flops_per_token_layer,
    dense_params,
    expert_flops_per_token_layer,
    experts_touched,
    head_flops_per_token,
    kv_cache_bytes,
    linear_flops_per_token_layer,
)
from core.units import GIB
from core.workload.job import InferenceJob

TERMS = ("compute", "memory", "network", "pipeline", "input", "host", "overhead")
PREFILL_INTERFERENCE = 0.83
"""Share of the prefill work that delays the decoding sequences (fitted on published serving rows)."""
QUEUED_PREFILLS, QUEUE_GROWTH = 0.3, 0.7
"""Prefills ahead of a request at concurrency B: ``0.3 B^0.7`` (fitted on published serving rows)."""
MOE_PREFILL_SHARE = 0.45
"""Rate of routed experts in prefill over that of dense products: many small products (fitted on published rows)."""
RESERVE_GIB = 3.5
"""Engine, graphs and communication buffers of a serving process."""
SCHEDULED_SHARE = 0.92
"""Part of the memory that engines take for weights and cache."""


@dataclass(frozen=True)
class Served:
    """Times in s and rates of each row, shape (n rows,). ``tpot_s`` holds the prefill of other requests."""

    decode_terms_s: dict[str, Floats]
    decode_s: Floats
    prefill_s: Floats
    tpot_s: Floats
    tokens_per_s: Floats
    ttft_p50_s: Floats
    ttft_p99_s: Floats
    tpot_p99_s: Floats
    memory_bytes: dict[str, Floats]


def serve(model: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows) -> Served:
    """Everything about every row. ``tokens_per_s`` counts output tokens of all replicas of the system.

    ``TPOT = decode + 0.83 B prefill / output tokens``; ``tokens/s = replicas x batch / TPOT``. A pipeline of p stages
    keeps p groups of B / p sequences in flight, so that a prefill holds up each of them for 1 / p of its time.
    """
    terms = _decode_terms(model, job, fleet, rows)
    decode_s = sum(terms.values(), start=np.zeros(rows.n_rows))
    prefill_s = _prefill_s(model, job, fleet, rows)
    tpot_s = decode_s + PREFILL_INTERFERENCE * rows.batch / rows.pp * prefill_s / job.output_tokens
    rate = rows.batch / (tpot_s + prefill_s / job.output_tokens)
    ttft_p50, ttft_p99 = _first_token_s(job, rows, prefill_s, decode_s)
    return Served(
        decode_terms_s=terms,
        decode_s=decode_s,
        prefill_s=prefill_s,
        tpot_s=tpot_s,
        tokens_per_s=rows.replicas * rate,
        ttft_p50_s=ttft_p50,
        ttft_p99_s=ttft_p99,
        tpot_p99_s=tpot_s + 0.5 * prefill_s * np.minimum(1.0, rows.batch / job.output_tokens) + 0.15 * tpot_s,
        memory_bytes=_memory(model, job, fleet, rows),
    )


def _memory(model: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows) -> dict[str, Floats]:
    """Bytes on each chip of a replica. KV heads split over tensor ranks as far as there are heads."""
    slices = rows.tp * rows.pp
    context = job.input_tokens + job.output_tokens
    kv_slices = _kv_ranks(model, rows) * rows.pp
    return {
        "weights": BYTES[job.weight_precision] * model.n_params / slices,
        "kv_cache": rows.batch * kv_cache_bytes(model, context, BYTES[job.kv_precision]) / kv_slices,
        "activations": np.full(rows.n_rows, 8192 * model.d_model * 16.0) / rows.tp,
        "reserve": RESERVE_GIB * GIB + (1 - SCHEDULED_SHARE) * fleet.memory_bytes,
    }


def _kv_ranks(model: ModelShape, rows: ServingRows) -> Floats:
    """Tensor ranks that share the cache: as many as there are KV heads; a latent cache is kept whole on each."""
    return np.where(model.is_latent > 0, 1.0, np.minimum(rows.tp, model.n_kv_heads))


def _decode_terms(model: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows) -> dict[str, Floats]:
    """One decode step of a replica: weights and cache read, products, two all-reduces a layer, engine overheads.

    With a pipeline B is the group of sequences that passes the stages together.

    ``max(2 B P_active / F, touched weights / W) + cache / W + 2 L AR + L c + B s``.
    """
    engine, group = engine_coefficients(job.engine), np.maximum(rows.batch / rows.pp, 1.0)
    moved = _weight_bytes_read(model, job, group) / rows.tp / fleet.memory_bytes_per_s
    flops = group * (model.n_layers * linear_flops_per_token_layer(model) + head_flops_per_token(model))
    useful = tile_share(group, np.full(rows.n_rows, 8.0))
    compute = flops / rows.tp / (fleet.achievable_flops * fleet.prefill_share * useful)
    context = job.input_tokens + job.output_tokens / 2.0
    cache = group * kv_cache_bytes(model, context, BYTES[job.kv_precision]) / _kv_ranks(model, rows)
    size = group * model.d_model * 2.0
    per_layer = engine.layer_us + engine.moe_layer_us * model.is_moe
    return {
        "compute": np.maximum(compute - moved, 0.0),
        "memory": moved + cache / fleet.memory_bytes_per_s,
        "network": 2.0 * model.n_layers * all_reduce_inner_s(fleet, rows.tp, size),
        "pipeline": (rows.pp - 1.0) * (size / fleet.outer_bytes_per_s + 20e-6),
        "input": np.zeros(rows.n_rows),
        "host": group * engine.sequence_us * 1e-6,
        "overhead": np.full(rows.n_rows, model.n_layers * per_layer * 1e-6),
    }


def _weight_bytes_read(model: ModelShape, job: InferenceJob, n_tokens: Floats) -> Floats:
    """Bytes of weights that a step over so many tokens reads: all of a dense model, of an MoE the experts touched."""
    width = BYTES[job.weight_precision]
    touched = model.moe_layers * experts_touched(model, n_tokens) * model.expert_params
    return np.asarray(width * (dense_params(model) + touched))


def _prefill_s(model: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows) -> Floats:
    """Prefill of one request on a replica: products, attention, all-reduces, one pass over the layers' overheads."""
    tokens = float(job.input_tokens)
    attention = attention_flops_per_token_layer(model, tokens)
    experts = expert_flops_per_token_layer(model) * model.is_moe
    per_layer = linear_flops_per_token_layer(model) + experts * (1.0 / MOE_PREFILL_SHARE - 1.0)
    linear = tokens * model.n_layers * per_layer + head_flops_per_token(model)
    rate = fleet.achievable_flops * fleet.prefill_share * rows.tp * (tokens / (tokens + 64.0))
    products = linear / rate
    scores = tokens * model.n_layers * attention / (rate * fleet.attention_share)
    reduce = 2.0 * model.n_layers * all_reduce_inner_s(fleet, rows.tp, np.full(rows.n_rows, tokens * model.d_model * 2))
    read = _weight_bytes_read(model, job, np.full(rows.n_rows, tokens)) / rows.tp / fleet.memory_bytes_per_s
    return np.asarray(np.maximum(products + scores, read) + reduce)


def _first_token_s(job: InferenceJob, rows: ServingRows, prefill_s: Floats, decode_s: Floats) -> tuple[Floats, Floats]:
    """Median and 99th percentile of the time to first token of a replica kept full: base, own prefill, those ahead.

    Requests that end together leave a queue of prefills: ``wait = 0.3 B^0.7 prefill`` (fitted on published
    closed-loop rows, where it is within a factor of about 2). Its tail is taken exponential, so that the 99th
    percentile is ``ln 100 / ln 2`` times the median.
    """
    base = engine_coefficients(job.engine).first_token_ms * 1e-3
    wait = np.where(rows.batch > 1, QUEUED_PREFILLS * rows.batch**QUEUE_GROWTH, 0.0) * prefill_s
    service = base + prefill_s + decode_s
    return service + wait, service + np.log(100.0) / np.log(2.0) * wait + 0.5 * decode_s
