"""What the engine says of measured serving rows: every metric, and the arrangement where none is stated."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from core.calibration.studies.serving_table import Flags, ServingTable
from core.throughput.chips.fleet import Floats
from core.throughput.parameters import Parameters
from core.throughput.serving.flow import Flow, cached_sequences, flow_of, weight_bytes_held
from core.throughput.serving.pools import split_first_s
from core.throughput.serving.quantities import Arrangement, Rates, Requests
from core.throughput.serving.rates import ENGINES, ROOMY_CHUNK, only_decoding, rates_of
from core.throughput.serving.step import cache_transfer_s, prefill_s

TENSOR = (1, 2, 4, 8, 16, 32, 64)
PROMPTS_FIRST = "sglang"
"""Engine that stops its answers while there are prompts; others mix a piece of a prompt into each step."""
PREFILL_MICRO_BATCH = 512.0
"""Prompt tokens that pass a pipeline of layers together in engines that split a model by layers."""
FIRST_WAVE = 0.5
"""Part of the others that is ahead of one of those who come at once."""
LAST_ONES = 8.0
"""Answers that still run together while the longest of a burst end (our estimate)."""
TUNED_SINCE = 2024.6
"""MLPerf submissions before it ran engines that grew quickly."""


def predicted_metrics(table: ServingTable, parameters: Parameters) -> dict[str, Floats]:
    """Likely values in each metric's unit, shape (n rows,) each."""
    flow, load = served_flow(table, parameters), table.loading
    prompts = _prompt_tokens_per_s(table, flow)
    first = np.where(load.prefill, table.requests.input_tokens / prompts, _first_s(table, flow, parameters))
    output = np.where(load.closed, table.replicas * flow.tokens_per_s, _batch_tokens_per_s(table, flow, parameters))
    if load.split.any():
        first[load.split], output[load.split] = _split(table.take(load.split), parameters, flow.tpot_s[load.split])
    output = np.where(load.single, np.maximum(table.concurrency, 1.0) / flow.tpot_s, output)
    tpot = flow.tpot_s.copy()
    if load.burst.any():
        of_burst = _burst(table.take(load.burst), parameters)
        first[load.burst], output[load.burst], tpot[load.burst] = of_burst
    total = output * (1.0 + table.requests.input_tokens / table.requests.output_tokens)
    return {
        "output_tokens_per_s_total": output,
        "total_tokens_per_s": np.where(load.prefill, prompts, total),
        "samples_per_s": np.where(load.gives_tokens, output, output / table.requests.output_tokens),
        "ttft_ms": 1e3 * first,
        "tpot_ms": 1e3 * tpot,
    }


def table_rates(table: ServingTable, parameters: Parameters) -> Rates:
    """Coefficients of the rows: without a server in front nothing is taken in; stated pieces of prompts count.

    Of w waves of requests the first comes at once, where a prompt waits for half of the others: ``(b - 1) / 2 w`` are
    ahead in the mean of all.
    """
    rates, stated = rates_of(parameters, table.keys), table.chunk_tokens
    known = (table.waves > 0) & ~table.loading.split
    return replace(
        rates,
        first_token_ms=np.where(table.loading.bare, 0.0, rates.first_token_ms),
        chunk_tokens=np.where(stated > 0, stated, rates.chunk_tokens),
        interference=np.where(table.loading.split | table.loading.single, 0.0, rates.interference),
        queue_share=np.where(known, FIRST_WAVE / np.maximum(table.waves, 1.0), rates.queue_share),
        queue_growth=np.where(known, 1.0, rates.queue_growth),
    )


def _burst(table: ServingTable, parameters: Parameters) -> tuple[Floats, Floats, Floats]:
    """Requests sent all at once, N of them, R running: first token in s, output tokens/s, token in s; times are means.

    ``T = N / r`` at rate r of a full batch, and at the end the longest answers (:func:`_tail_s`). The first token
    waits for half of the prompts that run and for half of those that do not find room. The first R answers are held up
    by each other's prompts (:func:`_held_s`), those that follow as in a closed loop.
    """
    flow, rates = served_flow(table, parameters), table_rates(table, parameters)
    each, produced = np.maximum(table.concurrency / table.replicas, 1.0), table.requests.output_tokens
    running = np.minimum(each, _room(table, parameters))
    rate = np.maximum(flow.batch_tokens_per_s / produced, 1e-9)
    side_by_side = running / (table.arrangement.pp * table.arrangement.attention_dp)
    prompts = 0.5 * side_by_side * flow.prefill_s
    ahead = prompts + np.maximum(each - running, 0.0) ** 2 / (2.0 * each * rate)
    time = each / rate + _tail_s(table, flow, parameters, each)
    steps = side_by_side * table.requests.new_tokens / _step_tokens(table, rates)
    held = _held_s(prompts, steps, produced, parameters["burst_hold"])
    first_ones = running / each
    token = first_ones * (flow.decode_s + held) + (1.0 - first_ones) * flow.tpot_s
    return flow.ttft_s - flow.wait_s + ahead, table.replicas * each * produced / time, token


def _first_s(table: ServingTable, flow: Flow, parameters: Parameters) -> Floats:
    """First token in s: of users as their requests come, of a batch once all of its prompts are read."""
    load, arrangement = table.loading, table.arrangement
    side_by_side = _running(table, parameters) / (arrangement.pp * arrangement.attention_dp)
    of_batch = flow.ttft_s - flow.wait_s + np.maximum(side_by_side - 1.0, 0.0) * flow.prefill_s
    first = np.where(load.closed | load.prefill | load.burst, flow.ttft_s, of_batch)
    return first + _unseen_steps(table, parameters) * flow.tpot_s


def _unseen_steps(table: ServingTable, parameters: Parameters) -> Floats:
    """Steps that a prompt waits unread, shape (n rows,): half of those between two looks for requests, and for others.

    Of a server that reads prompts T steps after the first of them: of n answers of m tokens ``T n / m`` end in that
    time, whose users ask again and wait half of it, ``T (1 + T n / 2 m) / (1 + T n / m)`` in the mean.
    """
    joining = table.gathered_steps * _running(table, parameters) / table.requests.output_tokens
    gathered = table.gathered_steps * (1.0 + joining / 2.0) / (1.0 + joining)
    return np.asarray(table.polled_steps / 2.0 + gathered)


def _tail_s(table: ServingTable, flow: Flow, parameters: Parameters, each: Floats) -> Floats:
    """Time in s that the last answers of a burst take beyond the rate of a full batch.

    Of N answers whose lengths vary like those of chats the longest is ``ln N`` means long, and the last run nearly
    alone: ``(ln N - 1) n s(few)``. Of answers of one length some means of a full batch, ``t n s``.
    """
    produced = table.requests.output_tokens
    few = replace(table.arrangement, batch=np.minimum(each, LAST_ONES))
    rates, requests = table_rates(table, parameters), stated_requests(table, parameters)
    alone = flow_of(table.shape, requests, few, table.chips, rates).decode_s
    longest = np.maximum(np.log(each) - 1.0, 0.0) * produced * alone
    return np.where(table.loading.varied, longest, parameters["burst_tail"] * produced * flow.decode_s)


def _step_tokens(table: ServingTable, rates: Rates) -> Floats:
    """Prompt tokens that a step takes beside a token of each answer; infinite where answers stop for prompts."""
    wide = (table.keys.engine == ENGINES.index("vllm")) & (table.keys.is_roomy > 0) & (table.chunk_tokens <= 0)
    first = table.keys.engine == ENGINES.index(PROMPTS_FIRST)
    return np.where(first, np.inf, rates.chunk_tokens * np.where(wide, ROOMY_CHUNK, 1.0))


def _held_s(prompts_s: Floats, n_steps: Floats, output_tokens: Floats, short: float) -> Floats:
    """What prompts add to a token of an answer that begins at a random one of them, in s, shape (n rows,).

    ``prompts_s``: half of their time. All of the rest falls into the answer where they go first, by ``short`` more a
    token than for the mean answer. Where each of m steps takes a piece of them and a token of each answer, one of n
    tokens is over after n steps, ``2 prompts / m (1 - n / 2m)`` a token, and none takes more than a step.
    """
    steps = np.maximum(n_steps, 1.0)
    of_step = 2.0 * prompts_s / steps
    mixed = of_step * np.maximum(1.0 - output_tokens / (2.0 * steps), 0.5)
    return np.where(output_tokens < n_steps, mixed, np.minimum(short * prompts_s / output_tokens, of_step))


def _room(table: ServingTable, parameters: Parameters) -> Floats:
    """Sequences of a replica that memory and the engine's settings let run.

    Of a burst no more than the prompts that steps take in while an answer lasts: ``n chunk / prompt``.
    """
    requests = stated_requests(table, parameters)
    room = cached_sequences(table.shape, requests, table.arrangement, table.chips)
    room = np.where(table.max_sequences > 0, np.minimum(room, table.max_sequences), room)
    taken_in = requests.output_tokens * _step_tokens(table, table_rates(table, parameters)) / requests.new_tokens
    ranks = table.arrangement.pp * table.arrangement.attention_dp
    return np.where(table.loading.burst, np.maximum(np.minimum(room, taken_in * ranks), 1.0), room)


def served_flow(table: ServingTable, parameters: Parameters) -> Flow:
    """Each replica with the sequences asked for, as far as its memory holds them; the others wait."""
    requests, running = stated_requests(table, parameters), _running(table, parameters)
    asked = _asked(table)
    waiting = np.where(np.isfinite(asked), np.maximum(asked - running, 0.0), 0.0)
    rates = only_decoding(table_rates(table, parameters), parameters, table.loading.split)
    return flow_of(table.shape, requests, replace(table.arrangement, batch=running), table.chips, rates, waiting)


def _asked(table: ServingTable) -> Floats:
    """Sequences asked of a replica; infinite where a row states none."""
    return np.where(table.concurrency > 0, np.maximum(table.concurrency / table.replicas, 1.0), np.inf)


def _running(table: ServingTable, parameters: Parameters) -> Floats:
    """Sequences that a replica decodes together: those asked for, as far as there is room."""
    return np.minimum(_asked(table) * table.requests.beams, _room(table, parameters))


def stated_requests(table: ServingTable, parameters: Parameters) -> Requests:
    """Requests with the usual cache precision of eight-bit weights where a row does not state it."""
    usual = 2.0 * parameters["kv_of_unstated"]
    return replace(table.requests, kv_bytes=np.where(table.is_cache_stated, table.requests.kv_bytes, usual))


def _prompt_tokens_per_s(table: ServingTable, flow: Flow) -> Floats:
    """Prompt tokens a second of one prompt; micro-batches of it overlap in a pipeline: ``p m / (m + p - 1)``."""
    pieces = np.maximum(table.requests.input_tokens / PREFILL_MICRO_BATCH, 1.0)
    overlap = table.arrangement.pp * pieces / (pieces + table.arrangement.pp - 1.0)
    return np.asarray(table.requests.input_tokens / flow.prompt_alone_s * overlap)


def _split(table: ServingTable, parameters: Parameters, tpot_s: Floats) -> tuple[Floats, Floats]:
    """First token in s and output tokens/s of rows whose prompts have chips of their own."""
    first = _split_first_s(table, parameters, table_rates(table, parameters))
    return first, _split_tokens_per_s(table, parameters, tpot_s, first)


def _split_first_s(table: ServingTable, parameters: Parameters, rates: Rates) -> Floats:
    """First token where prompts have chips of their own: prefill there, the queue there, and moving the cache."""
    requests, arrangement = stated_requests(table, parameters), table.prefill_arrangement
    flow = flow_of(table.shape, requests, arrangement, table.chips, rates)
    each = table.concurrency / table.prefill_workers
    n_chips = table.prefill_workers * arrangement.stage_chips + table.workers * table.n_chips
    moved = cache_transfer_s(table.shape, requests, arrangement, table.chips, rates, n_chips)
    return split_first_s(parameters, rates, flow, moved, each)[0]


def _prompts_per_s(table: ServingTable, parameters: Parameters) -> Floats:
    """Prompts/s of all chips that only prefill, tensor parallel or, for mixtures, with attention groups of a chip."""
    requests, cut = stated_requests(table, parameters), table.prefill_arrangement
    rates, one = rates_of(parameters, table.keys), np.ones(len(table.n_chips))
    shared = Arrangement(one, one, cut.tp, cut.tp, one)
    as_cut = 1.0 / prefill_s(table.shape, requests, cut, table.chips, rates)
    as_shared = cut.tp / prefill_s(table.shape, requests, shared, table.chips, rates)
    best = np.where(table.shape.is_moe > 0, np.maximum(as_cut, as_shared), as_cut)
    return np.asarray(table.prefill_workers * best)


def _split_tokens_per_s(table: ServingTable, parameters: Parameters, tpot_s: Floats, first_s: Floats) -> Floats:
    """Output of chips that only decode, as far as those that prefill keep up: a closed loop over both pools."""
    answering = table.replicas * _running(table, parameters)
    asking = np.where(table.concurrency > 0, table.concurrency, answering)
    answer_s = np.maximum(table.requests.output_tokens - 1.0, 1.0) * tpot_s
    cycle_s = np.maximum(np.maximum(first_s + answer_s, answer_s * asking / answering), 1e-9)
    carried = np.minimum(asking / cycle_s, _prompts_per_s(table, parameters))
    return np.asarray(carried * table.requests.output_tokens)


def _batch_tokens_per_s(table: ServingTable, flow: Flow, parameters: Parameters) -> Floats:
    """Output of batches and full queues; MLPerf's scenarios and its tuned engines by a factor each."""
    load, behind = table.loading, np.clip(TUNED_SINCE - table.keys.year, 0.0, 2.0)
    late = parameters["server_share"] / (1.0 + flow.prompt_alone_s / parameters["server_prefill_s"])
    tuned = parameters["mlperf_tuning"] * parameters["mlperf_growth"] ** -behind
    factor = np.where(load.full, parameters["offline_share"], 1.0) * np.where(load.mlperf, tuned, 1.0)
    factor *= np.where(load.server, late, 1.0) * np.where(load.interactive, parameters["interactive_share"], 1.0)
    factor *= np.where(load.beams, parameters["beam_share"], 1.0)
    return np.asarray(table.replicas * flow.batch_tokens_per_s * factor)


def arranged(table: ServingTable, parameters: Parameters) -> ServingTable:
    """The table with the best arrangement of every row that states none: by tokens/s, of split rows at their load.

    Tried are all tensor degrees within the scale-up domain, with attention in groups of their own for mixtures.
    """
    best, best_score = table.arrangement, np.where(table.is_open, -np.inf, np.inf)
    for tensor in TENSOR:
        for shared in (False, True):
            arrangement, possible = _tried(table, float(tensor), shared)
            score = np.where(possible, _score(table.with_arrangement(arrangement), parameters), -np.inf)
            better = score > best_score
            best = Arrangement(*(np.where(better, getattr(arrangement, n), getattr(best, n)) for n in _DEGREES))
            best_score = np.maximum(score, best_score)
    return table.with_arrangement(best)


_DEGREES = tuple(field.name for field in fields(Arrangement))
DOES_NOT_FIT = 1e12


def _tried(table: ServingTable, tensor: float, shared: bool) -> tuple[Arrangement, Flags]:
    """One arrangement of all rows, and for which rows it divides evenly; chips of a split row form one group."""
    tp = np.full(len(table.n_chips), tensor)
    groups = np.where((table.shape.is_moe > 0) & shared, np.maximum(table.n_chips / tp, 1.0), 1.0)
    chips = tp * groups * table.arrangement.pp
    arrangement = Arrangement(
        tp,
        table.arrangement.pp,
        groups,
        np.where(groups > 1, tp * groups, table.arrangement.ep),
        table.arrangement.batch,
    )
    whole = (table.n_chips % chips == 0) & (table.shape.n_heads % tp == 0)
    whole &= (tp <= np.maximum(table.chips.fleet.domain_chips, 1.0)) & table.is_open
    whole &= (groups > 1) if shared else np.ones(len(tp), dtype=np.bool_)
    return arrangement, whole & (~table.loading.split | (chips == table.n_chips))


def _score(table: ServingTable, parameters: Parameters) -> Floats:
    flow = served_flow(table, parameters)
    held = weight_bytes_held(table.shape, table.requests, table.arrangement)
    fits = held < 0.95 * table.chips.fleet.memory_bytes
    rate = np.where(table.loading.split, flow.tokens_per_s, flow.batch_tokens_per_s)
    score = np.where(table.loading.first_only, -flow.ttft_s, rate * table.replicas)
    return score - np.where(fits, 0.0, DOES_NOT_FIT)
