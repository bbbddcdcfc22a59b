"""Serving under a request rate: how long answers take when requests come at random and share the replicas.

A replica is a shared server: the more sequences it decodes together, the more it answers and the longer each takes.
Its concurrency at a rate follows from Little's law on the engine's own curve of concurrency and rate. On top of it
requests wait for the prefills ahead of them (M/G/1, Pollaczek-Khinchine) and, near saturation, for a free place in the
batch (M/G/c after Sakasegawa 1977, "An approximation formula Lq = a r^b / (1 - r)").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Floats
from core.throughput.types import at_percentile

LENGTH_CV2 = 0.25
"""Squared coefficient of variation of prompt and answer lengths (our estimate; benchmarks of chat lie near it)."""

LONG_PROMPT = 2.7
"""Prompt that 99 of 100 stay below, over the mean: log-normal lengths with that variation, ``exp(2.33 s - s^2/2)``."""

SHORT_ANSWER = 0.3
"""Answer that 99 of 100 exceed, over the mean, likewise: ``exp(-2.33 s - s^2/2)``."""

LIFETIME_SHARE = 0.86
"""Spread of the concurrency that an answer sees on average, over that of a moment: ``sqrt(2 / e)``, its fluctuations
lasting about as long as an answer."""

WAIT_HALF, WAIT_LATE = 0.5, 1.0
"""Steps that half and 99 of 100 of the requests wait for a batch to end, where all replicas are at work on one."""

Z_99 = 2.326
HIGHEST_UTILISATION = 0.95
"""No plan runs replicas fuller than this, even without a limit of time."""

_HALVINGS = 13
_MANY_PLACES = 16
_TINY = 1e-12


@dataclass(frozen=True)
class Replicas(Rows):
    """What one replica gives at rising concurrency; rows are systems, shape (n, k) or (n,). Times in s.

    ``concurrency``, ``requests_per_s`` and ``tpot_s`` rise along the second axis, the last value repeated where a row
    has fewer points. ``first_token_s`` is that of a request alone, of which ``prefill_s`` is its own prefill;
    ``answer_tokens`` are the mean tokens of an answer. ``queue_s`` is the time that a prompt takes at the server it
    queues for, ``prefill_s`` over the prompts read side by side; ``stall_s`` what it takes from each answer that runs.
    Both are ``prefill_s`` where None. ``behind_one_queue``: replicas that take whole answers, batch by batch, from one
    queue, as those of networks do, ``tpot_s`` each; None where each has its own and answers token by token.
    """

    concurrency: Floats
    requests_per_s: Floats
    tpot_s: Floats
    first_token_s: Floats
    prefill_s: Floats
    answer_tokens: Floats
    queue_s: Floats | None = None
    stall_s: Floats | None = None
    behind_one_queue: Floats | None = None

    @property
    def fed(self) -> Floats:
        """Replicas that one queue feeds, shape (n, 1)."""
        return np.ones((len(self.capacity), 1)) if self.behind_one_queue is None else self.behind_one_queue[:, None]

    @property
    def queued_s(self) -> Floats:
        """``queue_s``, or the prefill, in s."""
        return self.prefill_s if self.queue_s is None else self.queue_s

    @property
    def stalled_s(self) -> Floats:
        """``stall_s``, or the prefill, in s."""
        return self.prefill_s if self.stall_s is None else self.stall_s

    @property
    def capacity(self) -> Floats:
        """Requests/s at which a replica is saturated, shape (n,)."""
        return self.requests_per_s[:, -1]

    def slowed(self, factor: Floats) -> Replicas:
        """All times multiplied by ``factor``, shape (n,), and all rates divided by it."""
        by_row = factor[:, None]
        return Replicas(
            self.concurrency,
            self.requests_per_s / by_row,
            self.tpot_s * by_row,
            self.first_token_s * factor,
            self.prefill_s * factor,
            self.answer_tokens,
            self.queued_s * factor,
            self.stalled_s * factor,
            self.behind_one_queue,
        )


@dataclass(frozen=True)
class Times:
    """Answer times in s at each rate, shape (n, m), infinite at and beyond saturation.

    ``concurrency`` is the mean number of sequences decoded together, ``crowded`` what 99 of 100 answers stay below.
    """

    concurrency: Floats
    crowded: Floats
    ttft_p50_s: Floats
    ttft_p99_s: Floats
    tpot_p50_s: Floats
    tpot_p99_s: Floats

    def ttft_s(self, percentile: str) -> Floats:
        """Seconds to the first token that so many of the requests keep, see
        :func:`core.throughput.types.at_percentile`."""
        return at_percentile(self.ttft_p50_s, self.ttft_p99_s, percentile)

    def tpot_s(self, percentile: str) -> Floats:
        """Seconds per output token that so many of the requests keep."""
        return at_percentile(self.tpot_p50_s, self.tpot_p99_s, percentile)


def times_at(replicas: Replicas, requests_per_s: Floats) -> Times:
    """Answer times of one replica at request rates of shape (n, m).

    Concurrency n: the engine's curve read backwards (Little's law). It fluctuates with variance ``n / (1 - rho)``,
    exact for processor sharing at high and for unlimited servers at low load. ``TTFT = first token alone + what the
    running batch adds to a step + long prompt + waits``; ``TPOT`` is that of the crowd and of an unlucky short answer.
    Answers that come whole have one time: that of their batch and the wait for a place.
    """
    rate, capacity = requests_per_s, replicas.capacity[:, None]
    utilisation = rate / capacity
    rho = np.minimum(utilisation, 1.0 - 1e-9)
    zero = np.zeros((len(rate), 1))
    running = interpolated(rate, np.hstack([zero, replicas.requests_per_s]), np.hstack([zero, replicas.concurrency]))
    deviation = np.sqrt(running / (1.0 - rho))
    crowded = running + Z_99 * LIFETIME_SHARE * deviation
    tpot_p50 = interpolated(running, replicas.concurrency, replicas.tpot_s)
    tpot_p99 = interpolated(crowded, replicas.concurrency, replicas.tpot_s) + _unlucky_s(replicas, rate, tpot_p50)
    waits = _Waits.of(replicas, rate, rho, (running - replicas.concurrency[:, -1:]) / np.maximum(deviation, _TINY))
    alone = replicas.first_token_s[:, None] + tpot_p50 - replicas.tpot_s[:, :1]
    half, late = alone, alone + long_prompt_s(replicas.prefill_s)[:, None]
    if replicas.behind_one_queue is not None:
        half, late = _of_batches(replicas, running, deviation)
    first_s = half + waits.below(0.5), late + waits.below(0.99)
    answered_s = (*first_s, *((tpot_p50, tpot_p99) if replicas.behind_one_queue is None else first_s))
    return Times(running, crowded, *(np.where(utilisation < 1.0, times, np.inf) for times in answered_s))


Seconds = TypeVar("Seconds", float, Floats)


def _of_batches(replicas: Replicas, running: Floats, deviation: Floats) -> tuple[Floats, Floats]:
    """Seconds to an answer that comes with its batch, for half and for 99 of 100 of them, shape (n, m).

    ``step(batch) x (1 + share that finds all replicas at work x wait for one to end)``; the share is Sakasegawa's. The
    batch of the late is a crowd: one queue feeds several replicas, of which the first to be free takes all that wait,
    so that crowds shrink with the fourth root of their number only. Over what six simulated queues took at loads of 0.1
    to 0.95, this tells 0.8 to 1.4 for half of the answers, at the median 1.0, and 0.9 to 2.2 for the late, at the
    median 1.3 (``tests/core/throughput/load/test_batches.py``).
    """
    largest, rarity = replicas.concurrency[:, -1:], np.sqrt(2.0 * (replicas.fed + 1.0)) - 1.0

    def takes(at_once: Floats, wait: float) -> Floats:
        all_at_work = np.where(largest > 1, np.minimum(at_once, 1.0) ** rarity, 0.0)
        step_s = interpolated(at_once, replicas.concurrency, replicas.tpot_s)
        return np.asarray(step_s * (1.0 + wait * all_at_work), dtype=np.float64)

    crowd = np.minimum(running + Z_99 * LIFETIME_SHARE * deviation / replicas.fed**0.25, largest)
    return takes(running, WAIT_HALF), takes(crowd, WAIT_LATE)


def steps_taken(at_once: Floats) -> tuple[Floats, Floats]:
    """Steps that half and 99 of 100 of the answers of full batches take: what runs alone waits for no batch."""
    gathers = (at_once > 1).astype(np.float64)
    return 1.0 + WAIT_HALF * gathers, 1.0 + WAIT_LATE * gathers


def long_prompt_s(prefill_s: Seconds) -> Seconds:
    """What the prefill of a long prompt takes beyond that of a mean one, in s: 99 of 100 prompts take less."""
    return (LONG_PROMPT - 1.0) * prefill_s


def _unlucky_s(replicas: Replicas, rate: Floats, tpot_s: Floats) -> Floats:
    """What the prefills of others add to each token of a short answer beyond their mean, in s, 99 of 100 less.

    They come at random: in the time of the answer ``rate x tokens x TPOT`` of them, with that variance.
    """
    tokens = SHORT_ANSWER * replicas.answer_tokens[:, None]
    second_moment = 1.0 + LENGTH_CV2
    return np.asarray(Z_99 * replicas.stalled_s[:, None] * np.sqrt(second_moment * rate * tpot_s / tokens))


@dataclass(frozen=True)
class _Waits:
    """Share of the requests that wait, and their mean wait in s: for prefills ahead, and for a place in the batch."""

    for_prefill: tuple[Floats, Floats]
    for_place: tuple[Floats, Floats]

    @classmethod
    def of(cls, replicas: Replicas, rate: Floats, rho: Floats, excess: Floats) -> _Waits:
        """Waits at rates and utilisations of shape (n, m).

        ``excess``: concurrency above the largest batch, in deviations. The share that finds the batch full is
        Sakasegawa's for as many equal servers; with many places the spread of the concurrency may bound it closer.
        """
        prefill_s, capacity = replicas.queued_s[:, None], replicas.capacity[:, None]
        busy = np.minimum(rate * prefill_s, rho)
        variation = (1.0 + LENGTH_CV2) / 2.0
        fed = replicas.fed
        places = replicas.concurrency[:, -1:] * fed
        alike = rho ** (np.sqrt(2.0 * (places + 1.0)) - 1.0)
        full = np.where(places >= _MANY_PLACES, np.minimum(alike, normal_share(excess * np.sqrt(fed))), alike)
        return cls((busy, variation * prefill_s / (1.0 - busy)), (full, variation / (capacity * fed * (1.0 - rho))))

    def below(self, share: float) -> Floats:
        """Wait that so large a share of the requests stays below, tails taken exponential; the two waits add up."""
        parts = (mean_s * np.log(np.maximum(waiting / (1.0 - share), 1.0)) for waiting, mean_s in self._both)
        return sum(parts, start=np.zeros_like(self.for_place[0]))

    @property
    def _both(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        return self.for_prefill, self.for_place


def largest_rate(
    replicas: Replicas,
    ttft_limit_s: Floats | float,
    tpot_limit_s: float,
    percentile: str,
    answer_limit_s: Floats | float = np.inf,
) -> Floats:
    """Requests/s of one replica at which all times still keep their limits, shape (n,); 0 where none does.

    The limits of the first token and of a whole answer, ``TTFT + (tokens - 1) x TPOT``, are one for all or of shape
    (n, 1).

    All times rise with the rate, so that halving the span of utilisations closes in on it from the safe side.
    """
    kept, missed = np.zeros(len(replicas.capacity)), np.full(len(replicas.capacity), 2.0 * HIGHEST_UTILISATION)
    for _ in range(_HALVINGS):
        middle = (kept + missed) / 2.0
        times = times_at(replicas, (np.minimum(middle, HIGHEST_UTILISATION) * replicas.capacity)[:, None])
        first_s, token_s = times.ttft_s(percentile), times.tpot_s(percentile)
        answered_s = first_s + (replicas.answer_tokens[:, None] - 1.0) * token_s
        good = (first_s <= ttft_limit_s) & (token_s <= tpot_limit_s) & (answered_s <= answer_limit_s)
        is_kept = good[:, 0] & (middle <= HIGHEST_UTILISATION)
        kept, missed = np.where(is_kept, middle, kept), np.where(is_kept, missed, middle)
    return np.asarray(kept * replicas.capacity)


def normal_share(deviations: Floats) -> Floats:
    """Share of a normal distribution below so many deviations, to 0.0002 (Page 1977)."""
    z = np.clip(deviations, -8.0, 8.0)
    return np.asarray(1.0 / (1.0 + np.exp(-z * (1.5976 + 0.07056 * z * z))))


def interpolated(x: Floats, points: Floats, values: Floats) -> Floats:
    """Linear interpolation row by row: ``x`` (n, m), rising ``points`` and ``values`` (n, k); flat beyond the ends."""
    n, width = points.shape
    upper = np.clip((points.T[:, :, None] < x).sum(axis=0), 1, width - 1)
    above = upper + width * np.arange(n)[:, None]
    flat, own = points.ravel(), values.ravel()
    low, high = flat[above - 1], flat[above]
    share = np.clip((x - low) / np.maximum(high - low, _TINY), 0.0, 1.0)
    least = own[above - 1]
    return np.asarray(least + share * (own[above] - least))
