"""Work in samples: vision, encoders, recommenders, diffusion and graphs, trained or answering, on many systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.breath import breathe
from core.ranges import Z_OF_80_PCT, Evidence, Range
from core.throughput.chips.fleet import Floats, Ints
from core.throughput.chips.run_formats import RunsIn, as_stated
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.load.queueing import normal_share, steps_taken
from core.throughput.load.under_load import under_load
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.refusals import batch_too_small, memory_reason, nothing, too_slow
from core.throughput.samples.batches import SampleRows, answering_rows, capacity_bytes, memory_of, training_rows
from core.throughput.samples.load_curves import load_curves
from core.throughput.samples.quantities import STACKS, SampleChips, SampleWork, chips_of, work_of
from core.throughput.samples.seen import PIECE, is_seen, spread_key
from core.throughput.samples.step import BACKWARD, SampleRun, step_terms
from core.throughput.speeds import best_rows, evidence_of, factor_for, in_gib, largest, ranged_speed
from core.throughput.types import Latency, Layout, Reason, System, Throughput, at_percentile
from core.units import GIB
from core.workload.jobs.kinds import Job, OnlineServing
from core.workload.models.network import NetworkModel
from core.workload.profile import Stack

AS_FAST = 0.99
"""Nobody lets users wait for a larger batch that answers less than a hundredth more a second."""
SHARDED_TRAFFIC = 1.5
"""Weights gathered twice and gradients scattered, over the all-reduce of plain data parallelism."""
_ALL = slice(None)
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]
_STACKS = {"team": "vendor", "vendor": "vendor", "fsdp_compiled": "compiled"}


@dataclass(frozen=True)
class _Ask:
    model: NetworkModel
    job: Job
    stack: Stack
    flops_per_sample: float
    runs_in: RunsIn


@dataclass(frozen=True)
class _Searched:
    """Every way to run of every system with the rows that matter of each; ``total_bytes`` is all its memory."""

    rows: SampleRows
    memory: dict[str, Floats]
    total_bytes: Floats
    terms: dict[str, Floats]
    step_s: Floats
    capacity: Floats
    peak_flops: Floats
    best: Ints
    leanest: Ints
    known: Parameters


def predict_samples(
    model: NetworkModel,
    job: Job,
    stack: Stack,
    systems: Sequence[System],
    corrections: Corrections,
    runs_in: RunsIn = as_stated,
) -> list[Throughput]:
    """One answer a system, in order. ``tokens_per_s`` counts samples: a sample of these models is one token.

    Training is data parallel, in pieces or with sharded states where memory asks for it; answering runs a copy on
    every chip with the smallest batch of those of which most answers a second may be expected within the limit of time,
    and its speed and times are those at the rate that a system carries. Tables are split over all chips.
    """
    ask = _Ask(model, job, stack, _flops_per_sample(model, job.trains), runs_in)
    search = _search(ask, systems, corrections)
    answers = [_answer(ask, system, search, n, corrections) for n, system in enumerate(systems)]
    return under_load(_with_loads(job.service, answers, search), job.service) if job.service else answers


def _with_loads(job: OnlineServing, answers: Sequence[Throughput], search: _Searched) -> list[Throughput]:
    """The answers that fit with how their latency rises with the request rate."""
    fits = np.array([number for number, one in enumerate(answers) if one.fits], dtype=np.intp)
    if not len(fits):
        return list(answers)
    measured = np.ones(len(answers))
    measured[fits] = search.step_s[search.best[fits]] / [answers[number].step_time_s for number in fits]
    batch_s = search.step_s / measured[search.rows.system]
    systems = [answers[number].system for number in fits]
    loads = iter(load_curves(job, systems, search.rows, search.best[fits], batch_s))
    return [replace(one, load=next(loads)) if one.fits else one for one in answers]


def _search(ask: _Ask, systems: Sequence[System], corrections: Corrections) -> _Searched:
    known = shipped_parameters("samples")
    chips = chips_of(systems, [ask.job.compute_precision] * len(systems), ask.runs_in)
    rows = _rows(ask, systems, chips)
    own = chips.take(rows.system)
    capacity = capacity_bytes(systems)
    memory = memory_of(ask.model, rows, own.n_chips, own.value_bytes, ask.job.trains)
    total = np.sum(list(memory.values()), axis=0)
    terms = _terms(ask, rows, own, known)
    step_s = np.sum(list(terms.values()), axis=0)
    speed = own.n_chips * rows.batch * rows.pieces / step_s
    keeps, share = _in_time(ask, systems, corrections, rows, step_s)
    usable = (total <= capacity[rows.system]) & keeps
    best = _best(rows.system, len(systems), -speed * share, usable)
    if ask.job.answers_users:
        usable &= speed * share >= AS_FAST * (speed * share)[best][rows.system]
        best = _best(rows.system, len(systems), step_s, usable)
    leanest = best_rows(rows.system, len(systems), total + 1e-3 * step_s)
    return _Searched(rows, memory, total, terms, step_s, capacity, chips.peak_flops, best, leanest, known)


def _rows(ask: _Ask, systems: Sequence[System], chips: SampleChips) -> SampleRows:
    run = ask.job.training
    if run:
        return training_rows(systems, run.global_batch_sequences)
    return answering_rows(systems, chips.domain_chips, shares=ask.model.shared_values > 0)


def _terms(ask: _Ask, rows: SampleRows, chips: SampleChips, known: Parameters) -> dict[str, Floats]:
    """Seconds of a whole step by term: all pieces, then one exchange of gradients and one wait for the others."""
    n = len(rows.system)
    run = SampleRun(
        batch=rows.batch,
        is_training=np.full(n, float(ask.job.trains)),
        stack=np.full(n, STACKS.index(_STACKS.get(ask.stack.training_stack, "eager")), dtype=np.intp),
        year=np.full(n, float(ask.stack.software_year)),
        is_server=np.full(n, float(ask.job.answers_users)),
    )
    terms = step_terms(*_as_shared(work_of([ask.model]).take(np.zeros(n, dtype=np.intp)), chips, rows, ask), run, known)
    exchanges = 1.0 + (SHARDED_TRAFFIC - 1.0) * rows.sharded
    if not ask.job.trains or ask.model.table_millions:
        exchanges = exchanges * rows.pieces
    return {name: value * (exchanges if name == "network" else rows.pieces) for name, value in terms.items()}


def _as_shared(work: SampleWork, chips: SampleChips, rows: SampleRows, ask: _Ask) -> tuple[SampleWork, SampleChips]:
    """Work and chips as each row has them: where chips share a sample, they alone exchange its values."""
    if not (rows.shared > 1).any():
        return work, chips
    is_shared = rows.shared > 1
    values = np.where(is_shared, ask.model.shared_values, work.exchange_values)
    group = {name: np.where(is_shared, rows.shared, getattr(chips, name)) for name in ("n_chips", "domain_chips")}
    return replace(work, exchange_values=values), replace(chips, **group)


def _best(system: Ints, n_systems: int, badness: Floats, usable: Mask) -> Ints:
    """The usable row of each system with the least badness, -1 without any, shape (n systems,)."""
    best = best_rows(system, n_systems, np.where(usable, badness, np.inf))
    return np.where((best >= 0) & usable[best], best, -1) if len(usable) else best


def _in_time(
    ask: _Ask, systems: Sequence[System], corrections: Corrections, rows: SampleRows, step_s: Floats
) -> tuple[Mask, Floats]:
    """Rows whose answers are likely to keep the limit of time, and how likely, 0..1, shapes (n rows,).

    The share is ``P(time <= limit)``, the times being log-normal as the range of speed says: an arrangement that keeps
    the limit by a hair is late in every other case and counts half.
    """
    limits = ask.job.time_limits
    if limits.first_ms is None or not systems:
        return np.ones(len(step_s), dtype=np.bool_), np.ones(len(step_s))
    takes_s = at_percentile(*steps_taken(_at_once(rows)), limits.percentile) * step_s
    left_s = np.array([limits.first_ms - one.route_ms for one in systems])[rows.system] / 1e3
    spans = [_speed_of(ask, one, 1.0, _factor(ask, one, corrections))[0] for one in systems]
    low, likely = np.array([(one.low, one.likely) for one in spans])[rows.system].T
    room = np.log(np.maximum(left_s, 1e-9) * likely / takes_s)
    deviation = np.maximum(np.log(likely / low), 1e-9) / Z_OF_80_PCT
    return np.asarray(room >= 0), normal_share(room / deviation)


def _factor(ask: _Ask, system: System, corrections: Corrections) -> SpeedFactor | None:
    return factor_for(corrections, system, ask.job.work, ask.model.n_params)


def _speed_of(ask: _Ask, system: System, likely: float, factor: SpeedFactor | None) -> tuple[Range, float]:
    """See :func:`core.throughput.speeds.ranged_speed`."""
    run = ask.runs_in(system.accelerator, ask.job.compute_precision)
    key = spread_key(system.accelerator, ask.model.family, ask.job.trains, system.n_chips, run.is_estimate)
    return ranged_speed(likely, key, factor)


def _answer(ask: _Ask, system: System, search: _Searched, number: int, corrections: Corrections) -> Throughput:
    breathe()
    run = ask.runs_in(system.accelerator, ask.job.compute_precision)
    used, notes = run.shown, run.notes
    if run.refusal:
        return nothing(system, run.refusal, used)
    best, leanest = int(search.best[number]), int(search.leanest[number])
    if leanest < 0:
        return nothing(system, batch_too_small(_global_batch(ask.job), "sample", system), used)
    capacity_gib = float(search.capacity[number]) / GIB
    if search.total_bytes[leanest] > search.capacity[number]:
        memory = in_gib(search.memory, leanest)
        splits = ask.job.trains or bool(ask.model.table_millions)
        reason = memory_reason(sum(memory.values()), capacity_gib, system.n_chips, splits=splits)
        return nothing(system, reason, used, memory)
    late = () if best >= 0 else (_late(ask.job, search, leanest, system.route_ms),)
    return _at_row(
        ask,
        system,
        search,
        number,
        leanest if late else best,
        corrections,
        _Verdict(late, used, notes, run.is_estimate),
    )


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Whether a system is in time, the precision used, and what is to be said of it."""

    reasons: tuple[Reason, ...]
    precision: str
    notes: tuple[str, ...]
    is_estimate: bool


def _global_batch(job: Job) -> int:
    return job.training.global_batch_sequences if job.training else 1


def _late(job: Job, search: _Searched, row: int, route_ms: float) -> Reason:
    half, _ = steps_taken(_at_once(search.rows, row))
    at_best, limit = float(half * search.step_s[row]) * 1e3 + route_ms, job.time_limits.first_ms or 0.0
    return too_slow("an answer", at_best, limit)


def _at_row(
    ask: _Ask,
    system: System,
    search: _Searched,
    number: int,
    row: int,
    corrections: Corrections,
    verdict: _Verdict,
) -> Throughput:
    """Speed, memory and times of one arrangement."""
    factor = _factor(ask, system, corrections)
    samples = system.n_chips * float(search.rows.batch[row] * search.rows.pieces[row])
    speed, measured = _speed_of(ask, system, samples / float(search.step_s[row]), factor)
    terms = {name: float(values[row]) / measured for name, values in search.terms.items()}
    achieved = ask.flops_per_sample * speed.likely / system.n_chips
    return Throughput(
        system=system,
        fits=not verdict.reasons,
        reasons=verdict.reasons,
        layout=_layout(ask, system, search.rows, row),
        tokens_per_s=speed,
        samples_per_s=speed.likely,
        step_time_s=sum(terms.values()),
        step_terms_s=terms,
        mfu=achieved / float(search.peak_flops[number]),
        bottleneck=_bottleneck(terms),
        memory_gib=in_gib(search.memory, row),
        memory_capacity_gib=float(search.capacity[number]) / GIB,
        latency=None if ask.job.trains else _latency(sum(terms.values()), _at_once(search.rows, row)),
        evidence=_evidence(ask, system, factor, verdict.is_estimate),
        precision=verdict.precision,
        notes=(*_sharing(ask.model, round(float(search.rows.shared[row]))), *verdict.notes),
        unit="samples",
        roofline=((_PHASE[ask.job.trains], _intensity(ask, search, row), achieved),),
    )


def _bottleneck(terms: dict[str, float]) -> str:
    """The term that a step waits for: the input where chips wait for it, as no faster chip helps, else the largest."""
    return "input" if terms["input"] > 1e-9 * sum(terms.values()) else largest(terms)


def _evidence(ask: _Ask, system: System, factor: SpeedFactor | None, is_estimate: bool) -> Evidence:
    seen = is_seen(system.accelerator, ask.model.family, ask.job.trains)
    return evidence_of(system, PIECE, factor, is_estimate, seen)


_PHASE = {True: "Training step", False: "Forward pass"}


def _layout(ask: _Ask, system: System, rows: SampleRows, row: int) -> Layout:
    batch, shared = max(round(float(rows.batch[row])), 1), round(float(rows.shared[row]))
    if not ask.job.trains:
        return Layout(replicas=system.n_chips // shared, max_batch=batch, shared=shared)
    if rows.sharded[row]:
        return Layout(fsdp=system.n_chips, micro_batch=batch)
    return Layout(dp=system.n_chips, micro_batch=batch)


def _sharing(model: NetworkModel, shared: int) -> tuple[str, ...]:
    """What is said where chips share a sample: ``One video on 4 chips, to answer in time``."""
    what = model.sample.partition(" ")[0]
    return (f"One {what} on {shared} chips, which exchange its parts in every layer",) if shared > 1 else ()


def _at_once(rows: SampleRows, row: int | slice = _ALL) -> Floats:
    """Samples that a replica answers together, of one row or of all, shape (n rows,)."""
    return np.asarray(rows.batch[row] * rows.shared[row])


def _latency(step_s: float, at_once: Floats) -> Latency:
    """Time to an answer; a sample has no further tokens, so the time of each is the same."""
    half, late = (float(steps) * step_s * 1e3 for steps in steps_taken(at_once))
    return Latency(half, late, half, late)


def _flops_per_sample(model: NetworkModel, is_training: bool) -> float:
    """FLOPs of a sample without recompute: three forward passes' worth when training."""
    return model.forward_flops * (1.0 + BACKWARD) if is_training else model.answer_flops


def _intensity(ask: _Ask, search: _Searched, row: int) -> float:
    """FLOP per byte of a batch: weights read, values written and read once in each pass and for each token written."""
    batch, passes, model = float(search.rows.batch[row]), 3.0 if ask.job.trains else 1.0, ask.model
    moved = passes * (model.params_millions + 2.0 * batch * model.activation_millions)
    if not ask.job.trains:
        moved += model.tokens_written * (model.writer_millions + batch * model.remembered_millions)
    return model.forward_flops * passes * batch / max(2e6 * moved, 1.0)
