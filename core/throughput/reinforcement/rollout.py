"""Answers to the prompts of a step: the arrangement of the serving engine that has them soonest on each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats, Ints, fleet_of
from core.throughput.chips.run_formats import RunsIn
from core.throughput.model_shape import shape_of
from core.throughput.serving.arrangements import BATCHES, ServingRows, serving_rows
from core.throughput.serving.served import Served, memory_bytes, serve
from core.throughput.speeds import best_rows
from core.throughput.types import Layout, System
from core.workload.jobs.kinds import BatchInference, ReinforcementLearning
from core.workload.models.transformer import TransformerModel

MOST_AT_ONCE = float(BATCHES[-1])
"""Sequences that an attention group decodes together at most."""
PROMPT_TOKENS_AT_ONCE = 8192
"""Prompt tokens of one pass, as engines are usually configured."""
PREFIXES_SHARED_FROM = 2024
"""Engines keep the prompt for all answers to it since about then (vLLM 0.4, SGLang); before, each answer read it."""


@dataclass(frozen=True)
class Rollouts(Rows):
    """How each system answers, shape (n systems,): infinite ``seconds`` where nothing holds the weights.

    ``seconds`` from the first prompt to the last answer; ``alive``: sequences that a replica decodes at once at most;
    ``needed_bytes`` of the fullest chip and what of it are weights, with at least one sequence.
    """

    seconds: Floats
    tp: Floats
    pp: Floats
    replicas: Floats
    alive: Floats
    weight_bytes: Floats
    needed_bytes: Floats


def rollouts_of(
    model: TransformerModel,
    job: ReinforcementLearning,
    systems: Sequence[System],
    software_year: int,
    runs_in: RunsIn,
    given: Layout | None = None,
) -> Rollouts:
    """The quickest arrangement of each system, or the given one, on chips that do nothing else meanwhile."""
    asked = BatchInference(
        input_tokens=job.prompt_tokens,
        output_tokens=job.answer_tokens,
        weight_precision=job.rollout_precision,
        engine=job.rollout_engine,
    )
    fleet = fleet_of(systems, job.rollout_precision, runs_in)
    rows = _stated(fleet, given) if given else _one_each(serving_rows(fleet, model))

    def served(batch: Floats, of: BatchInference = asked) -> Served:
        return serve(shape_of(model), of, systems, fleet, replace(rows, batch=batch), software_year, runs_in)

    needs = memory_bytes(shape_of(model), asked, fleet, replace(rows, batch=rows.attention_dp))
    alive = sequences_alive(needs, fleet.take(rows.system).memory_bytes)
    load = _load(job, rows, alive, software_year)
    prompts = served(rows.attention_dp, asked.model_copy(update={"input_tokens": PROMPT_TOKENS_AT_ONCE}))
    decode_s = load.steps * served(np.maximum(load.mean_alive, rows.attention_dp)).decode_s
    seconds = decode_s + load.prompt_tokens / PROMPT_TOKENS_AT_ONCE * prompts.prefill_s
    return _best(len(systems), rows, needs, alive, np.where(alive >= 1.0, seconds, np.inf))


def _stated(fleet: Fleet, given: Layout) -> ServingRows:
    """The given degrees on every system, whatever links they cross, as often as its chips allow."""
    n = len(fleet.n_chips)
    one, tp, pp = np.ones(n), np.full(n, float(given.tp)), np.full(n, float(given.pp))
    replicas = np.maximum(np.floor(fleet.n_chips / (tp * pp)), 1.0)
    return ServingRows(np.arange(n, dtype=np.intp), tp, pp, one, replicas, one, one, 0.0 * one)


def _one_each(rows: ServingRows) -> ServingRows:
    """Each arrangement once, with a sequence a group."""
    return rows.take(np.flatnonzero(rows.batch == BATCHES[0] * rows.attention_dp))


def sequences_alive(alone: dict[str, Floats], capacity_bytes: Floats) -> Floats:
    """Sequences whose cache an attention group holds, times groups of a replica; 0 where weights alone are too many.

    ``alone`` is the memory of the arrangement by part, with one sequence a group; what is beside its cache stays.
    """
    cache = alone["kv_cache"]
    others = np.sum([part for name, part in alone.items() if name != "kv_cache"], axis=0)
    return np.asarray(np.clip(np.floor((capacity_bytes - others) / np.maximum(cache, 1.0)), 0.0, MOST_AT_ONCE))


@dataclass(frozen=True)
class _Load:
    """Decode steps of a replica for all its answers, sequences alive in a mean step, prompt tokens to read."""

    steps: Floats
    mean_alive: Floats
    prompt_tokens: Floats


def _load(job: ReinforcementLearning, rows: ServingRows, alive: Floats, software_year: int) -> _Load:
    """Answers of n sequences, b at once, of mean length L and longest M.

    ``steps = n L / b + (M - L)``: while sequences wait all places are taken, then the last ones run out. As a decode
    step is nearly a straight line in its batch, steps of the mean batch ``n L / steps`` take as long as the real ones.
    Where answers may be k steps old those of k steps run beside each other and share the last part.
    """
    n_beside = max(job.steps_off_policy if job.is_overlapped else 1, 1)
    sequences = np.ceil(job.answers_per_step / rows.replicas)
    at_once = np.clip(alive * rows.attention_dp, 1.0, n_beside * sequences)
    steps = sequences * job.answer_tokens / at_once + (job.longest_answer - job.answer_tokens) / n_beside
    is_shared = software_year >= PREFIXES_SHARED_FROM
    prompts = np.ceil(sequences / job.samples_per_prompt) if is_shared else sequences
    read = prompts * job.prompt_tokens / rows.attention_dp
    return _Load(steps, sequences * job.answer_tokens / steps, np.asarray(read))


def _best(n_systems: int, rows: ServingRows, alone: dict[str, Floats], alive: Floats, seconds: Floats) -> Rollouts:
    """The quickest row of each system; where none holds the weights the one that lacks least."""
    needed = np.sum(list(alone.values()), axis=0)
    quickest, leanest = best_rows(rows.system, n_systems, seconds), best_rows(rows.system, n_systems, needed)
    if not rows.n_rows:
        none, one = np.full(n_systems, np.inf), np.ones(n_systems)
        return Rollouts(none, one, one, one, one, none, none)
    row: Ints = np.where(np.isfinite(seconds[quickest]), quickest, leanest)
    taken = Rollouts(
        seconds, rows.tp, rows.pp, rows.replicas, alive * rows.attention_dp, alone["weights"], needed
    ).take(row)
    return replace(taken, seconds=np.where(row >= 0, taken.seconds, np.inf))
