"""Answers held against a request rate: latencies there, and how they rise with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.throughput.chips.fleet import Floats
from core.throughput.load.queueing import HIGHEST_UTILISATION, Replicas, times_at
from core.throughput.types import Latency, LoadCurve, Throughput
from core.workload.jobs.kinds import OnlineServing


def under_load(answers: Sequence[Throughput], job: OnlineServing) -> list[Throughput]:
    """The answers at the rate that each carries within the limits: speed, range and latencies are those there.

    Where even a request alone is too late, the speed stays that of full replicas and the latencies are those alone.
    Without a limit of time the answers stay those of full replicas.
    """
    if not job.time_limits.is_set:
        return list(answers)
    rates = [answer.load.max_requests_per_s if answer.load else 0.0 for answer in answers]
    held = zip(answers, latencies_at(answers, rates), rates, strict=True)
    return [_carrying(answer, latency, job, rate) if latency else answer for answer, latency, rate in held]


def _carrying(answer: Throughput, latency: Latency, job: OnlineServing, rate: float) -> Throughput:
    if rate <= 0:
        return replace(answer, latency=latency)
    share = rate * job.output_tokens / answer.tokens_per_s.likely
    speed = answer.tokens_per_s.scaled(share)
    return replace(answer, latency=latency, tokens_per_s=speed, samples_per_s=rate, mfu=answer.mfu * share)


def with_latencies(answers: Sequence[Throughput], requests_per_s: Sequence[float]) -> list[Throughput]:
    """The answers with the latencies of each at its request rate; those without a load curve stay as they are."""
    held = zip(answers, latencies_at(answers, requests_per_s), strict=True)
    return [replace(answer, latency=latency) if latency else answer for answer, latency in held]


def latencies_at(answers: Sequence[Throughput], requests_per_s: Sequence[float]) -> list[Latency | None]:
    """The latencies of each answer at its request rate; None for those without a load curve."""
    curves = [(answer.load, rate) for answer, rate in zip(answers, requests_per_s, strict=True) if answer.load]
    if not curves:
        return [None] * len(answers)
    rates = np.array([[rate / load.replicas] for load, rate in curves])
    times = times_at(replicas_of([load for load, _ in curves]), rates)
    answer_ms = np.hstack([times.ttft_p50_s, times.ttft_p99_s, times.tpot_p50_s, times.tpot_p99_s]) * 1e3
    latencies = iter(answer_ms.tolist())
    return [Latency(*next(latencies)) if answer.load else None for answer in answers]


def replicas_of(curves: Sequence[LoadCurve]) -> Replicas:
    """Curves side by side, the last point of each repeated up to the longest, and up to two.

    All of them or none answer batch by batch from one queue: they are of one workload.
    """
    width = max(2, *(len(curve.concurrency) for curve in curves))

    def padded(values: tuple[float, ...]) -> tuple[float, ...]:
        return values + values[-1:] * (width - len(values))

    return Replicas(
        np.array([padded(curve.concurrency) for curve in curves]),
        np.array([padded(curve.requests_per_s) for curve in curves]),
        np.array([padded(curve.tpot_s) for curve in curves]),
        np.array([curve.first_token_s for curve in curves]),
        np.array([curve.prefill_s for curve in curves]),
        np.array([curve.answer_tokens for curve in curves]),
        np.array([curve.prefill_s if curve.queue_s is None else curve.queue_s for curve in curves]),
        np.array([curve.prefill_s if curve.stall_s is None else curve.stall_s for curve in curves]),
        np.array([float(curve.behind_one_queue or 1) for curve in curves]) if curves[0].behind_one_queue else None,
    )


@dataclass(frozen=True)
class LatencyCurve:
    """Latency in ms over the request rate, shape (m,) each; ``max_requests_per_s`` keeps the limits of time."""

    requests_per_s: Floats
    ttft_p50_ms: Floats
    ttft_p99_ms: Floats
    tpot_p50_ms: Floats
    tpot_p99_ms: Floats
    max_requests_per_s: float


def latency_curve(load: LoadCurve, n_points: int = 60) -> LatencyCurve:
    """Latencies from no load to nearly full replicas, for a chart."""
    rates = np.linspace(0.0, HIGHEST_UTILISATION * load.requests_per_s[-1] * load.replicas, n_points)
    times = times_at(replicas_of([load]), rates[None, :] / load.replicas)
    return LatencyCurve(
        requests_per_s=rates,
        ttft_p50_ms=1e3 * times.ttft_p50_s[0],
        ttft_p99_ms=1e3 * times.ttft_p99_s[0],
        tpot_p50_ms=1e3 * times.tpot_p50_s[0],
        tpot_p99_ms=1e3 * times.tpot_p99_s[0],
        max_requests_per_s=load.max_requests_per_s,
    )
