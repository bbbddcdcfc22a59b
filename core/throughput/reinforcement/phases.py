"""The phases of a step of reinforcement learning, and what they come to: one set of equations for plans and fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.rows import Rows
from core.throughput.model_shape import Floats
from core.throughput.parameters import Parameters


@dataclass(frozen=True)
class Phases(Rows):
    """What a step of each row asks for, shape (n rows,); seconds are those of the serving and the training engine.

    ``rollout_s``: prompts read and answers written; ``waiting_s``: for rewards from elsewhere; ``forward_s``: one pass
    forward over a step's sequences; ``forward_passes``: such passes, in sizes of the policy; ``training_s``: of the
    policy; ``critic_share``: training of a critic over it; ``dense_bytes`` and ``expert_bytes``: weights that a step
    sends to where answers are generated, those of experts as ``expert_tensors`` matrices; ``link_bytes_per_s``: the
    rate at which a chip gets weights; ``switched_bytes`` of a chip go to host memory and back, at
    ``host_bytes_per_s``; ``is_overlapped``: 1 where answers are generated beside the training of others;
    ``is_apart``: 1 where other chips answer than train; ``is_moe``: 1 for a mixture of experts;
    ``is_one_process``: 1 where the framework that trains answers too, without an engine of its own; ``answers``: of a
    step.
    """

    rollout_s: Floats
    waiting_s: Floats
    forward_s: Floats
    forward_passes: Floats
    training_s: Floats
    critic_share: Floats
    dense_bytes: Floats
    expert_bytes: Floats
    expert_tensors: Floats
    link_bytes_per_s: Floats
    switched_bytes: Floats
    host_bytes_per_s: Floats
    is_overlapped: Floats
    is_apart: Floats
    is_moe: Floats
    is_one_process: Floats
    answers: Floats


def phase_times_s(phases: Phases, known: Parameters) -> dict[str, Floats]:
    """Seconds of each phase by itself (rollout, scoring, training, sync, switching, overhead), whatever runs beside it,
    shape (n rows,) each.

    Answers take ``f_r`` times what the serving engine says (sampling, log-probabilities, uneven load of replicas),
    scores and training ``f_t`` times the training engine's (answers of uneven length, frameworks that change their
    layout between phases), ``f_e`` times as much for mixtures, whose experts get few tokens of a pack. A step costs
    besides a fixed time between processes, where there are several, and one for each answer.
    """
    slower = known["training_factor"] * np.where(phases.is_moe > 0, known["expert_training_factor"], 1.0)
    return {
        "rollout": known["rollout_factor"] * phases.rollout_s + phases.waiting_s,
        "scoring": slower * phases.forward_passes * phases.forward_s,
        "training": slower * (1.0 + phases.critic_share) * phases.training_s,
        "sync": sync_s(phases, known),
        "switching": switching_s(phases, known),
        "overhead": known["step_s"] * (1.0 - phases.is_one_process) + 1e-3 * known["answer_ms"] * phases.answers,
    }


def sync_s(phases: Phases, known: Parameters) -> Floats:
    """Seconds until new weights are where answers are generated: ``D / (u W) + E / R + n t``; 0 without any.

    Dense weights D pass a share of the link's rate; experts E are gathered and renamed one by one, n matrices at t
    each and at most R, hardly faster with more chips.
    """
    dense = phases.dense_bytes / (known["sync_link_share"] * phases.link_bytes_per_s)
    rate = np.where(phases.is_apart > 0, known["expert_broadcast_gb_per_s"], known["expert_sync_gb_per_s"])
    gathered = phases.expert_bytes / (1e9 * rate)
    return np.asarray(dense + gathered + 1e-3 * known["expert_tensor_ms"] * phases.expert_tensors)


def switching_s(phases: Phases, known: Parameters) -> Floats:
    """Seconds in which the same chips turn from answering to training and back: ``2 S / (u H) + c``; 0 when apart.

    One process for both keeps everything where it is.
    """
    turns = (phases.switched_bytes > 0) & (phases.is_one_process == 0)
    copied = 2.0 * phases.switched_bytes / (known["offload_share"] * phases.host_bytes_per_s)
    return np.asarray((copied + known["switch_s"]) * turns)


def step_parts_s(phases: Phases, known: Parameters) -> dict[str, Floats]:
    """Seconds that a step is longer for each phase, shape (n rows,) each; their sum is the step.

    In turns all phases add up. Beside each other the longer of answering and of scoring with training counts: what is
    left of the rollout is the time for which the training waits.
    """
    times = phase_times_s(phases, known)
    hidden = np.minimum(times["rollout"], times["scoring"] + times["training"]) * (phases.is_overlapped > 0)
    return times | {"rollout": times["rollout"] - hidden}


def step_s(phases: Phases, known: Parameters) -> Floats:
    """Seconds of a step, shape (n rows,)."""
    return np.asarray(sum(step_parts_s(phases, known).values()))
