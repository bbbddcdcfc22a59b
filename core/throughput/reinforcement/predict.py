"""Reinforcement learning: the shortest step of each system, with its phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.breath import breathe
from core.constants import BYTES_PER_VALUE
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE, Floats, fleet_of
from core.throughput.chips.run_formats import RunsIn
from core.throughput.correction import Corrections
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.refusals import memory_reason, nothing
from core.throughput.reinforcement.beside import (
    PART,
    Keeps,
    beside_bytes,
    frozen_sizes,
    moved_gib,
    others_of,
    with_others,
    without_room_for,
)
from core.throughput.reinforcement.phases import Phases, phase_times_s, step_parts_s
from core.throughput.reinforcement.rollout import Rollouts, rollouts_of
from core.throughput.reinforcement.splits import Split, splits_of
from core.throughput.speeds import best_rows, factor_for, largest, ranged_speed
from core.throughput.training.enough import NOT_ASKED, Enough, enough_chips
from core.throughput.training.predict import predict_training, short_of_memory
from core.throughput.transformer_work import dense_params, expert_params, model_flops_per_token
from core.throughput.types import Layout, Reason, System, Throughput
from core.throughput.uncertainty import SpreadKey, is_calibrated
from core.units import GIB
from core.workload.jobs.kinds import PreTraining, ReinforcementLearning
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

MOVED = ("gradients", "optimizer")
"""Parts of the training memory that wait in host memory while the same chips answer."""
NEVER_S = 1e15
"""Stands for a phase that no layout runs, so that sums stay numbers."""


@dataclass(frozen=True)
class Asked:
    """A job on a model with its software. ``answers_in``: how formats run where answers are generated;
    ``training_room``: times the memory of a chip that training may use, for runs that did fit by offloading;
    ``is_one_process``: the framework that trains answers too."""

    model: TransformerModel
    job: ReinforcementLearning
    stack: Stack
    corrections: Corrections
    trains_in: RunsIn
    answers_in: RunsIn
    layout: Layout | None = None
    answering_layout: Layout | None = None
    training_room: float = 1.0
    is_one_process: bool = False


@dataclass(frozen=True)
class Tried:
    """Every split that was tried, with what the engines say of it; ``phases`` has one row a split, ``trained`` the
    policy's training with the other models beside it."""

    splits: tuple[Split, ...]
    trained: tuple[Throughput, ...]
    rollouts: Rollouts | None
    phases: Phases
    fits: Floats

    def best(self, n_systems: int, steps_s: Floats) -> list[int]:
        """The number of the split with the shortest step of each system, -1 for a system without any."""
        of = np.array([split.of for split in self.splits], dtype=np.intp)
        badness = np.where(self.fits > 0, steps_s, np.inf)
        return [int(number) for number in best_rows(of, n_systems, badness)]


def predict_reinforcement(asked: Asked, systems: Sequence[System]) -> list[Throughput]:
    """One answer a system, in order: the shortest step of its splits, each phase asked of the engine for its kind."""
    known, tried = shipped_parameters("reinforcement"), tried_of(asked, systems)
    parts = step_parts_s(tried.phases, known)
    steps_s = np.asarray(sum(parts.values()))
    busy = phase_times_s(tried.phases, known)
    answers = []
    for number, (system, row) in enumerate(zip(systems, tried.best(len(systems), steps_s), strict=True)):
        breathe()
        if row < 0:
            answers.append(nothing(system, _too_few(system), asked.job.precision))
        elif tried.fits[row] <= 0:
            answers.append(_refused(asked, system, tried, number))
        else:
            terms = {name: float(values[row]) for name, values in parts.items() if values[row] > 0}
            answers.append(_answer(asked, system, tried, row, terms, float(busy["rollout"][row])))
    told = iter(_told_enough(asked, [answer for answer in answers if _is_short(answer)]))
    whole = [next(told) if _is_short(answer) else answer for answer in answers]
    pairs = zip(whole, systems, strict=True)
    return [answer if answer.system is system else replace(answer, system=system) for answer, system in pairs]


def _is_short(answer: Throughput) -> bool:
    return not answer.fits and bool(answer.memory_gib)


def _told_enough(asked: Asked, answers: Sequence[Throughput]) -> list[Throughput]:
    """What chips that train hold too little for, all models counted, and how many would hold it."""
    job, systems = asked.job, [answer.system for answer in answers]
    run, beside = packed_run(job), beside_bytes(job, asked.model.n_params, _keeps(asked))
    tried = [NOT_ASKED] * len(systems)
    if asked.layout is None and systems:
        tried = enough_chips(asked.model, run, systems, fleet_of(systems, run.precision, asked.trains_in), beside)
    return [
        replace(answer, reasons=(_short(job, run, answer, enough),))
        for answer, enough in zip(answers, tried, strict=True)
    ]


def _short(job: ReinforcementLearning, run: PreTraining, answer: Throughput, enough: Enough) -> Reason:
    smaller = "with a smaller critic" if job.has_critic and PART in answer.memory_gib else ""
    capacity_gib = answer.memory_capacity_gib
    return short_of_memory(run, answer.system.n_chips, answer.memory_gib, capacity_gib, enough, smaller)


def tried_of(asked: Asked, systems: Sequence[System]) -> Tried:
    """Every split of every system with the time of its phases as the engines say it."""
    splits, job = tuple(splits_of(asked.job, systems)), asked.job
    trained = _trained(asked, [_roomy(split.training, asked.training_room) for split in splits])
    answering = [split.answering for split in splits]
    rollouts = (
        rollouts_of(asked.model, job, answering, asked.stack.software_year, asked.answers_in, asked.answering_layout)
        if job.answers_to_train and splits
        else None
    )
    fits = np.array([float(one.answer.fits) for one in trained])
    if rollouts is not None:
        fits = fits * np.isfinite(rollouts.seconds) * _answers_run(asked, answering)
    policy = tuple(one.answer for one in trained)
    moved = [one.moved_gib for one in trained]
    return Tried(splits, policy, rollouts, _phases(asked, splits, policy, moved, rollouts), fits)


def _answers_run(asked: Asked, answering: Sequence[System]) -> Floats:
    """1 where the engine runs the format of the answers, shape (n systems,); 0 where it refuses the chip or has no
    peak of it, whose time is a number all the same."""
    refusals = (asked.answers_in(one.accelerator, asked.job.rollout_precision).refusal for one in answering)
    return np.array([float(refusal is None) for refusal in refusals])


@dataclass(frozen=True, slots=True)
class _Trained:
    """The training on some chips, with what a step moves to host memory and back for other models, in GiB of a chip."""

    answer: Throughput
    moved_gib: float


def _trained(asked: Asked, systems: Sequence[System]) -> list[_Trained]:
    """The training of the policy with all models on the chips, or, where only that fits, with each in its turn.

    One process keeps all; chips that answer too have each in its turn.
    """
    first = _with_all(asked, systems, _keeps(asked))
    if _keeps(asked) == "all" or not asked.job.is_apart:
        return first
    kept = _with_all(asked, systems, "all")
    return [one if one.answer.fits or not other.answer.fits else other for one, other in zip(kept, first, strict=True)]


def _keeps(asked: Asked) -> Keeps:
    """How models share chips that must hold them."""
    return "all" if asked.is_one_process or not asked.job.answers_to_train else "turns"


def _with_all(asked: Asked, systems: Sequence[System], keeps: Keeps) -> list[_Trained]:
    job = asked.job
    others = [others_of(job, asked.model.n_params, system.n_chips) for system in systems]
    found = systems if keeps == "turns" else [*map(without_room_for, systems, others)]
    run = packed_run(job)
    answers = predict_training(
        asked.model, run, found, asked.corrections, asked.layout, asked.stack, asked.trains_in, is_alone=False
    )
    told = [with_others(*one, keeps) for one in zip(answers, systems, others, strict=True)]
    moved = [moved_gib(*one, keeps, not job.is_apart) for one in zip(answers, others, strict=True)]
    return [_Trained(*one) for one in zip(told, moved, strict=True)]


def _roomy(system: System, room: float) -> System:
    chip = system.accelerator
    return (
        replace(system, accelerator=chip.model_copy(update={"memory_gb": chip.memory_gb * room}))
        if room > 1
        else system
    )


def packed_run(job: ReinforcementLearning) -> PreTraining:
    """The training of a step as the training engine is asked it: answers packed into sequences of the longest one.

    Memory must hold the longest; about as many of them as make up the tokens of an optimiser step. Real ones are cut
    to what fills the ranks: the power of two below is asked for, since an odd number fills none. Time goes by tokens.
    Software of pre-training runs it, every weight with its master copy, as in the runs that set its coefficients.
    """
    each = min(job.global_batch_sequences, job.answers_per_step)
    packed = max(round(each * job.mean_sequence / job.sequence_length), 1)
    return PreTraining(
        sequence_length=max(job.sequence_length, 16),
        global_batch_sequences=2 ** (packed.bit_length() - 1),
        precision=job.precision,
        recompute=job.recompute,
    )


def _phases(
    asked: Asked,
    splits: Sequence[Split],
    trained: Sequence[Throughput],
    moved: Sequence[float],
    rollouts: Rollouts | None,
) -> Phases:
    job, model, n = asked.job, asked.model, len(splits)
    one = np.ones(n)
    train_s = training_s(asked, trained)
    fleet = fleet_of([split.answering for split in splits], job.precision, asked.trains_in)
    link = np.where(fleet.domain_chips >= fleet.n_chips, fleet.inner_bytes_per_s, fleet.outer_bytes_per_s)
    if not job.is_apart:
        link = np.where(fleet.domain_chips > 1, fleet.inner_bytes_per_s, fleet.outer_bytes_per_s)
    shape, width = shape_of(model), BYTES_PER_VALUE[job.rollout_precision]
    sent = 1.0 if rollouts is not None else 0.0
    tensors = shape.moe_layers * shape.n_experts * (2.0 + shape.gated_mlp)
    host = [split.training.accelerator.pcie_gbps * 1e9 for split in splits]
    in_turns = rollouts is not None and not job.is_apart
    return Phases(
        rollout_s=np.minimum(rollouts.seconds, NEVER_S) if rollouts is not None else 0.0 * one,
        waiting_s=one * (job.verifier_s if job.answers_to_train else 0.0),
        forward_s=train_s * np.array([forward_share(answer.layout) for answer in trained]),
        forward_passes=one * forward_passes(job),
        training_s=train_s,
        critic_share=one * (job.judge_size_pct / 100 if job.has_critic else 0.0),
        dense_bytes=sent * width * dense_params(shape) / (rollouts.tp if rollouts is not None else one),
        expert_bytes=sent * width * expert_params(shape) * one,
        expert_tensors=sent * tensors * one,
        link_bytes_per_s=link,
        switched_bytes=np.array([_moved_bytes(answer) for answer in trained]) * float(in_turns) + GIB * np.array(moved),
        host_bytes_per_s=np.maximum(np.array(host, dtype=np.float64).reshape(n), 1e9),
        is_overlapped=one * float(job.is_overlapped),
        is_apart=one * float(job.is_apart),
        is_moe=one * float(model.is_moe),
        is_one_process=one * float(asked.is_one_process or not job.answers_to_train),
        answers=one * (job.answers_per_step if job.answers_to_train else 0),
    )


def _moved_bytes(answer: Throughput) -> float:
    return GIB * sum(answer.memory_gib.get(part, 0.0) for part in MOVED)


def training_s(asked: Asked, trained: Sequence[Throughput]) -> Floats:
    """Seconds of the optimiser steps of a step, shape (n,): its tokens at the speed of packed sequences.

    Attention looks back within an answer alone, so that work of a token is that at the mean length.
    """
    job, shape = asked.job, shape_of(asked.model)
    work = model_flops_per_token(shape, job.mean_sequence) / model_flops_per_token(
        shape, packed_run(job).sequence_length
    )
    speed = np.array([answer.tokens_per_s.likely if answer.fits else np.nan for answer in trained])
    return np.asarray(np.nan_to_num(job.tokens_per_step * work / speed, nan=NEVER_S))


def forward_share(layout: Layout) -> float:
    """A pass forward over the time to train on the same tokens: of three parts, or four with full recompute."""
    return 1.0 / 4.0 if layout.recompute == "full" else 1.0 / 3.0


def forward_passes(job: ReinforcementLearning) -> float:
    """Passes forward over the sequences of a step, in sizes of the policy: the policy, as it was, itself; the
    reference; the reward model; the critic. With DPO the reference alone."""
    own = 1.0 if job.answers_to_train else 0.0
    return own + sum(frozen_sizes(job)) + (job.judge_size_pct / 100 if job.has_critic else 0.0)


def _too_few(system: System) -> Reason:
    return Reason(
        "layout", "Too few chips to part them", "Take more chips, or let the same ones answer and train in turns"
    )


def _refused(asked: Asked, system: System, tried: Tried, number: int) -> Throughput:
    """Why no split of a system fits: what the training says of its largest part, else that answers do not fit."""
    own = [n for n, split in enumerate(tried.splits) if split.of == number]
    trains = [n for n in own if tried.trained[n].fits]
    if not trains or tried.rollouts is None:
        worst = max(own, key=lambda n: tried.splits[n].training.n_chips)
        return tried.trained[worst]
    row = max(trains, key=lambda n: tried.splits[n].answering.n_chips)
    run = asked.answers_in(system.accelerator, asked.job.rollout_precision)
    if run.refusal:
        return nothing(system, run.refusal, run.shown)
    capacity = system.accelerator.memory_gb * USABLE_MEMORY_SHARE
    if not np.isfinite(tried.rollouts.needed_bytes[row]):
        return nothing(
            system, Reason("layout", "No split of the model over these chips", "Take another count"), run.shown
        )
    needed = float(tried.rollouts.needed_bytes[row]) / GIB
    splits = float(tried.rollouts.replicas[row]) <= 1.0  # more chips only make more replicas
    return nothing(system, memory_reason(needed, capacity, system.n_chips, splits), run.shown)


def _answer(
    asked: Asked, system: System, tried: Tried, row: int, terms: dict[str, float], rollout_s: float
) -> Throughput:
    trained, job = tried.trained[row], asked.job
    step_s = sum(terms.values())
    family = "tpu" if system.accelerator.kind == "tpu" else "moe" if asked.model.is_moe else "dense"
    key = SpreadKey(
        "reinforcement", family, is_calibrated("reinforcement", system.accelerator.id), True, system.n_chips
    )
    speed, _ = ranged_speed(job.tokens_per_step / step_s, key, None)
    factor = factor_for(asked.corrections, system, "training", asked.model.n_params)
    return replace(
        trained,
        system=system,
        tokens_per_s=speed,
        samples_per_s=job.answers_per_step / step_s,
        step_time_s=step_s,
        step_terms_s=terms,
        mfu=trained.mfu * float(tried.phases.training_s[row]) / step_s * trained.system.n_chips / system.n_chips,
        bottleneck=largest(terms),
        evidence=factor.evidence if factor else trained.evidence,
        notes=(*trained.notes, *_notes(asked, tried, row, rollout_s)),
        roofline=trained.roofline,
    )


def _notes(asked: Asked, tried: Tried, row: int, rollout_s: float) -> tuple[str, ...]:
    """How the answers are generated, in words."""
    rollouts, split = tried.rollouts, tried.splits[row]
    if rollouts is None:
        return ()
    width = int(rollouts.tp[row] * rollouts.pp[row])
    replicas = f"{int(rollouts.replicas[row])} replicas of {width}"
    where = f"{split.answering.n_chips} chips answer" if asked.job.is_apart else "The same chips answer"
    at_once = f"up to {int(rollouts.alive[row])} answers at once each"
    return (f"{where} in {replicas}, {at_once}, in {rollout_s:.3g} s",)
