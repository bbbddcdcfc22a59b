"""Training: the best layout of each system and what it gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.breath import breathe
from core.catalogue.formats import peak_of
from core.constants import BYTES_PER_VALUE
from core.ranges import Evidence
from core.rows import each_once
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.chips.run_formats import RunsIn, as_stated
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.model_shape import Floats, ModelShape, shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.refusals import memory_reason, no_layout, nothing
from core.throughput.speeds import (
    best_rows,
    evidence_of,
    factor_for,
    gib_of,
    largest,
    listed,
    ranged_speed,
)
from core.throughput.training.enough import NOT_ASKED, Enough, enough_chips
from core.throughput.training.finetuning import tuned_rates
from core.throughput.training.grid import grid_of
from core.throughput.training.layouts import Layouts
from core.throughput.training.memory import STAY, paged_out_bytes, training_memory
from core.throughput.training.paging import paging_of
from core.throughput.training.pruning import Asked, may_be_fastest
from core.throughput.training.rates import StackOfRun, facts_of, rates_of
from core.throughput.training.work import work_of
from core.throughput.transformer_work import model_flops_per_token
from core.throughput.types import Layout, Reason, System, Throughput
from core.throughput.uncertainty import SpreadKey, is_calibrated
from core.units import GIB
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

LORA_WORK_SHARE = 2.0 / 3.0
"""LoRA skips the weight gradients of frozen layers: 4 N FLOPs a token instead of 6 N."""
RAMP_PARTS = 8
TUNED_PARAMS, PRETRAINED_PARAMS = 14e9, 70e9
"""Weights of the largest dense model that trainers on one host were measured to train in whole, and from which such a
run is as sure as pre-training on a chip without rows (our estimate)."""
SYSTEMS_AT_ONCE = 256
"""Arrays over the layouts of so many systems take little memory, and calls on them outweigh their start."""
REFERENCE_STACK = Stack()
"""What a profile assumes: a team's own stack of the reference year."""


@dataclass(frozen=True)
class _Ask:
    """What is asked of all systems; ``n_params`` are the model's, ``flops_per_token`` of a trained token.

    ``given`` is the layout that was asked for, if any; ``stack`` the software; ``of_chips``: what was found out of
    chips so far, by the identity of their entries.
    """

    model: TransformerModel
    job: TrainingJob
    corrections: Corrections
    n_params: int
    flops_per_token: float
    given: Layout | None
    stack: Stack
    runs_in: RunsIn
    is_alone: bool
    of_chips: dict[int, _OfChip] = field(default_factory=dict)

    @property
    def is_stack_known(self) -> bool:
        """True where the training stack is told."""
        return self.stack.training_stack not in ("unknown", "team")


@dataclass(frozen=True, slots=True)
class _Fastest:
    """The fastest layout of a system: seconds of its terms, of a step, and bytes of each part of memory."""

    layout: Layout
    terms_s: dict[str, float]
    step_s: float
    memory_bytes: dict[str, float]


@dataclass(frozen=True)
class _Searched:
    """The fastest layout of each system by its number; of those that nothing fits bytes of the leanest one, and how
    many chips would hold it, where that was asked."""

    fleet: Fleet
    fastest: dict[int, _Fastest]
    leanest: dict[int, dict[str, float]]
    enough: dict[int, Enough]


def predict_training(
    model: TransformerModel,
    job: TrainingJob,
    systems: Sequence[System],
    corrections: Corrections,
    layout: Layout | None,
    stack: Stack = REFERENCE_STACK,
    runs_in: RunsIn = as_stated,
    is_alone: bool = True,
) -> list[Throughput]:
    """One answer a system, in order, for a training stack and its year; formats run as ``runs_in`` says.

    How many chips would hold a run is told where it ``is_alone``; who has more on the chips asks that himself.
    """
    flops_per_token = float(model_flops_per_token(shape_of(model), job.sequence_length))
    ask = _Ask(model, job, corrections, model.n_params, flops_per_token, layout, stack, runs_in, is_alone)
    answers: list[Throughput] = []
    for start in range(0, len(systems), SYSTEMS_AT_ONCE):
        some = systems[start : start + SYSTEMS_AT_ONCE]
        search = _search(ask, some, stack)
        answers += [_answer(ask, system, search, n) for n, system in enumerate(some)]
    return answers


def _search(ask: _Ask, systems: Sequence[System], stack: Stack) -> _Searched:
    """Looks at every layout of some systems; those that fit and may be the fastest are timed."""
    shape, job = shape_of(ask.model), ask.job
    asked = _asked(shape, ask, systems, stack)
    breathe()
    grid = grid_of(asked.fleet, ask.model, shape, job, ask.given)
    breathe()
    rows = may_be_fastest(asked, grid.layouts, grid.every.take(grid.worth_timing)).of(grid.layouts)
    breathe()
    terms = asked.terms(rows)
    step_s = sum(terms.values(), start=np.zeros(rows.n_rows))
    best = best_rows(rows.system, len(systems), step_s)
    at = best[best >= 0]
    fastest = rows.take(at)
    terms = {name: seconds[at] for name, seconds in terms.items()}
    terms["overhead"] = terms["overhead"] + ramp_s(asked, fastest, job)
    step_s = sum(terms.values(), start=np.zeros(fastest.n_rows))
    every = np.arange(fastest.n_rows)
    held = _memory_of(shape, job, fastest, asked.fleet)
    columns = (fastest.listed(), listed(terms, every), step_s.tolist(), held)
    leanest = grid.every.take(grid.leanest[(best < 0) & (grid.leanest >= 0)]).of(grid.layouts)
    tight = dict(zip(leanest.system.tolist(), _memory_of(shape, job, leanest, asked.fleet), strict=True))
    return _Searched(
        asked.fleet,
        dict(zip(fastest.system.tolist(), map(_Fastest, *columns), strict=True)),
        tight,
        _enough(ask, systems, asked.fleet, tight),
    )


def _enough(
    ask: _Ask, systems: Sequence[System], fleet: Fleet, tight: dict[int, dict[str, float]]
) -> dict[int, Enough]:
    """See :class:`_Searched`: another count asks for another layout than a given one."""
    if ask.given is not None or not ask.is_alone:
        return {}
    asked = list(tight)
    own = fleet.take(np.array(asked, dtype=np.intp))
    found = enough_chips(ask.model, ask.job, [systems[at] for at in asked], own)
    return dict(zip(asked, found, strict=True))


def ramp_s(asked: Asked, rows: Layouts, job: TrainingJob) -> Floats:
    """What a growing batch adds to a step of the whole one in s, mean over the run, shape (n rows,).

    ``R / N (mean_k t(B_k) B / B_k - t(B))``: a share R / N of the tokens is trained on while the batch grows from B_0
    to B in equal parts; fewer sequences leave pipelines emptier and ranks idle.
    """
    if job.ramp_from_sequences is None:
        return np.zeros(rows.n_rows)
    whole, first = float(job.global_batch_sequences), float(min(job.ramp_from_sequences, job.global_batch_sequences))
    sizes = first + (whole - first) * (np.arange(RAMP_PARTS) + 0.5) / RAMP_PARTS
    alike = [replace(asked, work=replace(asked.work, global_batch=np.asarray(size))).step_s(rows) for size in sizes]
    mean_s = np.mean([seconds * whole / size for seconds, size in zip(alike, sizes, strict=True)], axis=0)
    return np.asarray(min(job.ramp_tokens / job.n_tokens, 1.0) * np.maximum(mean_s - asked.step_s(rows), 0.0))


def _memory_of(shape: ModelShape, job: TrainingJob, rows: Layouts, fleet: Fleet) -> list[dict[str, float]]:
    """Bytes of each part of memory, row by row, with what of a paged optimiser finds room."""
    parts = training_memory(shape, job, rows)
    on_chip, _ = paged_out_bytes(shape, job, rows, fleet.memory_bytes[rows.system])
    return listed(parts | {"optimizer": parts["optimizer"] + on_chip}, np.arange(rows.n_rows))


def _asked(shape: ModelShape, ask: _Ask, systems: Sequence[System], stack: Stack) -> Asked:
    """The systems as arrays, with their peaks in the precision that training uses and the rates of their chips."""
    known, job = shipped_parameters("training"), ask.job
    chips, chip_of = each_once([system.accelerator for system in systems])
    fleet = fleet_of(systems, job.precision, ask.runs_in)
    run = StackOfRun([stack.training_stack], np.array([stack.released]), np.array([float(ask.given is None)]))
    rates = rates_of(facts_of(chips, [job.precision] * len(chips), known, ask.runs_in), run, known).take(chip_of)
    work = work_of(shape, job)
    paging = paging_of(shape, job.finetuned, systems, fleet.memory_bytes)
    return Asked(shape, work, fleet, tuned_rates(rates, work.tuning), chip_of, paging)


@dataclass(frozen=True, slots=True)
class _OfChip:
    """What the chip alone decides of an answer: precision, what is said of it, why it is refused, how it is known.

    ``peak_flops``: of the data sheet in the format of the products, whatever an emulation loses of it.
    """

    precision: str
    peak_flops: float
    notes: tuple[str, ...]
    refusal: Reason | None
    factor: SpeedFactor | None
    evidence: Evidence
    is_calibrated: bool
    family: str


def _of_chip(ask: _Ask, system: System) -> _OfChip:
    chip, run = system.accelerator, ask.runs_in(system.accelerator, ask.job.precision)
    factor, kind = factor_for(ask.corrections, system, "training", ask.n_params), "moe" if ask.model.is_moe else "dense"
    return _OfChip(
        run.shown,
        max(peak_of(chip, run.products), 1.0),
        run.notes,
        run.refusal,
        factor,
        evidence_of(system, "training", factor, run.is_estimate),
        is_calibrated("finetune" if ask.job.finetuned else "training", chip.id) and not run.is_estimate,
        "tpu" if chip.kind == "tpu" else kind if ask.model.causal else "encoder",
    )


def _answer(ask: _Ask, system: System, search: _Searched, number: int) -> Throughput:
    breathe()
    key = id(system.accelerator)
    chip = ask.of_chips.get(key) or ask.of_chips.setdefault(key, _of_chip(ask, system))
    if chip.refusal:
        return nothing(system, chip.refusal, chip.precision)
    if number not in search.fastest:
        return _refused(ask, system, chip.precision, search, number)
    return _running(ask, system, search, number, chip)


def _running(ask: _Ask, system: System, search: _Searched, number: int, chip: _OfChip) -> Throughput:
    """Speed, memory and times of a system's best layout."""
    fastest, job = search.fastest[number], ask.job
    tokens = job.global_batch_sequences * job.sequence_length * job.useful_share
    speed, measured = ranged_speed(tokens / fastest.step_s, _spread_key(ask, system, chip), chip.factor)
    terms = {name: seconds / measured for name, seconds in fastest.terms_s.items()}
    mfu = _mfu(ask, speed.likely, system, chip.peak_flops)
    return Throughput(
        system=system,
        fits=True,
        reasons=(),
        layout=fastest.layout,
        tokens_per_s=speed,
        samples_per_s=speed.likely / job.sequence_length,
        step_time_s=sum(terms.values()),
        step_terms_s=terms,
        mfu=mfu,
        bottleneck=largest(terms),
        memory_gib=gib_of(fastest.memory_bytes),
        memory_capacity_gib=float(search.fleet.memory_bytes[number]) / GIB,
        latency=None,
        evidence=chip.evidence,
        precision=chip.precision,
        notes=chip.notes,
        roofline=(("Training step", _intensity(ask, fastest.layout), mfu * chip.peak_flops),),
    )


def _spread_key(ask: _Ask, system: System, chip: _OfChip) -> SpreadKey:
    """The class of a run that decides how wide its range is."""
    reach = system.n_chips, 0.0, system.n_hosts == 1 or not system.network_estimate
    tuned = ask.job.finetuned
    if tuned is None:
        return SpreadKey("training", chip.family, chip.is_calibrated, ask.is_stack_known, *reach)
    if tuned.has_adapters:
        return SpreadKey("finetune", tuned.method, chip.is_calibrated, ask.is_stack_known, *reach)
    is_vendor = ask.stack.training_stack == "vendor"
    known = is_vendor and is_calibrated("training", system.accelerator.id)
    trained = SpreadKey("training", chip.family, known, ask.is_stack_known, *reach)
    lean = 1.0 if is_vendor or chip.family == "tpu" else _lean(ask.n_params)
    return SpreadKey("finetune", tuned.method, chip.is_calibrated, ask.is_stack_known, *reach, trained, lean)


def _lean(n_params: float) -> float:
    """How far training every weight of a given model is like pre-training, of 1, by its size.

    The rows of fine-tuning ran trainers on one host. Models that need many chips are trained by the software of
    pre-training, as are all in a vendor's own recipes, whose rows of either kind lie in one class (Megatron on 8 to 32
    chips), and in the programs of TPUs. The same for every system of a plan: more chips make no run surer.
    """
    return min(max(math.log(n_params / TUNED_PARAMS) / math.log(PRETRAINED_PARAMS / TUNED_PARAMS), 0.0), 1.0)


def _mfu(ask: _Ask, tokens_per_s: float, system: System, peak_flops: float) -> float:
    """Model FLOPs a second over the peak of all chips; attention counted causal, recompute not counted."""
    share = 1.0 if ask.job.adapter_rank is None else LORA_WORK_SHARE
    return share * ask.flops_per_token * tokens_per_s / (system.n_chips * peak_flops)


def _intensity(ask: _Ask, layout: Layout) -> float:
    """FLOP per byte of a micro-batch: weights read three times, activations of each layer written and read."""
    model, tokens = ask.model, layout.micro_batch * ask.job.sequence_length / layout.cp
    width = BYTES_PER_VALUE[ask.job.precision]
    moved = 3 * width * ask.n_params + 3 * 2 * 18 * tokens * model.d_model * model.n_layers
    return ask.flops_per_token * tokens / moved


def _refused(ask: _Ask, system: System, used: str, search: _Searched, number: int) -> Throughput:
    if number not in search.leanest:
        return nothing(system, no_layout(ask.job, system, ask.given), used)
    memory, capacity_gib = gib_of(search.leanest[number]), float(search.fleet.memory_bytes[number]) / GIB
    reason = short_of_memory(ask.job, system.n_chips, memory, capacity_gib, search.enough.get(number, NOT_ASKED))
    return nothing(system, reason, used, memory)


def short_of_memory(
    job: TrainingJob,
    n_chips: int,
    memory_gib: Mapping[str, float],
    capacity_gib: float,
    enough: Enough,
    other: str = "",
) -> Reason:
    """Why chips do not hold a run, by the parts of its memory in GiB, and how many would; ``other`` would help too."""
    if not other and job.recompute in ("none", "selective"):
        other = "with all activations recomputed"
    return memory_reason(
        sum(memory_gib.values()),
        capacity_gib,
        n_chips,
        splits=True,
        stays_gib=sum(memory_gib.get(part, 0.0) for part in STAY),
        other=other,
        enough_chips=enough.n_chips,
        most_tried=enough.most_tried,
    )
