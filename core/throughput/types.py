"""What the throughput engine is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.amounts import Text
from core.catalogue.entries import Accelerator, Host, SliceShape
from core.ranges import Evidence, Range
from core.throughput.measured import AS_TAKEN, Measured


@dataclass(frozen=True, slots=True)
class System:
    """A cluster to predict: ``n_chips`` of one accelerator on one kind of host; ``slice`` for a TPU slice.

    ``route_ms`` is the round trip to users, which leaves that much less of their limit for the first token.
    ``measured``: what the user's logs say of it beside its speed. ``apart``: its hosts are not joined, so that a
    replica lies on one of them.
    """

    accelerator: Accelerator
    n_chips: int
    chips_per_host: int
    network_gbit_per_s: float
    network_estimate: bool
    slice: SliceShape | None = None
    host: Host | None = None
    route_ms: float = 0.0
    measured: Measured = AS_TAKEN
    apart: bool = False

    @property
    def n_hosts(self) -> int:
        """Whole hosts that hold the chips."""
        return -(-self.n_chips // self.chips_per_host)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a job is spread: degrees of data, fully sharded, tensor, pipeline, context and expert parallelism.

    ``dp`` copies of weights that are split over ``fsdp`` ranks each. ``zero`` (1 or 2) is what copies share besides:
    optimiser state, or gradients too. ``interleave`` is the number of stages a pipeline rank holds, 0 to search it.
    ``models`` of their own weights share the fullest of the ``replicas``, of which ``prefill_replicas`` fill caches for
    the others, 0 where each does both.
    ``shared`` chips make one answer of work in samples together.
    """

    dp: int = 1
    fsdp: int = 1
    tp: int = 1
    pp: int = 1
    cp: int = 1
    ep: int = 1
    micro_batch: int = 1
    recompute: str = "none"
    replicas: int = 1
    max_batch: int = 0
    interleave: int = 0
    zero: int = 1
    models: int = 1
    prefill_replicas: int = 0
    shared: int = 1

    @property
    def replica_chips(self) -> int:
        """Chips of a serving replica: tensor ranks, or those over which its experts are spread, times stages."""
        return max(self.tp, self.ep) * self.pp

    @property
    def n_apart(self) -> int:
        """Parts that answer each for itself and need no network between them: replicas, unless some fill caches for
        the others."""
        return 1 if self.prefill_replicas else self.replicas


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something does not fit: a stable code, words, and the nearest change that would admit it.

    ``is_unproved``: a requirement that may well be met, of which nobody has shown it yet.
    """

    code: str
    text: Text
    nearest_change: Text = ""
    is_unproved: bool = False

    @property
    def words(self) -> str:
        """What is wrong and what would help, in one or two sentences, as read now."""
        return f"{str(self.text).rstrip('.')}. {self.nearest_change}".strip()


_Z_OF_P99: dict[str, float] = {"p50": 0.0, "p95": 1.645 / 2.326, "p99": 1.0}
"""Deviations of a normal distribution that such a share stays below, over those of 99 of 100."""

Time = TypeVar("Time", float, NDArray[np.float64])


def at_percentile(half: Time, late: Time, percentile: str) -> Time:
    """Time that ``p50``, ``p95`` or ``p99`` of the requests keep, from those of half and of 99 of 100, in their unit.

    Times between the two are taken as log-normal: ``half^(1 - w) x late^w`` with w 0.707 for 95 of 100 (our estimate).
    """
    weight = _Z_OF_P99[percentile]
    if weight in (0.0, 1.0):
        return late if weight else half
    between: Time = half ** (1.0 - weight) * late**weight
    return between


@dataclass(frozen=True, slots=True)
class Latency:
    """Serving latency in ms: time to first token and time per output token, median and 99th percentile."""

    ttft_p50_ms: float
    ttft_p99_ms: float
    tpot_p50_ms: float
    tpot_p99_ms: float

    def ttft_ms(self, percentile: str) -> float:
        """Time to first token in ms that so many of the requests keep; see :func:`at_percentile`."""
        return at_percentile(self.ttft_p50_ms, self.ttft_p99_ms, percentile)

    def tpot_ms(self, percentile: str) -> float:
        """Time per output token in ms that so many of the requests keep."""
        return at_percentile(self.tpot_p50_ms, self.tpot_p99_ms, percentile)


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """How one replica of a serving system answers at rising concurrency; times in s, rates in requests/s.

    ``concurrency``, ``requests_per_s`` and ``tpot_s`` belong together point by point. ``first_token_s`` and
    ``prefill_s`` are those of a request alone; an answer has ``answer_tokens`` on average. ``max_requests_per_s`` is
    what all ``replicas`` together carry within the limits of time, 0 where even a request alone misses one; ``units``
    equal clusters share them. ``queue_s`` and ``stall_s``, ``prefill_s`` where None, are the time of a prompt at the
    server it queues for, and what it takes from answers that run. ``behind_one_queue``: replicas that take whole
    answers, batch by batch, from one queue, as those of networks do, and then ``tpot_s`` is the time of a batch; None
    where each has a queue of its own and answers token by token.
    """

    replicas: int
    concurrency: tuple[float, ...]
    requests_per_s: tuple[float, ...]
    tpot_s: tuple[float, ...]
    first_token_s: float
    prefill_s: float
    answer_tokens: float
    max_requests_per_s: float
    units: int = 1
    queue_s: float | None = None
    stall_s: float | None = None
    behind_one_queue: int | None = None

    @property
    def saturated_at_per_s(self) -> float:
        """Requests/s at which all replicas are full and the queue grows without end."""
        return self.requests_per_s[-1] * self.replicas


@dataclass(frozen=True, slots=True)
class Throughput:
    """Prediction for one system.

    ``step_terms_s`` sums to ``step_time_s`` (keys: compute, memory, network, pipeline, input, host, overhead);
    a step is an optimiser step when training and one decode step when serving. ``memory_gib`` maps parts
    (weights, gradients, optimizer, activations, kv_cache, logits, buffers, reserve) to GiB of the fullest chip.
    ``tokens_per_s`` counts trained tokens, or output tokens when serving, of the whole system.
    ``roofline`` holds (phase, arithmetic intensity FLOP/byte, achieved FLOP/s per chip). ``load``, when serving
    online, says how latency rises with the request rate. ``unit`` is what ``tokens_per_s`` counts: ``samples`` for
    networks that are no language models.
    """

    system: System
    fits: bool
    reasons: tuple[Reason, ...]
    layout: Layout
    tokens_per_s: Range
    samples_per_s: float
    step_time_s: float
    step_terms_s: dict[str, float]
    mfu: float
    bottleneck: str
    memory_gib: dict[str, float]
    memory_capacity_gib: float
    latency: Latency | None
    evidence: Evidence
    precision: str
    notes: tuple[str, ...] = ()
    roofline: tuple[tuple[str, float, float], ...] = field(default=())
    load: LoadCurve | None = None
    unit: str = "tokens"

    @property
    def runs(self) -> bool:
        """False where no run at all was found, so that no bill is one of it: what does not fit may still run, late."""
        return self.tokens_per_s.likely > 0
