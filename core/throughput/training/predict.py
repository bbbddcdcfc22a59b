"""Training: the best layout of each system and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constants import BYTES_PER_VALUE
from core.throughput.chips.best_product import training_precision
from core.throughput.chips.fleet import Fleet, Floats, Ints, fleet_of, usable_precision
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.refusals import memory_reason, no_layout, no_peak, nothing
from core.throughput.speeds import best_rows, evidence_of, factor_for, in_gib, largest, precision_note, ranged_speed
from core.throughput.training.layouts import Layouts, training_layouts
from core.throughput.training.memory import STAY, least_recompute, worth_timing
from core.throughput.training.rates import Rates, StackOfRun, facts_of, rates_of
from core.throughput.training.step import step_terms
from core.throughput.training.work import work_of
from core.throughput.transformer_work import model_flops_per_token
from core.throughput.types import Layout, System, Throughput
from core.throughput.uncertainty import SpreadKey, is_calibrated
from core.units import GIB
from core.workload.jobs.kinds import PRECISION_WORDS, TrainingJob
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

LORA_WORK_SHARE = 2.0 / 3.0
"""LoRA skips the weight gradients of frozen layers: 4 N FLOPs a token instead of 6 N."""
SYSTEMS_AT_ONCE = 48
"""Arrays over the layouts of so many systems stay within a processor's cache."""
REFERENCE_STACK = Stack()
"""What a profile assumes: a vendor's stack of the reference year."""


@dataclass(frozen=True)
class _Searched:
    """Rows worth timing, best of each system (-1: none), least memory of those without, FLOPs of a trained token.

    ``given`` is the layout that was asked for, if any; ``is_stack_known`` whether the training stack is told.
    """

    fleet: Fleet
    rows: Layouts
    memory: dict[str, Floats]
    terms: dict[str, Floats]
    step_s: Floats
    best: Ints
    least_memory: dict[int, dict[str, float]]
    flops_per_token: float
    given: Layout | None
    is_stack_known: bool


def predict_training(
    model: TransformerModel,
    job: TrainingJob,
    systems: Sequence[System],
    corrections: Corrections,
    layout: Layout | None,
    stack: Stack = REFERENCE_STACK,
) -> list[Throughput]:
    """One answer a system, in order, for a training stack and its year."""
    answers: list[Throughput] = []
    for start in range(0, len(systems), SYSTEMS_AT_ONCE):
        some = systems[start : start + SYSTEMS_AT_ONCE]
        search = _search(model, job, some, layout, stack)
        answers += [_answer(model, job, system, search, n, corrections) for n, system in enumerate(some)]
    return answers


def _search(
    model: TransformerModel, job: TrainingJob, systems: Sequence[System], layout: Layout | None, stack: Stack
) -> _Searched:
    fleet, shape = _fleet(systems, job), shape_of(model)
    rows = training_layouts(fleet, model, job, layout)
    capacity = fleet.memory_bytes[rows.system]
    rows, memory = least_recompute(shape, job, capacity, rows)
    timed = worth_timing(rows, memory, capacity)
    kept = rows.take(timed)
    rates = _rates(systems, job, stack).take(kept.system)
    terms = step_terms(shape, work_of(shape, job), fleet.take(kept.system), rates, kept)
    step_s = sum(terms.values(), start=np.zeros(kept.n_rows))
    best = best_rows(kept.system, len(systems), step_s)
    return _Searched(
        fleet=fleet,
        rows=kept,
        memory={name: part[timed] for name, part in memory.items()},
        terms=terms,
        step_s=step_s,
        best=best,
        least_memory=_least_memory(memory, rows, best),
        flops_per_token=float(model_flops_per_token(shape, job.sequence_length)),
        given=layout,
        is_stack_known=stack.training_stack != "unknown",
    )


def _fleet(systems: Sequence[System], job: TrainingJob) -> Fleet:
    """The systems with their peaks in the precision that training uses."""
    chips = [system.accelerator for system in systems]
    peaks = [max(usable_precision(chip, training_precision(chip, job.precision))[1], 1.0) for chip in chips]
    return replace(fleet_of(systems, job.precision), peak_flops=np.array(peaks))


def _precision(system: System, wanted: str) -> tuple[str, tuple[str, ...]]:
    """The precision used, and a note when it is not the one asked for."""
    asked = training_precision(system.accelerator, wanted)
    used, notes = precision_note(system, asked)
    if asked == wanted or notes:
        return used, notes
    words = f"{system.accelerator.short_name} has no {PRECISION_WORDS[wanted]}: computed in {PRECISION_WORDS[used]}"
    return used, (words,)


def _rates(systems: Sequence[System], job: TrainingJob, stack: Stack) -> Rates:
    known = shipped_parameters("training")
    run = StackOfRun([stack.training_stack], np.array([float(stack.software_year)]))
    return rates_of(facts_of(systems, [job.precision] * len(systems), known), run, known)


def _least_memory(memory: dict[str, Floats], rows: Layouts, best: Ints) -> dict[int, dict[str, float]]:
    """Memory of the leanest layout of each system that none fits."""
    total = sum(memory.values(), start=np.zeros(rows.n_rows))
    first = best_rows(rows.system, len(best), total)
    return {int(n): in_gib(memory, int(first[n])) for n in np.flatnonzero((best < 0) & (first >= 0))}


def _answer(
    model: TransformerModel, job: TrainingJob, system: System, search: _Searched, number: int, corrections: Corrections
) -> Throughput:
    used, notes = _precision(system, job.precision)
    if unknown := no_peak(system, job.precision):
        return nothing(system, unknown, used)
    if search.best[number] < 0:
        return _refused(job, system, used, search, number)
    factor = factor_for(corrections, system, "training")
    return replace(_fitting(model, job, system, search, number, factor), precision=used, notes=notes)


def _fitting(
    model: TransformerModel,
    job: TrainingJob,
    system: System,
    search: _Searched,
    number: int,
    factor: SpeedFactor | None,
) -> Throughput:
    """Speed, memory and times of a system's best layout."""
    row, peak = int(search.best[number]), float(search.fleet.peak_flops[number])
    tokens, layout = job.global_batch_sequences * job.sequence_length, search.rows.at(row)
    key = _spread_key(model, system, search.is_stack_known)
    speed, measured = ranged_speed(tokens / float(search.step_s[row]), key, factor)
    terms = {name: float(values[row]) / measured for name, values in search.terms.items()}
    mfu = _mfu(search, job, speed.likely, system, peak)
    return Throughput(
        system=system,
        fits=True,
        reasons=(),
        layout=layout,
        tokens_per_s=speed,
        samples_per_s=speed.likely / job.sequence_length,
        step_time_s=sum(terms.values()),
        step_terms_s=terms,
        mfu=mfu,
        bottleneck=largest(terms),
        memory_gib=in_gib(search.memory, row),
        memory_capacity_gib=float(search.fleet.memory_bytes[number]) / GIB,
        latency=None,
        evidence=evidence_of(system, "training", factor),
        precision=job.precision,
        roofline=(("Training step", _intensity(model, job, layout, search.flops_per_token), mfu * peak),),
    )


def _spread_key(model: TransformerModel, system: System, is_stack_known: bool) -> SpreadKey:
    """The class of a run that decides how wide its range is."""
    kind = "moe" if model.is_moe else "dense"
    family = "tpu" if system.accelerator.kind == "tpu" else kind if model.causal else "encoder"
    return SpreadKey(
        "training",
        family,
        is_calibrated("training", system.accelerator.id),
        is_stack_known,
        n_chips=system.n_chips,
        is_network_known=system.n_hosts == 1 or not system.network_estimate,
    )


def _mfu(search: _Searched, job: TrainingJob, tokens_per_s: float, system: System, peak_flops: float) -> float:
    """Model FLOPs a second over the peak of all chips; attention counted causal, recompute not counted."""
    share = 1.0 if job.adapter_rank is None else LORA_WORK_SHARE
    return share * search.flops_per_token * tokens_per_s / (system.n_chips * peak_flops)


def _intensity(model: TransformerModel, job: TrainingJob, layout: Layout, flops_per_token: float) -> float:
    """FLOP per byte of a micro-batch: weights read three times, activations of each layer written and read."""
    tokens = layout.micro_batch * job.sequence_length / layout.cp
    width = BYTES_PER_VALUE[job.precision]
    moved = 3 * width * model.n_params + 3 * 2 * 18 * tokens * model.d_model * model.n_layers
    return flops_per_token * tokens / moved


def _refused(job: TrainingJob, system: System, used: str, search: _Searched, number: int) -> Throughput:
    memory = search.least_memory.get(number)
    if memory is None:
        return nothing(system, no_layout(job, system, search.given), used)
    other = "with all activations recomputed" if job.recompute in ("none", "selective") else ""
    reason = memory_reason(
        sum(memory.values()),
        float(search.fleet.memory_bytes[number]) / GIB,
        system.n_chips,
        splits=search.given is None,
        stays_gib=sum(memory[part] for part in STAY),
        other=other,
    )
    return nothing(system, reason, used, memory)
