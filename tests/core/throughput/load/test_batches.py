"""Answers that come with their batch: against a simulated queue, and what must hold at any rate."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from core.throughput.chips.fleet import Floats
from core.throughput.load.queueing import Replicas, Times, steps_taken, times_at

LOADS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95)
QUEUES = [
    (1, 1, 0.5, 0.5),
    (7, 1, 0.5, 0.5),
    (1, 8, 0.5, 0.5),
    (14, 4, 0.2, 0.4),
    (4, 8, 0.5, 0.1),
    (3, 64, 0.01, 0.001),
]
"""Replicas, largest batch, and seconds of a step: fixed, and for each of its samples."""


def replicas(n: int, largest: int, fixed_s: float, each_s: float) -> Replicas:
    batch = 2.0 ** np.minimum(np.arange(11), np.log2(largest))[None]
    step_s = fixed_s + each_s * batch
    return Replicas(
        batch, batch / step_s, step_s, step_s[:, 0], np.zeros(1), np.ones(1), behind_one_queue=np.array([float(n)])
    )


def told(queue: tuple[int, int, float, float], load: float) -> Times:
    one = replicas(*queue)
    return times_at(one, load * one.capacity[:, None])


def simulated(queue: tuple[int, int, float, float], load: float, n_requests: int = 40_000) -> Floats:
    """Seconds of half and of 99 of 100 requests that come at random; a free replica takes all that wait at once."""
    n, largest, fixed_s, each_s = queue
    rate = load * n * largest / (fixed_s + each_s * largest)
    comes = np.cumsum(np.random.default_rng(1).exponential(1.0 / rate, n_requests)).tolist()
    took, free, at = [], [0.0] * n, 0
    while at < n_requests:
        start, end = max(free[0], comes[at]), at + 1
        while end < min(n_requests, at + largest) and comes[end] <= start:
            end += 1
        done = start + fixed_s + each_s * (end - at)
        took += [done - come for come in comes[at:end]]
        heapq.heapreplace(free, done)
        at = end
    return np.quantile(took[n_requests // 10 :], [0.5, 0.99])


@pytest.mark.parametrize("queue", QUEUES)
def test_what_is_told_is_about_what_a_simulated_queue_takes_and_of_the_late_rather_more(
    queue: tuple[int, int, float, float],
) -> None:
    over = []
    for load in LOADS:
        times, (half_s, late_s) = told(queue, load), simulated(queue, load)
        over.append((times.ttft_p50_s[0, 0] / half_s, times.ttft_p99_s[0, 0] / late_s))
    half, late = np.array(over).T
    assert half.min() > 0.7 and half.max() < 1.45 and 0.85 < np.median(half) < 1.15
    assert late.min() > 0.75 and late.max() < 2.3 and 0.95 < np.median(late) < 1.7


@pytest.mark.parametrize("queue", QUEUES)
def test_answers_take_longer_as_more_requests_come_and_never_less_than_one_alone(
    queue: tuple[int, int, float, float],
) -> None:
    one = replicas(*queue)
    times = times_at(one, np.linspace(0.0, 0.99, 200)[None] * one.capacity[:, None])
    for took_s in (times.ttft_p50_s[0], times.ttft_p99_s[0]):
        assert took_s[0] == pytest.approx(queue[2] + queue[3])
        assert (np.diff(took_s) >= -1e-12).all()
    assert (times.ttft_p99_s >= times.ttft_p50_s).all()
    assert times.tpot_p50_s is times.ttft_p50_s or (times.tpot_p50_s == times.ttft_p50_s).all()


def test_more_replicas_behind_one_queue_never_answer_later() -> None:
    for load in LOADS:
        few, many = told((2, 8, 0.5, 0.5), load), told((20, 8, 0.5, 0.5), load)
        assert many.ttft_p50_s[0, 0] <= few.ttft_p50_s[0, 0] and many.ttft_p99_s[0, 0] <= few.ttft_p99_s[0, 0]


def test_full_replicas_never_answer() -> None:
    one = replicas(4, 8, 0.5, 0.5)
    assert np.isinf(times_at(one, one.capacity[:, None]).ttft_p50_s).all()


def test_what_runs_alone_waits_for_no_batch_and_full_batches_for_half_of_one_or_one() -> None:
    half, late = steps_taken(np.array([1.0, 2.0, 64.0]))
    assert half.tolist() == [1.0, 1.5, 1.5] and late.tolist() == [1.0, 2.0, 2.0]
