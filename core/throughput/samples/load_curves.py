"""Networks that answer users under a request rate: batches form as requests come, and one queue feeds all replicas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.throughput.chips.fleet import Floats, Ints
from core.throughput.load.queueing import HIGHEST_UTILISATION, Replicas, largest_rate
from core.throughput.samples.batches import MOST_BATCH, SampleRows
from core.throughput.types import LoadCurve, System
from core.workload.jobs.kinds import OnlineServing

_MS = 1e-3
_MOST_POINTS = MOST_BATCH.bit_length()
"""Batches of 1, 2, 4 ... :data:`MOST_BATCH`: so many points has each curve, its last one repeated, so that no answer
depends on what else is asked."""


def load_curves(
    job: OnlineServing, systems: Sequence[System], rows: SampleRows, best: Ints, batch_s: Floats
) -> list[LoadCurve]:
    """The curve of each system's arrangement: the row ``best``, shape (n systems,), and the smaller batches before it.

    ``batch_s``, shape (n rows,), is the time of a batch in s, as logs measured it where they did. At a rate the batch
    is what gathers in the time of its own step; what answers take is told by
    :func:`core.throughput.load.queueing.times_at`.
    """
    n_replicas = np.array([float(system.n_chips) for system in systems]) / rows.shared[best]
    replicas = _replicas(job.peak_requests_per_s, n_replicas, rows, best, batch_s)
    left_s = np.inf if job.ttft_limit_ms is None else job.ttft_limit_ms * _MS
    on_the_way_s = np.array([[system.route_ms * _MS] for system in systems])
    most = n_replicas * largest_rate(replicas, left_s - on_the_way_s, np.inf, job.latency_percentile)
    return [_curve(replicas, row, int(n_replicas[row]), float(most[row])) for row in range(len(systems))]


def _replicas(peak_per_s: float, n_replicas: Floats, rows: SampleRows, best: Ints, batch_s: Floats) -> Replicas:
    """One replica of each system; its queue feeds as many as the system has, or as the busiest hour takes at least."""
    n_points = np.log2(np.maximum(rows.batch[best], 1.0)).round().astype(np.intp) + 1
    points = np.arange(_MOST_POINTS)
    table = np.minimum((best - n_points + 1)[:, None] + points, best[:, None])
    at_once, times_s = (rows.batch * rows.shared)[table], batch_s[table]
    rates, none = np.maximum.accumulate(at_once / times_s, axis=1), np.zeros(len(best))
    return Replicas(
        concurrency=at_once,
        requests_per_s=rates,
        tpot_s=np.maximum.accumulate(times_s, axis=1),
        first_token_s=times_s[:, 0],
        prefill_s=none,
        answer_tokens=np.ones(len(best)),
        behind_one_queue=np.maximum(n_replicas, np.ceil(peak_per_s / (HIGHEST_UTILISATION * rates[:, -1]))),
    )


def _curve(one: Replicas, row: int, n_replicas: int, most_per_s: float) -> LoadCurve:
    return LoadCurve(
        replicas=n_replicas,
        concurrency=tuple(one.concurrency[row].tolist()),
        requests_per_s=tuple(one.requests_per_s[row].tolist()),
        tpot_s=tuple(one.tpot_s[row].tolist()),
        first_token_s=float(one.first_token_s[row]),
        prefill_s=0.0,
        answer_tokens=1.0,
        max_requests_per_s=most_per_s,
        behind_one_queue=int(one.fed[row, 0]),
    )
