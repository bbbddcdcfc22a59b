"""Serving: the best arrangement of each system within memory and latency limits, and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.constants import BYTES_PER_VALUE
from core.throughput.chips.fleet import Fleet, Floats, Ints, fleet_of
from core.throughput.chips.run_formats import RunsIn, as_stated
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.load.queueing import long_prompt_s
from core.throughput.load.under_load import under_load
from core.throughput.model_shape import ModelShape, shape_of
from core.throughput.refusals import memory_reason, nothing, too_slow
from core.throughput.serving.arrangements import BATCHES, ServingRows, in_pools, serving_rows, with_batches
from core.throughput.serving.carried_load import Loads, loads_of
from core.throughput.serving.served import Served, memory_bytes, requests_of, serve
from core.throughput.speeds import best_rows, evidence_of, factor_for, in_gib, largest, ranged_speed
from core.throughput.transformer_work import (
    attention_flops_per_token_layer,
    head_flops_per_token,
    kv_cache_bytes,
    linear_flops_per_token_layer,
    looking_flops,
)
from core.throughput.types import Latency, Layout, Reason, System, Throughput, at_percentile
from core.throughput.uncertainty import SpreadKey, is_calibrated
from core.units import GIB
from core.workload.jobs.kinds import InferenceJob, TimeLimits
from core.workload.jobs.speculation import TASK_WORDS
from core.workload.models.transformer import TransformerModel

DOUBLINGS = 6
"""How often chips are doubled to find a count whose memory is enough."""


@dataclass(frozen=True)
class _Searched:
    """Every arrangement of every system with the rows that matter of each; ``total_bytes`` is all its memory, and
    ``in_time`` marks those whose replicas keep the limits of time when they are full."""

    fleet: Fleet
    rows: ServingRows
    served: Served
    memory_bytes: dict[str, Floats]
    total_bytes: Floats
    in_time: NDArray[np.bool_]
    best: Ints
    quickest: Ints
    leanest: Ints
    loads: Loads | None


def predict_serving(
    model: TransformerModel,
    job: InferenceJob,
    systems: Sequence[System],
    corrections: Corrections,
    layout: Layout | None,
    software_year: int,
    runs_in: RunsIn = as_stated,
) -> list[Throughput]:
    """One answer a system, in order; a system that misses a latency limit is answered at its quickest."""
    search = _search(model, job, systems, layout, corrections, software_year, runs_in)
    enough = _enough_of(model, job, systems, search, runs_in)
    ask = _Ask(model, job, corrections, search, _counts_of(model, job), runs_in, job.time_limits, enough)
    answers = [_answer(ask, system, n) for n, system in enumerate(systems)]
    return under_load(answers, job.service) if job.service else answers


def _search(
    model: TransformerModel,
    job: InferenceJob,
    systems: Sequence[System],
    layout: Layout | None,
    corrections: Corrections,
    software_year: int,
    runs_in: RunsIn,
) -> _Searched:
    fleet = fleet_of(systems, job.weight_precision, runs_in)
    n, shape, n_models = len(systems), shape_of(model), job.service.n_models if job.service else 1
    stored = model.n_params * BYTES_PER_VALUE[job.weight_precision]
    rows = serving_rows(fleet, model, layout, n_models, stored, BATCHES[:1], _machine_chips(systems))
    if layout is None:
        rows = _worth_batches(shape, job, fleet, rows, n_models)
    rows, memory = _held(shape, job, fleet, rows)
    total = np.sum(list(memory.values()), axis=0)
    fits = total <= fleet.memory_bytes[rows.system]
    served = serve(shape, job, systems, fleet, rows, software_year, runs_in)
    route_ms = np.array([system.route_ms for system in systems])
    in_time = _in_time(job.time_limits, served, route_ms[rows.system])
    n_params = model.n_params
    factors = [factor_for(corrections, system, "inference", n_params) for system in systems]
    loads = _loads(job, rows, served, fits, systems, factors) if layout is None else None
    carried = best_rows(rows.system, n, np.where(fits & in_time, -served.tokens_per_s, np.inf))
    best = loads.best(n) if loads and job.time_limits.is_set else carried
    quickest = best_rows(rows.system, n, np.where(fits, served.tpot_s + served.ttft_p50_s / 50, np.inf))
    leanest = best_rows(rows.system, n, total)
    return _Searched(fleet, rows, served, memory, total, in_time, best, quickest, leanest, loads)


def _machine_chips(systems: Sequence[System]) -> Floats | None:
    """Chips within which a replica must lie: of a host, or all where hosts are joined, shape (n systems,); None where
    they are joined in every system."""
    if not any(system.apart for system in systems):
        return None
    chips = [system.chips_per_host if system.apart else system.n_chips for system in systems]
    return np.array(chips, dtype=np.float64)


def _worth_batches(shape: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows, n_models: int) -> ServingRows:
    """The arrangements that memory holds with the smallest batch, in pools or not, with all batches."""
    rows, _ = _held(shape, job, fleet, rows)
    if job.service and job.service.pools != "off":
        rows, _ = _held(shape, job, fleet, in_pools(rows, job.service.pools, n_models))
    return with_batches(rows)


def _held(
    shape: ModelShape, job: InferenceJob, fleet: Fleet, rows: ServingRows
) -> tuple[ServingRows, dict[str, Floats]]:
    """The rows that memory holds, and of a system that holds none the leanest, with their bytes by part."""
    parts = memory_bytes(shape, job, fleet, rows)
    every = {part: np.broadcast_to(size, rows.system.shape) for part, size in parts.items()}
    total = np.sum(list(every.values()), axis=0)
    leanest = best_rows(rows.system, len(fleet.n_chips), total)
    is_kept = total <= fleet.memory_bytes[rows.system]
    is_kept[leanest[leanest >= 0]] = True
    kept = np.flatnonzero(is_kept)
    return rows.take(kept), {part: size[kept] for part, size in every.items()}


def _enough_chips(model: TransformerModel, job: InferenceJob, systems: Sequence[System], runs_in: RunsIn) -> list[int]:
    """The least of the next doublings of the chips of each system whose memory holds an arrangement; 0 for none."""
    enough, left = [0] * len(systems), list(range(len(systems)))
    for power in range(1, DOUBLINGS + 1):
        if left:
            breathe()
            larger = [replace(systems[at], n_chips=systems[at].n_chips * 2**power, slice=None) for at in left]
            is_enough = _hold(model, job, larger, runs_in)
            for at, system, holds in zip(left, larger, is_enough, strict=True):
                enough[at] = system.n_chips if holds else 0
            left = [at for at, holds in zip(left, is_enough, strict=True) if not holds]
    return enough


def _hold(model: TransformerModel, job: InferenceJob, systems: Sequence[System], runs_in: RunsIn) -> list[bool]:
    """True for systems whose memory holds some arrangement with few answers at once."""
    fleet = fleet_of(systems, job.weight_precision, runs_in)
    n_models = job.service.n_models if job.service else 1
    rows = serving_rows(fleet, model, n_models=n_models, batches=BATCHES[:1], machine_chips=_machine_chips(systems))
    parts = memory_bytes(shape_of(model), job, fleet, rows)
    total = np.sum([np.broadcast_to(part, rows.system.shape) for part in parts.values()], axis=0)
    holds = np.zeros(len(systems), dtype=np.bool_)
    holds[rows.system[total <= fleet.memory_bytes[rows.system]]] = True
    return holds.tolist()


def _loads(
    job: InferenceJob,
    rows: ServingRows,
    served: Served,
    fits: NDArray[np.bool_],
    systems: Sequence[System],
    speed_factors: Sequence[SpeedFactor | None],
) -> Loads | None:
    """What the arrangements carry under a request rate; None for batches, which know no rate."""
    if job.service is None or not fits.any():
        return None
    factors = np.array([factor.factor if factor else 1.0 for factor in speed_factors])
    return loads_of(job.service, rows, served, fits, factors, np.array([system.route_ms for system in systems]))


def _in_time(limits: TimeLimits, served: Served, route_ms: Floats) -> NDArray[np.bool_]:
    if not limits.is_set:
        return np.ones(len(served.tpot_s), dtype=np.bool_)
    first = np.inf if limits.first_ms is None else (limits.first_ms - route_ms) / 1e3
    token = np.inf if limits.next_ms is None else limits.next_ms / 1e3
    whole = np.inf if limits.whole_ms is None else (limits.whole_ms - route_ms) / 1e3
    is_whole = limits.whole(served.ttft_p50_s, served.tpot_s) <= whole
    return np.asarray((served.ttft_p50_s <= first) & (served.tpot_s <= token) & is_whole, dtype=np.bool_)


@dataclass(frozen=True)
class _Counts:
    """The model's own FLOPs of a prompt, as far as no cache holds it, and of an answered token; bytes of all weights,
    and of a sequence's cache. What a draft computes, and what is verified in vain, does not count."""

    prompt_flops: float
    token_flops: float
    weight_bytes: float
    cache_bytes: float

    def flops_per_answered(self, output_tokens: int) -> float:
        """FLOPs of an answered token with its part of the prompt."""
        return self.token_flops + self.prompt_flops / output_tokens


def _counts_of(model: TransformerModel, job: InferenceJob) -> _Counts:
    """Matrix products and attention as far as it looks, as in training; a prompt needs the head for its end alone."""
    shape, value_bytes = shape_of(model), BYTES_PER_VALUE[job.kv_precision]
    requests, linear, head = requests_of(job, shape), linear_flops_per_token_layer(shape), head_flops_per_token(shape)
    of_prompt = linear + attention_flops_per_token_layer(shape, requests.attended_tokens)
    of_answer = linear + looking_flops(shape, shape.mean_context(requests.decode_context))
    return _Counts(
        prompt_flops=float(requests.new_tokens * model.n_layers * of_prompt + head),
        token_flops=float(model.n_layers * of_answer + head),
        weight_bytes=BYTES_PER_VALUE[job.weight_precision] * model.n_params,
        cache_bytes=float(kv_cache_bytes(shape, job.input_tokens + job.output_tokens / 2, value_bytes)),
    )


@dataclass(frozen=True)
class _Ask:
    """What is asked of all systems, what was found, and the answers that systems of the same chips share."""

    model: TransformerModel
    job: InferenceJob
    corrections: Corrections
    search: _Searched
    counts: _Counts
    runs_in: RunsIn
    limits: TimeLimits
    enough: dict[_Hosts, int]
    known: dict[tuple[object, ...], Throughput] = field(default_factory=dict)


_Hosts = tuple[str, int, int, bool]
"""Chip, chips, chips a host, and whether hosts are apart: all that memory hangs on, beside the slice, which larger
systems are without."""


def _hosts_of(system: System) -> _Hosts:
    return system.accelerator.id, system.n_chips, system.chips_per_host, system.apart


def _enough_of(
    model: TransformerModel, job: InferenceJob, systems: Sequence[System], search: _Searched, runs_in: RunsIn
) -> dict[_Hosts, int]:
    """Chips that would be enough for those systems whose memory holds no arrangement."""
    split = np.flatnonzero(search.leanest >= 0)
    short = split[search.total_bytes[search.leanest[split]] > search.fleet.memory_bytes[split]]
    once = {_hosts_of(systems[number]): systems[number] for number in short.tolist()}
    runs = {key: one for key, one in once.items() if not runs_in(one.accelerator, job.weight_precision).refusal}
    return dict(zip(runs, _enough_chips(model, job, list(runs.values()), runs_in), strict=True))


def _answer(ask: _Ask, system: System, number: int) -> Throughput:
    breathe()
    job, search = ask.job, ask.search
    run = ask.runs_in(system.accelerator, job.weight_precision)
    used, notes = run.shown, run.notes
    if run.refusal:
        return nothing(system, run.refusal, used)
    capacity_bytes = float(search.fleet.memory_bytes[number])
    leanest, quickest, best = (int(rows[number]) for rows in (search.leanest, search.quickest, search.best))
    if leanest < 0 and job.service and job.service.pools == "on":
        text = "Prompts on chips of their own take two replicas or more"
        return nothing(system, Reason("layout", text, "Take more chips, or the same chips for both"), used)
    if leanest < 0:
        return nothing(system, Reason("layout", "No split of the model over these chips", "Take another count"), used)
    if search.total_bytes[leanest] > capacity_bytes:
        memory = in_gib(search.memory_bytes, leanest)
        enough = ask.enough[_hosts_of(system)]
        reason = memory_reason(
            sum(memory.values()), capacity_bytes / GIB, system.n_chips, True,
            enough_chips=enough, most_tried=system.n_chips * 2**DOUBLINGS,
        )  # fmt: skip
        return nothing(system, reason, used, memory)
    timely = best >= 0 if search.loads and ask.limits.is_set else bool(search.in_time[best])
    is_met = timely and search.total_bytes[best] <= capacity_bytes
    reasons = () if is_met else _late(ask.limits, search, quickest, system.route_ms)
    row = quickest if reasons else best
    return _shared(ask, system, number, row, _Verdict(reasons, used, notes))


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Whether a system is in time, the precision used, and what is to be said of it."""

    reasons: tuple[Reason, ...]
    precision: str
    notes: tuple[str, ...]


def _shared(ask: _Ask, system: System, number: int, row: int, verdict: _Verdict) -> Throughput:
    """The answer at a row, worked out once for systems that only the way to users tells apart."""
    within = row - int(np.searchsorted(ask.search.rows.system, number))
    key = (
        system.accelerator.id, system.n_chips, system.chips_per_host, system.network_gbit_per_s,
        system.network_estimate, id(system.slice), id(system.host), within, system.apart,
    )  # fmt: skip
    alike = ask.known.get(key)
    if alike:
        load = ask.search.loads.curve(row) if ask.search.loads else None
        return replace(alike, system=system, fits=not verdict.reasons, reasons=verdict.reasons, load=load)
    return ask.known.setdefault(key, _at_row(ask, system, number, row, verdict))


def _late(limits: TimeLimits, search: _Searched, quickest: int, route_ms: float) -> tuple[Reason, ...]:
    token_ms, first_ms = float(search.served.tpot_s[quickest]) * 1e3, float(search.served.ttft_p50_s[quickest]) * 1e3
    if search.loads:
        long_ms = first_ms + long_prompt_s(float(search.served.prefill_s[quickest])) * 1e3
        first_ms = at_percentile(first_ms, long_ms, limits.percentile)
    if limits.next_ms is not None and token_ms > limits.next_ms:
        return (too_slow("each next token", token_ms, limits.next_ms),)
    whole_ms, first_ms = limits.whole(first_ms, token_ms) + route_ms, first_ms + route_ms
    is_first_late = limits.first_ms is not None and first_ms > limits.first_ms
    if limits.whole_ms is not None and not is_first_late:
        return (too_slow("the whole answer", whole_ms, limits.whole_ms),)
    return (too_slow("the first token", first_ms, limits.first_ms or first_ms),)


def _at_row(ask: _Ask, system: System, number: int, row: int, verdict: _Verdict) -> Throughput:
    """Speed, memory and times of one arrangement."""
    model, job, served = ask.model, ask.job, ask.search.served
    factor, fleet = factor_for(ask.corrections, system, "inference", model.n_params), ask.search.fleet
    is_estimate = ask.runs_in(system.accelerator, job.weight_precision).is_estimate
    hosted = int(ask.search.rows.hosted[row])
    packed = (f"Up to {hosted} models take turns on a replica, which no published run shows",) if hosted > 1 else ()
    key = _spread_key(model, system, float(ask.search.rows.batch[row]), is_estimate or bool(packed))
    speed, measured = ranged_speed(float(served.tokens_per_s[row]), key, factor)
    terms = {name: float(values[row]) / measured for name, values in served.decode_terms_s.items()}
    flops = ask.counts.flops_per_answered(job.output_tokens)
    return Throughput(
        system=system,
        fits=not verdict.reasons,
        reasons=verdict.reasons,
        layout=ask.search.rows.at(row),
        tokens_per_s=speed,
        samples_per_s=speed.likely / job.output_tokens,
        step_time_s=sum(terms.values()),
        step_terms_s=terms,
        mfu=flops * speed.likely / (system.n_chips * float(fleet.peak_flops[number])),
        bottleneck=largest(terms),
        memory_gib=in_gib(ask.search.memory_bytes, row),
        memory_capacity_gib=float(fleet.memory_bytes[number]) / GIB,
        latency=_latency(served, row, measured),
        evidence=evidence_of(system, "serving", factor, is_estimate),
        precision=verdict.precision,
        notes=(*verdict.notes, *packed, *_draft_notes(job)),
        roofline=_phases(ask, row),
        load=ask.search.loads.curve(row) if ask.search.loads else None,
    )


def _draft_notes(job: InferenceJob) -> tuple[str, ...]:
    """What is to be said of a draft whose yield nobody measured."""
    if not job.guesses_draft:
        return ()
    likely = f"{job.emitted_tokens:.1f} tokens a verification, likely for {TASK_WORDS[job.draft_task].lower()}"
    return (f"Drafts are taken to yield {likely}; your own requests may differ",)


def _spread_key(model: TransformerModel, system: System, batch: float, is_estimate: bool) -> SpreadKey:
    family = "tpu" if system.accelerator.kind == "tpu" else "moe" if model.is_moe else "dense"
    is_known = is_calibrated("serving", system.accelerator.id) and not is_estimate
    return SpreadKey("throughput", family, is_known, True, system.n_chips, batch)


def _latency(served: Served, row: int, measured: float) -> Latency:
    scale = 1e3 / measured
    times: tuple[Floats, ...] = (served.ttft_p50_s, served.ttft_p99_s, served.tpot_s, served.tpot_p99_s)
    return Latency(*(float(values[row]) * scale for values in times))


def _phases(ask: _Ask, row: int) -> tuple[tuple[str, float, float], ...]:
    """Roofline points of prefill and decode: FLOP per byte and FLOP/s per chip."""
    rows, served, counts = ask.search.rows, ask.search.served, ask.counts
    chips = float(rows.tp[row] * rows.attention_dp[row] * rows.pp[row])
    groups, batch = float(rows.attention_dp[row]), float(rows.batch[row])
    prefill, decode = counts.prompt_flops, counts.token_flops * batch
    return (
        ("Prefill", prefill / counts.weight_bytes, groups * prefill / float(served.prefill_s[row]) / chips),
        (
            "Decode",
            decode / (counts.weight_bytes + batch * counts.cache_bytes),
            decode / float(served.decode_s[row]) / chips,
        ),
    )
