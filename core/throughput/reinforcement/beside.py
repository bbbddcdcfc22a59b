"""Critic, reference and reward model: what they take beside the policy on the chips that train."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.constants import ADAM_BYTES_PER_PARAM, BYTES_PER_NARROW_VALUE, GRADIENT_BYTES_PER_PARAM
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.training.enough import Beside
from core.throughput.types import Reason, System, Throughput
from core.units import GIB
from core.workload.jobs.reinforcement import ReinforcementLearning

STATE = ("weights", "gradients", "optimizer")
"""Parts of the training memory that can wait in host memory."""
TRAINED_BYTES = BYTES_PER_NARROW_VALUE + GRADIENT_BYTES_PER_PARAM + ADAM_BYTES_PER_PARAM
"""Of a critic's weight, as the policy's."""
PART = "other_models"
Keeps = Literal["all", "turns"]
"""``all``: every model stays on the chips; ``turns``: each comes from host memory for its phase."""


@dataclass(frozen=True, slots=True)
class Others:
    """GiB of a training chip that models beside the policy take, split over all of these chips, which their layouts can
    do whatever the policy's is: a critic's state, and the weights of each frozen one."""

    critic_gib: float
    frozen_gib: tuple[float, ...]

    @property
    def all_gib(self) -> float:
        """GiB of a training chip that all of them take together."""
        return self.critic_gib + sum(self.frozen_gib)


def others_of(job: ReinforcementLearning, n_params: float, n_chips: int) -> Others:
    """``18 k P / n`` for a critic of k times the policy's P weights, ``2 f P / n`` for frozen models, on n chips."""
    of_chip = n_params / n_chips / GIB
    critic = job.judge_size_pct / 100 * TRAINED_BYTES * of_chip if job.has_critic else 0.0
    return Others(critic, tuple(size * BYTES_PER_NARROW_VALUE * of_chip for size in frozen_sizes(job)))


def frozen_sizes(job: ReinforcementLearning) -> tuple[float, ...]:
    """Models that score and are not trained, in sizes of the policy: the reference, and a reward model."""
    reward = job.answers_to_train and job.reward == "model"
    return (*((1.0,) if job.has_reference else ()), *((job.judge_size_pct / 100,) if reward else ()))


def without_room_for(system: System, others: Others) -> System:
    """The system as the policy finds it where the others stay on the chips."""
    capacity = system.accelerator.memory_gb * USABLE_MEMORY_SHARE
    left = max(capacity - others.all_gib, capacity * 1e-6)
    taken = system.measured.memory * capacity / left
    return replace(system, measured=replace(system.measured, memory=taken))


def beside_bytes(job: ReinforcementLearning, n_params: float, keeps: Keeps) -> Beside:
    """What the others take of all training chips; in turns a critic needs what it holds beyond the policy's state."""
    whole = others_of(job, n_params, 1)
    if keeps == "all":
        return Beside(stays=whole.all_gib * GIB)
    beyond = max(whole.critic_gib * GIB - TRAINED_BYTES * n_params, 0.0)
    return Beside(beyond, GIB * max(whole.frozen_gib, default=0.0))


def with_others(answer: Throughput, system: System, others: Others, keeps: Keeps) -> Throughput:
    """The policy's answer with the others beside it in the fullest moment of a step, refused where they do not fit.

    How much is missing, and how many chips would do, is worded for those that are shown: :func:`core.throughput.
    reinforcement.predict.predict_reinforcement`.

    Kept, they take their room from it: ``A + S + C + sum F``, of activations A, the policy's state S, a critic C and
    frozen models F. In turns each has the chips alone: ``max(A + S, A + C, F)``.
    """
    capacity = answer.memory_capacity_gib
    if keeps == "all":
        capacity, beyond = system.accelerator.memory_gb * USABLE_MEMORY_SHARE / system.measured.memory, others.all_gib
    else:
        beyond = max(
            0.0, others.critic_gib - _state_gib(answer), *(one - _whole_gib(answer) for one in others.frozen_gib)
        )
    told = answer.memory_gib | ({PART: beyond} if beyond > 0 and answer.memory_gib else {})
    whole = replace(answer, system=system, memory_gib=told, memory_capacity_gib=capacity)
    too_much = answer.fits and _whole_gib(whole) > capacity * (1 + 1e-9)
    return replace(whole, fits=False, reasons=(Reason("memory", ""),)) if too_much else whole


def moved_gib(answer: Throughput, others: Others, keeps: Keeps, answers_in_turns: bool) -> float:
    """GiB of a chip that a step moves to host memory and back for the others: all of them in turns; the policy's own
    state too, but where it gives way to answers anyway."""
    if keeps == "all" or not others.all_gib:
        return 0.0
    return others.all_gib + (0.0 if answers_in_turns else _state_gib(answer))


def _state_gib(answer: Throughput) -> float:
    return sum(answer.memory_gib.get(part, 0.0) for part in STATE)


def _whole_gib(answer: Throughput) -> float:
    return sum(answer.memory_gib.values())
