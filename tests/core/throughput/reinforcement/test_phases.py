"""Phases of a step: their sum, what runs beside each other, and published times of the way of weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.parameters import shipped_parameters
from core.throughput.reinforcement.phases import Phases, phase_times_s, step_parts_s, step_s, switching_s, sync_s

KNOWN = shipped_parameters("reinforcement")
ONE = np.ones(1)
PHASES = Phases(
    rollout_s=100.0 * ONE, waiting_s=0.0 * ONE, forward_s=10.0 * ONE, forward_passes=2.0 * ONE, training_s=30.0 * ONE,
    critic_share=0.0 * ONE, dense_bytes=16e9 * ONE, expert_bytes=0.0 * ONE, expert_tensors=0.0 * ONE,
    link_bytes_per_s=400e9 * ONE, switched_bytes=5e9 * ONE, host_bytes_per_s=60e9 * ONE, is_overlapped=0.0 * ONE,
    is_apart=0.0 * ONE, is_moe=0.0 * ONE, is_one_process=0.0 * ONE, answers=1000.0 * ONE,
)  # fmt: skip


def test_in_turns_all_phases_add_up() -> None:
    parts = step_parts_s(PHASES, KNOWN)
    assert tuple(parts) == ("rollout", "scoring", "training", "sync", "switching", "overhead")
    assert step_s(PHASES, KNOWN) == pytest.approx(sum(parts.values()))
    assert parts == phase_times_s(PHASES, KNOWN)


@pytest.mark.parametrize("rollout_s", [1.0, 1000.0])
def test_beside_each_other_the_longer_one_counts(rollout_s: float) -> None:
    phases = replace(PHASES, is_overlapped=ONE, rollout_s=rollout_s * ONE)
    times = phase_times_s(phases, KNOWN)
    longer = max(times["rollout"], times["scoring"] + times["training"])
    rest = times["sync"] + times["switching"] + times["overhead"]
    assert step_s(phases, KNOWN) == pytest.approx(longer + rest)


def test_a_critic_is_trained_besides() -> None:
    one, with_critic = (phase_times_s(replace(PHASES, critic_share=share * ONE), KNOWN) for share in (0.0, 0.5))
    assert with_critic["training"] == pytest.approx(1.5 * one["training"])
    assert with_critic["rollout"] == one["rollout"]


def test_one_process_neither_wakes_an_engine_nor_hands_over() -> None:
    alone = phase_times_s(replace(PHASES, is_one_process=ONE), KNOWN)
    several = phase_times_s(PHASES, KNOWN)
    assert alone["switching"] == 0.0 < several["switching"]
    assert several["overhead"] - alone["overhead"] == pytest.approx(KNOWN["step_s"])


def test_chips_that_never_turn_lose_no_time_by_it() -> None:
    assert switching_s(replace(PHASES, switched_bytes=0.0 * ONE), KNOWN) == 0.0


@pytest.mark.parametrize(
    ("dense_bytes", "expert_bytes", "expert_tensors", "published_s"),
    [
        (15.2e9, 0.0, 0.0, (0.02, 0.2)),  # Qwen2.5 7B, verl: 0.02 to 0.12 s
        (3.2e9, 58e9, 48 * 128 * 3, (4.0, 16.0)),  # Qwen3 30B-A3B, verl
        (14e9, 456e9, 94 * 128 * 3, (24.0, 59.0)),  # Qwen3 235B-A22B, verl
        (20e9, 690e9, 89 * 160 * 3, (30.0, 60.0)),  # GLM 4.5, slime: 48 s
    ],
)
def test_weights_arrive_as_soon_as_published(
    dense_bytes: float, expert_bytes: float, expert_tensors: float, published_s: tuple[float, float]
) -> None:
    phases = replace(
        PHASES, dense_bytes=dense_bytes * ONE, expert_bytes=expert_bytes * ONE, expert_tensors=expert_tensors * ONE
    )
    assert published_s[0] <= float(sync_s(phases, KNOWN)[0]) <= published_s[1]


def test_coefficients_lie_within_their_bounds() -> None:
    assert all(row.low < row.value < row.high for row in KNOWN.rows)
